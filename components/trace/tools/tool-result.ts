import { fieldsOf, numberField, stringField, textField } from "#lib/contract/json-fields.ts";

/** How a tool ended, as the recorder tells it (`tool_output`); from elsewhere any part of it may be missing. */
export type ToolResult = {
  /** completed, failed, rejected, cancelled, interrupted, unfinished, or a word of another system. */
  status: string | null;
  exitCode: number | null;
  signal: string | null;
  /** What the tool printed or said. */
  output: string | null;
  /** A result that is no text: shown as JSON. Null where there is none. */
  result: unknown;
  permission: { decision: string; option: string | null; by: string | null } | null;
  durationMs: number | null;
  /** The output was cut when it was recorded; `droppedCharacters` null where it is not told how much. */
  truncated: { droppedCharacters: number | null } | null;
};

/** Fields of `tool_output` that are shown in a place of their own. */
const shownElsewhere = new Set([
  "status",
  "exit_code",
  "signal",
  "output",
  "result",
  "diffs",
  "permission",
  "duration_ms",
  "truncated",
]);

/** Reads a `tool_output` of any shape. */
export function toolResultOf(toolOutput: unknown): ToolResult {
  if (typeof toolOutput === "string") return { ...nothing, output: toolOutput };
  if (Array.isArray(toolOutput) || typeof toolOutput !== "object") return { ...nothing, result: toolOutput ?? null };
  const fields = fieldsOf(toolOutput);
  const others = Object.fromEntries(Object.entries(fields).filter(([name]) => !shownElsewhere.has(name)));
  const exitCode = numberField(fields, "exit_code");
  return {
    status: textField(fields, "status"),
    exitCode,
    signal: textField(fields, "signal"),
    output: withoutExitLine(stringField(fields, "output"), exitCode),
    result: fields.result ?? (Object.keys(others).length === 0 ? null : others),
    permission: permissionOf(fields.permission),
    durationMs: numberField(fields, "duration_ms"),
    truncated: truncationOf(fields.truncated),
  };
}

/** Whether the tool did not do what it was called for. */
export function hasFailed(result: ToolResult): boolean {
  if (result.status !== null && failures.has(result.status)) return true;
  return (result.exitCode ?? 0) !== 0 || result.signal !== null;
}

const failures = new Set(["failed", "error", "rejected", "cancelled", "interrupted", "unfinished"]);

const nothing: ToolResult = {
  status: null,
  exitCode: null,
  signal: null,
  output: null,
  result: null,
  permission: null,
  durationMs: null,
  truncated: null,
};

/** Claude tells the exit code in the first line of the output; where it is shown as such already, once is enough. */
function withoutExitLine(output: string | null, exitCode: number | null): string | null {
  if (output === null || exitCode === null) return output;
  const line = `Exit code ${exitCode}`;
  return output === line ? "" : output.startsWith(`${line}\n`) ? output.slice(line.length + 1) : output;
}

function permissionOf(value: unknown): ToolResult["permission"] {
  const fields = fieldsOf(value);
  const decision = textField(fields, "decision");
  return decision === null ? null : { decision, option: textField(fields, "option"), by: textField(fields, "by") };
}

function truncationOf(value: unknown): ToolResult["truncated"] {
  if (value === null || value === undefined || value === false) return null;
  return { droppedCharacters: numberField(fieldsOf(value), "dropped") };
}
