import type { TailSource } from "#lib/client/live/tail-state.ts";
import { parseExactJson } from "#lib/contract/exact-json.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import type { CallParams, CallQuery, CallResult } from "./request.ts";

/**
 * The operations on a run that the viewer reads with, and their counterparts for links. A test compares them with the contract.
 */
export const linkOperations = {
  getRun: "getSharedRun",
  getLogs: "getSharedLogs",
  getLogEntry: "getSharedEntry",
  streamLogs: "streamSharedLogs",
  getOutline: "getSharedOutline",
  getLogPosition: "getSharedPosition",
  getLogTools: "getSharedTools",
  getTimeline: "getSharedTimeline",
  findInLogs: "findInSharedLogs",
} as const;

/** An operation that reads from runs and links alike. */
export type TraceOperation = keyof typeof linkOperations;

/** How to shift entry numbers in an operation's input and output; fields left out have none. */
type Shifts<Id extends TraceOperation> = {
  params?: (params: Pick<CallParams<Id>, "seq" & keyof CallParams<Id>>, by: number) => object;
  query?: (query: CallQuery<Id>, by: number) => CallQuery<Id>;
  result?: (result: CallResult<Id>, by: number) => CallResult<Id>;
};

const logs: Shifts<"getLogs"> = {
  result: (page, by) => ({ ...page, logs: page.logs.map((entry) => shiftEntry(entry, by)) }),
};

const logEntry: Shifts<"getLogEntry"> = {
  params: (params, by) => ({ ...params, seq: shift(params.seq, by) }),
  result: shiftEntry,
};

const stream: Shifts<"streamLogs"> = {
  query: (query, by) => ({ ...query, after: shift(query.after, by) }),
};

const outline: Shifts<"getOutline"> = {
  query: (query, by) => ({ ...query, from_seq: shift(query.from_seq, by), to_seq: shift(query.to_seq, by) }),
  result: (found, by) => ({
    ...found,
    buckets: found.buckets.map((bucket) => ({
      ...bucket,
      from_seq: bucket.from_seq + by,
      to_seq: bucket.to_seq + by,
      first_error_seq: shift(bucket.first_error_seq, by),
      last_error_seq: shift(bucket.last_error_seq, by),
    })),
  }),
};

const position: Shifts<"getLogPosition"> = {
  query: (query, by) => ({ ...query, seq: shift(query.seq, by) }),
  result: (found, by) => ({ ...found, seq: shift(found.seq, by) }),
};

const timeline: Shifts<"getTimeline"> = {
  result: (found, by) => ({
    ...found,
    parts: found.parts.map((part) => ({
      ...part,
      first_seq: shift(part.first_seq, by),
      last_seq: shift(part.last_seq, by),
    })),
    spans: found.spans?.map((span) => ({ ...span, seq: span.seq + by })) ?? null,
  }),
};

const search: Shifts<"findInLogs"> = {
  query: (query, by) => ({ ...query, around_seq: shift(query.around_seq, by) }),
  result: (found, by) => ({ ...found, hits: found.hits.map((hit) => ({ ...hit, seq: hit.seq + by })) }),
};

const shifts: { [Id in TraceOperation]: Shifts<Id> } = {
  getRun: {},
  getLogs: logs,
  getLogEntry: logEntry,
  streamLogs: stream,
  getOutline: outline,
  getLogPosition: position,
  getLogTools: {},
  getTimeline: timeline,
  findInLogs: search,
};

/**
 * How to shift entry numbers for an operation. The viewer counts the entries that it shows from 1; a link that shows a part of a
 * run keeps the run's own numbers.
 */
export function shiftsOf<Id extends TraceOperation>(id: Id): Shifts<Id> {
  return shifts[id];
}

/** A stream with its entries shifted by `by`. */
export function shiftStream(source: TailSource, by: number): TailSource {
  if (by === 0) return source;
  return {
    addEventListener: (name, listener) =>
      source.addEventListener(name, (event) => {
        if (name !== "entry" || !(event instanceof MessageEvent)) return listener(event);
        listener(
          new MessageEvent(name, { data: JSON.stringify(shiftEntry(parseExactJson(event.data) as LogEntry, by)) }),
        );
      }),
    close: () => source.close(),
  };
}

function shiftEntry(entry: LogEntry, by: number): LogEntry {
  return { ...entry, seq: entry.seq + by };
}

/** Null and absent values stay so. */
function shift<T>(seq: T, by: number): T {
  // The cast rests on the check: a number stays a number.
  return typeof seq === "number" ? ((seq + by) as T) : seq;
}
