/** Numbers of measured items at which their mean height becomes the estimate for the others. */
const samples = [4, 16, 64, 256];
/** An estimate stays if it is off by no more than this share. */
const tolerance = 0.25;

/** Estimates unmeasured heights from measured ones. Each new estimate costs a pass over the list, so there are few. */
export class HeightSample {
  readonly #known = new Set<number>();
  #px = 0;
  #taken = 0;
  #estimate = 0;

  /** Adds the height of an item. Each item counts once. */
  add(index: number, height: number): void {
    if (this.#taken === samples.length || this.#known.has(index)) return;
    this.#known.add(index);
    this.#px += height;
  }

  /** A better estimate for unmeasured heights, in px, or null if there is none. */
  takeBetter(): number | null {
    const count = this.#known.size;
    if (count < (samples[this.#taken] ?? Number.POSITIVE_INFINITY)) return null;
    this.#taken = samples.filter((size) => size <= count).length;
    const mean = this.#px / count;
    if (Math.abs(mean - this.#estimate) <= this.#estimate * tolerance) return null;
    this.#estimate = mean;
    return mean;
  }
}
