import { messagesIn } from "#components/trace/turns.ts";
import type { LogEntry } from "#lib/contract/entry.ts";
import type { QueuedTurn } from "#lib/contract/run-queue.ts";

/** What this page has sent last, and how many entries the run had then. */
export type SentMessage = { prompt: string; after: number };

/** What is known where the message may be by now. */
export type Seen = {
  items: readonly QueuedTurn[];
  /** The turn that has begun and is not in the log yet. */
  starting: QueuedTurn | null;
  recent: readonly LogEntry[];
  totalLogs: number;
  isLive: boolean;
};

/** Entries after which a message counts as logged, whether or not it came by. */
const logsUnseenMax = 100;

/** Whether a message that was sent stands nowhere else on the page: neither in the queue nor in the log. */
export function isOnItsWay({ prompt, after }: SentMessage, seen: Seen): boolean {
  if (!seen.isLive || seen.totalLogs > after + logsUnseenMax) return false;
  const isSame = (text: string) => text.trim() === prompt.trim();
  if (seen.items.some((turn) => isSame(turn.prompt)) || (seen.starting !== null && isSame(seen.starting.prompt)))
    return false;
  return !messagesIn(seen.recent).some(({ seq, title }) => seq > after && isSame(title));
}
