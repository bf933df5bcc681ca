import type { HitsFrom } from "#lib/client/find-filtered.ts";
import type { FindHit, Found } from "#lib/contract/find.ts";

export type Direction = "next" | "previous";

/** Consecutive hits as the server gave them; `skip` is the rank of the first one, null while it is not known. */
export type HitPage = Pick<Found, "skip" | "hits">;

/** The hit that the reader is at, and the page that it came with. */
export type Cursor = { hit: FindHit; page: HitPage };

/** Number of hits before the reader's, if one of the pages tells; otherwise null. */
export function rankOf(cursor: Cursor, ...others: HitPage[]): number | null {
  for (const { skip, hits } of [cursor.page, ...others]) {
    const place = hits.findIndex(({ seq }) => seq === cursor.hit.seq);
    if (skip !== null && place !== -1) return skip + place;
  }
  return null;
}

/** The hit next to the present one, if its page has it. */
export function besideInPage({ hit, page }: Cursor, direction: Direction): FindHit | null {
  const place = page.hits.findIndex(({ seq }) => seq === hit.seq);
  return page.hits[place + (direction === "next" ? 1 : -1)] ?? null;
}

/** The page with the hit next to the present one: by rank, or around an entry; `last`: whether it is the last hit of that page. */
export type Wanted = { from: HitsFrom; limit: number; last: boolean };

/** The page to request next. A step back needs the rank; null if that must be found out first. */
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

/** Whether a step led past an end of the run. */
export function hasWrapped(before: number, after: number, direction: Direction): boolean {
  return direction === "next" ? after <= before : after >= before;
}
