import { parseExactJson } from "#lib/contract/exact-json.ts";
import { fieldsOf, numberField, textField } from "#lib/contract/json-fields.ts";
import { once } from "#lib/once.ts";
import { exitField } from "./exit-code.ts";
import { reportedChanges } from "./file-changes.ts";
import { readHeaderLines } from "./header-lines.ts";
import { type ImageSource, imageSourcesOf } from "./image-sources.ts";
import { withLinkLists } from "./link-list.ts";
import { resultRest } from "./result-rest.ts";
import { resultTextOf } from "./result-text.ts";
import { taggedOutputOf } from "./tagged-output.ts";

/**
 * A tool's result taken apart: each part has one place on a card, and together they are all of `tool_output`, so no field of a
 * result ever vanishes. Expensive parts (`json`, `images`, `rest`) are computed on first use.
 */
export type ToolResult = {
  /**
   * The tool's own word for how it ended ("completed", "failed", "success"); null if it has none. See outcome.ts for its
   * meaning.
   */
  status: string | null;
  exitCode: number | null;
  signal: string | null;
  /**
   * The tool's output text, without header lines, system reminders and wrappers. If the result separates stdout and stderr,
   * both in this order. Null if there is no text.
   */
  output: string | null;
  /** The two streams if the result separates them, otherwise both null. Their texts are in `output` too. */
  stdout: string | null;
  stderr: string | null;
  /**
   * The result as a JSON value, shown as a tree in place of `output`: a structure, or a text that is JSON. Null: it is text.
   */
  json: { value: unknown } | null;
  /** The agent does not report the results of its tools, so it is only known that this call ended. */
  isUnreported: boolean;
  /** Figures that a tool printed in lines around its output ("Chunk ID", "Wall time"), in order. */
  chips: { label: string; value: string }[];
  permission: { decision: string; option: string | null; by: string | null } | null;
  durationMs: number | null;
  /** The output was cut when it was recorded; `droppedCharacters` null if the amount is unknown. */
  truncated: { droppedCharacters: number | null } | null;
  /** Images in the result, each once; no other part contains their bytes. */
  images: ImageSource[];
  /** Texts that the agent's harness added to the result for the model (`<system-reminder>`), separate from the tool's. */
  reminders: string[];
  /** Every field that no other part shows, by name, to be shown folded as JSON; null if nothing is left. */
  rest: Record<string, unknown> | null;
};

/** Reads a `tool_output` of any shape. */
export function toolResultOf(toolOutput: unknown): ToolResult {
  if (toolOutput === null || toolOutput === undefined) return nothing;
  if (typeof toolOutput === "string") return readResult({ output: toolOutput });
  if (Array.isArray(toolOutput)) {
    const read = readResult({ content: toolOutput });
    return read.output === null && read.images.length === 0 ? { ...nothing, json: { value: toolOutput } } : read;
  }
  if (typeof toolOutput !== "object") return { ...nothing, json: { value: toolOutput } };
  return readResult(fieldsOf(toolOutput));
}

function readResult(fields: Record<string, unknown>): ToolResult {
  const { text, stdout, stderr, used, blocks } = resultTextOf(fields);
  const status = textField(fields, "status");
  const metadata = fieldsOf(fields.metadata);
  const reportedExit = exitField(fields);
  const { said, reminders } = withoutReminders(text);
  const isFlagged =
    fields.is_error === true || fields.isError === true || (reportedExit ?? 0) !== 0 || status === "failed";
  const header = said === null ? null : readHeaderLines(said, isFlagged);
  // A line with another exit code than the known one is output.
  const headerAgrees =
    header !== null && (reportedExit === null || header.exitCode === null || header.exitCode === reportedExit);
  const tagged = said === null ? null : taggedOutputOf(said);
  const output =
    tagged === null
      ? withLinks(headerAgrees ? unwrapped(header.text) : said)
      : [tagged.stdout, tagged.stderr].filter((part) => part !== null && part !== "").join("\n");
  const images = once(() => imageSourcesOf(fields));
  // Beside a text it is left over: both are shown.
  const structure = output !== null && output.trim() !== "" ? null : structureIn(fields, used);
  const permission = permissionOf(fields.permission);
  const truncated = truncationOf(fields.truncated) ?? truncationOf(metadata.truncated);
  const durationMs = durationOf(fields);
  const json = once(() => structure ?? jsonIn(output));
  const rest = once(() =>
    resultRest(withoutFigures(fields, reportedExit, durationMs), {
      texts: [text, output, stdout, stderr, header?.text ?? null].filter((one) => one !== null),
      blocks,
      images: images().length > 0,
      names: [
        ...used,
        ...(structure === null ? [] : structure.names),
        ...(status === null ? [] : ["status"]),
        ...(permission === null ? [] : ["permission"]),
        ...(isWholeTruncation(fields.truncated) ? ["truncated"] : []),
        ...(areShownDiffs(fields) ? ["diffs"] : []),
        ...flags.filter((name) => typeof fields[name] === "boolean"),
        ...figures.filter((name) => typeof fields[name] === "number"),
        ...(signalOf(fields.signal) === null && typeof fields.signal !== "number" ? [] : ["signal"]),
      ],
    }),
  );
  return {
    status,
    exitCode: reportedExit ?? tagged?.exitCode ?? (headerAgrees ? header.exitCode : null),
    signal: signalOf(fields.signal) ?? (headerAgrees ? header.signal : null),
    output,
    stdout: tagged?.stdout ?? stdout,
    stderr: tagged?.stderr ?? stderr,
    get json() {
      return json();
    },
    isUnreported: fields.output_reported === false,
    chips: tagged?.chips ?? (headerAgrees ? header.chips : []),
    permission,
    durationMs,
    truncated,
    get images() {
      return images();
    },
    reminders,
    get rest() {
      return rest();
    },
  };
}

