import { useState } from "react";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import type { QueuedTurn } from "#lib/contract/runs/run-queue.ts";
import { messagesIn } from "./turns.ts";

/** The last message sent from this page, and the run's number of entries at that time. */
export type SentMessage = { prompt: string; after: number };

/** Places where the message may be by now. */
export type Seen = {
  items: readonly QueuedTurn[];
  /** The turn that has started but is not in the log yet. */
  starting: QueuedTurn | null;
  recent: readonly LogEntry[];
  totalLogs: number;
};

/** Number of entries after which a message counts as logged, even if it was not seen. */
const logsUnseenMax = 100;

/** Whether a sent message is in the queue or in the log. From then on it may be edited or removed. */
export function hasArrived({ prompt, after }: SentMessage, seen: Seen): boolean {
  if (seen.totalLogs > after + logsUnseenMax) return true;
  const isSame = (text: string) => text.trim() === prompt.trim();
  if (seen.items.some((turn) => isSame(turn.prompt)) || (seen.starting !== null && isSame(seen.starting.prompt)))
    return true;
  return messagesIn(seen.recent).some(({ seq, title }) => seq > after && isSame(title));
}

/**
 * The sent message while it is on its way to a live run; null once it has arrived. A message that arrived and was then edited
 * or removed is not on its way again.
 */
export function useOnItsWay(sent: SentMessage | null, isLive: boolean, seen: Seen): SentMessage | null {
  const [arrived, setArrived] = useState<SentMessage | null>(null);
  if (sent === null || sent === arrived) return null;
  if (hasArrived(sent, seen)) {
    setArrived(sent);
    return null;
  }
  return isLive ? sent : null;
}
