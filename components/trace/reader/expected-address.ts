/**
 * Tells the page's own changes to a part of its address from all others. The address follows later, when the page has time, and may
 * skip values that follow each other closely.
 */
export class ExpectedAddress<T extends string | number | null> {
  #known: T;
  #written: T[] = [];

  constructor(value: T) {
    this.#known = value;
  }

  /** The value the page wrote last, else the address's. */
  get last(): T {
    const { length } = this.#written;
    return length === 0 ? this.#known : (this.#written[length - 1] as T);
  }

  /** The page has written this value. */
  wrote(value: T): void {
    this.#written.push(value);
  }

  /** Takes the address's value. True if it is new: neither the previous one nor one that the page wrote. */
  comes(value: T): boolean {
    const place = this.#written.indexOf(value);
    const isNews = place === -1 && value !== this.#known;
    // Going back also ends the wait for values still on their way.
    this.#written = isNews ? [] : this.#written.slice(place + 1);
    this.#known = value;
    return isNews;
  }
}
