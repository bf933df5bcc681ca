/** Interval between pings, in ms. */
export const askEveryMs = 2_000;

/**
 * Whether the server can be reached, judged by pings and by the page's own requests. A navigation requested meanwhile is
 * remembered until then.
 */
export class ServerReach {
  readonly #ask: () => Promise<boolean>;
  readonly #listeners = new Set<() => void>();
  #isLost = false;
  #wanted: string | null = null;

  /** `ask` pings the server: false if it does not respond. It never rejects. */
  constructor(ask: () => Promise<boolean>) {
    this.#ask = ask;
  }

  /** True from the first request that found no server until one succeeds again. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Calls back after each change, until the returned function is called. */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Pings every two seconds, until the returned function is called. */
  watch(): () => void {
    let isOver = false;
    const ping = async () => {
      const wasLost = this.#isLost;
      const isReached = await this.#ask();
      if (isOver) return;
      // An answer from before the loss is no return: a wanted navigation would end on the browser's error page.
      if (wasLost || !isReached) this.noticed(isReached);
      timer = setTimeout(ping, askEveryMs);
    };
    let timer = setTimeout(ping, askEveryMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }

  /** Result of a request: answered, or no server. */
  noticed(isReached: boolean): void {
    if (isReached !== this.#isLost) return;
    this.#isLost = !isReached;
    for (const listener of [...this.#listeners]) listener();
  }

  /** Remembers a requested navigation, the last one of several. Returns false and remembers nothing if the server is there. */
  keep(address: string): boolean {
    if (this.#isLost) this.#wanted = address;
    return this.#isLost;
  }

  /** The navigation requested while the server was gone; returned once. */
  takeWanted(): string | null {
    const wanted = this.#wanted;
    this.#wanted = null;
    return wanted;
  }
}
