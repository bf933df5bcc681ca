import { Lru } from "#lib/lru.ts";
import { blockSize } from "./entry-blocks.ts";

/** The letters of a run's first entries (see `kindOf`): of whole blocks, which never change. */
export type HeldKinds = Readonly<{ letters: Uint8Array; length: number }>;

const none: HeldKinds = { letters: new Uint8Array(0), length: 0 };

/**
 * Holds the letters of the runs that were outlined last, a byte for each entry, so that the outline of a run that grows reads only
 * what has come since.
 */
export class KindsHolder {
  readonly #held: Lru<number, HeldKinds>;
  readonly #bytesMax: number;

  /** @param bytesMax what is held of all runs together; of a run that has more, nothing is */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
    this.#held = new Lru({ weight: bytesMax, weigh: ({ letters }) => letters.length });
  }

  /** What is held of a run; stays as it is, whatever is joined later. */
  get(runId: number): HeldKinds {
    return this.#held.get(runId) ?? none;
  }

  /**
   * The letters of a run from its first entry on: those held (as `get` gave them), and from the place `start` (not behind them) those
   * that were read. To be used before others are joined.
   */
  join(runId: number, held: HeldKinds, start: number, read: Uint8Array): Uint8Array {
    if (start > held.length) throw new RangeError(`Letters from ${start} on do not follow ${held.length} letters`);
    const length = start + read.length;
    const letters = length <= held.letters.length ? held.letters : grown(held.letters, length);
    letters.set(read, start);
    this.#hold(runId, { letters, length: Math.max(held.length, length - (length % blockSize)) });
    return letters.subarray(0, Math.max(held.length, length));
  }

  #hold(runId: number, kinds: HeldKinds): void {
    if (kinds.letters.length > this.#bytesMax) this.#held.delete(runId);
    else this.#held.set(runId, kinds);
  }
}

/** With room to grow: what is held is copied only now and then. */
function grown(letters: Uint8Array, length: number): Uint8Array {
  const larger = new Uint8Array(Math.ceil((length * 1.125) / blockSize) * blockSize);
  larger.set(letters);
  return larger;
}
