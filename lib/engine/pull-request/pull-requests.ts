import type { PullStage } from "#lib/contract/runs/pull-request.ts";
import { isEnd } from "#lib/contract/runs/run-status.ts";
import { retryWaitMs } from "#lib/engine/retry-wait.ts";
import { secretsInVariables } from "#lib/engine/run-secrets.ts";
import { TaskQueue } from "#lib/engine/task-queue.ts";
import { withoutDirectionMarks } from "#lib/entry/visible-text.ts";
import { HostError } from "#lib/host/call-host.ts";
import { maskGiven } from "#lib/host/given-secrets.ts";
import { failureOf } from "#lib/host/open-integration.ts";
import { isOutage } from "#lib/host/outage.ts";
import type { PullStep, PullTask } from "#lib/store/pulls/pulls.ts";
import { WorkspaceError } from "#lib/workspace/workspace-error.ts";
import { failureCodeOf, hintOf } from "./failure-hints.ts";
import { openPull } from "./open-step.ts";
import { type PullParts, stepLeaseMs, triesMax } from "./parts.ts";
import { pushWork } from "./push-step.ts";
import { refreshIdle } from "./refresh-step.ts";
import { judgeTests } from "./test-step.ts";
import { watchChecks } from "./watch-step.ts";
import { weighCommits } from "./weigh-step.ts";
import { endingStep, failingStep, type PullWork, type TakeStep } from "./work.ts";

/** Steps taken at once. */
const stepsAtOnce = 4;
/** Tries of a step whose failure waiting does not fix, but a person might. */
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
 * Pushes the work of runs, opens their pull requests and follows their checks. What is due is in the store, each step is one
 * transaction, and its external effects can be detected, so any engine can continue at any point. Meanwhile the run takes no slot.
 */
export class PullRequests extends TaskQueue<PullTask> {
  readonly #parts: PullParts;

  constructor(parts: PullParts) {
    super(parts, { trouble: "pull requests could not be handled; trying again", atOnce: stepsAtOnce });
    this.#parts = parts;
  }

  /** Takes one step that is due; false if none is. */
  async takeOne(): Promise<boolean> {
    const task = await this.claim();
    if (task !== null) await this.take(task);
    return task !== null;
  }

  protected claim(): Promise<PullTask | null> {
    return this.#parts.store.pulls.claim(stepLeaseMs);
  }

  protected async take(task: PullTask): Promise<void> {
    const { store, logger } = this.#parts;
    const lost = new AbortController();
    const signal = AbortSignal.any([this.signal, lost.signal]);
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
        logger.info({ run: runId, pull: id, stage, next: step.next.kind }, "a pull request continued");
      }
    } catch (error) {
      if (!signal.aborted) {
        logger.error({ pull: task.pull.id, err: error }, "the work on a pull request broke; trying again");
        await store.pulls.postpone(task, retryWaitMs(task.tries, error)).catch(() => undefined);
      }
    } finally {
      clearInterval(renewal);
    }
  }

  /** Null if there is nothing to write: the step is due again later, or belongs to another engine now. */
  async #stepOf(task: PullTask, signal: AbortSignal): Promise<PullStep | null> {
    const { store } = this.#parts;
    const { pull } = task;
    const run = await store.pulls.findRun(task);
    const access = { organizationId: pull.organizationId, userId: null };
    const repository = run === null ? null : await store.repositories.find(access, pull.repositoryId);
    if (run === null || repository === null) return null;
    const isHeld = async () => (await store.pulls.findRun(task)) !== null;
    const work = { pull, run, repository, isHeld };
    const take = stepFor(work);
    try {
      const given = await maskGiven(this.#parts, pull, this.#parts.variablesOf(run).flatMap(secretsInVariables));
      const mask = (text: string) => this.#parts.mask(given.text(withoutDirectionMarks(text)));
      return await take({ ...this.#parts, mask }, work, signal);
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
    const passes = isOutage(error) || (error instanceof WorkspaceError && passing.has(error.code));
    if (tries < (passes ? triesMax : refusedTriesMax)) {
      logger.warn({ run: pull.runId, pull: pull.id, stage: pull.stage, reason: message }, "a pull request has to wait");
      await store.pulls.postpone(task, retryWaitMs(tries, error));
      return null;
    }
    if (stepFor(work) === refreshIdle) return { changes: {}, next: { kind: "end" } };
    if (pull.stage === "checking") {
      const reason = `The checks could not be read: ${message}`;
      const isRefused = error instanceof HostError && error.status === 401;
      const failed = isRefused
        ? { code: "unauthorized", message, hint: hintOf(error, "unauthorized") }
        : {
            code: passes ? "unreachable" : "failed",
            message,
            hint: "Test the code host under Settings, Integrations.",
          };
      return endingStep(this.#parts, work, { verdict: "no_checks", reason }, { changes: { error: failed } });
    }
    const refusal = error instanceof HostError && !passes ? failureCodeOf(error) : null;
    const code = refusal ?? (error instanceof WorkspaceError ? error.code : passes ? "unreachable" : "failed");
    const hint = passes ? "Try again when the code host can be reached." : hintOf(error, code);
    const status = error instanceof HostError ? error.status : null;
    return failingStep(this.#parts, work, { code, status, message, hint });
  }
}

/** If a turn that was to fix something failed, its run has ended: then only the state of the pull request is refreshed. */
function stepFor({ pull: { stage }, run }: PullWork): TakeStep {
  if (stage === null) return refreshIdle;
  if (stage === "fixing") return isEnd(run.status) ? refreshIdle : weighCommits;
  return steps[stage];
}

const passing: ReadonlySet<string> = new Set(["source_unavailable", "git_timeout"]);

/** The failure as text that may be shown; null for a defect. */
function knownFailure(error: unknown): string | null {
  if (error instanceof WorkspaceError) return error.message;
  try {
    return failureOf(error);
  } catch {
    return null;
  }
}
