import type { Store } from "#lib/store/store.ts";
import type { EngineLogger } from "./engine-parts.ts";

/** How often to look for sessions that have gone silent, in milliseconds. */
const lookMsDefault = 10_000;

/**
 * Ends the runs of Claude Code sessions whose terminal disappeared without notice. The store decides what is silent, so several
 * engines may do this; `silenceMs` 0 disables it.
 */
export class SilentSessions {
  readonly #parts: { store: Pick<Store, "claudeSessions">; silenceMs: number; logger: EngineLogger; lookMs: number };
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor({
    lookMs = lookMsDefault,
    ...parts
  }: {
    store: Pick<Store, "claudeSessions">;
    silenceMs: number;
    logger: EngineLogger;
    lookMs?: number;
  }) {
    this.#parts = { ...parts, lookMs };
  }

  start(): void {
    if (this.#parts.silenceMs > 0) this.#lookAgain();
  }

  /** Resolves when nothing is in progress. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#looking;
  }

  #lookAgain(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.#look().finally(() => this.#lookAgain());
    }, this.#parts.lookMs);
  }

  async #look(): Promise<void> {
    const { store, silenceMs, logger } = this.#parts;
    try {
      for (const run of await store.claudeSessions.endSilent(silenceMs)) {
        logger.info({ run }, "a Claude Code session was silent for too long and its run ended");
      }
    } catch (error) {
      logger.error({ err: error }, "silent Claude Code sessions could not be ended; trying again");
    }
  }
}
