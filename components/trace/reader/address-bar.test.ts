import assert from "node:assert/strict";
import { test } from "node:test";
import { changedSearch, parseEntry, searchOf } from "./address-bar.ts";

test("only whole numbers from 1 name an entry", () => {
  assert.equal(parseEntry("12"), 12);
  for (const text of ["0", "-1", "1.5", "", "x", "01", "9999999999", null, undefined]) {
    assert.equal(parseEntry(text), null);
  }
});

test("a change of the address leaves out default values and keeps other parameters", () => {
  const change = (search: string, part: Parameters<typeof changedSearch>[1]) => changedSearch(search, part).toString();
  assert.equal(change("?tab=raw&x=1", { tab: "trace", entry: "12" }), "x=1&entry=12");
  assert.equal(change("?entry=12&find=port", { entry: null, find: null }), "");
  assert.equal(change("?toolCallId=abc&tab=timeline", { toolCallId: null, entry: "3" }), "tab=timeline&entry=3");
  assert.equal(searchOf({ tab: "timeline", entry: null, find: "a b" }), "?tab=timeline&find=a+b");
});
