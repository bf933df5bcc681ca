import { runAttempt } from "./attempt.ts";
import type { EngineParts } from "./engine-parts.ts";
import { runLocalChecks } from "./local-checks.ts";
import { RunLease } from "./run-lease.ts";
import { TaskQueue } from "./task-queue.ts";
import { WarmSessions } from "./warm-sessions.ts";

const beatMs = 5000;
/** Pause after the store could not be used. */
const againMs = 1000;

/** Waiting runs that hold no slot, per slot. Each keeps its agent's process, so their number needs a limit. */
const waitingPerSlot = 8;

/** A claimed run, with what is to be done for it. */
type RunTask = { held: RunLease; work: () => Promise<void> };

/**
 * Claims queued runs, oldest first, works on at most `concurrency` of them at once, and marks runs whose engine died. A run
 * that waits for a person holds no slot, up to 8 of them per slot; an answered one continues at once, even if every slot is
 * taken by then. The store is the queue; a change of its version is only a hint, and everything is checked once a second
 * without one.
 */
export class Engine extends TaskQueue<RunTask> {
  readonly #parts: EngineParts;
  readonly #warm: WarmSessions;
  #beatAt = 0;
  /**
   * While leases could not be renewed, none counts as lost: only after a whole lease of successful writes is an engine presumed
   * dead.
   */
  #writesSince = 0;

  constructor(parts: EngineParts) {
    const { concurrency: atOnce, pollMs } = parts;
    super(parts, { trouble: "the engine could not use the store; trying again", atOnce, pollMs });
    this.#parts = parts;
    this.#warm = new WarmSessions(parts.warmMs, (runId) => this.isAtWork(runId));
  }

  /** True while no run is at work. */
  get isIdle(): boolean {
    return this.atWork.size === 0;
  }

  /** True while the run is at work here, and until everything of its turn has ended. */
  isAtWork(runId: number): boolean {
    return this.#held().some(({ lease }) => lease.runId === runId);
  }

  /** Ends the agent that is kept for a run whose files are to be removed; true as long as it is there. */
  endKept(runId: number): boolean {
    return this.#warm.end(runId);
  }

  /** Claims no more runs and ends those in progress as `interrupted`; resolves when every agent is gone. */
  override async stop(): Promise<void> {
    const stopped = super.stop();
    for (const held of this.#held()) held.stop("stopping");
    await stopped;
    await this.#warm.closeAll();
  }

  protected override waitMs(): number {
    return this.#writesSince === Number.POSITIVE_INFINITY ? againMs : super.waitMs();
  }

  protected override async work(): Promise<void> {
    try {
      const now = Date.now();
      if (now - this.#beatAt > beatMs) {
        await this.#parts.store.queue.beat(this.#parts.engineId);
        this.#beatAt = now;
        if (this.#writesSince === Number.POSITIVE_INFINITY) this.#writesSince = now;
      }
      await super.work();
    } catch (error) {
      // The next round begins with a beat, which shows whether the store can be written.
      this.#beatAt = 0;
      this.#writesSince = Number.POSITIVE_INFINITY;
      throw error;
    }
  }

  protected override async round(): Promise<void> {
    await Promise.all(this.#held().map((held) => held.readRequests()));
    if (Date.now() - this.#writesSince > this.#parts.leaseMs) await this.#settleLost();
    await super.round();
  }

  async #settleLost(): Promise<void> {
    const { store, logger } = this.#parts;
    // Its own runs are at work, however late it is.
    await Promise.all(this.#held().map((held) => held.renewIfLate()));
    for (const runId of await store.queue.expire()) logger.warn({ run: runId }, "the run's engine died");
  }

  protected async claim(): Promise<RunTask | null> {
    const { store, engineId, leaseMs, concurrency, logger } = this.#parts;
    const claimed = await store.queue.claim(engineId, leaseMs);
    if (claimed === null) {
      const checks = await store.localChecks.claim(engineId, leaseMs);
      if (checks === null) return null;
      logger.info({ run: checks.run.id, commit: checks.commit }, "claimed for its repository's checks");
      const held = new RunLease(store, checks.lease, leaseMs);
      return { held, work: () => runLocalChecks({ ...this.#parts, warm: this.#warm }, checks, held) };
    }
    logger.info({ run: claimed.run.id, agent: claimed.run.agent, turn: claimed.turn.number }, "claimed");
    const held = new RunLease(store, claimed.lease, leaseMs);
    // When a run needs room, kept agents go first, but not its own.
    void this.#warm.limitTo(concurrency - this.atWork.size - 1, claimed.run.id);
    const parts = { ...this.#parts, warm: this.#warm };
    return { held, work: () => this.#endChecks(claimed.run.id).then(() => runAttempt(parts, claimed, held)) };
  }

  protected async take({ held, work }: RunTask): Promise<void> {
    if (this.signal.aborted) held.stop("stopping");
    await work().catch((error) =>
      this.#parts.logger.error({ run: held.lease.runId, err: error }, "the attempt failed unexpectedly"),
    );
  }

  /** A turn takes precedence over the checks of its run's work: these have ended when it begins in the same checkout. */
  async #endChecks(runId: number): Promise<void> {
    for (const [{ held }, work] of [...this.atWork]) {
      if (held.lease.runId !== runId) continue;
      held.stop("lease_lost");
      await work;
    }
  }

  protected override get taken(): number {
    const waiting = this.#held().filter((held) => held.isWaiting).length;
    return this.atWork.size - Math.min(waiting, waitingPerSlot * this.#parts.concurrency);
  }

  #held(): RunLease[] {
    return [...this.atWork.keys()].map(({ held }) => held);
  }
}
