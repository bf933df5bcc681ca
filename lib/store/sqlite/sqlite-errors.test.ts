import assert from "node:assert/strict";
import { test } from "node:test";
import { isDiskFull } from "#lib/store/store-error.ts";
import { storeErrorOf } from "./sqlite-errors.ts";

test("a disk without room for the store or for its log's index is said to be full, and other errors of it are not", () => {
  const failed = (errcode: number) => storeErrorOf("/s.db", Object.assign(new Error("disk I/O error"), { errcode }));
  const [full, index, unread] = [13, 4874, 266].map(failed);
  assert.deepEqual([full, index, unread].map(isDiskFull), [true, true, false]);
  assert.equal(index instanceof Error && index.message, "The store /s.db cannot be written: the disk is full");
});
