import { isFiltering, type LogFilter } from "#lib/contract/logs/log-filter.ts";
import { lowerBound } from "#lib/lower-bound.ts";
import type { Access } from "#lib/store/runs/access.ts";
import type { RunRow } from "#lib/store/store.ts";
import { findSeqs } from "./find-seqs.ts";
import type { ServiceContext } from "./service-context.ts";

/** What is needed to read a run, by whatever right. */
export type ReadContext = Pick<ServiceContext, "store" | "caches" | "scanner" | "signal">;

/** Seqs from `first` to `last`, inclusive. */
export type SeqRange = { first: number; last: number };

/** Entries by their position: those of a range of seqs, or the ones of it that match a filter. */
export type MatchingLogs = {
  count: number;
  /** False while a text search is still running. */
  complete: boolean;
  /** Seq at position `skip`, which is below `count`. */
  seqAt(skip: number): number;
  /** Number of entries before a seq, which need not be one of them. */
  countBefore(seq: number): number;
  /** All their seqs if a filter chose them; null if they are the whole range. */
  seqs: Uint32Array | null;
};

/**
 * Entries of a run in `range` (within what `run.totalLogs` counts) that match a filter. The caller must have checked
 * that the run is visible. `search` finds entries that contain a text, if what is shown differs from what is stored.
 */
export async function findMatching(
  context: ReadContext,
  access: Access,
  run: Pick<RunRow, "id" | "totalLogs">,
  filter: LogFilter,
  range: SeqRange = { first: 1, last: run.totalLogs },
  search = (q: string) => findSeqs(context, run, q),
): Promise<MatchingLogs> {
  const last = Math.min(range.last, run.totalLogs);
  if (!isFiltering(filter)) return wholeRange(range.first, last);
  const { q, ...marks } = filter;
  const marked = isFiltering(marks)
    ? await context.caches.filters.of(run.id, marks).get(context.store, access, run.totalLogs)
    : null;
  if (q === undefined) return chosen(within(marked ?? nothing, range.first, last), true);
  const found = await search(q);
  const both = marked === null ? found.seqs : intersection(marked, found.seqs);
  return chosen(within(both, range.first, last), found.complete);
}

function wholeRange(first: number, last: number): MatchingLogs {
  const count = Math.max(0, last - first + 1);
  return {
    count,
    complete: true,
    seqAt: (skip) => first + skip,
    countBefore: (seq) => Math.max(0, Math.min(seq - first, count)),
    seqs: null,
  };
}

function chosen(seqs: Uint32Array, complete: boolean): MatchingLogs {
  return {
    count: seqs.length,
    complete,
    seqAt: (skip) => {
      const seq = seqs[skip];
      if (seq === undefined) throw new RangeError(`There are ${seqs.length} entries, not ${skip + 1}`);
      return seq;
    },
    countBefore: (seq) => lowerBound(seqs, seq),
    seqs,
  };
}

function within(seqs: Uint32Array, first: number, last: number): Uint32Array {
  return seqs.subarray(lowerBound(seqs, first), lowerBound(seqs, last + 1));
}

/** Intersection of two ordered lists. */
function intersection(one: Uint32Array, other: Uint32Array): Uint32Array {
  const both = new Uint32Array(Math.min(one.length, other.length));
  let count = 0;
  for (let at = 0, otherAt = 0; at < one.length && otherAt < other.length; ) {
    const difference = (one[at] ?? 0) - (other[otherAt] ?? 0);
    if (difference === 0) {
      both[count] = one[at] ?? 0;
      count += 1;
    }
    if (difference <= 0) at += 1;
    if (difference >= 0) otherAt += 1;
  }
  return both.subarray(0, count);
}

const nothing = new Uint32Array();
