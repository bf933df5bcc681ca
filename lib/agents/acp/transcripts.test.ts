import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { populationProblem } from "#lib/contract/logs/entry.ts";
import { replay, replayTranscript, transcripts } from "./transcript.fixture.ts";

/** The recorded runs of agents over ACP; the others in the folder are of command lines or never got a session. */
function runs(): string[] {
  return readdirSync(transcripts)
    .filter((name) => /^(claude|codex|codex-\w+|gemini|opencode|opencode-ask|qwen|steps)\.[\w-]+\.jsonl$/.test(name))
    .map((name) => name.replace(".jsonl", ""));
}

test("every recorded run maps to entries that obey the population rules, each turn from its prompt to its end", (t) => {
  if (!existsSync(transcripts)) return t.skip("../shared/acp/transcripts is not here");
  const names = runs();
  assert.ok(names.length >= 40);
  for (const name of names) {
    const turns = replayTranscript(join(transcripts, `${name}.jsonl`));
    // The only run whose recording stops before its turn ends.
    assert.ok(turns.length > 0 || name === "gemini.err500", name);
    for (const { entries } of turns) {
      for (const entry of entries) assert.equal(populationProblem({ ...entry }), null, name);
      assert.equal(entries[0]?.message_type, "USER_MESSAGE", name);
      const last = entries.at(-1);
      assert.ok(["FINAL_ANSWER", "ERROR", "USER_MESSAGE"].includes(last?.message_type ?? ""), name);
      assert.doesNotMatch(JSON.stringify(entries), /MODE_UPDATE|Model metadata/, name);
    }
  }
});

/** The known content of each agent's full run. */
const full: Record<
  string,
  { tools: string[]; plans: number; model: string | null; tokens: number | null; cost: number | null }
> = {
  "claude.full": {
    tools: ["Bash", "Read", "Bash", "Edit", "Bash"],
    plans: 0,
    model: "claude-opus-5-5",
    tokens: 73_025,
    cost: 0.300849,
  },
  "opencode.full": {
    tools: ["bash", "read", "bash", "edit", "bash"],
    plans: 2,
    model: null,
    tokens: null,
    cost: 0.067386,
  },
  "opencode-ask.full": {
    tools: ["bash", "read", "bash", "edit", "bash"],
    plans: 2,
    model: null,
    tokens: null,
    cost: 0.067404,
  },
  "codex.full": {
    tools: ["exec_command", "exec_command", "edit", "exec_command"],
    plans: 0,
    model: "gpt-6.1-sol",
    tokens: 73_218,
    cost: null,
  },
  "gemini.full": {
    tools: ["run_shell_command", "read_file", "run_shell_command", "replace", "run_shell_command"],
    plans: 0,
    model: "gemini-3.8-flash",
    tokens: 77_141,
    cost: null,
  },
  "qwen.full": {
    tools: ["run_shell_command", "read_file", "run_shell_command", "edit", "run_shell_command"],
    plans: 0,
    model: null,
    tokens: 129_561,
    cost: null,
  },
  "steps.full": { tools: ["shell", "shell", "shell"], plans: 4, model: null, tokens: null, cost: null },
};

for (const [name, expected] of Object.entries(full)) {
  test(`${name}: one entry for each tool call and plan, the answer, the figures`, (t) => {
    const [turn] = replay(t, name) ?? [];
    if (turn === undefined) return;
    const actions = turn.entries.filter((entry) => entry.message_type === "ACTION");
    const plans = turn.entries.filter((entry) => entry.message_type === "PLAN_EVALUATION");
    assert.deepEqual(
      actions.map((entry) => entry.tool_name),
      expected.tools,
    );
    assert.equal(plans.length, expected.plans);
    assert.equal(turn.entries.length, actions.length + plans.length + 2);
    for (const action of actions) assert.ok(action.thought !== null && Object.keys(action.tool_input ?? {}).length > 0);
    assert.equal(turn.end.status, "completed");
    assert.match(turn.end.result ?? "", /tests pass now|step\(s\) succeeded/);
    const { model, tokens, costUsd } = turn.figures;
    assert.deepEqual(
      [model, tokens?.total ?? null, costUsd === null ? null : Number(costUsd.toFixed(6))],
      [expected.model, expected.tokens, expected.cost],
    );
  });
}

