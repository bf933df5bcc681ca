import type { FindHit } from "#lib/contract/logs/find.ts";
import { countMatches } from "#lib/entry/entry-text.ts";
import { lowerBound } from "#lib/lower-bound.ts";
import { hitOf } from "#lib/search/find-hit.ts";
import type { RangeScanner } from "#lib/search/find-session.ts";
import type { Scanned } from "#lib/search/log-reader.ts";
import type { ServiceContext } from "./service-context.ts";
import { presentSharedEntry, readSharedEntry } from "./shared-entry.ts";
import type { SharedPart } from "./shared-part.ts";

/** How long entries are searched before other requests are served. */
const turnMs = 10;

type Parts = Pick<ServiceContext, "store" | "scanner">;
type Shown = Pick<SharedPart, "share" | "run" | "access">;

/**
 * Searches a run as a link shows it, for one text: the stored entries are searched as usual, and hits are checked in
 * the form the link shows. Reveals only what is shown, and nothing about the state of the index.
 */
export function sharedScanner({ store, scanner }: Parts, { share, run, access }: Shown): RangeScanner {
  /** Hits in stored entries, not all checked in one go. */
  let stored: Scanned | null = null;
  return {
    atOnce: 1,
    async scan(range, msMax) {
      const isKnown = stored !== null && range.first >= stored.first && range.first <= stored.upto;
      const found = isKnown && stored !== null ? stored : await scanner.scan(range, msMax);
      stored = found;
      const scanned = { first: range.first, upto: Math.min(range.last, found.upto), indexed: Number.MAX_SAFE_INTEGER };
      const seqs: number[] = [];
      let matches = 0;
      const until = performance.now() + turnMs;
      for (const seq of found.seqs.subarray(
        lowerBound(found.seqs, range.first),
        lowerBound(found.seqs, range.last + 1),
      )) {
        const body = await store.entries.find(access, run.id, seq);
        const count = body === null ? 0 : countMatches(readSharedEntry(body, share, null), range.needle);
        if (count > 0) seqs.push(seq);
        matches += count;
        if (performance.now() < until) continue;
        scanned.upto = seq;
        await new Promise(setImmediate);
        break;
      }
      return { ...scanned, seqs: Uint32Array.from(seqs), matches };
    },
  };
}

/** Entries, with the place where the form shown by the link contains a text (lower case). */
export function showShared(
  { store }: Parts,
  { share, run, access }: Shown,
  seqs: readonly number[],
  needle: string,
): Promise<(FindHit | null)[]> {
  return Promise.all(
    seqs.map(async (seq) => {
      const body = await store.entries.find(access, run.id, seq);
      return body === null ? null : hitOf({ seq, body: presentSharedEntry(body, share, null) }, { needle });
    }),
  );
}
