import assert from "node:assert/strict";
import test from "node:test";
import { repeatable } from "./repeatable.ts";

test("an equal request has the same idempotency key until one succeeds", async () => {
  const keys: (string | null)[] = [];
  let isReachable = false;
  const start = repeatable(
    async (prompt: string, transport) => (await transport(`/${prompt}`, {})).status,
    async (_, { headers }) => {
      keys.push(new Headers(headers).get("idempotency-key"));
      if (!isReachable) throw new TypeError("fetch failed");
      return new Response();
    },
  );
  await assert.rejects(start("Fix it"));
  await assert.rejects(start("Fix it"));
  isReachable = true;
  assert.equal(await start("Fix it"), 200);
  assert.equal(await start("Fix it"), 200);
  assert.equal(await start("Fix that"), 200);
  assert.ok(keys.every((key) => key !== null && key.length >= 8));
  assert.deepEqual(
    keys.map((key) => keys.indexOf(key)),
    [0, 0, 0, 3, 4],
  );
});
