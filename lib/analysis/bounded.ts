/** The first and last items of a list of any length: half of `max` each. */
export class BothEnds<Item> {
  readonly #max: number;
  readonly #first: Item[] = [];
  readonly #last: Item[] = [];
  count = 0;

  constructor(max: number) {
    this.#max = max;
  }

  add(item: Item): void {
    this.count += 1;
    if (this.#first.length < this.#max / 2) {
      this.#first.push(item);
      return;
    }
    this.#last.push(item);
    if (this.#last.length > this.#max - this.#first.length) this.#last.shift();
  }

  get items(): Item[] {
    return [...this.#first, ...this.#last];
  }
}

/**
 * A map that forgets rarely used keys: it holds at most `max` keys, and always the most recently used half of them. Uses two
 * maps in turn, because deleting keys one by one from the front of a map gets slower with every one.
 */
export class RecentMap<Key, Value> {
  readonly #max: number;
  #recent = new Map<Key, Value>();
  #older = new Map<Key, Value>();

  constructor(max: number) {
    this.#max = max;
  }

  get(key: Key): Value | undefined {
    const recent = this.#recent.get(key);
    if (recent !== undefined) return recent;
    const older = this.#older.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: Key, value: Value): void {
    this.#older.delete(key);
    this.#recent.set(key, value);
    if (this.#recent.size <= this.#max / 2) return;
    this.#older = this.#recent;
    this.#recent = new Map();
  }

  delete(key: Key): void {
    this.#recent.delete(key);
    this.#older.delete(key);
  }

  get size(): number {
    return this.#recent.size + this.#older.size;
  }

  entries(): [Key, Value][] {
    return [...this.#older, ...this.#recent];
  }

  values(): Value[] {
    return [...this.#older.values(), ...this.#recent.values()];
  }
}

/** The function with its latest results cached. */
export function remembered<Value>(max: number, answer: (text: string) => Value): (text: string) => Value {
  const known = new RecentMap<string, { value: Value }>(max);
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found.value;
    const value = answer(text);
    known.set(text, { value });
    return value;
  };
}

/** Seqs of a finding: their number and the first hundred. */
export class Seqs {
  readonly items: number[] = [];
  count = 0;

  add(seq: number): void {
    this.count += 1;
    if (this.items.length < 100) this.items.push(seq);
  }
}