/** Whether the card shows every change that the tool reported. */
function areShownDiffs(fields: Record<string, unknown>): boolean {
  return Array.isArray(fields.diffs) && reportedChanges(fields).length === fields.diffs.length;
}

/** Fields that the outcome shows. */
const flags = ["is_error", "isError", "success", "output_reported"];
/** Fields that are exit code and duration. */
const figures = ["exit_code", "exitCode", "returncode", "duration_ms"];

function withLinks(text: string | null): string | null {
  return text === null ? null : withLinkLists(text);
}

const nothing: ToolResult = {
  status: null,
  exitCode: null,
  signal: null,
  output: null,
  stdout: null,
  stderr: null,
  json: null,
  isUnreported: false,
  chips: [],
  permission: null,
  durationMs: null,
  truncated: null,
  images: [],
  reminders: [],
  rest: null,
};

/** `metadata` without the values shown as exit code and duration. */
function withoutFigures(fields: Record<string, unknown>, exitCode: number | null, durationMs: number | null) {
  const metadata = Object.entries(fieldsOf(fields.metadata));
  const others = metadata.filter(([name, value]) => {
    if (name === "duration_seconds") return typeof value !== "number" || value * 1000 !== durationMs;
    return !/^(?:exit_code|exit|exitCode)$/.test(name) || value !== exitCode;
  });
  return others.length === metadata.length ? fields : { ...fields, metadata: Object.fromEntries(others) };
}

/** A structured result, and the names of its fields. */
function structureIn(
  fields: Record<string, unknown>,
  used: readonly string[],
): { value: unknown; names: string[] } | null {
  for (const name of ["result", "output"]) {
    const value = fields[name];
    if (typeof value !== "object" || value === null || used.includes(name)) continue;
    // Text blocks are the output; whatever is beside their text is left over.
    if (Array.isArray(value) && resultTextOf({ [name]: value }).text !== null) continue;
    return { value, names: [name] };
  }
  return null;
}

const jsonCharactersMax = 200_000;

function jsonIn(output: string | null): { value: unknown } | null {
  if (output === null || output.length > jsonCharactersMax || !/^\s*[[{]/.test(output)) return null;
  try {
    const value: unknown = parseExactJson(output);
    return { value };
  } catch {
    return null;
  }
}

const reminder = /\s*<system-reminder>((?:(?!<system-reminder>)[\s\S])*?)<\/system-reminder>\s*$/;
const remindersMax = 20;

function withoutReminders(text: string | null): { said: string | null; reminders: string[] } {
  const reminders: string[] = [];
  let said = text;
  while (said?.trimEnd().endsWith("</system-reminder>") && reminders.length < remindersMax) {
    const start = said.lastIndexOf("<system-reminder>");
    const found = start === -1 ? null : reminder.exec(said.slice(start));
    if (found === null) break;
    reminders.unshift((found[1] ?? "").trim());
    said = said.slice(0, start).trimEnd();
  }
  return { said, reminders };
}

function unwrapped(text: string): string {
  const inner = /^\s*<tool_use_error>([\s\S]*?)<\/tool_use_error>\s*$/.exec(text.length > 100_000 ? "" : text);
  return inner?.[1] ?? text;
}

function signalOf(value: unknown): string | null {
  if (typeof value === "number") return value === 0 ? null : `signal ${value}`;
  return typeof value === "string" && value !== "" ? value : null;
}

function durationOf(fields: Record<string, unknown>): number | null {
  const own = numberField(fields, "duration_ms");
  if (own !== null) return own;
  const seconds = numberField(fieldsOf(fields.metadata), "duration_seconds");
  if (seconds !== null) return seconds * 1000;
  const { secs, nanos } = fieldsOf(fields.duration);
  if (typeof secs === "number" && typeof nanos === "number") return secs * 1000 + nanos / 1e6;
  const { start, end } = fieldsOf(fields.time);
  return typeof start === "number" && typeof end === "number" && end >= start ? end - start : null;
}

function permissionOf(value: unknown): ToolResult["permission"] {
  const fields = fieldsOf(value);
  const decision = textField(fields, "decision");
  return decision === null ? null : { decision, option: textField(fields, "option"), by: textField(fields, "by") };
}

/** Whether a truncation note says no more than is shown. */
function isWholeTruncation(value: unknown): boolean {
  return (
    typeof value === "boolean" ||
    (typeof value === "object" &&
      !Array.isArray(value) &&
      Object.keys(fieldsOf(value)).every((name) => name === "kept" || name === "dropped"))
  );
}

function truncationOf(value: unknown): ToolResult["truncated"] {
  if (value !== true && numberField(fieldsOf(value), "dropped", "kept") === null) return null;
  return { droppedCharacters: numberField(fieldsOf(value), "dropped") };
}
