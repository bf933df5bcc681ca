import { setTimeout } from "node:timers/promises";
import type { Store } from "#lib/store/store.ts";

/** Longest and shortest interval between two polls of the store, in milliseconds. */
const lookMs = { longest: 1000, shortest: 200 };

type Parts = { store: Pick<Store, "version">; logger: { error(fields: object, message: string): void } };

/**
 * Does what is due in the store whenever something was committed, and at least once a second, because some work becomes due with
 * time. One round at a time; if a round throws, the error is logged with the message `trouble`, and the next round runs as usual.
 */
export class WorkLoop {
  readonly #parts: Parts;
  readonly #trouble: string;
  readonly #processDue: () => Promise<void>;
  readonly #ending = new AbortController();
  #loop: Promise<void> | null = null;

  constructor(parts: Parts, trouble: string, processDue: () => Promise<void>) {
    this.#parts = parts;
    this.#trouble = trouble;
    this.#processDue = processDue;
  }

  /** Aborted when it is stopped: what is in progress must end then. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** Resolves when nothing is in progress. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { store, logger } = this.#parts;
    const { signal } = this;
    let version = -1;
    let lookedAt = 0;
    while (!signal.aborted) {
      try {
        const seen = await store.version();
        const now = Date.now();
        if (seen !== version || now - lookedAt >= lookMs.longest) {
          version = seen;
          lookedAt = now;
          await this.#processDue();
        }
      } catch (error) {
        if (!signal.aborted) logger.error({ err: error }, this.#trouble);
      }
      await setTimeout(lookMs.shortest, undefined, { signal }).catch(() => undefined);
    }
  }
}
