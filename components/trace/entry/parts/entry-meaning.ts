import type { LogEntry } from "#lib/contract/entry.ts";
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

/** What an entry's tool does; computed once per entry. */
export function entryView(entry: LogEntry): ToolView {
  const meaning = meaningOf(entry);
  meaning.view ??= toolViewOf(entry);
  return meaning.view;
}

/** An entry's tool result, taken apart; computed once per entry. */
export function entryResult(entry: LogEntry): ToolResult {
  const meaning = meaningOf(entry);
  meaning.result ??= toolResultOf(entry.tool_output);
  return meaning.result;
}

/** Outcome of an entry's tool call; the server sends it for an entry that is cut, or without its output. */
export function entryOutcome(entry: LogEntry): Outcome {
  const meaning = meaningOf(entry);
  meaning.outcome ??= entry.outcome ?? outcomeOf(entry);
  return meaning.outcome;
}

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
