import assert from "node:assert/strict";
import { test } from "node:test";
import type { AnalysisCause } from "#lib/contract/analysis.ts";
import type { RunStatus } from "#lib/contract/run-status.ts";
import { analysed, falseQuotes } from "./analysed.fixture.ts";
import type { StoredEntry } from "./step.ts";

const call = (tool_name: string, tool_input: object, text = "done", is_error = false): StoredEntry => ({
  message_type: "ACTION",
  tool_name,
  tool_input,
  tool_output: { text, is_error },
});
const shell = (command: string, text?: string) => call("Bash", { command }, text);
const edit = (path: string) => call("Edit", { file_path: path, old_string: "a", new_string: "b" });
const failedEdit = (path: string) =>
  call("Edit", { file_path: path, old_string: "a", new_string: "b" }, "String to replace not found in file.", true);
const said = (thought: string): StoredEntry => ({ message_type: "PLAN_EVALUATION", thought });
const answer = (observation: string): StoredEntry => ({ message_type: "FINAL_ANSWER", observation });
const error = (message: string): StoredEntry => ({ message_type: "ERROR", observation: { message } });
const asked: StoredEntry = { message_type: "USER_MESSAGE", observation: "Mend it" };

/** What a rule says of a run: the seqs of its evidence and words that must stand in a quote; null where it says nothing. */
type Case = [what: string, status: RunStatus, entries: StoredEntry[], seqs: number[] | null, words?: string];

function holds(rule: AnalysisCause["rule"], cases: readonly Case[]): void {
  for (const [what, status, entries, seqs, words = ""] of cases) {
    const analysis = analysed(entries, { status });
    const cause = analysis.causes.find((one) => one.rule === rule);
    assert.deepEqual(cause?.evidence.map(({ seq }) => seq) ?? null, seqs, what);
    assert.ok(seqs === null || cause?.evidence.some(({ quote }) => quote.includes(words)), `${what}: ${words}`);
    assert.deepEqual(falseQuotes(entries, analysis), [], what);
  }
}

test("run_limit is said of runs that a limit ended", () => {
  const work = [asked, shell("ls")];
  holds("run_limit", [
    ["the status tells of time, the last entry where it broke off", "timed_out", work, [2], "Bash"],
    ["the status tells of turns", "max_turns_reached", [...work, said("Next I look.")], [3], "Next I look."],
    [
      "the status tells of tokens, an error says it",
      "out_of_tokens",
      [...work, error("No tokens left")],
      [3],
      "No tokens",
    ],
    [
      "words of a limit go before other errors",
      "timed_out",
      [error("Time limit of 60 s"), error("It ended")],
      [1],
      "Time",
    ],
    ["a failed run whose last error names a limit", "failed", [...work, error("exit_cost: cost limit reached")], [3]],
    ["a completed run that ends with the error of a limit", "completed", [...work, error("max_turns reached")], [3]],
    [
      "a limit before more work was not the end",
      "failed",
      [error("step limit reached"), ...work, error("Broken")],
      null,
    ],
    ["a failed run without words of a limit", "failed", [...work, error("It broke")], null],
    ["a run that answered", "completed", [...work, answer("The time limit of the page is mended.")], null],
    ["a run that a person ended", "cancelled", work, null],
    ["a run that goes on", "running", [...work, error("turn limit")], null],
  ]);
});

test("gave_up is said where the agent's last words say so", () => {
  const work = [asked, shell("ls")];
  holds("gave_up", [
    ["its answer says so", "completed", [...work, answer("I was unable to fix the build.")], [3], "unable to fix"],
    ["behind other words", "completed", [...work, answer("I tried much.\nSo I couldn't solve it.")], [3], "couldn't"],
    ["a tool for the answer", "completed", [...work, call("finish", { message: "I am stuck." })], [3], "I am stuck"],
    ["words without an answer", "completed", [...work, said("I give up.")], [3], "give up"],
    ["a part that was not tried is no task", "completed", [...work, answer("Mended. I could not test Windows.")], null],
    ["earlier words are not the last", "completed", [...work, said("I give up on sed."), answer("Mended.")], null],
    ["a tool's output is not the agent's", "completed", [asked, shell("make", "I give up"), answer("Mended.")], null],
    ["a person's words are not the agent's", "completed", [asked, answer("Mended."), said("Done.")], null],
    ["a run that failed ended otherwise", "failed", [...work, said("I give up."), error("It broke")], null],
  ]);
});

test("not_verified is said where nothing was checked after the last edit of code", () => {
  const path = "/w/src/a.ts";
  const done = answer("Mended.");
  holds("not_verified", [
    ["no check at all", "completed", [asked, edit(path), done], [2], path],
    ["a check before the edit only", "completed", [shell("npm test"), edit(path), done], [2], path],
    ["the last of several edits", "completed", [edit(path), shell("npm test"), edit("/w/src/b.ts"), done], [3], "b.ts"],
    ["a shell that writes a file", "completed", [shell("echo 1 > src/a.ts"), done], [1], "src/a.ts"],
    ["tests after it", "completed", [edit(path), shell("npm test"), done], null],
    ["a type check after it", "completed", [edit(path), shell("npx tsc --noEmit"), done], null],
    ["a script of its own after it", "completed", [edit(path), shell("python reproduce.py"), done], null],
    ["notes need no check", "completed", [edit("/w/NOTES.md"), done], null],
    ["what lies in a temporary folder needs none", "completed", [edit("/tmp/try.py"), done], null],
    ["removing what was made for a try needs none", "completed", [shell("rm src/try.ts"), done], null],
    ["an edit that did not apply changed nothing", "completed", [failedEdit(path), done], null],
    ["a run without edits", "completed", [asked, shell("ls"), done], null],
    ["a run that goes on may check yet", "running", [edit(path)], null],
  ]);
});
