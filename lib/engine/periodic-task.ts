import { processClock } from "#lib/awake-timer.ts";
import type { EngineLogger } from "./engine-parts.ts";

/** `trouble`: the message that is logged with what {@link PeriodicTask.work} throws. */
type Options = { everyMs: number; logger: Pick<EngineLogger, "error">; trouble: string };

/** Work that is done again and again: once at a time, and next `everyMs` after it has ended, whether or not it failed. */
export abstract class PeriodicTask {
  readonly #options: Options;
  readonly #clock;
  readonly #stopping = new AbortController();
  /** Null while it works, and before it is started. */
  #cancel: (() => void) | null = null;
  #isWoken = false;
  #working: Promise<void> = Promise.resolve();

  constructor(options: Options, clock = processClock(true)) {
    this.#options = options;
    this.#clock = clock;
  }

  protected abstract work(): Promise<void>;

  /** How long to wait after {@link work}, in milliseconds. */
  protected waitMs(): number {
    return this.#options.everyMs;
  }

  /** Aborted when the task is stopped: {@link work} ends then, and may throw. */
  protected get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  start(): void {
    if (this.signal.aborted) return;
    this.#cancel = this.#clock.wait(this.#isWoken ? 0 : this.waitMs(), () => {
      this.#cancel = null;
      this.#isWoken = false;
      this.#working = this.look().finally(() => this.start());
    });
  }

  /** Does the work as soon as what is in progress has ended. */
  protected wake(): void {
    this.#isWoken = true;
    if (this.#cancel === null) return;
    this.#cancel();
    this.start();
  }

  /** Does the work now. Never throws. */
  async look(): Promise<void> {
    try {
      await this.work();
    } catch (error) {
      if (!this.signal.aborted) this.#options.logger.error({ err: error }, this.#options.trouble);
    }
  }

  /** Resolves when nothing is in progress. What was interrupted goes on after the next start. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#cancel?.();
    await this.#working;
  }
}
