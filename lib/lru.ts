/** How much a cache holds at most: so many values, and so much weight of all together. */
export type LruBounds<Value> = {
  count?: number;
  weight?: number;
  /** What one value weighs: bytes, say. */
  weigh?: (value: Value) => number;
  /** True where values grow after they were put in: each is weighed again whenever room is made. */
  grows?: boolean;
};

/** A bounded cache. What was used longest ago makes room; what was used last always stays. */
export class Lru<Key, Value> {
  readonly #bounds: LruBounds<Value>;
  /** Oldest use first. */
  readonly #kept = new Map<Key, { value: Value; weight: number }>();
  #weight = 0;

  constructor(bounds: LruBounds<Value>) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#kept.size;
  }

  /** What is kept under the key, which is used by this. */
  get(key: Key): Value | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept.value;
  }

  /** Keeps a value in place of what was there. */
  set(key: Key, value: Value): void {
    this.delete(key);
    const weight = this.#bounds.weigh?.(value) ?? 0;
    this.#kept.set(key, { value, weight });
    this.#weight += weight;
    this.makeRoom();
  }

  /** What is kept under the key, made where nothing is. */
  obtain(key: Key, make: () => Value): Value {
    const known = this.get(key);
    if (known === undefined) {
      const made = make();
      this.set(key, made);
      return made;
    }
    if (this.#bounds.grows) this.makeRoom();
    return known;
  }

  /** Whether the key was there. */
  delete(key: Key): boolean {
    this.#weight -= this.#kept.get(key)?.weight ?? 0;
    return this.#kept.delete(key);
  }

  /** Drops what is too much. Whoever knows that a value has grown calls it; what is put in makes room by itself. */
  makeRoom(): void {
    const { count = Number.POSITIVE_INFINITY, weight = Number.POSITIVE_INFINITY, grows } = this.#bounds;
    if (grows) this.#weighAll();
    for (const key of this.#kept.keys()) {
      const isBounded = this.#kept.size <= count && this.#weight <= weight;
      if (isBounded || this.#kept.size === 1) return;
      this.delete(key);
    }
  }

  #weighAll(): void {
    this.#weight = 0;
    for (const kept of this.#kept.values()) {
      kept.weight = this.#bounds.weigh?.(kept.value) ?? 0;
      this.#weight += kept.weight;
    }
  }
}
