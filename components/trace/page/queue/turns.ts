import { duringTurnOf, turnOriginOf } from "#components/trace/entry/parts/observation.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { interruptionOf } from "#lib/entry/interruption.ts";
import { messageTextOf, personTextOf } from "#lib/entry/person-text.ts";

/** Start of a turn. */
export type Turn = { turn: number; seq: number; title: string };

/**
 * A person's message. `turn` is the number in its entry, null if it has none. A message that reached the agent `during` a turn
 * begins none.
 */
export type Message = { turn: number | null; seq: number; title: string; during?: number };

/** Messages of people among these entries, in order. Text injected in a person's name does not count. */
export function messagesIn(entries: readonly LogEntry[]): Message[] {
  return entries.flatMap((entry) => {
    if (entry.message_type !== "USER_MESSAGE" || interruptionOf(entry.observation) !== null) return [];
    const turn = turnOriginOf(entry.tool_input)?.turn ?? null;
    const { text, injected } = personTextOf(wholeTags(messageTextOf(entry.observation) ?? "", entry.clipped));
    if (turn === null && text === "" && injected.length > 0) return [];
    const during = duringTurnOf(entry.tool_input);
    return [{ turn, seq: entry.seq, title: text, ...(during === null ? {} : { during }) }];
  });
}

/** A text that was cut inside its opening tag, with that tag closed. */
function wholeTags(text: string, clipped: LogEntry["clipped"]): string {
  const tag = clipped === undefined || clipped.length === 0 ? undefined : /^\s*<([\w-]+)[ >]/.exec(text)?.[1];
  return tag === undefined || text.includes(`</${tag}>`) ? text : `${text}</${tag}>`;
}

/** Merges two lists of messages without duplicates, ascending by seq. */
export function mergeMessages(known: readonly Message[], more: readonly Message[]): Message[] {
  const bySeq = new Map([...known, ...more].map((message) => [message.seq, message]));
  return [...bySeq.values()].sort((one, other) => one.seq - other.seq);
}

/**
 * Turns started by messages. A message without a number starts the turn after the previous one. If no message of the first turn
 * is known, it has the run's prompt; if that is null, the turn is left out.
 */
export function turnsOf(messages: readonly Message[], prompt: string | null): Turn[] {
  const turns: Turn[] = [];
  if (prompt !== null && (messages.length === 0 || (messages[0]?.turn ?? 1) > 1))
    turns.push({ turn: 1, seq: 1, title: prompt });
  for (const { turn, seq, title, during } of messages) {
    if (during === undefined) turns.push({ turn: turn ?? (turns.at(-1)?.turn ?? 0) + 1, seq, title });
  }
  return turns;
}
