import { isAbsolute, relative } from "node:path";
import { z } from "zod";
import { BoundedText } from "./bounded-text.ts";
import { blockText, ToolContent, type ToolFields } from "./message.ts";
import { keptCharactersMax } from "./storable.ts";

/** How a request for permission was answered and by what: the run's permission mode, a person, silence or a cancel. */
export type PermissionAnswer = {
  decision: "allowed" | "rejected" | "cancelled";
  /** The kind of the chosen option; null if none was chosen. */
  option: string | null;
  by: "auto" | "read-only" | "person" | "timeout" | "cancel";
};

/**
 * The change of one file; `oldText` is null for a new file. `path` is relative if it is in the checkout. The texts may be parts of
 * the file: `line`, from 1, is where they begin, if the agent reported it.
 */
export type FileDiff = { path: string; oldText: string | null; newText: string; line?: number };

/** Everything an agent has reported about one tool call so far, merged from all its messages. */
export type ToolCall = {
  id: string;
  startedAt: Date;
  /** By the agent's own account of the tool's name, best first (see {@link toolName}). */
  name: string | null;
  firstTitle: string | null;
  title: string;
  kind: string | null;
  status: "pending" | "in_progress" | "completed" | "failed";
  input: Record<string, unknown> | null;
  paths: string[];
  text: string;
  diffs: FileDiff[];
  rawOutput: unknown;
  terminal: BoundedText | null;
  exit: { code: number | null; signal: string | null } | null;
  permission: PermissionAnswer | null;
  /** The agent's text before the call and while it was open. */
  thought: string[];
};

/** A call of which only the id is known. */
export function newToolCall(id: string, startedAt: Date): ToolCall {
  return {
    id,
    startedAt,
    name: null,
    firstTitle: null,
    title: "",
    kind: null,
    status: "pending",
    input: null,
    paths: [],
    text: "",
    diffs: [],
    rawOutput: undefined,
    terminal: null,
    exit: null,
    permission: null,
    thought: [],
  };
}

/**
 * Merges a message. `asking` is true for a request for permission: its content explains the question and is not the tool's output.
 */
export function mergeToolFields(call: ToolCall, fields: ToolFields, cwd: string, asking: boolean): void {
  call.name ??= fields.name || fields._meta?.claudeCode?.toolName || fields._meta?.toolName || null;
  if (fields.title) {
    call.firstTitle ??= fields.title;
    call.title = fields.title;
  }
  if (fields.kind) call.kind = fields.kind;
  if (fields.status && !asking) call.status = fields.status;
  const input = inputOf(fields.rawInput);
  if (input !== null) call.input = input;
  const locations = (fields.locations ?? []).flatMap((location) => Location.safeParse(location).data ?? []);
  if (locations.length > 0) call.paths = locations.map(({ path }) => pathIn(cwd, path));
  if (fields.content) mergeContent(call, fields.content, cwd, asking);
  // One location per changed part, in order; otherwise they cannot be matched.
  if (locations.length === call.diffs.length)
    call.diffs = call.diffs.map((diff, at) => located(diff, locations[at], cwd));
  if (asking) return;
  if (fields.rawOutput !== undefined && fields.rawOutput !== null) call.rawOutput = fields.rawOutput;
  const whole = fields._meta?.terminal_output?.data;
  const output = fields._meta?.terminal_output_delta?.data ?? whole;
  if (output !== undefined) {
    // Some agents send each piece as `terminal_output`, others the whole output so far.
    const isAnew = whole !== undefined && call.terminal !== null && output.startsWith(call.terminal.read().text);
    if (isAnew || call.terminal === null) call.terminal = new BoundedText(keptCharactersMax);
    call.terminal.append(output);
  }
  const exit = fields._meta?.terminal_exit;
  if (exit) call.exit = { code: exit.exit_code ?? null, signal: exit.signal == null ? null : String(exit.signal) };
}

/**
 * The tool's name: what the agent calls it, else the prefix of the call's id before `__` (gemini), else the first title if it is
 * one word and not the command itself (opencode), else the kind of the call.
 */
