import type { LogEntry } from "#lib/contract/entry.ts";
import type { findInLogs } from "#lib/contract/find.ts";
import type { getLogPosition } from "#lib/contract/log-position.ts";
import type { AnyOperation, ParamsOf, QueryInputOf, ResultOf } from "#lib/contract/operation.ts";
import type { getOutline } from "#lib/contract/outline.ts";
import type { getLogEntry, getLogs, streamLogs } from "#lib/contract/run-operations.ts";
import type { getTimeline } from "#lib/contract/timeline.ts";
import type { TailSource } from "./tail-state.ts";

/** How the numbers of entries are moved in what an operation takes and answers; what is left out holds none. */
export type Shifts<O extends AnyOperation> = {
  params?: (params: Pick<ParamsOf<O>, "seq" & keyof ParamsOf<O>>, by: number) => object;
  query?: (query: QueryInputOf<O>, by: number) => QueryInputOf<O>;
  result?: (result: ResultOf<O>, by: number) => ResultOf<O>;
};

const logs: Shifts<typeof getLogs> = {
  result: (page, by) => ({ ...page, logs: page.logs.map((entry) => shiftEntry(entry, by)) }),
};

const logEntry: Shifts<typeof getLogEntry> = {
  params: (params, by) => ({ ...params, seq: shift(params.seq, by) }),
  result: shiftEntry,
};

const stream: Shifts<typeof streamLogs> = {
  query: (query, by) => ({ ...query, after: shift(query.after, by) }),
};

const outline: Shifts<typeof getOutline> = {
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

const position: Shifts<typeof getLogPosition> = {
  query: (query, by) => ({ ...query, seq: shift(query.seq, by) }),
  result: (found, by) => ({ ...found, seq: shift(found.seq, by) }),
};

const timeline: Shifts<typeof getTimeline> = {
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

const search: Shifts<typeof findInLogs> = {
  query: (query, by) => ({ ...query, around_seq: shift(query.around_seq, by) }),
  result: (found, by) => ({ ...found, hits: found.hits.map((hit) => ({ ...hit, seq: hit.seq + by })) }),
};

/** By the path of the operation below its run, or below its link. */
const shifts: Record<string, Shifts<AnyOperation>> = {
  "": {},
  "/logs": erased(logs),
  "/logs/{seq}": erased(logEntry),
  "/logs/stream": erased(stream),
  "/logs/outline": erased(outline),
  "/logs/position": erased(position),
  "/logs/tools": {},
  "/logs/timeline": erased(timeline),
  "/logs/search": erased(search),
};

/**
 * How to move the numbers of entries for an operation, by its path below its run. The viewer counts the entries that it shows from
 * 1; a link that shows a part of a run keeps the numbers that they have in the run. Throws where links do not have the operation.
 */
export function shiftsOf(pathBelowRun: string): Shifts<AnyOperation> {
  const found = shifts[pathBelowRun];
  if (found === undefined) throw new Error(`Links have no operation at ${pathBelowRun}.`);
  return found;
}

/** A stream whose entries are moved by `by`. */
export function shiftStream(source: TailSource, by: number): TailSource {
  if (by === 0) return source;
  return {
    addEventListener: (name, listener) =>
      source.addEventListener(name, (event) => {
        if (name !== "entry" || !(event instanceof MessageEvent)) return listener(event);
        listener(new MessageEvent(name, { data: JSON.stringify(shiftEntry(JSON.parse(event.data), by)) }));
      }),
    close: () => source.close(),
  };
}

function shiftEntry(entry: LogEntry, by: number): LogEntry {
  return { ...entry, seq: entry.seq + by };
}

/** Null and what was left out stay so. */
function shift<T>(seq: T, by: number): T {
  // The cast rests on the check: a number stays a number.
  return typeof seq === "number" ? ((seq + by) as T) : seq;
}

/** The cast rests on shiftsOf: who has the path of an operation has what it takes and answers. */
function erased<O extends AnyOperation>(known: Shifts<O>): Shifts<AnyOperation> {
  return known as unknown as Shifts<AnyOperation>;
}
