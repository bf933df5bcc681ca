/** When so many items have been measured, those never seen are thought to be as high as these are on average. */
const samples = [4, 16, 64, 256];
/** An estimate that is wrong by less than this share stays. */
const tolerance = 0.25;

/** What the items that were measured say about those that were not: a few samples are enough, and each costs a pass over the list. */
export class HeightSample {
  readonly #known = new Set<number>();
  #px = 0;
  #taken = 0;
  #estimate = 0;

  /** An item is so high. Each counts once. */
  add(index: number, height: number): void {
    if (this.#taken === samples.length || this.#known.has(index)) return;
    this.#known.add(index);
    this.#px += height;
  }

  /** The height in px that items never seen should be thought to have from now on, or null where nothing better is known. */
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
