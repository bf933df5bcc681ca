import { type AwakeClock, lateMsMin, processClock } from "#lib/awake-timer.ts";
import type { Store } from "#lib/store/store.ts";
import type { EngineLogger } from "./engine-parts.ts";
import { PeriodicTask } from "./periodic-task.ts";

/** How often to look for sessions that have gone silent, in milliseconds. */
const lookMsDefault = 10_000;

type SilenceParts = { store: Pick<Store, "claudeSessions">; silenceMs: number; logger: EngineLogger };

/**
 * Ends the runs of Claude Code sessions whose terminal disappeared without notice. The store decides what is silent, so several
 * engines may do this; `silenceMs` 0 disables it. Time in which this process was paused does not count: the terminals may have been
 * stopped too, and what they sent may still be waiting. Nor does time before it began, when perhaps nobody heard them.
 */
export class SilentSessions extends PeriodicTask {
  readonly #parts: SilenceParts & { lookMs: number; clock: AwakeClock };
  #beganMs: number | null = null;
  #dueMs = 0;
  /** How long the process was paused, until it has been at work for the whole silence since. */
  #stood = { ms: 0, untilMs: 0 };

  constructor({
    lookMs = lookMsDefault,
    clock = processClock(true),
    ...parts
  }: SilenceParts & { lookMs?: number; clock?: AwakeClock }) {
    const trouble = "silent Claude Code sessions could not be ended; trying again";
    super({ everyMs: lookMs, logger: parts.logger, trouble }, clock);
    this.#parts = { ...parts, lookMs, clock };
  }

  override start(): void {
    if (this.#parts.silenceMs === 0) return;
    this.#beganMs ??= this.#parts.clock.now();
    super.start();
  }

  protected override waitMs(): number {
    this.#dueMs = this.#parts.clock.now() + this.#parts.lookMs;
    return this.#parts.lookMs;
  }

  protected async work(): Promise<void> {
    const { store, silenceMs, logger, clock } = this.#parts;
    const nowMs = clock.now();
    const lateMs = nowMs - this.#dueMs;
    if (lateMs > lateMsMin) this.#stood = { ms: this.#stood.ms + lateMs, untilMs: nowMs };
    else if (nowMs - this.#stood.untilMs >= silenceMs) this.#stood = { ms: 0, untilMs: 0 };
    // What is waiting is read first.
    if (lateMs > lateMsMin || nowMs - (this.#beganMs ?? nowMs) < silenceMs) return;
    for (const run of await store.claudeSessions.endSilent(silenceMs + this.#stood.ms)) {
      logger.info({ run }, "a Claude Code session was silent for too long and its run ended");
    }
  }
}
