import assert from "node:assert/strict";
import { test } from "node:test";
import { ListRunsQuery } from "#lib/contract/runs/run-list.ts";
import { parseQuery, repeatableNames } from "./parse-query.ts";

test("of a repeated parameter the last value counts, a repeatable one is collected, an empty one is absent", () => {
  const repeatables = repeatableNames(ListRunsQuery);
  assert.deepEqual([...repeatables.keys()], ["status", "metadata", "fields"]);
  const parsed = parseQuery("/x?limit=1&limit=2&status=a&status=b,c&q=&agent=a%20b+c&__proto__=1", repeatables);
  assert.deepEqual(parsed, { limit: "2", status: "a,b,c", agent: "a b c" });
  assert.deepEqual(parseQuery("/x?metadata=a=b,c&metadata=d=e=f", repeatables), { metadata: "a=b,c\nd=e=f" });
  assert.deepEqual(parseQuery("/x", repeatables), {});
  assert.deepEqual(parseQuery("/x?", repeatables), {});
});

test("metadata is filtered by names and values, fields by names, and ids are always there", () => {
  assert.deepEqual(ListRunsQuery.parse({ metadata: "a=b,c\nd=e=f" }).metadata, [
    ["a", "b,c"],
    ["d", "e=f"],
  ]);
  for (const metadata of ["a", "=b", "a=", `a=${"x".repeat(256)}`, "a=b\n".repeat(11).trim()]) {
    assert.equal(ListRunsQuery.safeParse({ metadata }).success, false, metadata);
  }
  assert.deepEqual(ListRunsQuery.parse({ fields: "status, prompt,status" }).fields, ["id", "status", "prompt"]);
  assert.equal(ListRunsQuery.safeParse({ fields: "toString" }).success, false);
});

test("the reference service's words for a status are accepted as filters", () => {
  assert.deepEqual(ListRunsQuery.parse({ status: "PAUSED,completed" }).status, ["waiting", "interrupted", "completed"]);
});
