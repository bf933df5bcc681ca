/** What a {@link ServerReach} needs of its surroundings. */
export type ReachOptions = {
  /** Asks the server for a sign of life: false where it gives none. It never rejects. */
  ask: () => Promise<boolean>;
  /** Calls back after `ms`, unless the returned function is called before. */
  schedule: (callback: () => void, ms: number) => () => void;
};

/** How often the server is asked for a sign of life, in ms. */
export const askEveryMs = 2_000;

/**
 * Whether the server can be reached, as its pages find out: by asking again and again, and by what becomes of their own requests.
 * An address that somebody wanted to go to meanwhile is kept until then.
 */
export class ServerReach {
  readonly #options: ReachOptions;
  readonly #listeners = new Set<() => void>();
  #isLost = false;
  #wanted: string | null = null;
  #cancel: (() => void) | null = null;

  constructor(options: ReachOptions) {
    this.#options = options;
  }

  /** True from the first request that found no server until one is answered again. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Calls back after each change, until the returned function is called. */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Asks every two seconds, until the returned function is called. */
  watch(): () => void {
    let isOver = false;
    const again = () => {
      this.#cancel = this.#options.schedule(async () => {
        const isReached = await this.#options.ask();
        if (isOver) return;
        this.noticed(isReached);
        again();
      }, askEveryMs);
    };
    again();
    return () => {
      isOver = true;
      this.#cancel?.();
    };
  }

  /** A request was answered, or found no server. */
  noticed(isReached: boolean): void {
    if (isReached !== this.#isLost) return;
    this.#isLost = !isReached;
    for (const listener of [...this.#listeners]) listener();
  }

  /** Keeps where somebody wants to go, the last one of several. False where the server is there: then nothing is kept. */
  keep(address: string): boolean {
    if (this.#isLost) this.#wanted = address;
    return this.#isLost;
  }

  /** Where somebody wanted to go while the server was gone, once. */
  takeWanted(): string | null {
    const wanted = this.#wanted;
    this.#wanted = null;
    return wanted;
  }
}
