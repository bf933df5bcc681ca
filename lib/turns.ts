/**
 * Lets `atOnceMax` tasks work at once, in the order of their arrival; `waitingMax` more may wait, and further ones are refused
 * with the error of `refuse`.
 */
export class Turns {
  #atWork = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #limits: { atOnceMax: number; waitingMax: number; refuse: () => Error };

  constructor(limits: { atOnceMax: number; waitingMax: number; refuse: () => Error }) {
    this.#limits = limits;
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
    const { atOnceMax, waitingMax, refuse } = this.#limits;
    if (this.#atWork >= atOnceMax) {
      if (this.#waiting.length >= waitingMax) throw refuse();
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
