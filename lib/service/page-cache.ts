import type { Store } from "#lib/store/store.ts";

const bytesMaxDefault = 16 * 1024 * 1024;
const keysMax = 200;

/**
 * The pages of entries that were read last, as bytes, at most so many of them: entries never change, so a page never does.
 * A page is kept when it is read for the second time: who reads a log once from end to end would fill the cache with pages
 * that nobody asks for again, and each of them would cost the collector more than it costs to read.
 */
export class PageCache {
  readonly #bytesMax: number;
  /** The keys of pages that were read once, oldest first. */
  readonly #readOnce = new Set<string>();
  /** Oldest use first. */
  readonly #pages = new Map<string, Uint8Array>();
  #bytes = 0;

  constructor(bytesMax = bytesMaxDefault) {
    this.#bytesMax = bytesMax;
  }

  get(key: string): Uint8Array | undefined {
    const page = this.#pages.get(key);
    if (page === undefined) return undefined;
    this.#pages.delete(key);
    this.#pages.set(key, page);
    return page;
  }

  /** Takes a page that was read and that nobody writes to. One that is larger than an eighth of the room is not kept. */
  set(key: string, page: Uint8Array): void {
    if (page.length > this.#bytesMax / 8 || this.#pages.has(key)) return;
    if (!this.#readOnce.delete(key)) {
      this.#readOnce.add(key);
      const [oldest] = this.#readOnce;
      if (this.#readOnce.size > keysMax && oldest !== undefined) this.#readOnce.delete(oldest);
      return;
    }
    this.#pages.set(key, page);
    this.#bytes += page.length;
    for (const [oldest, dropped] of this.#pages) {
      if (this.#bytes <= this.#bytesMax) return;
      this.#pages.delete(oldest);
      this.#bytes -= dropped.length;
    }
  }
}

const caches = new WeakMap<Store, PageCache>();

/** The one cache of a store. */
export function pageCacheOf(store: Store): PageCache {
  let cache = caches.get(store);
  if (cache === undefined) {
    cache = new PageCache();
    caches.set(store, cache);
  }
  return cache;
}
