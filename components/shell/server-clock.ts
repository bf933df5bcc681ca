/** Tolerated difference between the clocks, in ms: the header has whole seconds, and both clocks drift. */
const toleratedMs = 5_000;

/** The server's clock, as far as its responses show it: times from the server are compared with it, not with this computer's. */
export class ServerClock {
  #aheadMs = 0;

  /** Takes the `Date` header of a response, and when it was asked for and arrived by this computer's clock, in ms. */
  note(date: string | null, askedMs: number, answeredMs: number): void {
    const serverMs = Date.parse(date ?? "");
    const [least, most] = [serverMs - answeredMs, serverMs - askedMs];
    if (this.#aheadMs < least - toleratedMs || this.#aheadMs > most + toleratedMs) this.#aheadMs = (least + most) / 2;
  }

  /** The server's time at a time of this computer's clock, in ms. */
  at(localMs: number): number {
    return localMs + this.#aheadMs;
  }
}

/** Clock of this page's server. */
export const serverClock = new ServerClock();