export function toolName(call: ToolCall): string {
  const looked = lookedAt(call);
  if (looked !== null) return looked.name;
  if (call.name !== null) return call.name;
  const prefix = /^([A-Za-z]\w*?)__/.exec(call.id)?.[1];
  if (prefix !== undefined) return prefix;
  const title = call.firstTitle;
  const isName = title !== null && /^[A-Za-z][\w-]*$/.test(title) && title !== call.input?.command;
  return isName ? title : (call.kind ?? "tool");
}

/** The tool's input: the last non-empty one, else title and paths. */
export function toolInput(call: ToolCall): Record<string, unknown> {
  if (call.input !== null) return call.input;
  const paths = call.paths.length > 0 ? call.paths : call.diffs.map((diff) => diff.path);
  const [path] = paths;
  const looked = lookedAt(call);
  if (looked !== null) return looked.input;
  return {
    ...(call.kind === "execute" ? { command: call.title } : { title: call.title }),
    ...(path === undefined ? {} : { path }),
    ...(paths.length > 1 ? { paths } : {}),
  };
}

/**
 * A shell command of codex that only looks at files: as title and path it reports what the command reads, searches or lists, but
 * never the command itself.
 */
function lookedAt({
  name,
  kind,
  title,
  input,
  paths,
}: ToolCall): { name: string; input: Record<string, unknown> } | null {
  if (name !== "exec_command" || input !== null || (kind !== "read" && kind !== "search")) return null;
  const [path] = paths;
  const place = path === undefined ? {} : { path };
  const search = /^Search(?: for '([\s\S]*?)')?(?: in '?([^']*)'?)?$/.exec(title);
  if (kind === "search") {
    const [, pattern, folder] = search ?? [];
    return {
      name: "search",
      input: { ...place, ...(folder ? { path: folder } : {}), ...(pattern ? { pattern } : { title }) },
    };
  }
  const listed = /^List files(?: in '([\s\S]*)')?$/.exec(title);
  if (listed !== null) return { name: "list_files", input: { path: listed[1] ?? path ?? "." } };
  const read = /^Read file '([\s\S]*)'$/.exec(title)?.[1];
  return { name: "read", input: { path: path ?? read ?? title } };
}

/** `path` relative to the checkout if it is inside, else unchanged. */
export function pathIn(cwd: string, path: string): string {
  if (!isAbsolute(path)) return path;
  const below = relative(cwd, path);
  return below === "" ? "." : below === ".." || below.startsWith("../") ? path : below;
}

const Location = z.looseObject({ path: z.string(), line: z.int().min(1).nullish().catch(undefined) });

function located(diff: FileDiff, location: z.infer<typeof Location> | undefined, cwd: string): FileDiff {
  const line = location?.line;
  return location === undefined || line == null || pathIn(cwd, location.path) !== diff.path ? diff : { ...diff, line };
}

function inputOf(raw: unknown): Record<string, unknown> | null {
  if (raw === null || raw === undefined || raw === "") return null;
  if (typeof raw !== "object" || Array.isArray(raw)) return { input: raw };
  const input = z.record(z.string(), z.unknown()).safeParse(raw);
  return input.success && Object.keys(input.data).length > 0 ? input.data : null;
}

function mergeContent(call: ToolCall, content: unknown[], cwd: string, asking: boolean): void {
  const texts: string[] = [];
  const diffs: FileDiff[] = [];
  for (const item of content) {
    const parsed = ToolContent.safeParse(item);
    if (!parsed.success) continue;
    if (parsed.data.type === "diff") {
      const { path, oldText, newText } = parsed.data;
      diffs.push({ path: pathIn(cwd, path), oldText: oldText ?? null, newText });
    } else {
      texts.push(blockText(parsed.data.content));
    }
  }
  if (diffs.length > 0 && !(asking && call.diffs.length > 0)) call.diffs = diffs;
  if (!asking) call.text = texts.filter((text) => text !== "").join("\n");
}
