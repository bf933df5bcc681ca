import { ApiError } from "#lib/contract/error.ts";

/** What a reconnecting client saw last: the entry with this seq, or the end that came after it. */
export type LastSeen = { seq: number; hasEnded: boolean };

/** Reads `Last-Event-ID`: null without one. Throws 400. */
export function lastSeen(lastEventId: string | null): LastSeen | null {
  if (lastEventId === null || lastEventId === "") return null;
  const [, end, seq] = /^(end-)?(\d{1,9})$/.exec(lastEventId) ?? [];
  if (seq === undefined) throw new ApiError("bad_request", "Last-Event-ID: must be the id of an event of this stream.");
  return { seq: Number(seq), hasEnded: end !== undefined };
}

/** Id of the event `end` after the last entry: whoever brings it has everything, unless the run goes on. */
export function endId(lastSeq: number): string {
  return `end-${lastSeq}`;
}
