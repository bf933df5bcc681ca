import { Lru } from "#lib/lru.ts";

const bytesMaxDefault = 16 * 1024 * 1024;
const keysMax = 200;

/**
 * The pages of entries that were read last, as bytes, at most so many of them: entries never change, so a page never does.
 * A page is kept when it is read for the second time: who reads a log once from end to end would fill the cache with pages
 * that nobody asks for again, and each of them would cost the collector more than it costs to read.
 */
export class PageCache {
  readonly #bytesMax: number;
  /** The keys of pages that were read once. */
  readonly #readOnce = new Lru<string, true>({ count: keysMax });
  readonly #pages: Lru<string, Uint8Array>;

  constructor(bytesMax = bytesMaxDefault) {
    this.#bytesMax = bytesMax;
    this.#pages = new Lru({ weight: bytesMax, weigh: (page) => page.length });
  }

  get(key: string): Uint8Array | undefined {
    return this.#pages.get(key);
  }

  /**
   * Takes a page that was read and that nobody writes to; false where it is not kept, so that it is the reader's alone. One that is
   * larger than an eighth of the room is not kept.
   */
  set(key: string, page: Uint8Array): boolean {
    if (page.length > this.#bytesMax / 8 || this.#pages.get(key) !== undefined) return false;
    const isKept = this.#readOnce.delete(key);
    if (isKept) this.#pages.set(key, page);
    else this.#readOnce.set(key, true);
    return isKept;
  }
}
