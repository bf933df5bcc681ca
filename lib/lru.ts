/** Limits of a cache: number of values, and total weight. */
export type LruBounds<Value> = {
  count?: number;
  weight?: number;
  /** Weight of one value: bytes, for example. */
  weigh?: (value: Value) => number;
  /** True if values grow after they were added: each is weighed again whenever the cache makes room. */
  grows?: boolean;
};

/** A bounded cache that evicts the least recently used values; the most recently used one always stays. */
export class Lru<Key, Value> {
  readonly #bounds: LruBounds<Value>;
  /** Least recently used first. */
  readonly #kept = new Map<Key, { value: Value; weight: number }>();
  #weight = 0;

  constructor(bounds: LruBounds<Value>) {
    this.#bounds = bounds;
  }

  get size(): number {
    return this.#kept.size;
  }

  /** The value under the key, which counts as used. */
  get(key: Key): Value | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    return kept.value;
  }

  /** Sets or replaces a value. */
  set(key: Key, value: Value): void {
    this.delete(key);
    const weight = this.#bounds.weigh?.(value) ?? 0;
    this.#kept.set(key, { value, weight });
    this.#weight += weight;
    this.makeRoom();
  }

  /** The value under the key, created if it is missing. */
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

  /** Evicts as much as needed. Call it after a value has grown; adding one makes room by itself. */
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
