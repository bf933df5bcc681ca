import { JsonObject } from "#lib/contract/text.ts";
import { claimOne } from "#lib/store/claim-one.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import type { Now } from "#lib/store/instant.ts";
import { findPull } from "#lib/store/pulls/pull-rows.ts";
import { makeDue } from "#lib/store/pulls/pull-stage.ts";
import { statement } from "#lib/store/statement.ts";
import { lastTurn } from "#lib/store/turns/turns.ts";
import { type ClaimableRun, claimedRun } from "./claim-oldest.ts";
import { requireLease } from "./leased-run.ts";
import type { Claimed, Lease } from "./queue-store.ts";

/** A run whose commit is to be checked by the repository's own commands. `tries`: number of claims so far, with this one. */
export type ClaimedChecks = Claimed & { commit: string; tries: number };

/** SQL: the commit to be tested has no result yet. */
const untested =
  "json_extract(pull_requests.watch, '$.tested.commit') is not json_extract(pull_requests.watch, '$.toTest')";
const oldestToTest = statement<Record<never, never>, ClaimableRun & { pull_id: number; watch: string }>(`
  select runs.id, runs.lease_epoch, runs.agent_state, runs.started_at, repositories.source,
    pull_requests.id as pull_id, pull_requests.watch
  from runs join pull_requests on pull_requests.run_id = runs.id
  left join repositories on repositories.id = runs.repository_id
  where runs.status = 'evaluating' and pull_requests.stage = 'testing' and runs.lease_engine is null and ${untested}
  order by runs.id limit 1`);

/** See {@link LocalChecksStore}. */
export function localChecksStore(dialect: Dialect, now: Now) {
  const { writer } = dialect;
  const end = (lease: Lease, tested: Record<string, unknown> | null) =>
    writer.transaction().execute(async (trx) => {
      const { runId, epoch } = lease;
      await requireLease(trx, lease);
      await trx
        .updateTable("runs")
        .set({ lease_engine: null, lease_expires_at: null, lease_epoch: epoch + 1 })
        .where("id", "=", runId)
        .execute();
      await trx.deleteFrom("run_progress").where("run_id", "=", runId).execute();
      const pull = tested === null ? null : await findPull(trx, runId);
      if (pull === null || pull.stage !== "testing") return;
      const watch = JSON.stringify({ ...pull.watch, tries: 0, tested });
      await trx.updateTable("pull_requests").set({ watch }).where("id", "=", pull.id).execute();
      await makeDue(trx, pull.id, now());
    });

  return {
    /** Claims the oldest such run, under a lease of this engine; null if there is none. */
    claim(engineId: string, leaseMs: number): Promise<ClaimedChecks | null> {
      return claimOne(dialect, oldestToTest, {}, async (trx, oldest) => {
        const turn = await lastTurn(trx, oldest.id);
        if (turn === null) return null;
        const watch = JsonObject.parse(JSON.parse(oldest.watch));
        const tries = (typeof watch.tries === "number" ? watch.tries : 0) + 1;
        await trx
          .updateTable("runs")
          .set({ lease_engine: engineId, lease_epoch: oldest.lease_epoch + 1, lease_expires_at: now() + leaseMs })
          .where("id", "=", oldest.id)
          .execute();
        await trx
          .updateTable("pull_requests")
          .set({ watch: JSON.stringify({ ...watch, tries }) })
          .where("id", "=", oldest.pull_id)
          .execute();
        return { ...(await claimedRun(trx, oldest, turn)), commit: String(watch.toTest), tries };
      });
    },

    /** Ends the lease and stores the result with the pull request, whose next step is due now. Throws LeaseLostError. */
    finish: (lease: Lease, tested: Record<string, unknown>): Promise<void> => end(lease, tested),
    /** Ends the lease without a result: the checks begin again. Throws LeaseLostError. */
    release: (lease: Lease): Promise<void> => end(lease, null),
  };
}

/**
 * Runs at the stage `testing` as engines see them. A claimed one stays `evaluating`, and its lease is like that of a run at work:
 * a cancel, or an engine that claims the run for a turn, ends it.
 */
export type LocalChecksStore = ReturnType<typeof localChecksStore>;
