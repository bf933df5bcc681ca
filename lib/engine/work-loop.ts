import type { Store } from "#lib/store/store.ts";
import { PeriodicTask } from "./periodic-task.ts";

/** Work becomes due with time, too: the longest time between two rounds, in milliseconds. */
const lookMs = 1000;

type Parts = { store: Pick<Store, "version">; logger: { error(fields: object, message: string): void } };

/**
 * Does what is due in the store whenever something was committed, and at least once a second, because some work becomes due with
 * time. One round at a time; if a round throws, the error is logged with the message `trouble`, and the next round runs as usual.
 */
export abstract class WorkLoop extends PeriodicTask {
  readonly #store: Parts["store"];
  #version = -1;
  #lookedAt = 0;

  /** `pollMs`: how often the store is polled for changes. */
  constructor({ store, logger }: Parts, trouble: string, pollMs = 200) {
    super({ everyMs: pollMs, logger, trouble });
    this.#store = store;
  }

  /** Begins, or does, everything that is due now. */
  protected abstract round(): Promise<void>;

  /** Begins a round even if the store has not changed. */
  protected override wake(): void {
    this.#version = Number.NaN;
    super.wake();
  }

  protected async work(): Promise<void> {
    const seen = await this.#store.version();
    const now = performance.now();
    if (seen === this.#version && now - this.#lookedAt < lookMs) return;
    this.#version = seen;
    this.#lookedAt = now;
    await this.round();
  }
}
