import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { type Outcome, outcomeOf } from "#lib/entry/outcome.ts";
import { messageTextOf, personTextOf } from "#lib/entry/person-text.ts";
import { toolViewOf } from "#lib/entry/read-tool-view.ts";
import { type ToolResult, toolResultOf } from "#lib/entry/result.ts";
import type { ToolView } from "#lib/entry/tool-view.ts";

type Meaning = { view?: ToolView; result?: ToolResult; outcome?: Outcome; isInjected?: boolean };

// Cached: entries never change, and cards, groups and rails ask for the same in every frame while scrolling.
const known = new WeakMap<LogEntry, Meaning>();

function meaningOf(entry: LogEntry): Meaning {
  const before = known.get(entry);
  if (before !== undefined) return before;
  const meaning: Meaning = {};
  known.set(entry, meaning);
  return meaning;
}

/** Meaning of an entry's tool call; computed once per entry. */
export function entryView(entry: LogEntry): ToolView {
  const meaning = meaningOf(entry);
  meaning.view ??= toolViewOf(entry);
  return meaning.view;
}

/** An entry's tool result, parsed, without an output that {@link repeatsEnd}; computed once per entry. */
export function entryResult(entry: LogEntry): ToolResult {
  const meaning = meaningOf(entry);
  meaning.result ??= resultToShow(entry);
  return meaning.result;
}

function resultToShow(entry: LogEntry): ToolResult {
  const result = toolResultOf(entry.tool_output);
  return repeatsEnd(result.output ?? "", entryOutcome(entry)) ? { ...result, output: null } : result;
}

/** Outcome of an entry's tool call. For an entry that is cut, or without its output, the server sends the outcome. */
export function entryOutcome(entry: LogEntry): Outcome {
  const meaning = meaningOf(entry);
  meaning.outcome ??= entry.outcome ?? outcomeOf(entry);
  return meaning.outcome;
}

/**
 * Whether a tool's text only repeats the outcome, which the card's first line already shows: the built-in agent writes such text
 * for a step that was stopped or refused.
 */
export function repeatsEnd(text: string, outcome: Outcome): boolean {
  const said = text.trim();
  return outcome === "cancelled" ? said === "cancelled" : outcome === "refused" && said === permissionRejected;
}

const permissionRejected = "Not run: permission was rejected.";

/** Whether a message contains only text added by a harness in a person's name. */
export function isInjected(entry: LogEntry): boolean {
  const meaning = meaningOf(entry);
  meaning.isInjected ??= entry.message_type === "USER_MESSAGE" && isAllInjected(entry.observation);
  return meaning.isInjected;
}

function isAllInjected(observation: unknown): boolean {
  const { text, injected } = personTextOf(messageTextOf(observation) ?? "");
  return text === "" && injected.length > 0;
}
