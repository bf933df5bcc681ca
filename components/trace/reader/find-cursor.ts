import type { HitsFrom } from "#lib/client/pages/find-filtered.ts";
import type { FindHit, Found } from "#lib/contract/logs/find.ts";

export type Direction = "next" | "previous";

/** Consecutive hits as returned by the server. `skip` is the rank of the first one, null while unknown. */
export type HitPage = Pick<Found, "skip" | "hits">;

/** The reader's hit, and the page of results that it came with. */
export type Cursor = { hit: FindHit; page: HitPage };

/** Number of hits before the reader's, if one of the pages determines it; otherwise null. */
export function rankOf(cursor: Cursor, ...others: HitPage[]): number | null {
  for (const { skip, hits } of [cursor.page, ...others]) {
    const place = hits.findIndex(({ seq }) => seq === cursor.hit.seq);
    if (skip !== null && place !== -1) return skip + place;
  }
  return null;
}

/** The hit next to the current one, if its page has it. */
export function besideInPage({ hit, page }: Cursor, direction: Direction): FindHit | null {
  const place = page.hits.findIndex(({ seq }) => seq === hit.seq);
  return page.hits[place + (direction === "next" ? 1 : -1)] ?? null;
}

/**
 * The page of results with the hit next to the current one, requested by rank or around an entry; `last`: whether it is that
 * page's last hit.
 */
export type Wanted = { from: HitsFrom; limit: number; last: boolean };

/** The page to request next. A step back needs the rank; null if that must be determined first. */
export function pageBeside(
  seq: number,
  rank: number | null,
  count: { complete: boolean; matching: number },
  direction: Direction,
  pageSize: number,
): Wanted | null {
  if (direction === "next") {
    const isLast = count.complete && rank !== null && rank + 1 >= count.matching;
    return { from: isLast ? { skip: 0 } : { around: seq + 1 }, limit: pageSize, last: false };
  }
  if (rank === null || (rank === 0 && !count.complete)) return null;
  const end = rank === 0 ? count.matching : rank;
  const skip = Math.max(0, end - pageSize);
  return { from: { skip }, limit: end - skip, last: true };
}

/** Whether a step went past an end of the run. */
export function hasWrapped(before: number, after: number, direction: Direction): boolean {
  return direction === "next" ? after <= before : after >= before;
}
