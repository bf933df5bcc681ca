import assert from "node:assert/strict";
import { test } from "node:test";
import { noFilter } from "./run-filter.ts";
import { parseSearchFilter, searchFilterQuery, searchFilterSearch } from "./search-filter.ts";

test("a search survives being written to an address and read back", () => {
  const filter = { ...noFilter, text: "lease & cursor", repoId: 3, age: "week" as const };
  const written = searchFilterSearch(filter);
  assert.deepEqual(parseSearchFilter(new URLSearchParams(written)), filter);
  assert.equal(searchFilterSearch({ ...noFilter, age: null }), "");
  assert.deepEqual(parseSearchFilter(new URLSearchParams("age=century")), { ...noFilter, age: null });
});

test("an age is a time that stays the same within an hour", () => {
  const filter = { ...noFilter, text: "x", age: "day" as const };
  const [one, other] = ["2026-03-02T10:01:00Z", "2026-03-02T10:59:59Z"].map((at) =>
    searchFilterQuery(filter, Date.parse(at)),
  );
  assert.equal(one?.created_after, "2026-03-01T10:00:00.000Z");
  assert.deepEqual(one, other);
});
