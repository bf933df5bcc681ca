/** When so many items have been measured, those never seen are thought to be as high as these are on average. */
const samples = [4, 16, 64, 256];
/** An estimate that is wrong by less than this share stays. */
const tolerance = 0.25;

/** What the items that were measured say about those that were not: a few samples are enough, and each costs a pass over the list. */
export class HeightSample {
  #count = 0;
  #px = 0;
  #taken = 0;
  #estimate = 0;

  /** An item was measured for the first time. */
  add(height: number): void {
    this.#count += 1;
    this.#px += height;
  }

  /** The height in px that items never seen should be thought to have from now on, or null where nothing better is known. */
  takeBetter(): number | null {
    if (this.#count < (samples[this.#taken] ?? Number.POSITIVE_INFINITY)) return null;
    this.#taken = samples.filter((size) => size <= this.#count).length;
    const mean = this.#px / this.#count;
    if (Math.abs(mean - this.#estimate) <= this.#estimate * tolerance) return null;
    this.#estimate = mean;
    return mean;
  }
}
