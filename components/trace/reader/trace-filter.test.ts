import assert from "node:assert/strict";
import { test } from "node:test";
import {
  isUnfilteredTrace,
  noTraceFilter,
  parseTraceFilter,
  traceFilterKey,
  writeTraceFilter,
} from "./trace-filter.ts";

test("a filter is read back from the address it was written to, and other parameters stay", () => {
  const filter = {
    types: ["ACTION" as const, "ERROR" as const],
    tools: ["a,b", "Bash"],
    isErrors: true,
    isProse: true,
    text: "x & y",
  };
  const search = new URLSearchParams("entry=5&type=nothing&find=z");
  writeTraceFilter(search, filter);
  assert.deepEqual(parseTraceFilter(new URLSearchParams(search.toString())), filter);
  assert.equal(search.get("entry"), "5");
  assert.equal(search.get("find"), "z");
  writeTraceFilter(search, noTraceFilter);
  assert.equal(search.toString(), "entry=5&find=z");
});

test("values not understood are left out", () => {
  const parsed = parseTraceFilter(new URLSearchParams("type=ACTION,NOPE&errors=yes&prose=0&tool=&text=%00"));
  assert.deepEqual(parsed, { ...noTraceFilter, types: ["ACTION"] });
});

test("equal filters have the same key, whatever the order of the types, and blanks alone are no filter", () => {
  const one = parseTraceFilter(new URLSearchParams("type=ERROR,ACTION"));
  const other = parseTraceFilter(new URLSearchParams("type=ACTION&type=ERROR"));
  assert.equal(traceFilterKey(one), traceFilterKey(other));
  assert.ok(isUnfilteredTrace({ ...noTraceFilter, text: "  " }));
  assert.ok(!isUnfilteredTrace({ ...noTraceFilter, isProse: true }));
});
