import type { Store } from "#lib/store/store.ts";
import { FilteredSeqs, type MarkFilter } from "./filtered-seqs.ts";

const bytesMaxDefault = 32 * 1024 * 1024;

/** What filters left of runs, as it was asked for last: at most so many bytes of it. */
export class FilterCache {
  readonly #bytesMax: number;
  /** Oldest use first. */
  readonly #kept = new Map<string, FilteredSeqs>();

  constructor(bytesMax = bytesMaxDefault) {
    this.#bytesMax = bytesMax;
  }

  /** What the filter leaves of the run, empty where it was not asked for before. */
  of(runId: number, { message_type, tool_name, errors, prose }: MarkFilter): FilteredSeqs {
    const filter = { message_type, tool_name, errors, prose };
    const key = `${runId} ${JSON.stringify(filter)}`;
    const known = this.#kept.get(key) ?? new FilteredSeqs(runId, filter);
    this.#kept.delete(key);
    this.#makeRoom();
    this.#kept.set(key, known);
    return known;
  }

  get size(): number {
    return this.#kept.size;
  }

  #makeRoom(): void {
    let bytes = 0;
    for (const kept of this.#kept.values()) bytes += kept.bytes;
    for (const [oldest, kept] of this.#kept) {
      if (bytes <= this.#bytesMax) return;
      this.#kept.delete(oldest);
      bytes -= kept.bytes;
    }
  }
}

const caches = new WeakMap<Store, FilterCache>();

/** The one cache of a store. */
export function filterCacheOf(store: Store): FilterCache {
  let cache = caches.get(store);
  if (cache === undefined) {
    cache = new FilterCache();
    caches.set(store, cache);
  }
  return cache;
}
