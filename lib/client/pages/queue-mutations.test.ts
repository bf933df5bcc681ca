import assert from "node:assert/strict";
import { test } from "node:test";
import { MutationObserver } from "@tanstack/react-query";
import type { Run } from "#lib/contract/runs/run.ts";
import { makeQueryClient } from "./query-client.ts";
import { sendQueueOptions } from "./queue-mutations.ts";

test("the sender of held messages is notified, even if the stream removed the button before the response arrived", async (t) => {
  const client = makeQueryClient();
  t.after(() => client.clear());
  const answered = Promise.withResolvers<Response>();
  t.mock.method(globalThis, "fetch", () => answered.promise);
  const heard = Promise.withResolvers<Run>();
  const button = new MutationObserver(client, sendQueueOptions(client, 1, 7, heard.resolve));
  const leave = button.subscribe(() => undefined);
  const sent = button.mutate();
  leave();
  answered.resolve(Response.json({ id: 7, status: "queued" }));
  assert.equal((await heard.promise).status, "queued");
  await sent;
});
