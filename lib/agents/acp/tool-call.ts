import { isAbsolute, relative } from "node:path";
import { z } from "zod";
import { fieldsOf } from "#lib/contract/json-fields.ts";
import { BoundedText, cutMiddle } from "./bounded-text.ts";
import {
  blockText,
  explanationText,
  imageOf,
  type KeptImage,
  keptImages,
  looseText,
  rawText,
  TerminalContent,
  ToolContent,
  type ToolFields,
} from "./message.ts";
import type { Said } from "./spoken.ts";
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

/** A place in a file; `path` is relative if it is in the checkout, `line` counts from 1. */
export type Place = { path: string; line: number | null };

/** A request for permission as it was asked, whatever the agent reports of the call afterwards. `diffs` are all changes. */
export type Asked = {
  name: string;
  title: string;
  kind: string | null;
  input: Record<string, unknown>;
  text: string;
  places: Place[];
  diffs: FileDiff[];
};

/** Everything an agent has reported about one tool call so far, merged from all its messages. */
export class ToolCall {
  readonly id: string;
  startedAt: Date;
  /** By the agent's own account of the tool's name, best first (see {@link toolName}). */
  name: string | null = null;
  firstTitle: string | null = null;
  title = "";
  kind: string | null = null;
  status: "pending" | "in_progress" | "completed" | "failed" = "pending";
  input: Record<string, unknown> | null = null;
  /** Cache of {@link toolInput}. */
  shownInput: Record<string, unknown> | null = null;
  places: Place[] = [];
  text = "";
  /** Images of its content, in order. */
  images: KeptImage[] = [];
  /** Number of items of its content that could not be read. */
  unread = 0;
  diffs: FileDiff[] = [];
  rawOutput: unknown;
  terminal: BoundedText | null = null;
  exit: { code: number | null; signal: string | null } | null = null;
  permission: PermissionAnswer | null = null;
  /** The answer to a further request about the call that allowed it. */
  allowedLater: PermissionAnswer | null = null;
  asked: Asked | null = null;
  /** Of a further request about an open call, which has an entry of its own: the id of that call. */
  about: string | null = null;
  /** A call of a sub-agent or of another session, or the agent's bookkeeping: the main agent's words are not its thought. */
  isAside = false;
  /** The agent's text before the call and while it was open. */
  thought: Said[] = [];

  /** A call of which only the id is known. */
  constructor(id: string, startedAt: Date) {
    this.id = id;
    this.startedAt = startedAt;
  }
}

/** The answer under which a call went on, or the one that ended it; null if there is none. */
export function answerOf({ permission, allowedLater }: ToolCall): PermissionAnswer | null {
  return permission?.decision === "allowed" ? permission : (allowedLater ?? permission);
}

/**
 * Merges a message. `asking` is true for a request for permission: its content explains the question and is not the tool's output.
 */
export function mergeToolFields(call: ToolCall, fields: ToolFields, cwd: string, asking: boolean): void {
  call.shownInput = null;
  call.name ??= fields.name || fields._meta?.claudeCode?.toolName || fields._meta?.toolName || null;
  if (fields.title) {
    call.firstTitle ??= fields.title;
    call.title = fields.title;
  }
  if (fields.kind) call.kind = fields.kind;
  if (fields.status && !asking) call.status = fields.status;
  const input = inputOf(fields.rawInput);
  if (input !== null) call.input = input;
  const locations = (fields.locations ?? []).flatMap((location) => readLocation(location) ?? []);
  if (locations.length > 0)
    call.places = locations.map(({ path, line }) => ({ path: pathIn(cwd, path), line: line ?? null }));
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
  return ownName(call) ?? call.kind ?? "tool";
}

function ownName(call: ToolCall): string | null {
  const looked = lookedAt(call);
  if (looked !== null) return looked.name;
  if (call.name !== null) return call.name;
  const prefix = /^([A-Za-z]\w*?)__/.exec(call.id)?.[1];
  if (prefix !== undefined) return prefix;
  const title = call.firstTitle;
  const isName = title !== null && /^[A-Za-z][\w-]*$/.test(title) && title !== call.input?.command;
  return isName ? title : null;
}

/**
 * The tool's input: the last non-empty one, with the places that it does not mention and, for a tool without a name, its title;
 * else title and paths. The same object until the call changes.
 */
export function toolInput(call: ToolCall): Record<string, unknown> {
  call.shownInput ??= call.input === null ? inputFromTitle(call) : withPlaces(call, call.input);
  return call.shownInput;
}

