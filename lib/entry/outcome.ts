import { fieldsOf } from "#lib/contract/json-fields.ts";
import { exitField } from "./exit-code.ts";
import { inputPath } from "./file-changes.ts";
import { type HeaderLines, readHeaderLines } from "./header-lines.ts";
import { toolViewOf } from "./read-tool-view.ts";
import { resultTextOf } from "./result-text.ts";
import { answersByExitCode } from "./shell-command.ts";
import { endsOfText } from "./text-ends.ts";
import type { ToolCall } from "./tool-call.ts";
import { kindOfName } from "./tool-kinds.ts";

/**
 * How a tool call ended. Only `failed` counts as an error. `refused`: a person or the permission mode said no; `cancelled`: it
 * was stopped; `unfinished`: there is no result; `unknown`: the result does not say.
 */
export type Outcome = "ok" | "failed" | "refused" | "cancelled" | "unfinished" | "unknown";

/**
 * Whether an entry reports an error: its type is ERROR, or it is a tool call that failed. The only rule for every count and
 * filter.
 */
export function isFailed(entry: ToolCall & { message_type: string }): boolean {
  return entry.message_type === "ERROR" || outcomeOf(entry) === "failed";
}

/** Outcome of a call. Judges long texts of its output by {@link endsOfText}; its input only if the output leaves a question. */
export function outcomeOf(call: ToolCall): Outcome {
  const { tool_output } = call;
  if (tool_output === null || tool_output === undefined) return "unfinished";
  const fields = typeof tool_output === "object" ? outputFields(tool_output) : { output: tool_output };
  const said = saidBy(fields);
  const text = endsOfText(resultTextOf(fields).text ?? "");
  const isFlagged = isFlaggedAsError(fields) || said === "failed";
  const header = readHeaderLines(text, isFlagged);

  if (said === "refused" || said === "cancelled") return said;
  if (isFlagged || !hasWordOfSuccess(fields, said)) {
    const refusal = stoppedInWords(header, fields);
    if (refusal !== null) return refusal;
  }
  const exitCode = exitField(fields) ?? header.exitCode;
  if (signalOf(fields) ?? header.signal) return "failed";
  if (exitCode === 1 && !isShellComplaint(header.text) && isAnswer(call)) return "ok";
  if (isFlagged && !(exitCode === -1 && fields.success === false && said === null)) return "failed";
  if (exitCode !== null && exitCode !== 0 && exitCode !== -1) return "failed";
  if (saysFailure(header.text, call, { exitCode, isOk: hasWordOfSuccess(fields, said) })) return "failed";
  if (exitCode === -1 || said === "unfinished") return "unfinished";
  if (said === "unknown" && exitCode === null) return "unknown";
  return Object.keys(fields).length === 0 ? "unfinished" : "ok";
}

function outputFields(output: object): Record<string, unknown> {
  return Array.isArray(output) ? { content: output } : fieldsOf(output);
}

const outcomesByWord = new Map<string, Outcome>();
nameOutcome("ok", "completed complete success succeeded successful ok done finished passed");
nameOutcome("failed", "failed failure fail error errored timeout timedout");
nameOutcome("refused", "rejected denied declined refused");
nameOutcome("cancelled", "cancelled canceled interrupted aborted killed stopped");
nameOutcome("unfinished", "unfinished pending running inprogress started executing queued");

function nameOutcome(outcome: Outcome, words: string): void {
  for (const word of words.split(" ")) outcomesByWord.set(word, outcome);
}

/** Meaning of the status word; null if there is none, unknown for any other word. */
function saidBy({ status }: Record<string, unknown>): Outcome | null {
  if (typeof status !== "string" || status === "") return null;
  return outcomesByWord.get(status.toLowerCase().replace(/[^a-z]/g, "")) ?? "unknown";
}

function isFlaggedAsError(fields: Record<string, unknown>): boolean {
  const { is_error, isError, success, error, result } = fields;
  if (is_error === true || isError === true || success === false) return true;
  const inner = fieldsOf(result);
  if (inner.isError === true || inner.is_error === true || "Err" in inner) return true;
  return typeof error === "string"
    ? error !== ""
    : typeof error === "object"
      ? Object.keys(error ?? {}).length > 0
      : error === true;
}

