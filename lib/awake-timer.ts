/** How often a timer looks, at most: the longest time of a pause that it may take for time in which this process ran. */
const stepMsMax = 1000;
/** A timer that fires later than this after its time, in milliseconds, shows that the process did not run. */
export const lateMsMin = 250;
/** Looks that are granted after pauses, so that a process whose timers are always late still has limits. */
const gracesMax = 10;

/** The process's monotonic clock, and `wait`, which calls back after `ms` and returns a function that prevents this. */
export type AwakeClock = { now(): number; wait(ms: number, call: () => void): () => void };

/** The clock of this process. `isRef`: whether a waiting timer keeps it alive. */
export function processClock(isRef: boolean): AwakeClock {
  return {
    now: () => performance.now(),
    wait: (ms, call) => {
      const timer = setTimeout(call, ms);
      if (!isRef) timer.unref();
      return () => clearTimeout(timer);
    },
  };
}

/**
 * A limit on somebody else's work. Time in which this process was paused (stopped, frozen, its machine asleep) does not count: it
 * could not hear that the work was done. After such a pause what is waiting is read first, so the limit is never reached at the very
 * moment of waking up. Call {@link AwakeTimer.stop} when the work is done.
 */
export class AwakeTimer {
  readonly limitMs: number;
  readonly #stepMs: number;
  readonly #onEnd: () => void;
  readonly #clock: AwakeClock;
  #leftMs = 0;
  #since = 0;
  #dueAt = 0;
  #graces = 0;
  #cancel: (() => void) | null = null;

  constructor(limitMs: number, onEnd: () => void, clock = processClock(true)) {
    this.limitMs = limitMs;
    this.#stepMs = Math.min(stepMsMax, Math.max(1, limitMs / 10));
    this.#onEnd = onEnd;
    this.#clock = clock;
    this.restart();
    this.#arm();
  }

  /** Time until the limit is reached, in milliseconds, from 0. */
  get leftMs(): number {
    return Math.max(0, this.#leftMs - (this.#cancel === null ? 0 : this.#ranSince(this.#clock.now())));
  }

  /** The whole limit again. Cheap: the timer itself continues. A stopped or paused timer stays so. */
  restart(): void {
    this.#leftMs = this.limitMs;
    this.#since = this.#clock.now();
    this.#graces = gracesMax;
  }

  /** Stops the clock until {@link resume}. */
  pause(): void {
    this.#leftMs = this.leftMs;
    this.stop();
  }

  resume(): void {
    if (this.#cancel !== null) return;
    this.#since = this.#clock.now();
    this.#arm();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  [Symbol.dispose](): void {
    this.stop();
  }

  #arm(): void {
    // Whole milliseconds, as timers count them: adding a rest of rounding to the clock might change nothing.
    const waitMs = Math.ceil(Math.min(this.#stepMs, this.#leftMs));
    this.#dueAt = Math.max(this.#clock.now(), this.#since) + waitMs;
    this.#cancel = this.#clock.wait(waitMs, () => this.#look());
  }

  #look(): void {
    // A timer never fires early; its clock may be less exact.
    const now = Math.max(this.#clock.now(), this.#dueAt);
    this.#leftMs -= this.#ranSince(now);
    this.#since = now;
    if (this.#isLate(now) && this.#leftMs < this.#stepMs && this.#graces > 0) {
      this.#graces -= 1;
      this.#leftMs = this.#stepMs;
    }
    this.#cancel = null;
    if (this.#leftMs > 0) this.#arm();
    else this.#onEnd();
  }

  #isLate(now: number): boolean {
    return now - this.#dueAt > lateMsMin;
  }

  #ranSince(now: number): number {
    return Math.max(0, (this.#isLate(now) ? this.#dueAt : now) - this.#since);
  }
}

/**
 * Like `AbortSignal.timeout`, but time in which this process was paused does not count. `outer` ends it too. To be disposed of when
 * the work is done.
 */
export function awakeLimit(
  limitMs: number,
  outer?: AbortSignal,
  reason = (): Error => new DOMException("The time limit was reached.", "TimeoutError"),
): { signal: AbortSignal } & Disposable {
  const controller = new AbortController();
  const timer = new AwakeTimer(limitMs, () => controller.abort(reason()), processClock(false));
  const signal = outer === undefined ? controller.signal : AbortSignal.any([controller.signal, outer]);
  return { signal, [Symbol.dispose]: () => timer.stop() };
}
