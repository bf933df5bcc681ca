import type { LogEntry } from "#lib/contract/entry.ts";
import { interruptionOf, observationOf, turnOriginOf } from "./observation.ts";

/** Where a turn begins. */
export type Turn = { turn: number; seq: number; title: string };

/** The turns that begin in these entries, ascending by seq. The first message is turn 1, whoever wrote it. */
export function turnsIn(entries: readonly LogEntry[]): Turn[] {
  return entries.flatMap((entry) => {
    if (entry.message_type !== "USER_MESSAGE" || interruptionOf(entry.observation) !== null) return [];
    const turn = turnOriginOf(entry.tool_input)?.turn ?? (entry.seq === 1 ? 1 : null);
    if (turn === null) return [];
    return [{ turn, seq: entry.seq, title: observationOf(entry.observation).text ?? "" }];
  });
}

/** Two lists of turns as one, each turn once, in order. */
export function mergeTurns(known: readonly Turn[], more: readonly Turn[]): Turn[] {
  const byTurn = new Map([...known, ...more].map((turn) => [turn.turn, turn]));
  return [...byTurn.values()].sort((a, b) => a.turn - b.turn);
}
