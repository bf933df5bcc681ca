import assert from "node:assert/strict";
import { test } from "node:test";
import { listedAgent } from "#lib/contract/runs/agent.fixture.ts";
import { groupByKeeping } from "./agents-kept.ts";

test("agents isolated in the same way for the same reason are grouped, those behind the wall first", () => {
  const agent = (id: string, isolation_reason: string | null) =>
    listedAgent(id, { isolation: isolation_reason === null ? "wall" : "leash", isolation_reason });
  const groups = groupByKeeping([
    agent("a", "It is set so."),
    agent("b", null),
    agent("c", "x"),
    agent("d", "It is set so."),
  ]);
  assert.deepEqual(
    groups.map(({ isolation, reason, agents }) => [isolation, reason, agents.map(({ id }) => id)]),
    [
      ["wall", null, ["b"]],
      ["leash", "It is set so.", ["a", "d"]],
      ["leash", "x", ["c"]],
    ],
  );
});
