import assert from "node:assert/strict";
import test from "node:test";
import { isUnfiltered, noFilter, parseRunFilter, runFilterQuery, runFilterSearch } from "./run-filter.ts";

const parse = (search: string) => parseRunFilter(new URLSearchParams(search));

test("a filter survives being written to an address and read back", () => {
  const filter = {
    statuses: ["queued" as const, "failed" as const],
    repoId: 7,
    agent: "codex",
    text: "fix & ship, “now”",
  };
  assert.deepEqual(parse(runFilterSearch(filter)), filter);
});

test("the address of a filter is readable and says nothing of what is not filtered", () => {
  assert.equal(runFilterSearch(noFilter), "");
  assert.equal(runFilterSearch({ ...noFilter, statuses: ["queued", "running"] }), "status=queued,running");
});

test("invalid parts of an address are left out", () => {
  assert.deepEqual(parse("status=running,nonsense,RUNNING&repo_id=-3&agent=&q=&other=1"), {
    ...noFilter,
    statuses: ["running"],
  });
  assert.deepEqual(parse("repo_id=1.5"), noFilter);
  assert.deepEqual(parse("q=a%00b%ED"), { ...noFilter, text: "ab\ufffd" });
  assert.equal(parse(`q=${"x".repeat(300)}`).text.length, 200);
});

test("statuses keep the order of a run's life, so equal filters have one address", () => {
  assert.equal(runFilterSearch(parse("status=failed,queued")), "status=queued,failed");
});

test("the request leaves out what is not filtered, and text of spaces alone", () => {
  assert.deepEqual(runFilterQuery({ ...noFilter, text: "  " }), {
    status: undefined,
    repo_id: undefined,
    agent: undefined,
    q: undefined,
  });
  assert.equal(isUnfiltered(noFilter), true);
  assert.equal(isUnfiltered({ ...noFilter, agent: "steps" }), false);
});
