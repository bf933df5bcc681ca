/** The smallest height an item may have, in px: a list of zero-height items would have no bound on what is rendered. */
export const heightMin = 1;

/** Fractions finer than a browser's layout unit are dropped, which makes every sum of heights exact. */
const unitsPerPx = 64;

/**
 * The heights of all items of a list, measured or estimated, with their running sums.
 *
 * Heights are in a Float32Array, their sums in a Fenwick tree of Float64: 13 bytes an item. Reading or writing one height, an
 * item's offset and the item at an offset are O(log n); appending is O(log n) amortised; building is O(n). Heights are kept in
 * steps of 1/64 px, so sums are exact whatever the order of changes.
 */
export class HeightMap {
  #count = 0;
  #heights: Float32Array;
  #measured: Uint8Array;
  /** 1-based: node i holds the sum of the items (i - lowbit(i), i]. */
  #tree: Float64Array;
  #estimate: (index: number) => number;

  /** @param estimate the height in px of an item never measured; called once per item, when the item is added. */
  constructor(count: number, estimate: (index: number) => number) {
    this.#estimate = estimate;
    const capacity = Math.max(16, count);
    this.#heights = new Float32Array(capacity);
    this.#measured = new Uint8Array(capacity);
    this.#tree = new Float64Array(capacity + 1);
    this.resize(count);
  }

  /** Number of items. */
  get count(): number {
    return this.#count;
  }

  /** Total height of all items, in px. */
  get total(): number {
    return this.offsetOf(this.#count);
  }

  /** The height of one item in px; 0 for an index out of bounds. */
  heightOf(index: number): number {
    return index >= 0 && index < this.#count ? (this.#heights[index] ?? 0) : 0;
  }

  /** Whether the height of this item was measured at the present width. */
  isMeasured(index: number): boolean {
    return index >= 0 && index < this.#count && this.#measured[index] === 1;
  }

  /** The px above an item: the sum of the heights before it. `index` is clamped to [0, count]. */
  offsetOf(index: number): number {
    let sum = 0;
    for (let node = Math.min(Math.max(0, index), this.#count); node > 0; node -= node & -node) {
      sum += this.#tree[node] ?? 0;
    }
    return sum;
  }

  /** The item that covers this offset: the first one for offsets above the list, the last one below it; -1 for an empty list. */
  indexAt(offset: number): number {
    if (this.#count === 0) return -1;
    let node = 0;
    let rest = offset;
    for (let step = 2 ** Math.floor(Math.log2(this.#count)); step >= 1; step /= 2) {
      const next = node + step;
      const sum = next <= this.#count ? (this.#tree[next] ?? 0) : Number.POSITIVE_INFINITY;
      if (sum <= rest) {
        node = next;
        rest -= sum;
      }
    }
    return Math.min(node, this.#count - 1);
  }

  /** Records a measured height and returns by how many px the item grew. An index out of bounds changes nothing. */
  set(index: number, height: number): number {
    if (index < 0 || index >= this.#count) return 0;
    const kept = storable(height);
    const delta = kept - (this.#heights[index] ?? 0);
    this.#heights[index] = kept;
    this.#measured[index] = 1;
    if (delta !== 0) {
      for (let node = index + 1; node <= this.#count; node += node & -node) {
        this.#tree[node] = (this.#tree[node] ?? 0) + delta;
      }
    }
    return delta;
  }

  /**
   * Turns every measured height into an estimate, because the width has changed: each item is measured again when it is rendered.
   */
  forgetMeasured(): void {
    this.#measured.fill(0);
  }

  /** Sets the estimated height of all items not measured and of those added later. O(n). */
  estimateAt(height: number): void {
    this.#estimate = () => height;
    const kept = storable(height);
    for (let index = 0; index < this.#count; index++) if (this.#measured[index] === 0) this.#heights[index] = kept;
    for (let node = 1; node <= this.#count; node++) this.#tree[node] = this.#heights[node - 1] ?? 0;
    for (let node = 1; node <= this.#count; node++) {
      const above = node + (node & -node);
      if (above <= this.#count) this.#tree[above] = (this.#tree[above] ?? 0) + (this.#tree[node] ?? 0);
    }
  }

  /** Adds items with estimated heights at the end, or removes items there, until there are `count`. */
  resize(count: number): void {
    if (count > this.#heights.length) this.#reserve(Math.max(count, this.#heights.length * 2));
    for (let index = this.#count; index < count; index++) {
      this.#heights[index] = storable(this.#estimate(index));
      this.#measured[index] = 0;
      const node = index + 1;
      let sum = this.#heights[index] ?? 0;
      for (let below = node - 1; below > node - (node & -node); below -= below & -below) sum += this.#tree[below] ?? 0;
      this.#tree[node] = sum;
    }
    // No node covers a later item, so the tree of a longer list is right for a shorter one.
    this.#count = count;
  }

  #reserve(capacity: number): void {
    const heights = new Float32Array(capacity);
    heights.set(this.#heights);
    this.#heights = heights;
    const measured = new Uint8Array(capacity);
    measured.set(this.#measured);
    this.#measured = measured;
    const tree = new Float64Array(capacity + 1);
    tree.set(this.#tree);
    this.#tree = tree;
  }
}

function storable(height: number): number {
  if (!Number.isFinite(height)) return heightMin;
  return Math.fround(Math.max(heightMin, Math.round(height * unitsPerPx) / unitsPerPx));
}
