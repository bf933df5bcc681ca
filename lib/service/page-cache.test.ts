import assert from "node:assert/strict";
import { test } from "node:test";
import { PageCache } from "./page-cache.ts";

test("the page used longest ago makes room, and a huge one never takes it all", () => {
  const cache = new PageCache(80);
  const page = (byte: number, length = 10) => new Uint8Array(length).fill(byte);
  for (let index = 0; index < 8; index += 1) cache.set(`page ${index}`, page(index));
  assert.deepEqual(cache.get("page 0"), page(0));
  cache.set("page 8", page(8));
  assert.equal(cache.get("page 1"), undefined);
  assert.deepEqual(cache.get("page 0"), page(0));
  cache.set("huge", page(9, 11));
  assert.equal(cache.get("huge"), undefined);
  assert.deepEqual(cache.get("page 8"), page(8));
});
