import assert from "node:assert/strict";
import { test } from "node:test";
import { PageCache } from "./page-cache.ts";

test("a page is cached when it is read for the second time", () => {
  const cache = new PageCache(80);
  const page = [new Uint8Array(4), new Uint8Array(6)];
  assert.equal(cache.set("page", page), false);
  assert.equal(cache.get("page"), undefined);
  for (let index = 0; index < 150; index += 1) cache.set(`another ${index}`, page);
  assert.equal(cache.set("page", page), true);
  assert.equal(cache.get("page"), page);
  // A reader who returns after hundreds of other pages is like a first-time reader.
  for (let index = 0; index < 300; index += 1) cache.set(`further ${index}`, page);
  cache.set("further 0", page);
  assert.equal(cache.get("further 0"), undefined);
});

test("the least recently used page is dropped, and a huge one never takes the whole cache", () => {
  const cache = new PageCache(80);
  const page = (byte: number, length = 10) => [new Uint8Array(length).fill(byte)];
  const keep = (key: string, bytes: Uint8Array[]) => {
    cache.set(key, bytes);
    cache.set(key, bytes);
  };
  for (let index = 0; index < 8; index += 1) keep(`page ${index}`, page(index));
  assert.deepEqual(cache.get("page 0"), page(0));
  keep("page 8", page(8));
  assert.equal(cache.get("page 1"), undefined);
  assert.deepEqual(cache.get("page 0"), page(0));
  keep("huge", page(9, 11));
  assert.equal(cache.set("huge", page(9, 11)), false);
  assert.equal(cache.get("huge"), undefined);
  assert.deepEqual(cache.get("page 8"), page(8));
});
