import { type MessageType, type NewEntry, newEntry } from "#lib/contract/logs/entry.ts";
import { isEntryTime } from "#lib/contract/logs/entry-time.ts";

/** An entry of a line; fields that are not given are empty. */
export function plainEntry(messageType: MessageType, at: string, fields: Partial<NewEntry>): NewEntry {
  return newEntry(messageType, at, { tool_call_id: null, ...fields });
}

/** The line's time, in UTC. One that cannot be that of a step is replaced by `now`. */
export function timeOf(timestamp: unknown, now: string): string {
  const ms = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;
  return isEntryTime(ms, Date.parse(now)) ? new Date(ms).toISOString() : now;
}
