import { type AwakeClock, lateMsMin, processClock } from "#lib/awake-timer.ts";
import type { Store } from "#lib/store/store.ts";
import type { EngineLogger } from "./engine-parts.ts";

/** How often to look for sessions that have gone silent, in milliseconds. */
const lookMsDefault = 10_000;

type SilenceParts = { store: Pick<Store, "claudeSessions">; silenceMs: number; logger: EngineLogger };

/**
 * Ends the runs of Claude Code sessions whose terminal disappeared without notice. The store decides what is silent, so several
 * engines may do this; `silenceMs` 0 disables it. Time in which this process stood still does not count: the terminals may have been
 * stopped too, and what they sent may still be waiting. Nor does time before it began, when perhaps nobody heard them.
 */
export class SilentSessions {
  readonly #parts: SilenceParts & { lookMs: number; clock: AwakeClock };
  #cancel: () => void = () => undefined;
  #looking: Promise<void> = Promise.resolve();
  #isStopped = false;
  #beganMs = 0;
  /** How long the process stood still, until it has been at work for the whole silence since. */
  #stood = { ms: 0, untilMs: 0 };

  constructor({
    lookMs = lookMsDefault,
    clock = processClock(true),
    ...parts
  }: SilenceParts & { lookMs?: number; clock?: AwakeClock }) {
    this.#parts = { ...parts, lookMs, clock };
  }

  start(): void {
    this.#beganMs = this.#parts.clock.now();
    if (this.#parts.silenceMs > 0) this.#lookAgain();
  }

  /** Resolves when nothing is in progress. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    await this.#looking;
  }

  #lookAgain(): void {
    if (this.#isStopped) return;
    const { lookMs, silenceMs, clock } = this.#parts;
    const dueMs = clock.now() + lookMs;
    this.#cancel = clock.wait(lookMs, () => {
      const nowMs = clock.now();
      const lateMs = nowMs - dueMs;
      if (lateMs > lateMsMin) this.#stood = { ms: this.#stood.ms + lateMs, untilMs: nowMs };
      else if (nowMs - this.#stood.untilMs >= silenceMs) this.#stood = { ms: 0, untilMs: 0 };
      // What is waiting is read first.
      const isEarly = lateMs > lateMsMin || nowMs - this.#beganMs < silenceMs;
      this.#looking = isEarly ? Promise.resolve() : this.#look();
      void this.#looking.finally(() => this.#lookAgain());
    });
  }

  async #look(): Promise<void> {
    const { store, silenceMs, logger } = this.#parts;
    try {
      for (const run of await store.claudeSessions.endSilent(silenceMs + this.#stood.ms)) {
        logger.info({ run }, "a Claude Code session was silent for too long and its run ended");
      }
    } catch (error) {
      logger.error({ err: error }, "silent Claude Code sessions could not be ended; trying again");
    }
  }
}
