import assert from "node:assert/strict";
import { test } from "node:test";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { groupAround, groupsIn } from "./entry-groups.ts";

let seq = 0;
function entry(part: Partial<LogEntry>): LogEntry {
  seq += 1;
  return {
    agent_run_id: 1,
    seq,
    created_at: "2026-01-01T00:00:00.000Z",
    message_type: "ACTION",
    thought: null,
    tool_name: null,
    tool_input: null,
    tool_output: { status: "completed" },
    observation: null,
    ...part,
  };
}
const read = (path: string, part: Partial<LogEntry> = {}) =>
  entry({ tool_name: "Read", tool_input: { file_path: path }, ...part });
const search = (pattern: string) => entry({ tool_name: "Grep", tool_input: { pattern } });
const shell = () => entry({ tool_name: "Bash", tool_input: { command: "ls" } });

test("consecutive reads and searches form a group; a single one does not, and anything else separates them", () => {
  const entries = [
    read("a"),
    shell(),
    read("src/a.ts"),
    read("src/b.ts"),
    search("x"),
    shell(),
    search("x"),
    search("y"),
  ];
  assert.deepEqual(
    groupsIn(entries, 50).map(({ first, last, title }) => [first, last, title]),
    [
      [52, 54, "Searched once, read 2 files"],
      [56, 57, "Searched twice"],
    ],
  );
});

test("a group names each file once, and counts the other files and its failures", () => {
  const failed = read("/srv/e.ts", { tool_output: { status: "failed" } });
  const entries = ["a", "b", "a", "c", "d"].map((name) => read(`/srv/app/lib/${name}.ts`));
  const [group] = groupsIn([...entries, failed], 0);
  assert.equal(group?.title, "Explored 5 files");
  assert.deepEqual(group?.names, ["a.ts", "b.ts", "c.ts", "d.ts"]);
  assert.equal(group?.more, 1);
  assert.equal(group?.failures, 1);
});

test("prose is never hidden: a thought begins a group, and words about a result stay outside", () => {
  const thinking = read("b", { thought: "Now the other one" });
  const telling = read("d", { observation: "Odd" });
  const entries = [read("a"), read("a2"), thinking, read("c"), telling, read("e"), read("f")];
  assert.deepEqual(
    groupsIn(entries, 0).map(({ first, last }) => [first, last]),
    [
      [0, 1],
      [2, 3],
      [5, 6],
    ],
  );
});

test("an unknown entry separates groups, so that what is known can be decided without it", () => {
  const groups = groupsIn([read("a"), read("b"), null, read("c"), read("d")], 0);
  assert.deepEqual(
    groups.map(({ first, last }) => [first, last]),
    [
      [0, 1],
      [3, 4],
    ],
  );
  assert.equal(groupAround(groups, 2), null);
  assert.equal(groupAround(groups, 4), groups[1]);
  assert.deepEqual(groupsIn([], 0), []);
});
