/**
 * Tells apart what the page has written into a part of its address and what somebody else has: the address follows later, when the
 * page has time, and values that follow each other closely may come as one.
 */
export class ExpectedAddress<T extends string | number | null> {
  #known: T;
  #written: T[] = [];

  constructor(value: T) {
    this.#known = value;
  }

  /** What the page has written last, else what the address says. */
  get last(): T {
    const { length } = this.#written;
    return length === 0 ? this.#known : (this.#written[length - 1] as T);
  }

  /** The page has written this value. */
  wrote(value: T): void {
    this.#written.push(value);
  }

  /** The address says this now. True where it is news: not what it said before, and nothing that the page has written. */
  comes(value: T): boolean {
    const place = this.#written.indexOf(value);
    const isNews = place === -1 && value !== this.#known;
    // Whoever goes back takes along what was on its way.
    this.#written = isNews ? [] : this.#written.slice(place + 1);
    this.#known = value;
    return isNews;
  }
}
