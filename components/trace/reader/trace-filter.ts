import type { MessageType } from "#lib/contract/logs/entry.ts";
import { messageTypes } from "#lib/contract/words.ts";
import { cutText } from "#lib/cut-text.ts";

/** Filter on a run's entries; all conditions must match. Kept in the page's address, so that every view is a link. */
export type TraceFilter = {
  /** Message types, in the order of the contract; empty for all. */
  types: MessageType[];
  /** Tool names as written, in no particular order; empty for all. */
  tools: string[];
  /** Only errors. */
  isErrors: boolean;
  /** Only prose: thoughts, messages, answers, errors. Cards then show nothing else. */
  isProse: boolean;
  /** Text that occurs in the entry; empty for all. */
  text: string;
};

/** Every entry. */
export const noTraceFilter: TraceFilter = { types: [], tools: [], isErrors: false, isProse: false, text: "" };

/** Page parameters of a filter. */
const filterParameters = ["type", "tool", "errors", "prose", "text"] as const;

/** Maximum length of a filter's text. */
export const filterTextMax = 200;
/** Maximum number of a filter's tools. */
export const toolsMax = 20;

/** Parses a filter from a page's query; anything not understood is left out, never an error: links live long. */
export function parseTraceFilter(search: Pick<URLSearchParams, "get" | "getAll">): TraceFilter {
  const types = new Set(search.getAll("type").flatMap((value) => value.split(",")));
  // Tool names may contain commas: each has its own parameter.
  const tools = new Set(search.getAll("tool").filter((name) => name !== "" && name.length <= filterTextMax));
  return {
    types: messageTypes.filter((type) => types.has(type)),
    tools: [...tools].slice(0, toolsMax),
    isErrors: search.get("errors") === "1",
    isProse: search.get("prose") === "1",
    text: cutText((search.get("text") ?? "").replaceAll("\u0000", ""), filterTextMax),
  };
}

/** Replaces the filter in a page's query; other parameters stay as they are. */
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

/** The same text for equal filters; empty if every entry is shown. */
export function traceFilterKey(filter: TraceFilter): string {
  const search = new URLSearchParams();
  writeTraceFilter(search, { ...filter, text: filter.text.trim() === "" ? "" : filter.text });
  return search.toString();
}

/** True if every entry is shown. */
export function isUnfilteredTrace(filter: TraceFilter): boolean {
  return traceFilterKey(filter) === "";
}
