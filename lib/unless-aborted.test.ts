import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { unlessAborted } from "./unless-aborted.ts";

test("a value that comes before the abort is passed on, a failure too, and no listener is left", async () => {
  const { signal } = new AbortController();
  assert.equal(await unlessAborted(Promise.resolve(1), signal), 1);
  await assert.rejects(unlessAborted(Promise.reject(new Error("no luck")), signal), { message: "no luck" });
  assert.equal(getEventListeners(signal, "abort").length, 0);
});

test("nobody waits for a value after the abort, even if it was before the call; its failure is nobody's", async () => {
  const stop = new AbortController();
  const late = Promise.withResolvers<number>();
  const asked = unlessAborted(late.promise, stop.signal);
  stop.abort();
  assert.equal(await asked, null);
  assert.equal(await unlessAborted(Promise.resolve(1), stop.signal), null);
  late.reject(new Error("too late"));
  await new Promise((resolve) => setImmediate(resolve));
});
