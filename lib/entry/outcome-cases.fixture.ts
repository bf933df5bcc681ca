import type { Outcome } from "./outcome.ts";

/** A tool call as another system reports it, with the outcome that every view must show. */
export type OutcomeCase = {
  name: string;
  outcome: Outcome;
  tool_name: string;
  tool_input: Record<string, unknown>;
  tool_output: Record<string, unknown>;
};

const shell = (
  name: string,
  outcome: Outcome,
  tool_output: Record<string, unknown>,
  command = "make all",
): OutcomeCase => ({ name, outcome, tool_name: "Bash", tool_input: { command }, tool_output });
const read = (name: string, outcome: Outcome, tool_output: Record<string, unknown>): OutcomeCase => ({
  name,
  outcome,
  tool_name: "Read",
  tool_input: { file_path: "/work/a.ts" },
  tool_output,
});
const edit = (name: string, outcome: Outcome, tool_output: Record<string, unknown>): OutcomeCase => ({
  name,
  outcome,
  tool_name: "Edit",
  tool_input: { file_path: "/work/a.ts", old_string: "one", new_string: "two" },
  tool_output,
});
const long = "a line of a long output\n".repeat(2_000);

/** One case per signal, with reads next to each other so that they form a group. */
export const outcomeCases: readonly OutcomeCase[] = [
  shell("a command that worked", "ok", { status: "completed", exit_code: 0, output: "done" }),
  shell("an exit code", "failed", { exit_code: 2, output: "no rule" }),
  shell("a status", "failed", { status: "failed", output: "no" }),
  shell("a status against its exit code", "failed", { status: "completed", exit_code: 9, output: "" }),
  shell("a signal", "failed", { status: "completed", signal: "SIGKILL" }),
  shell("a flag", "failed", { text: "no", is_error: true }),
  shell("a flag of MCP", "failed", { content: [{ type: "text", text: "no" }], isError: true }),
  shell("no success", "failed", { content: "no", success: false }),
  shell("an error", "failed", { error: "not there" }),
  shell("an exit code in metadata", "failed", { output: "x", metadata: { exit: 1 } }),
  shell("an exit code in a line before", "failed", {
    output: `Chunk ID: 1\nWall time: 1 seconds\nProcess exited with code 4\nOutput:\n${long}`,
  }),
  shell("an exit code in a line behind", "failed", { text: `${long}\n[The command completed with exit code 3.]` }),
  shell("an exit code in tags", "failed", { text: "<returncode>1</returncode>\n<output>\n</output>" }),
  shell("a red test behind a pipe", "ok", { exit_code: 0, output: "1 failed, 3 passed" }, "npm test | tail -3"),
  shell("grep that found nothing", "ok", { status: "failed", exit_code: 1, output: "" }, "cd src && grep -rn TODO ."),
  shell("grep before a test that failed", "failed", { exit_code: 1 }, "grep -q x y && npm test"),
  shell("a refusal", "refused", { status: "rejected", output: "Not allowed." }),
  shell("a refusal in words", "refused", {
    text: "The user doesn't want to proceed with this tool use.",
    is_error: true,
  }),
  shell("a stop", "cancelled", { status: "cancelled", output: "so far" }),
  shell("a stop in words", "cancelled", { text: "[Request interrupted by user for tool use]", is_error: true }),
  shell("no result", "unfinished", {}),
  shell("a call that runs", "unfinished", { status: "in_progress" }),
  shell("a word that is not known", "unknown", { status: "drafted" }),
  read("a file that was read", "ok", { output: "1\tconst a = 1;" }),
  read("a file that is not there", "failed", { text: "File does not exist.", is_error: true }),
  read("a log that begins with Error", "ok", { status: "completed", output: "Error: seen yesterday" }),
  read("a read that was refused", "refused", { status: "rejected" }),
  read("a read without a result", "unfinished", {}),
  edit("an edit that worked", "ok", { output: "Applied." }),
  edit("an edit that found nothing to replace", "failed", { output: "String to replace not found in file." }),
  edit("an edit that was not applied", "failed", { text: `ERRORS:\n${long}\nYour changes have NOT been applied.` }),
  {
    ...edit("a patch that does not fit", "failed", {
      output: "apply_patch verification failed: Failed to find expected lines",
    }),
    tool_name: "apply_patch",
    tool_input: { input: "*** Begin Patch\n*** Update File: a.ts\n*** End Patch" },
  },
];
