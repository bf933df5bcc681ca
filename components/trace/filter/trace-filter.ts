import { MessageType } from "#lib/contract/entry.ts";

/** Which entries of a run are shown; those that pass every part. Kept in the address of the page, so that every view is a link. */
export type TraceFilter = {
  /** Message types, in the order of the contract; empty for all. */
  types: MessageType[];
  /** Names of tools as they are written, without a known order; empty for all. */
  tools: string[];
  /** Only entries that tell of an error. */
  isErrors: boolean;
  /** Only entries that say something: thoughts, messages, answers, errors; shown with what they say alone. */
  isProse: boolean;
  /** Text that occurs in the entry; empty for all. */
  text: string;
};

/** Every entry. */
export const noTraceFilter: TraceFilter = { types: [], tools: [], isErrors: false, isProse: false, text: "" };

/** The parameters of the page that hold a filter. */
const filterParameters = ["type", "tool", "errors", "prose", "text"] as const;

/** Characters of a text that is looked for. */
export const filterTextMax = 200;
const toolsMax = 20;

/** Reads a filter from a page's query; what is not understood is left out, never an error: links live long. */
export function parseTraceFilter(search: Pick<URLSearchParams, "get" | "getAll">): TraceFilter {
  const types = new Set(search.getAll("type").flatMap((value) => value.split(",")));
  // Names of tools may hold commas: each has a parameter of its own.
  const tools = new Set(search.getAll("tool").filter((name) => name !== "" && name.length <= filterTextMax));
  return {
    types: MessageType.options.filter((type) => types.has(type)),
    tools: [...tools].slice(0, toolsMax),
    isErrors: search.get("errors") === "1",
    isProse: search.get("prose") === "1",
    text: (search.get("text") ?? "").slice(0, filterTextMax).replaceAll("\u0000", "").toWellFormed(),
  };
}

/** Writes a filter over the one that a page's query has; other parameters stay as they are. */
export function writeTraceFilter(
  search: URLSearchParams,
  { types, tools, isErrors, isProse, text }: TraceFilter,
): void {
  for (const name of filterParameters) search.delete(name);
  if (types.length > 0) search.set("type", types.join(","));
  for (const tool of tools) search.append("tool", tool);
  if (isErrors) search.set("errors", "1");
  if (isProse) search.set("prose", "1");
  if (text !== "") search.set("text", text);
}

/** A text that is equal for equal filters; empty where every entry is shown. */
export function traceFilterKey(filter: TraceFilter): string {
  const search = new URLSearchParams();
  writeTraceFilter(search, { ...filter, text: filter.text.trim() === "" ? "" : filter.text });
  return search.toString();
}

/** True where every entry is shown. */
export function isUnfilteredTrace(filter: TraceFilter): boolean {
  return traceFilterKey(filter) === "";
}
