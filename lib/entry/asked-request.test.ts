import assert from "node:assert/strict";
import { test } from "node:test";
import { Question } from "#lib/contract/runs/question.ts";
import { askedRequestOf, questionText } from "./asked-request.ts";

const question = (fields: Record<string, unknown>) =>
  Question.parse({
    ...{ id: "q", title: "Do it", tool_name: "other", tool_input: {}, options: [] },
    ...{ asked_at: "2026-01-01T00:00:00.000Z", expires_at: "2026-01-01T01:00:00.000Z", ...fields },
  });

test("a question stored by an earlier version is read without what it lacks", () => {
  const { text, locations, diffs_total } = question({});
  assert.deepEqual([text, locations, diffs_total], [null, [], 0]);
});

test("everything in the input is shown once: as the command, as a change, or as the rest", () => {
  const shell = askedRequestOf(
    question({ title: "ls", tool_name: "Bash", tool_input: { command: "ls", env: { A: "b" } } }),
  );
  assert.deepEqual([shell.view.kind, shell.title, shell.rest], ["shell", null, { env: { A: "b" } }]);
  const diffs = [{ path: "a", oldText: "1", newText: "2" }];
  const edit = { file_path: "/repo/a", old_string: "1", new_string: "2", replace_all: true, diffs };
  const changed = askedRequestOf(question({ tool_name: "Edit", tool_input: edit, diffs_total: 12 }));
  assert.deepEqual([changed.changes.length, changed.changesTotal, changed.rest], [1, 12, { replace_all: true }]);
  const strange = askedRequestOf(question({ tool_input: { q: 1, diffs } }));
  assert.deepEqual([strange.changes.length, strange.rest], [1, { q: 1 }]);
});

test("a question in plain text has its command, the agent's words, its files and the number of its changes", () => {
  const said = questionText(
    question({
      ...{ title: "Clean up", tool_name: "Bash", tool_input: { command: "rm -rf build" }, text: "as root" },
      locations: [{ path: "/etc/shadow", line: 2 }],
      locations_total: 1,
    }),
  );
  assert.equal(said, "Clean up\nrm -rf build\nas root\n1 file: /etc/shadow:2");
  const diffs = Array.from({ length: 12 }, (_, at) => ({ path: `f${at}`, oldText: "a", newText: "b" }));
  const edits = questionText(question({ tool_name: "Edit", tool_input: { diffs }, diffs_total: 300 }));
  assert.equal(edits, "Do it\n300 changes: f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, …");
  assert.equal(questionText(question({ title: "Search", tool_input: { q: 1 } })), "Search\nq: 1");
  const deletes = question({ title: "x.ts", kind: "delete", tool_input: {} });
  assert.equal(questionText(deletes), "x.ts\nKind: delete");
  const shell = question({
    title: "ls",
    tool_name: "Bash",
    tool_input: { command: "ls", run_as: "root", env: { A: "b" } },
  });
  assert.equal(questionText(shell), 'ls\nrun_as: root\nenv: {"A":"b"}');
  const plan = question({
    title: "Ready",
    tool_name: "ExitPlanMode",
    kind: "switch_mode",
    tool_input: { plan: "# A\n1. b" },
  });
  assert.match(questionText(plan), /^Ready\nKind: switch_mode\n[\s\S]*plan: # A\n1\. b$/);
});
