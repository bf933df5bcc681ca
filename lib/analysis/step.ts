import { cut, quoteOf } from "#lib/analysis/checks/output-lines.ts";
import { fieldsOf, idOf, numberField } from "#lib/contract/json-fields.ts";
import { visitValues } from "#lib/entry/entry-text.ts";
import { isAside } from "#lib/entry/notice.ts";
import { type Outcome, outcomeOf } from "#lib/entry/outcome.ts";
import { messageTextOf, personTextOf } from "#lib/entry/person-text.ts";
import { toolViewOf } from "#lib/entry/read-tool-view.ts";
import { type ToolResult, toolResultOf } from "#lib/entry/result.ts";
import type { ToolView } from "#lib/entry/tool-view.ts";

/** An entry as stored; every field may contain anything. */
export type StoredEntry = Record<string, unknown>;

/** A tool call of a run, with its result. */
export type Call = {
  tool: string;
  view: ToolView;
  outcome: Outcome;
  /** Its result itself says that it failed. */
  isFlagged: boolean;
  /** Its result has a field that would report a failure, so that none means success. */
  tellsFailure: boolean;
  exitCode: number | null;
  /** The tool's result as text; empty if there is none. */
  output: string;
  /** The output is JSON inside the entry's text, or was assembled from several fields. */
  isEscaped: boolean;
  /** Bytes of the output in UTF-8. */
  bytes: number;
  durationMs: number | null;
  /** Id of the call's session that is still running, by which a later call continues it; null if the call has ended. */
  session: string | null;
  /** The output was cut when it was recorded. */
  isCut: boolean;
  /** The session that this call continues, or null. */
  continues: string | null;
  /** Input of a call without the agent's descriptions, for comparisons. */
  input: Record<string, unknown>;
};

/** An entry as the rules read it. */
export type Step = {
  seq: number;
  /** When it ended, in milliseconds since 1970; null if unknown. */
  at: number | null;
  type: string;
  /** A tool call; null for other entries and for notices of the service. */
  call: Call | null;
  /** The service's own notice (tool_name `errand`), or an error of its own that is not the turn's. */
  isNotice: boolean;
  /** Words of the agent, a person or the service: thought, or else observation. */
  said: string;
  /** Tokens and dollars the agent reported with this step; null if it reported none. */
  usage: { tokens: number; costUsd: number | null } | null;
  entry: StoredEntry;
};

/** Reads an entry of any shape; it never throws. */
export function readStep(seq: number, entry: StoredEntry): Step {
  const type = typeof entry.message_type === "string" ? entry.message_type : "";
  const at = typeof entry.created_at === "string" ? Date.parse(entry.created_at) : Number.NaN;
  const isNotice = type === "ERROR" ? isAside(entry.observation) : type === "ACTION" && entry.tool_name === "errand";
  return {
    seq,
    at: Number.isNaN(at) ? null : at,
    type,
    call: type === "ACTION" && !isNotice ? readCall(entry) : null,
    isNotice,
    said: saidOf(type, entry),
    usage: usageOf(entry),
    entry,
  };
}

function readCall(entry: StoredEntry): Call {
  const tool = typeof entry.tool_name === "string" && entry.tool_name !== "" ? entry.tool_name : "tool";
  const call = { tool_name: tool, tool_input: entry.tool_input, tool_output: entry.tool_output };
  const view = toolViewOf(call);
  const result = toolResultOf(entry.tool_output);
  const whole = outputOf(result, entry.tool_output);
  const { output, exitCode, isEscaped } = unwrapped(whole.text, whole.isEscaped);
  const chips = result.chips.map(({ label, value }) => `${label} ${value}`).join("\n");
  return {
    tool,
    view,
    outcome: outcomeOf(call),
    isFlagged: isFlagged(entry.tool_output),
    tellsFailure: tellsFailure(entry.tool_output, result),
    exitCode: result.exitCode ?? exitCode,
    output,
    isEscaped,
    bytes: Buffer.byteLength(whole.text),
    durationMs: result.durationMs ?? durationIn(`${chips}\n${whole.text.slice(0, 300)}`),
    session: sessionIn(result.chips, whole.text.slice(0, 600), fieldsOf(entry.tool_output)),
    isCut: result.truncated !== null,
    continues: continuedSession(tool, view, fieldsOf(entry.tool_input)),
    input: fieldsOf(entry.tool_input),
  };
}

function outputOf(result: ToolResult, toolOutput: unknown): { text: string; isEscaped: boolean } {
  if (result.output !== null) return { text: result.output, isEscaped: false };
  if (result.json === null && result.rest === null) return { text: "", isEscaped: false };
  const texts: string[] = [];
  visitValues({ tool_output: toolOutput }, (text) => {
    texts.push(text);
    return texts.length < 10_000;
  });
  return { text: texts.join("\n"), isEscaped: true };
}

