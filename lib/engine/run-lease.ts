import { AwakeTimer } from "#lib/awake-timer.ts";
import { type ControlRequests, type Lease, LeaseLostError, type Store } from "#lib/store/store.ts";
import { isDiskFull } from "#lib/store/store-error.ts";
import { WorkspaceError } from "#lib/workspace/workspace-error.ts";

/** Time between attempts to write while the disk is full. */
const spaceMs = 1000;
/** The longest time between attempts to commit work while the disk is full: each of them fills the disk for a moment. */
const workSpaceMsMax = 60_000;
/** The last of these times for work of a run that is cancelled already: it gets half a minute in all. */
const cancelledWorkSpaceMsMax = 16_000;

/** Why an attempt must stop. */
export type StopReason = "cancelled" | "stopping" | "lease_lost";

/**
 * Holds a run's lease during an attempt: renews it every third of its length, receives control requests for the run, and aborts
 * `signal` with a {@link StopReason} when the attempt must stop.
 */
export class RunLease {
  readonly lease: Lease;
  readonly #store: Store;
  readonly #leaseMs: number;
  readonly #abort = new AbortController();
  readonly #renewal: NodeJS.Timeout;
  #renewedAt = Date.now();
  #onMessage: () => void = () => undefined;
  #waiting: { questionId: string; resolve: (optionId: string | null) => void } | null = null;

  constructor(store: Store, lease: Lease, leaseMs: number) {
    this.lease = lease;
    this.#store = store;
    this.#leaseMs = leaseMs;
    this.#renewal = setInterval(() => void this.#renew(), leaseMs / 3);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Why the attempt stops, or null while it continues. */
  get stopReason(): StopReason | null {
    return this.signal.aborted ? (this.signal.reason as StopReason) : null;
  }

  /** True while the run's question is open: from {@link waitForAnswer} until it settles. */
  get isWaiting(): boolean {
    return this.#waiting !== null;
  }

  stop(reason: StopReason): void {
    this.#waiting?.resolve(null);
    this.#waiting = null;
    if (!this.signal.aborted) this.#abort.abort(reason);
  }

  /** Reads control requests for the run; the engine calls this when the store has changed. */
  async readRequests(): Promise<void> {
    const requests = await this.#guard(this.#store.queue.controlRequests(this.lease));
    if (requests !== null) this.#obey(requests);
  }

  /** Renews the lease if the timer that does so is late: the machine was asleep, or the clock was set forward. */
  async renewIfLate(): Promise<void> {
    if (Date.now() - this.#renewedAt > this.#leaseMs / 2) await this.#renew();
  }

  /**
   * Resolves with the chosen option's id, or null after `timeoutMs` or when the attempt stops. An answer that was given while this
   * process was paused counts, and the time of the pause does not.
   */
  waitForAnswer(questionId: string, timeoutMs: number): Promise<string | null> {
    if (this.signal.aborted) return Promise.resolve(null);
    return new Promise((resolve) => {
      const timer = new AwakeTimer(timeoutMs, () => void this.readRequests().then(() => settle(null)));
      const settle = (optionId: string | null) => {
        timer.stop();
        // Another question may be open by now.
        if (this.#waiting?.resolve === settle) this.#waiting = null;
        resolve(optionId);
      };
      this.#waiting = { questionId, resolve: settle };
    });
  }

  /** Called whenever a message is waiting for the agent's next step. */
  onMessage(listener: () => void): void {
    this.#onMessage = listener;
  }

  /** Waits `ms`, then returns false if the lease is lost or the service stops; at once if that was so before. Ignores a cancel. */
  async pause(ms: number): Promise<boolean> {
    const continues = () => this.stopReason === null || this.stopReason === "cancelled";
    if (continues()) await new Promise((resolve) => setTimeout(resolve, ms));
    return continues();
  }

  /**
   * The result of a write at the end of a turn. On a full disk it is tried again every second until there is space, or the lease is
   * lost or the service stops: then it throws the StoreError. Work of a turn may never fit, so the pauses before it is tried again
   * (WorkspaceError `disk_full`) double up to a minute, and a cancel ends the wait, too. Work of a turn that was cancelled before it
   * had to wait is tried for half a minute.
   */
  async writeOnceThereIsSpace<Written>(write: () => Promise<Written>): Promise<Written> {
    let wasCancelled: boolean | undefined;
    for (let workMs = spaceMs; ; workMs = Math.min(2 * workMs, workSpaceMsMax)) {
      try {
        return await write();
      } catch (error) {
        const isWork = error instanceof WorkspaceError && error.code === "disk_full";
        if (!isWork && !isDiskFull(error)) throw error;
        wasCancelled ??= this.stopReason === "cancelled";
        if (isWork && wasCancelled && workMs > cancelledWorkSpaceMsMax) throw error;
        for (let leftMs = isWork ? workMs : spaceMs; leftMs > 0; leftMs -= spaceMs) {
          if (!(await this.pause(spaceMs)) || (isWork && !wasCancelled && this.stopReason !== null)) throw error;
        }
      }
    }
  }

  end(): void {
    clearInterval(this.#renewal);
    this.#waiting?.resolve(null);
  }

  #obey(requests: ControlRequests): void {
    if (requests.message) this.#onMessage();
    if (requests.cancel) this.stop("cancelled");
    else if (requests.answer !== null && this.#waiting?.questionId === requests.answer.questionId) {
      this.#waiting.resolve(requests.answer.optionId);
    }
  }

  async #renew(): Promise<void> {
    const renewal = this.#store.queue.renew(this.lease, this.#leaseMs).catch((error) => {
      // On a full disk no other engine can write either, so none can take the run.
      if (!isDiskFull(error)) throw error;
    });
    const renewed = await this.#guard(renewal.then(() => true));
    if (renewed === true) this.#renewedAt = Date.now();
    // The store could not be written for a whole lease: another engine may have the run by now.
    else if (Date.now() - this.#renewedAt > this.#leaseMs) this.stop("lease_lost");
  }

  async #guard<T>(call: Promise<T>): Promise<T | null> {
    try {
      return await call;
    } catch (error) {
      if (error instanceof LeaseLostError) this.stop("lease_lost");
      return null;
    }
  }
}
