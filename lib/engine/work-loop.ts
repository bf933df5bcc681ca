import type { Store } from "#lib/store/store.ts";
import { PeriodicTask } from "./periodic-task.ts";

/** Longest and shortest interval between two polls of the store, in milliseconds. */
const lookMs = { longest: 1000, shortest: 200 };

type Parts = { store: Pick<Store, "version">; logger: { error(fields: object, message: string): void } };

/**
 * Does what is due in the store whenever something was committed, and at least once a second, because some work becomes due with
 * time. One round at a time; if a round throws, the error is logged with the message `trouble`, and the next round runs as usual.
 */
export abstract class WorkLoop extends PeriodicTask {
  readonly #store: Parts["store"];
  #version = -1;
  #lookedAt = 0;

  constructor({ store, logger }: Parts, trouble: string) {
    super({ everyMs: lookMs.shortest, logger, trouble });
    this.#store = store;
  }

  /** Begins, or does, everything that is due now. */
  protected abstract round(): Promise<void>;

  protected async work(): Promise<void> {
    const seen = await this.#store.version();
    const now = Date.now();
    if (seen === this.#version && now - this.#lookedAt < lookMs.longest) return;
    this.#version = seen;
    this.#lookedAt = now;
    await this.round();
  }
}
