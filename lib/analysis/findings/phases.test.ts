import assert from "node:assert/strict";
import { test } from "node:test";
import { analysed } from "#lib/analysis/analysed.fixture.ts";

const ran = (exit_code: number) => ({
  message_type: "ACTION",
  tool_name: "shell",
  tool_input: { command: "npm test" },
  tool_output: { exit_code, output: `ℹ pass 1\nℹ fail ${exit_code}` },
});
const edited = {
  message_type: "ACTION",
  tool_name: "edit",
  tool_input: { path: "src/a.ts", old_string: "a", new_string: "b" },
  tool_output: { status: "completed" },
};
const error = { message_type: "ERROR", observation: { message: "The provider is away." } };
const kindsOf = (entries: object[]) => analysed(entries.map((entry) => ({ ...entry }))).phases.map(({ kind }) => kind);

test("a failed check without an edit is no repair", () => {
  assert.deepEqual(kindsOf([ran(1)]), ["verify"]);
  assert.deepEqual(kindsOf([ran(1), edited, ran(1), edited, ran(0)]), ["verify", "repair", "verify"]);
});

test("a phase distinguishes failed calls from errors of the run", () => {
  const [phase] = analysed([ran(1), error], { status: "failed" }).phases;
  assert.deepEqual([phase?.calls, phase?.failed, phase?.errors], [1, 1, 2]);
});

test("limits say whether a diff is missing, still to come, or cut", () => {
  const limits = (status: "running" | "completed") => analysed([ran(0)], { status }).limits.join("\n");
  assert.match(limits("running"), /The run has no diff yet/);
  assert.match(limits("completed"), /The run has no diff, so/);
});
