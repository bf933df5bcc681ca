/**
 * Lets `atOnceMax` tasks work at once, in the order of their arrival. With a queue only its `max` more may wait, and further ones
 * are refused with the error of `refuse`.
 */
export class Turns {
  #atWork = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #atOnceMax: number;
  readonly #queue: { max: number; refuse: () => Error } | null;

  constructor(atOnceMax: number, queue: { max: number; refuse: () => Error } | null = null) {
    this.#atOnceMax = atOnceMax;
    this.#queue = queue;
  }

  /** Runs the task in its turn. */
  async take<Result>(task: () => Promise<Result>): Promise<Result> {
    const leave = await this.enter();
    try {
      return await task();
    } finally {
      leave();
    }
  }

  /** Resolves when it is the caller's turn, with a function that ends it; call that once. */
  async enter(): Promise<() => void> {
    if (this.#atWork >= this.#atOnceMax) {
      if (this.#queue !== null && this.#waiting.length >= this.#queue.max) throw this.#queue.refuse();
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#atWork += 1;
    }
    return () => {
      // A finished slot goes to whoever has waited longest.
      const next = this.#waiting.shift();
      if (next === undefined) this.#atWork -= 1;
      else next();
    };
  }
}