test("a shell call has its command, its output and its exit code if the agent reports them", (t) => {
  const command = "ls -la && cat README.md";
  const expected = {
    "claude.full": { command, exit: undefined, failed: [1, "failed"], output: /A tiny repo/ },
    "opencode.full": { command, exit: 0, failed: [1, "failed"], output: /A tiny repo/ },
    "codex.full": { command: `/bin/bash -lc '${command}'`, exit: 0, failed: [1, "failed"], output: /A tiny repo/ },
    // gemini reports no output and no exit code of commands.
    "gemini.full": { command, exit: undefined, failed: [undefined, "completed"], output: /^undefined$/ },
    "qwen.full": { command, exit: 0, failed: [1, "failed"], output: /A tiny repo/ },
  };
  for (const [name, { command: asked, exit, failed, output }] of Object.entries(expected)) {
    const [turn] = replay(t, name) ?? [];
    if (turn === undefined) return;
    const actions = turn.entries.filter((entry) => entry.message_type === "ACTION");
    assert.equal(actions[0]?.tool_input?.command, asked, name);
    assert.equal(actions[0]?.tool_output?.exit_code, exit, name);
    assert.match(String(actions[0]?.tool_output?.output), output, name);
    assert.equal(actions[0]?.observation, null, name);
    const tests = actions.find((entry) => entry.tool_input?.command === "node --test");
    assert.deepEqual([tests?.tool_output?.exit_code, tests?.tool_output?.status], failed, name);
  }
});

test("gemini's commands and reads say that their output is not reported; its edits and other agents' calls do not", (t) => {
  for (const name of ["gemini.full", "claude.full", "codex.full", "opencode.full", "qwen.full"]) {
    const [turn] = replay(t, name) ?? [];
    if (turn === undefined) return;
    const actions = turn.entries.filter((entry) => entry.message_type === "ACTION");
    const unreported = actions.filter(({ tool_output }) => tool_output?.output_reported === false);
    assert.deepEqual(
      unreported.map(({ tool_name }) => tool_name),
      name === "gemini.full" ? ["run_shell_command", "read_file", "run_shell_command", "run_shell_command"] : [],
      name,
    );
  }
});

test("reads and edits have their path and the change", (t) => {
  const before = "export const greet = (n) => `Helo, ";
  for (const [name, read, edit] of [
    ["claude.full", "file_path", "file_path"],
    ["opencode.full", "filePath", "filePath"],
    ["codex.full", null, "path"],
    ["gemini.full", "path", "path"],
  ] as const) {
    const [turn] = replay(t, name) ?? [];
    if (turn === undefined) return;
    const actions = turn.entries.filter((entry) => entry.message_type === "ACTION");
    const reading = actions.find((entry) => /^read/i.test(entry.tool_name ?? ""));
    if (read !== null) assert.match(String(reading?.tool_input?.[read]), /greet\.mjs$/, name);
    if (["claude.full", "opencode.full"].includes(name))
      assert.ok(String(reading?.tool_output?.output).includes(before), name);
    const editing = actions.find((entry) => entry.tool_output?.diffs !== undefined);
    assert.match(String(editing?.tool_input?.[edit]), /greet\.mjs$/, name);
    const diffs = editing?.tool_output?.diffs as { path: string; oldText: string; newText: string }[];
    assert.deepEqual(
      diffs.map(({ path }) => path),
      ["greet.mjs"],
      name,
    );
    assert.match(`${diffs[0]?.oldText} -> ${diffs[0]?.newText}`, /Helo[\s\S]* -> [\s\S]*Hello/, name);
  }
});

test("a file that OpenCode read is shown once, though its output has line numbers and a wrapper", (t) => {
  const [turn] = replay(t, "opencode.full") ?? [];
  if (turn === undefined) return;
  const reading = turn.entries.find((entry) => entry.tool_name === "read");
  assert.match(String(reading?.tool_output?.output), /^<path>.*1: export const greet/s);
  assert.equal(reading?.observation, null);
});

test("a plan is a checklist that fills up", (t) => {
  for (const [name, first] of [
    ["opencode.full", "- [ ] Survey the repository (in progress)\n- [ ] Fix the greeting\n- [ ] Run the tests"],
    ["steps.full", "- [ ] Recent history (in progress)\n- [ ] Count files by type\n- [ ] Run the tests: node --test"],
  ] as const) {
    const [turn] = replay(t, name) ?? [];
    if (turn === undefined) return;
    const plans = turn.entries
      .filter((entry) => entry.message_type === "PLAN_EVALUATION")
      .map((entry) => entry.thought);
    assert.equal(plans[0], first);
    assert.match(plans.at(-1) ?? "", /^(- \[x\] .*\n?){3}$/);
  }
});
