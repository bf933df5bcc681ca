import { runAttempt } from "./attempt.ts";
import type { EngineParts } from "./engine-parts.ts";
import { runLocalChecks } from "./local-checks.ts";
import { RunLease } from "./run-lease.ts";
import { WarmSessions } from "./warm-sessions.ts";

const beatMs = 5000;

/** Waiting runs that hold no slot, per slot. Each keeps its agent's process, so their number needs a limit. */
const waitingPerSlot = 8;

/**
 * Claims queued runs, oldest first, works on at most `concurrency` of them at once, and marks runs whose engine died. A run
 * that waits for a person holds no slot, up to 8 of them per slot; an answered one continues at once, even if every slot is
 * taken by then. The store is the queue; a change of its version is only a hint, and everything is checked once a second
 * without one.
 */
export class Engine {
  readonly #parts: EngineParts;
  readonly #atWork = new Map<RunLease, Promise<void>>();
  readonly #warm: WarmSessions;
  #stopping = false;
  #wake: () => void = () => undefined;
  #loop: Promise<void> | null = null;

  constructor(parts: EngineParts) {
    this.#parts = parts;
    this.#warm = new WarmSessions(parts.warmMs, (runId) => this.isAtWork(runId));
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** True while no run is at work. */
  get isIdle(): boolean {
    return this.#atWork.size === 0;
  }

  /** True while the run is at work here, and until everything of its turn has ended. */
  isAtWork(runId: number): boolean {
    return [...this.#atWork.keys()].some(({ lease }) => lease.runId === runId);
  }

  /** Ends the agent that is kept for a run whose files are to be removed; true as long as it is there. */
  endKept(runId: number): boolean {
    return this.#warm.end(runId);
  }

  /** Claims no more runs and ends those in progress as `interrupted`; resolves when every agent is gone. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#wake();
    for (const held of this.#atWork.keys()) held.stop("stopping");
    await Promise.all(this.#atWork.values());
    await this.#warm.closeAll();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { store, engineId, leaseMs, pollMs, logger } = this.#parts;
    let version = -1;
    let beatAt = 0;
    let lookedAt = 0;
    /**
     * While leases could not be renewed, none counts as lost: only after a whole lease of successful writes is an engine presumed
     * dead.
     */
    let writesSince = 0;
    while (!this.#stopping) {
      try {
        const now = Date.now();
        const seen = await store.version();
        const due = seen !== version || now - lookedAt > 1000;
        version = seen;
        if (now - beatAt > beatMs) {
          await store.queue.beat(engineId);
          beatAt = now;
          if (writesSince === Number.POSITIVE_INFINITY) writesSince = now;
        }
        if (due) {
          lookedAt = now;
          await Promise.all([...this.#atWork.keys()].map((held) => held.readRequests()));
          if (now - writesSince > leaseMs) await this.#settleLost();
          await this.#claimWhileFree(leaseMs);
        }
      } catch (error) {
        // The next round begins with a beat, which shows whether the store can be written.
        beatAt = 0;
        writesSince = Number.POSITIVE_INFINITY;
        logger.error({ err: error }, "the engine could not use the store; trying again");
        await this.#pause(1000);
      }
      await this.#pause(pollMs);
    }
  }

  async #settleLost(): Promise<void> {
    const { store, logger } = this.#parts;
    // Its own runs are at work, however late it is.
    await Promise.all([...this.#atWork.keys()].map((held) => held.renewIfLate()));
    for (const runId of await store.queue.expire()) logger.warn({ run: runId }, "the run's engine died");
  }

  async #claimWhileFree(leaseMs: number): Promise<void> {
    const { store, engineId, concurrency, logger } = this.#parts;
    while (!this.#stopping && this.#slotsTaken() < concurrency) {
      const claimed = await store.queue.claim(engineId, leaseMs);
      if (claimed === null) {
        const checks = await store.localChecks.claim(engineId, leaseMs);
        if (checks === null) return;
        logger.info({ run: checks.run.id, commit: checks.commit }, "claimed for its repository's checks");
        const held = new RunLease(store, checks.lease, leaseMs);
        this.#hold(held, runLocalChecks({ ...this.#parts, warm: this.#warm }, checks, held));
        continue;
      }
      logger.info({ run: claimed.run.id, agent: claimed.run.agent, turn: claimed.turn.number }, "claimed");
      const held = new RunLease(store, claimed.lease, leaseMs);
      // When a run needs room, kept agents go first, but not its own.
      void this.#warm.limitTo(concurrency - this.#atWork.size - 1, claimed.run.id);
      const parts = { ...this.#parts, warm: this.#warm };
      this.#hold(
        held,
        this.#endChecks(claimed.run.id).then(() => runAttempt(parts, claimed, held)),
      );
    }
  }

  /** Counts the run as at work until `begun` has settled. */
  #hold(held: RunLease, begun: Promise<void>): void {
    const { runId } = held.lease;
    const work = begun
      .catch((error) => this.#parts.logger.error({ run: runId, err: error }, "the attempt broke"))
      .finally(() => {
        this.#atWork.delete(held);
        this.#wake();
      });
    this.#atWork.set(held, work);
    if (this.#stopping) held.stop("stopping");
  }

  /** A turn takes precedence over the checks of its run's work: these have ended when it begins in the same checkout. */
  async #endChecks(runId: number): Promise<void> {
    for (const [held, work] of [...this.#atWork]) {
      if (held.lease.runId !== runId) continue;
      held.stop("lease_lost");
      await work;
    }
  }

  #slotsTaken(): number {
    const waiting = [...this.#atWork.keys()].filter((held) => held.isWaiting).length;
    return this.#atWork.size - Math.min(waiting, waitingPerSlot * this.#parts.concurrency);
  }

  #pause(waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