function hasWordOfSuccess(fields: Record<string, unknown>, said: Outcome | null): boolean {
  return said === "ok" || fields.is_error === false || fields.isError === false || fields.success === true;
}

function signalOf({ signal }: Record<string, unknown>): string | null {
  if (typeof signal === "number") return signal === 0 ? null : String(signal);
  return typeof signal === "string" && signal !== "" ? signal : null;
}

/** A refusal or a stop reported in a sentence of the harness. */
function stoppedInWords(header: HeaderLines, fields: Record<string, unknown>): Outcome | null {
  if (fieldsOf(fields.error).type === "approval") return "refused";
  if (header.stop === "cancelled" || fields.interrupted === true) return "cancelled";
  const start = header.text.trimStart().slice(0, 300);
  if (refusals.test(start)) return "refused";
  return stops.test(start) ? "cancelled" : null;
}

const refusals =
  /^(?:Error: )?(?:The user doesn't want to (?:proceed with|take) this|User rejected|\w[\w ]{0,40} (?:rejected|denied|declined) by (?:the )?user|Permission (?:to use \S+ has been )?denied by)/i;
const stops =
  /^(?:Error: )?(?:Permission prompt was aborted|\[?Request interrupted by (?:the )?user|\w[\w ]{0,40}aborted by (?:the )?user|aborted$)/i;

/** Exit code 1 that only answers a question: nothing was found, or there is a difference. */
function isAnswer(call: ToolCall): boolean {
  const view = toolViewOf({ ...nameAndInput(call), tool_output: null });
  return view.kind === "shell" && answersByExitCode(view.command);
}

function nameAndInput({ tool_name, tool_input }: ToolCall): Pick<ToolCall, "tool_name" | "tool_input"> {
  return { tool_name, tool_input };
}

/** The shell itself complains, or a file is missing: nothing was answered. */
function isShellComplaint(text: string): boolean {
  if (/: No such file or directory/.test(text)) return true;
  return /^(?:zsh|bash|sh|\/\S*\/(?:ba|z)?sh): ?(?:line )?\d+: /.test(text.trimStart().slice(0, 200));
}

type Known = { exitCode: number | null; isOk: boolean };

/** A failure visible only in the text. */
function saysFailure(text: string, call: ToolCall, { exitCode, isOk }: Known): boolean {
  const start = text.trimStart();
  if (start.startsWith("<tool_use_error>")) return true;
  if (/^[a-z]+(?:_[a-z]+)+(?: verification)? failed(?: for [^\n]{0,80})?: /.test(start)) return true;
  if (mayEdit(call) && failedEdit.test(text) && changesFile(call)) return true;
  if (isOk) return false;
  if (exitCode === null && start.startsWith("Traceback (most recent call last)")) return kindOf(call) === "shell";
  return failedStart.test(start) && !showsText.has(kindOf(call));
}

const failedEdit =
  /String to replace not found|No replacement was performed|NOT been applied|introduced new syntax error|Failed to find expected lines|File has not been read yet|Could not find the exact text|oldString not found|did not appear verbatim|SEARCH block (?:failed|not found)|^Ran into \[Errno \d/;
const failedStart = /^(?:ERROR:\n|Error: |error: |Ran into \[Errno \d|Invalid `\w+` parameter)/;
/** Tools that show somebody else's text: how it begins says nothing about the call. */
const showsText: ReadonlySet<string> = new Set(["shell", "search", "fetch", "agent", "list"]);

function kindOf(call: ToolCall): string {
  return toolViewOf({ ...nameAndInput(call), tool_output: null }).kind;
}

/** Whether the tool may edit, judging by its name: most do not, and their long texts need no search. */
function mayEdit({ tool_name }: ToolCall): boolean {
  const named = kindOfName(tool_name);
  return named === null || named === "edit";
}

function changesFile(call: ToolCall): boolean {
  const kind = kindOf(call);
  // An editor may be called in an unknown way; having a file is enough.
  return kind === "edit" || (kind === "generic" && inputPath(fieldsOf(call.tool_input)) !== null);
}
