import assert from "node:assert/strict";
import { test } from "node:test";
import { ListRunsQuery } from "#lib/contract/runs/run-operations.ts";
import { parseQuery, repeatableNames } from "./parse-query.ts";

test("of a repeated parameter the last value counts, a repeatable one is collected, an empty one is absent", () => {
  const repeatables = repeatableNames(ListRunsQuery);
  assert.deepEqual([...repeatables], ["status"]);
  const parsed = parseQuery("/x?limit=1&limit=2&status=a&status=b,c&q=&agent=a%20b+c&__proto__=1", repeatables);
  assert.deepEqual(parsed, { limit: "2", status: "a,b,c", agent: "a b c" });
  assert.deepEqual(parseQuery("/x", repeatables), {});
  assert.deepEqual(parseQuery("/x?", repeatables), {});
});

test("the reference service's words for a status are accepted as filters", () => {
  assert.deepEqual(ListRunsQuery.parse({ status: "PAUSED,completed" }).status, ["waiting", "interrupted", "completed"]);
});
