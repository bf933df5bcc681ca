import { lowestIndex } from "#lib/lower-bound.ts";

/**
 * Times of the latest requests, oldest first, at most `capacity`. Whether fewer than n requests were made in a window follows
 * exactly from the n latest times, so no more than the largest quota are kept.
 */
export class RequestTimes {
  readonly #capacity: number;
  /** A ring buffer that grows up to the capacity, so that quiet callers cost little. */
  #ring = new Float64Array(8);
  #start = 0;
  #size = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Number of stored times. */
  get size(): number {
    return this.#size;
  }

  /** Adds a time that is not before any other. */
  add(time: number): void {
    if (this.#size === this.#capacity) {
      this.#start = (this.#start + 1) % this.#ring.length;
      this.#size -= 1;
    }
    if (this.#size === this.#ring.length) this.#grow();
    this.#ring[(this.#start + this.#size) % this.#ring.length] = time;
    this.#size += 1;
  }

  /** The nth latest time, 1 for the newest; null if there are fewer. */
  latest(n: number): number | null {
    return n > this.#size ? null : this.#at(this.#size - n);
  }

  /** Number of times less than `windowMs` before `now`. */
  countWithin(windowMs: number, now: number): number {
    return this.#size - lowestIndex(this.#size, (index) => this.#at(index) - now + windowMs > 0);
  }

  /** Ages of the times less than `windowMs` before `now`, oldest first, in whole milliseconds, rounded down. */
  agesWithin(windowMs: number, now: number): Uint32Array<ArrayBuffer> {
    const ages = new Uint32Array(this.countWithin(windowMs, now));
    const first = this.#size - ages.length;
    for (let index = 0; index < ages.length; index += 1) ages[index] = now - this.#at(first + index);
    return ages;
  }

  #at(index: number): number {
    return this.#ring[(this.#start + index) % this.#ring.length] ?? 0;
  }

  #grow(): void {
    const grown = new Float64Array(Math.min(this.#ring.length * 2, Math.max(this.#capacity, 8)));
    for (let index = 0; index < this.#size; index += 1) grown[index] = this.#at(index);
    this.#ring = grown;
    this.#start = 0;
  }
}
