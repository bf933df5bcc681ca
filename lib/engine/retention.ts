import { setImmediate as turn } from "node:timers/promises";
import { type KeepSettings, rulesAt } from "#lib/contract/people/keep-rules.ts";
import type { RetentionLimits, UnmeasuredRun } from "#lib/store/storage/storage.ts";
import type { Store } from "#lib/store/store.ts";
import { checkoutRemovedEntry } from "./ending-entries.ts";
import type { EngineLogger, Workspace } from "./engine-parts.ts";
import { PeriodicTask } from "./periodic-task.ts";

/** How often ended runs are measured, and how often old ones are removed. */
const measureMsDefault = 10_000;
const removeMs = 600_000;
/** Runs, or sessions, handled in one transaction, which blocks all other writes. */
const runsAtOnce = 100;
/** Entries whose bytes are counted at once. */
const entriesAtOnce = 5000;

type Parts = {
  store: Store;
  workspace: Pick<Workspace, "measureRun" | "measureMirror" | "removeRunFiles">;
  isAtWork: (runId: number) => boolean;
  now: () => number;
  logger: EngineLogger;
};

/**
 * Measures the disk use of runs and repositories, and removes what is older than its organization's limits: runs as if somebody
 * deleted them, and files of runs whose branches stay. Removes telemetry whose sessions have no run, too.
 */
export class Retention extends PeriodicTask {
  readonly #parts: Parts;
  #removedAt = Number.NEGATIVE_INFINITY;

  constructor({ measureMs = measureMsDefault, ...parts }: Parts & { measureMs?: number }) {
    super({ everyMs: measureMs, logger: parts.logger, trouble: "old data could not be removed; trying again" });
    this.#parts = parts;
  }

  /** Measures, and removes what is old if it last did so at least ten minutes ago. */
  protected async work(): Promise<void> {
    const { store, now } = this.#parts;
    await this.#measureRuns();
    const since = now() - this.#removedAt;
    // If the clock was set back, `since` is negative: better to remove too early than too late.
    if (since >= 0 && since < removeMs) return;
    this.#removedAt = now();
    for (const { organizationId, ...kept } of await store.storage.listPolicies()) {
      if (this.signal.aborted) return;
      const rules = rulesAt(kept, now());
      await this.#removeRuns(organizationId, rules, kept);
      await this.#removeFiles(organizationId, rules);
    }
    await this.#removeTelemetry();
    await this.#measureMirrors(await store.storage.listRepositoryIds());
  }

  async #measureRuns(): Promise<void> {
    const { store, logger } = this.#parts;
    // Each run once per look: one that ended later than the clock says, or that cannot be measured, stays in the list.
    const seen = new Set<number>();
    while (!this.signal.aborted) {
      const listed = await store.storage.listUnmeasured(runsAtOnce + seen.size);
      const runs = listed.filter(({ runId }) => !seen.has(runId));
      if (runs.length === 0) return;
      await this.#measureMirrors(new Set(runs.flatMap(({ repositoryId }) => repositoryId ?? [])));
      for (const run of runs) {
        if (this.signal.aborted) return;
        seen.add(run.runId);
        try {
          await this.#measureRun(run);
        } catch (error) {
          logger.error({ run: run.runId, err: error }, "a run's disk usage could not be measured; trying again");
        }
      }
    }
  }

  async #measureRun({ runId, repositoryId, totalLogs }: UnmeasuredRun): Promise<void> {
    const { store, workspace } = this.#parts;
    let own = await store.storage.countTurnBytes(runId);
    for (let first = 1; first <= totalLogs; first += entriesAtOnce) {
      own += await store.storage.countEntryBytes(runId, first, first + entriesAtOnce - 1);
      await turn();
    }
    if (repositoryId === null) own += await workspace.measureMirror(`run-${runId}`);
    await store.storage.putSizes([
      { kind: "files", id: runId, bytes: await workspace.measureRun(runId) },
      { kind: "run", id: runId, bytes: own },
    ]);
  }

  async #measureMirrors(repositoryIds: Iterable<number>): Promise<void> {
    const { store, workspace } = this.#parts;
    for (const id of repositoryIds) {
      if (this.signal.aborted) return;
      await store.storage.putSizes([{ kind: "mirror", id, bytes: await workspace.measureMirror(id) }]);
    }
  }

  async #removeRuns(organizationId: number, rules: RetentionLimits, kept: KeepSettings): Promise<void> {
    const { store, logger } = this.#parts;
    // Runs that are being analyzed.
    const skipped = new Set<number>();
    while (!this.signal.aborted) {
      const old = await store.storage.listOldRuns(organizationId, rules, runsAtOnce + skipped.size);
      const ids = old.filter((id) => !skipped.has(id));
      if (ids.length === 0) return;
      const removed = await store.transaction(async (inside) => {
        const gone = await inside.removals.removeMany(organizationId, ids);
        if (gone.length > 0) await inside.audit.append(record(organizationId, gone, kept));
        return gone;
      });
      for (const id of ids) if (!removed.includes(id)) skipped.add(id);
      if (removed.length > 0)
        logger.info({ organization: organizationId, runs: removed.length }, "old runs were deleted");
      await turn();
    }
  }

  async #removeTelemetry(): Promise<void> {
    const { store, logger } = this.#parts;
    let removed = 0;
    for (let last = runsAtOnce; last === runsAtOnce && !this.signal.aborted; await turn()) {
      last = await store.claudeTelemetry.removeUnclaimed(runsAtOnce);
      removed += last;
    }
    if (removed > 0) logger.info({ sessions: removed }, "telemetry of sessions without runs was deleted");
  }

  async #removeFiles(organizationId: number, rules: RetentionLimits): Promise<void> {
    const { store, workspace, isAtWork, logger } = this.#parts;
    const access = { organizationId, userId: null };
    const skipped = new Set<number>();
    while (!this.signal.aborted) {
      const old = await store.storage.listOldFiles(organizationId, rules, runsAtOnce + skipped.size);
      const ids = old.filter((id) => !skipped.has(id));
      if (ids.length === 0) return;
      for (const runId of ids) {
        skipped.add(runId);
        const isWanted = async () => {
          const run = await store.runs.find(access, runId);
          return isAtWork(runId) || (run !== null && run.finishedAt === null);
        };
        try {
          if ((await isWanted()) || !(await workspace.removeRunFiles(runId, isWanted))) continue;
          await store.storage.noteFilesRemoved(runId, checkoutRemovedEntry());
        } catch (error) {
          logger.error({ run: runId, err: error }, "the files of an old run could not be removed; trying again");
        }
      }
    }
  }
}

function record(organizationId: number, runIds: readonly number[], { keepRunsDays, keepRunsGb }: KeepSettings) {
  const details = {
    deleted_runs: runIds.length,
    first_run_id: Math.min(...runIds),
    last_run_id: Math.max(...runIds),
    keep_runs_days: keepRunsDays,
    keep_runs_gb: keepRunsGb,
  };
  const nobody = { userId: null, tokenId: null, address: null, userAgent: null };
  const object = { objectType: null, objectId: null, objectName: null };
  return { organizationId, act: "retention.applied", actor: "system", ...nobody, ...object, details } as const;
}
