import type { MessageType, NewEntry } from "#lib/contract/entry.ts";

/** An entry of a line; fields that are not given are empty. */
export function plainEntry(messageType: MessageType, at: string, fields: Partial<NewEntry>): NewEntry {
  return {
    created_at: at,
    message_type: messageType,
    tool_call_id: null,
    thought: null,
    tool_name: null,
    tool_input: null,
    tool_output: null,
    observation: null,
    ...fields,
  };
}

const earliest = Date.UTC(2020, 0, 1);
const aheadMsMax = 86_400_000;

/** The line's time, in UTC. An invalid one, before 2020 or more than a day ahead of `now`, is replaced by `now`. */
export function timeOf(timestamp: unknown, now: string): string {
  const ms = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;
  return ms >= earliest && ms <= Date.parse(now) + aheadMsMax ? new Date(ms).toISOString() : now;
}
