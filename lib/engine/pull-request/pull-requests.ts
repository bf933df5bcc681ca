import { setTimeout } from "node:timers/promises";
import type { PullStage } from "#lib/contract/pull-request.ts";
import { HostError } from "#lib/host/call-host.ts";
import { failureOf } from "#lib/host/open-integration.ts";
import { isOutage } from "#lib/host/outage.ts";
import type { PullStep, PullTask } from "#lib/store/pulls.ts";
import { WorkspaceError } from "#lib/workspace/workspace-error.ts";
import { openPull } from "./open-step.ts";
import { againMs, type PullParts, stepLeaseMs, triesMax } from "./parts.ts";
import { pushWork } from "./push-step.ts";
import { lookAtRest } from "./rest-step.ts";
import { judgeTests } from "./test-step.ts";
import { watchChecks } from "./watch-step.ts";
import { weighCommits } from "./weigh-step.ts";
import { endingStep, failingStep, type PullWork, type TakeStep } from "./work.ts";

/** Longest and shortest interval between looks for what is due, in milliseconds. */
const lookMs = { least: 1000, most: 200 };
/** Steps taken at once. */
const stepsAtOnce = 4;
/** Tries of a step that fails for a reason that waiting does not mend, and which a person may mend meanwhile. */
const refusedTriesMax = 5;

/** The step of each stage. While the agent fixes something, nothing is due. */
const steps: Record<Exclude<PullStage, "fixing">, TakeStep> = {
  weighing: weighCommits,
  testing: judgeTests,
  pushing: pushWork,
  opening: openPull,
  checking: watchChecks,
};

/**
 * Pushes what runs have done, opens their pull requests and follows their checks. What is due is in the store, each step is one
 * transaction, and what it does outside can be found again: any engine can go on at any point. A run takes no slot meanwhile.
 */
export class PullRequests {
  readonly #parts: PullParts;
  readonly #ending = new AbortController();
  #loop: Promise<void> | null = null;

  constructor(parts: PullParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** Resolves when nothing is in progress. An interrupted step is due again. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#loop;
  }

  /** Takes every step that is due now. */
  async workOff(): Promise<void> {
    const work = async () => {
      while (await this.takeOne());
    };
    await Promise.all(Array.from({ length: stepsAtOnce }, work));
  }

  /** Takes one step that is due; false if none is. */
  async takeOne(): Promise<boolean> {
    const task = this.#ending.signal.aborted ? null : await this.#parts.store.pulls.claim(stepLeaseMs);
    if (task !== null) await this.#take(task);
    return task !== null;
  }

  async #take(task: PullTask): Promise<void> {
    const { store, logger } = this.#parts;
    const lost = new AbortController();
    const signal = AbortSignal.any([this.#ending.signal, lost.signal]);
    const renewal = setInterval(() => {
      store.pulls.renew(task, stepLeaseMs).then(
        (isHeld) => isHeld || lost.abort(),
        (error) => logger.warn({ pull: task.pull.id, err: error }, "a lease could not be renewed"),
      );
    }, stepLeaseMs / 3);
    try {
      const step = await this.#stepOf(task, signal);
      if (step !== null && (await store.pulls.step(task, step))) {
        const { id, runId, stage } = task.pull;
        logger.info({ run: runId, pull: id, stage, next: step.next.kind }, "a pull request went on");
      }
    } catch (error) {
      if (!signal.aborted) {
        logger.error({ pull: task.pull.id, err: error }, "the work on a pull request broke; trying again");
        await store.pulls.postpone(task, againMs(task.tries)).catch(() => undefined);
      }
    } finally {
      clearInterval(renewal);
    }
  }

  /** Null where there is nothing to write: it is due again later, or not this engine's any more. */
  async #stepOf(task: PullTask, signal: AbortSignal): Promise<PullStep | null> {
    const { store } = this.#parts;
    const { pull } = task;
    const run = await store.pulls.findRun(task);
    const access = { organizationId: pull.organizationId, userId: null };
    const repository = run === null ? null : await store.repositories.find(access, pull.repositoryId);
    if (run === null || repository === null) return null;
    const work = { pull, run, repository };
    const take = pull.stage === null ? lookAtRest : pull.stage === "fixing" ? weighCommits : steps[pull.stage];
    try {
      return await take(this.#parts, work, signal);
    } catch (error) {
      signal.throwIfAborted();
      return this.#failed(task, work, error);
    }
  }

  async #failed(task: PullTask, work: PullWork, error: unknown): Promise<PullStep | null> {
    const { store, logger } = this.#parts;
    const { pull, tries } = task;
    const known = knownFailure(error);
    if (known === null) logger.error({ run: pull.runId, pull: pull.id, err: error }, "a step of a pull request broke");
    const message = known ?? "internal error";
    const passes = isOutage(error) || (error instanceof WorkspaceError && passing.test(error.code));
    if (tries < (passes ? triesMax : refusedTriesMax)) {
      logger.warn({ run: pull.runId, pull: pull.id, stage: pull.stage, reason: message }, "a pull request has to wait");
      const waitMs = error instanceof HostError ? (error.waitMs ?? 0) : 0;
      await store.pulls.postpone(task, Math.max(waitMs, againMs(tries)));
      return null;
    }
    if (pull.stage === null) return { changes: {}, next: { kind: "end" } };
    if (pull.stage === "checking") {
      const reason = `The checks could not be read: ${message}`;
      return endingStep(this.#parts, work, { verdict: "no_checks", reason });
    }
    const code = error instanceof WorkspaceError ? error.code : passes ? "unreachable" : "failed";
    const hint = passes ? "Try again when the code host can be reached." : null;
    const status = error instanceof HostError ? error.status : null;
    return failingStep(this.#parts, work, { code, status, message, hint });
  }

  async #run(): Promise<void> {
    const { store, logger } = this.#parts;
    const { signal } = this.#ending;
    let version = -1;
    let lookedAt = 0;
    while (!signal.aborted) {
      try {
        const seen = await store.version();
        const now = Date.now();
        if (seen !== version || now - lookedAt >= lookMs.least) {
          version = seen;
          lookedAt = now;
          await this.workOff();
        }
      } catch (error) {
        if (!signal.aborted) logger.error({ err: error }, "pull requests could not be worked on; trying again");
      }
      await setTimeout(lookMs.most, undefined, { signal }).catch(() => undefined);
    }
  }
}

const passing = /^(?:source_|git_timeout)/;

/** The failure in words that may be shown; null for a defect. */
function knownFailure(error: unknown): string | null {
  if (error instanceof WorkspaceError) return error.message;
  try {
    return failureOf(error);
  } catch {
    return null;
  }
}
