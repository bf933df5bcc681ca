import { Lru } from "#lib/lru.ts";

const bytesMaxDefault = 16 * 1024 * 1024;
const keysMax = 200;

/**
 * Most recently read pages of entries, as pieces of bytes, bounded in number. Entries never change, so neither does a page. A
 * page is cached on its second read: otherwise reading a log from end to end would fill the cache with pages nobody
 * asks for again, each costing the collector more than reading it.
 */
export class PageCache {
  readonly #bytesMax: number;
  /** Keys of pages read once. */
  readonly #readOnce = new Lru<string, true>({ count: keysMax });
  readonly #pages: Lru<string, Uint8Array[]>;

  constructor(bytesMax = bytesMaxDefault) {
    this.#bytesMax = bytesMax;
    this.#pages = new Lru({ weight: bytesMax, weigh: lengthOf });
  }

  get(key: string): Uint8Array[] | undefined {
    return this.#pages.get(key);
  }

  /**
   * Offers a page that nobody writes to any more. Returns false if it is not cached and belongs to the caller. A page
   * larger than an eighth of the cache is never cached.
   */
  set(key: string, page: Uint8Array[]): boolean {
    if (lengthOf(page) > this.#bytesMax / 8 || this.#pages.get(key) !== undefined) return false;
    const isKept = this.#readOnce.delete(key);
    if (isKept) this.#pages.set(key, page);
    else this.#readOnce.set(key, true);
    return isKept;
  }
}

function lengthOf(page: Uint8Array[]): number {
  return page.reduce((sum, piece) => sum + piece.length, 0);
}
