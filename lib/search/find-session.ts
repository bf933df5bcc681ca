import type { FindHit } from "#lib/contract/logs/find.ts";
import { Lru } from "#lib/lru.ts";
import type { LogScanner } from "./find-threads.ts";
import type { Scanned } from "./log-reader.ts";
import { SearchedPieces } from "./searched-pieces.ts";

/** Entries searched at once: few at first, so that the first hit arrives soon. */
const portionMin = 512;
const portionMax = 131_072;
/** A caller waiting for interim results waits for a thread to finish its portion. */
const portionMs = 25;
const shortRun = 4096;
/** Time that a search continues when nobody waits for it any more: while somebody types, each letter starts another search. */
const forgottenMs = 1500;
/** More than the hits of a page. */
const hitsMax = 128;

/** Searches ranges of entries. */
export type RangeScanner = Pick<LogScanner, "atOnce" | "scan">;

/** A run from entry `first`, as its scanner sees it: as stored, or as a link shows it. */
export type SearchedLog = { runId: number; first: number; scanner: RangeScanner };

/** When a partial result is enough. */
export type Enough = { ms: number; isKnown: () => boolean };

/**
 * Search for one text in one log. Results are kept, and the range asked for last is searched first; in a growing run only new
 * entries are searched.
 */
export class FindSession {
  readonly needle: string;
  /** Results so far. */
  readonly found: SearchedPieces;
  /** Hits shown last, by seq. Showing the hit of a huge entry takes long, and a page is asked for again while the search goes on. */
  readonly hits = new Lru<number, FindHit>({ count: hitsMax });
  readonly #log: SearchedLog;
  readonly #underway = new Set<{ first: number; last: number }>();
  readonly #waiting = new Set<() => void>();
  #last = 0;
  #near = 0;
  #portion = portionMin;
  #asking = 0;
  #askedAt = 0;
  #failure: Error | null = null;

  constructor(log: SearchedLog, needle: string) {
    this.#log = log;
    this.found = new SearchedPieces(log.first);
    this.needle = needle;
  }

  /**
   * Resolves when the entries up to `last` have been searched, after `waitMs`, or when the signal is aborted; or after
   * `enough.ms` if `enough.isKnown` accepts the results so far. Entries at or after `near` are searched first. Throws if the
   * store cannot be read.
   */
  async search(last: number, near: number, waitMs: number, signal: AbortSignal, enough?: Enough): Promise<void> {
    this.#last = Math.max(this.#last, last);
    this.#near = near;
    this.#failure = null;
    this.#asking += 1;
    try {
      this.#work();
      const begun = performance.now();
      while (!this.isSearched(last) && !signal.aborted) {
        const dueMs = enough?.isKnown() ? Math.min(enough.ms, waitMs) : waitMs;
        const left = begun + dueMs - performance.now();
        if (left <= 0) break;
        await this.#change(left, signal);
        if (this.#failure !== null) throw this.#failure;
      }
    } finally {
      this.#asking -= 1;
      this.#askedAt = Date.now();
    }
  }

  isSearched(last: number): boolean {
    return this.found.searchedUpTo >= last;
  }

  #work(): void {
    // A further thread costs more to start than searching a short run takes.
    const { runId, scanner } = this.#log;
    const atOnce = this.#last - this.#log.first >= shortRun ? scanner.atOnce : 1;
    const isWanted = () => this.#asking > 0 || Date.now() - this.#askedAt < forgottenMs;
    while (this.#underway.size < atOnce && isWanted()) {
      const range = this.#nextRange();
      if (range === null) return;
      this.#underway.add(range);
      scanner
        .scan({ runId, needle: this.needle, ...range }, portionMs)
        .then((scanned) => this.#keep(scanned))
        .catch((error: unknown) => {
          this.#failure = error instanceof Error ? error : new Error(String(error));
        })
        .finally(() => {
          this.#underway.delete(range);
          if (this.#failure === null) this.#work();
          for (const wake of this.#waiting) wake();
        });
    }
  }

  /** The first gap at or after the range asked for last, otherwise the first of all. */
  #nextRange(): { first: number; last: number } | null {
    const taken = [...this.found.ranges, ...this.#underway].sort((one, other) => one.first - other.first);
    const gapFrom = (from: number): { first: number; last: number } | null => {
      let first = from;
      for (const range of taken) {
        if (range.last < first) continue;
        if (range.first > first) return { first, last: range.first - 1 };
        first = range.last + 1;
      }
      return first > this.#last ? null : { first, last: this.#last };
    };
    const { first: begin } = this.#log;
    const gap = gapFrom(Math.max(Math.min(this.#near, this.#last + 1), begin)) ?? gapFrom(begin);
    if (gap === null) return null;
    const range = { first: gap.first, last: Math.min(gap.last, gap.first + this.#portion - 1) };
    this.#portion = Math.min(this.#portion * 2, portionMax);
    return range;
  }

  #keep(scanned: Scanned): void {
    if (scanned.upto < scanned.first) throw new Error(`Entry ${scanned.first} of run ${this.#log.runId} is not there`);
    this.found.add(scanned);
  }

  #change(waitMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", wake);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, waitMs);
      signal.addEventListener("abort", wake);
      this.#waiting.add(wake);
    });
  }
}
