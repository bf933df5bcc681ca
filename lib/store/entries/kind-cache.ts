import { Lru } from "#lib/lru.ts";
import { blockSize } from "./entry-blocks.ts";

/** Type codes of a run's first entries (see `kindOf`): of whole blocks, which never change. */
export type KnownKinds = Readonly<{ codes: Uint8Array; length: number }>;

const none: KnownKinds = { codes: new Uint8Array(0), length: 0 };

/**
 * Caches the type codes of recently outlined runs, one byte per entry, so that the outline of a growing run reads only new
 * entries.
 */
export class KindCache {
  readonly #held: Lru<number, KnownKinds>;
  readonly #bytesMax: number;

  /** @param bytesMax size of the cache over all runs; a run with more is not cached */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
    this.#held = new Lru({ weight: bytesMax, weigh: ({ codes }) => codes.length });
  }

  /** The cached codes of a run; the array stays unchanged, whatever is added later. */
  get(runId: number): KnownKinds {
    return this.#held.get(runId) ?? none;
  }

  /**
   * Type codes of a run from its first entry: the cached ones (as returned by `get`) joined, at `start` (not beyond their end),
   * with newly read ones. Use the result before joining others.
   */
  join(runId: number, held: KnownKinds, start: number, read: Uint8Array): Uint8Array {
    if (start > held.length) throw new RangeError(`Type codes from ${start} on do not follow the first ${held.length}`);
    const length = start + read.length;
    const codes = length <= held.codes.length ? held.codes : grown(held.codes, length);
    codes.set(read, start);
    this.#hold(runId, { codes, length: Math.max(held.length, length - (length % blockSize)) });
    return codes.subarray(0, Math.max(held.length, length));
  }

  #hold(runId: number, kinds: KnownKinds): void {
    if (kinds.codes.length > this.#bytesMax) this.#held.delete(runId);
    else this.#held.set(runId, kinds);
  }
}

/** With room to grow, so that the codes are copied only occasionally. */
function grown(codes: Uint8Array, length: number): Uint8Array {
  const larger = new Uint8Array(Math.ceil((length * 1.125) / blockSize) * blockSize);
  larger.set(codes);
  return larger;
}