function withPlaces(call: ToolCall, input: Record<string, unknown>): Record<string, unknown> {
  const isTold = (text: string) => text === "" || mentions(input, (value) => value === text);
  const title = ownName(call) !== null || "title" in input || isTold(call.title) ? {} : { title: call.title };
  const isPlace = (path: string) => (value: string) =>
    value.length <= searchedMax &&
    value.split(/[\s"'`=:,;()<>|&]+/).some((word) => word === path || word.endsWith(`/${path}`));
  const untold = call.places.filter(({ path }) => path !== "." && !mentions(input, isPlace(path)));
  if (untold.length === 0 || "locations" in input)
    return Object.keys(title).length === 0 ? input : { ...title, ...input };
  return { ...title, ...input, locations: untold.map(({ path, line }) => (line === null ? { path } : { path, line })) };
}

/** Longer texts of an input are contents, not paths. */
const searchedMax = 100_000;

/** Whether a text anywhere in `value` fits. */
function mentions(value: unknown, fits: (text: string) => boolean, depth = 0): boolean {
  if (typeof value === "string") return value !== "" && fits(value);
  if (typeof value !== "object" || value === null || depth > 20) return false;
  return Object.values(value).some((item) => mentions(item, fits, depth + 1));
}

function inputFromTitle(call: ToolCall): Record<string, unknown> {
  const paths = call.places.length > 0 ? call.places.map(({ path }) => path) : call.diffs.map((diff) => diff.path);
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
  places,
}: ToolCall): { name: string; input: Record<string, unknown> } | null {
  if (name !== "exec_command" || input !== null || (kind !== "read" && kind !== "search")) return null;
  const path = places[0]?.path;
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
type Location = z.infer<typeof Location>;

/** A location, which may also be a path alone; undefined for what is none. */
function readLocation(location: unknown): Location | undefined {
  return Location.safeParse(typeof location === "string" ? { path: location } : location).data;
}

function located(diff: FileDiff, location: Location | undefined, cwd: string): FileDiff {
  const line = location?.line;
  return location === undefined || line == null || pathIn(cwd, location.path) !== diff.path ? diff : { ...diff, line };
}

function inputOf(raw: unknown): Record<string, unknown> | null {
  if (raw === null || raw === undefined || raw === "") return null;
  const input = fieldsOf(raw);
  if (input !== raw) return { input: raw };
  return Object.keys(input).length > 0 ? input : null;
}

/**
 * What a request for permission asks for: its own fields, and those of its call that it does not repeat.
 */
export function askedFor(call: ToolCall, fields: ToolFields, cwd: string): Asked {
  const copy = { ...call, diffs: [] };
  mergeToolFields(copy, fields, cwd, true);
  const said = fields.content?.map(explanationText) ?? [call.text === call.input?.description ? "" : call.text];
  const unread = (fields.locations ?? []).filter((location) => readLocation(location) === undefined);
  const text = [...said, ...unread.map(rawText)].filter((part) => part !== "");
  return {
    name: toolName(copy),
    title: copy.title,
    kind: copy.kind,
    input: toolInput(copy),
    text: cutMiddle(text.join("\n\n"), explanationMax).text,
    places: copy.places,
    diffs: copy.diffs.length > 0 ? copy.diffs : call.diffs,
  };
}

const explanationMax = 64 * 1024;

function mergeContent(call: ToolCall, content: unknown[], cwd: string, asking: boolean): void {
  const texts: string[] = [];
  const diffs: FileDiff[] = [];
  const images: KeptImage[] = [];
  let room = keptImages.characters;
  let unread = 0;
  for (const item of content) {
    const parsed = ToolContent.safeParse(item);
    if (!parsed.success) {
      const text = looseText(item);
      texts.push(text);
      if (text === "" && !TerminalContent.safeParse(item).success) unread += 1;
    } else if (parsed.data.type === "content") {
      const block = parsed.data.content;
      const image = images.length < keptImages.count ? imageOf(block, room) : null;
      if (image === null) texts.push(blockText(block));
      else {
        images.push(image);
        room -= image.data.length;
      }
    } else {
      const { path, oldText, newText } = parsed.data;
      if (newText != null || oldText != null)
        diffs.push({ path: pathIn(cwd, path), oldText: oldText ?? null, newText: newText ?? "" });
    }
  }
  if (diffs.length > 0 && !(asking && call.diffs.length > 0)) call.diffs = diffs;
  if (asking) return;
  call.text = texts.filter((text) => text !== "").join("\n");
  call.images = images;
  call.unread = unread;
}