/** A script that runs commands for its agent prints their results as JSON: only their text counts. */
function unwrapped(text: string, isEscaped: boolean): Pick<Call, "output" | "exitCode" | "isEscaped"> {
  const place = text.includes('{"') ? text.search(/^\{"(?:chunk_id|exit_code|output)"/m) : -1;
  if (place === -1) return { output: text, exitCode: null, isEscaped };
  const lines = text.slice(place).split("\n").flatMap(jsonResult);
  if (lines.length === 0) return { output: text, exitCode: null, isEscaped };
  const only = lines.length === 1 ? lines[0] : undefined;
  return { output: lines.map(({ output }) => output).join("\n"), exitCode: only?.exitCode ?? null, isEscaped: true };
}

function jsonResult(line: string): { output: string; exitCode: number | null }[] {
  if (!line.startsWith("{")) return [];
  try {
    const fields = fieldsOf(JSON.parse(line));
    return typeof fields.output === "string"
      ? [{ output: fields.output, exitCode: numberField(fields, "exit_code") }]
      : [];
  } catch {
    return [];
  }
}

function isFlagged(toolOutput: unknown): boolean {
  const { is_error, isError, success, error, status } = fieldsOf(toolOutput);
  const hasError = error !== undefined && error !== null && error !== false && error !== "";
  return (
    is_error === true || isError === true || success === false || hasError || status === "failed" || status === "error"
  );
}

function tellsFailure(toolOutput: unknown, { status, exitCode }: ToolResult): boolean {
  const { is_error, isError, success, toolUseResult } = fieldsOf(toolOutput);
  const hasFlag = [is_error, isError, success].some((flag) => typeof flag === "boolean");
  return hasFlag || exitCode !== null || status !== null || toolUseResult !== undefined;
}

/** Tools report their durations in their own words. */
function durationIn(head: string): number | null {
  const seconds = /^Wall time:? ([\d.]+)(?: seconds)?$/m.exec(head)?.[1];
  return seconds === undefined ? null : Math.round(Number(seconds) * 1000);
}

function sessionIn(chips: ToolResult["chips"], head: string, output: Record<string, unknown>): string | null {
  const chip = chips.find(({ label }) => label.startsWith("Still running"));
  if (chip !== undefined) return chip.value;
  const said = /running in (?:the )?background with ID:? (\S+?)[.\s]|"session_id": ?(\d+)/i.exec(head);
  const id = said?.[1] ?? said?.[2];
  if (id !== undefined) return id;
  const { backgroundTaskId } = fieldsOf(output.toolUseResult);
  return typeof backgroundTaskId === "string" ? backgroundTaskId : null;
}

function continuedSession(tool: string, view: ToolView, input: Record<string, unknown>): string | null {
  if (view.kind === "shell" && view.continues !== null) return view.continues;
  if (!/write_?stdin|^wait$|BashOutput|TaskOutput|bash_output|read_terminal|KillShell/i.test(tool)) return null;
  for (const name of ["session_id", "cell_id", "bash_id", "task_id", "shell_id", "id"]) {
    const id = idOf(input[name]);
    if (id !== null) return id;
  }
  return null;
}

function saidOf(type: string, entry: StoredEntry): string {
  const words = messageTextOf(entry.observation) ?? "";
  if (type === "USER_MESSAGE") return personTextOf(words).text;
  const { message } = fieldsOf(entry.observation);
  if (type === "ERROR" || type === "FINAL_ANSWER") return typeof message === "string" ? message : words;
  return typeof entry.thought === "string" ? entry.thought : words;
}

function usageOf(entry: StoredEntry): Step["usage"] {
  const reported = fieldsOf(entry.tool_output).usage;
  if (reported === undefined) return null;
  const usage = fieldsOf(reported);
  const total = numberField(usage, "total_tokens", "total");
  const parts = ["input_tokens", "output_tokens", "input", "output"].map((name) => numberField(usage, name) ?? 0);
  const tokens = total ?? parts.reduce((sum, part) => sum + part, 0);
  return tokens > 0 ? { tokens: Math.round(tokens), costUsd: numberField(usage, "cost_usd") } : null;
}

/**
 * Words that occur literally in an entry: the wanted ones if they do, or the longest part that does, or its tool's name or its
 * first words; at most `max` UTF-16 units, never empty if the entry has any text.
 */
export function quoteIn({ entry }: Pick<Step, "entry">, wanted: string, max: number): string {
  const asWritten = quoteOf(wanted, max);
  if (asWritten !== "" && holds(entry, asWritten)) return asWritten;
  const escaped = quoteOf(wanted, max, true);
  if (escaped.length > 2 && holds(entry, escaped)) return escaped;
  let first = "";
  visitValues(entry, (text) => {
    first = quoteOf(text.split("\n").find((line) => line.trim() !== "") ?? "", max);
    return first === "";
  });
  return first;
}

function holds(entry: StoredEntry, words: string): boolean {
  // Nearly always the words are directly in a field of the input, which is quick to check.
  const input = fieldsOf(entry.tool_input);
  for (const name of Object.keys(input)) {
    const value = input[name];
    if (typeof value === "string" && value.includes(words)) return true;
  }
  let isHeld = false;
  visitValues(entry, (text) => {
    isHeld = text.includes(words);
    return !isHeld;
  });
  return isHeld;
}

/** The first line of a text, shortened. */
export function firstLine(text: string, max: number): string {
  const line = text.split("\n", 50).find((one) => one.trim() !== "") ?? "";
  return cut(line.trim(), max);
}
