import { lowestIndex } from "#lib/lower-bound.ts";

/**
 * The instants of the latest requests, oldest first, at most `capacity` of them. Whether fewer than n requests were made in
 * a window is answered exactly by the n latest instants, so no more than the greatest quota are ever kept.
 */
export class RequestTimes {
  readonly #capacity: number;
  /** A ring; it grows to the capacity as requests come, so that quiet callers cost little. */
  #ring = new Float64Array(8);
  #start = 0;
  #size = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The number of instants that are kept. */
  get size(): number {
    return this.#size;
  }

  /** Adds an instant, which is not before any other. */
  add(time: number): void {
    if (this.#size === this.#capacity) {
      this.#start = (this.#start + 1) % this.#ring.length;
      this.#size -= 1;
    }
    if (this.#size === this.#ring.length) this.#grow();
    this.#ring[(this.#start + this.#size) % this.#ring.length] = time;
    this.#size += 1;
  }

  /** The nth latest instant, 1 for the newest; null where there are fewer. */
  latest(n: number): number | null {
    return n > this.#size ? null : this.#at(this.#size - n);
  }

  /** The number of instants less than `windowMs` before `now`. */
  countWithin(windowMs: number, now: number): number {
    return this.#size - lowestIndex(this.#size, (index) => this.#at(index) - now + windowMs > 0);
  }

  /** The ages of the instants less than `windowMs` before `now`, oldest first, in whole milliseconds, rounded down. */
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
