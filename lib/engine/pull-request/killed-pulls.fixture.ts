import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { PullStage } from "#lib/contract/runs/pull-request.ts";
import type { RunStatus } from "#lib/contract/runs/run-status.ts";
import { KilledEngine } from "#lib/engine/killed-engine.fixture.ts";
import type { HostKind } from "#lib/host/host.ts";
import { entryId, seqMax } from "#lib/store/entries/entry-id.ts";
import { openPulls } from "./pulls.fixture.ts";

/**
 * How far a run is. working, fixing: the agent is at work, for its person or to fix checks; keeping: it has done its step, and
 * its work is being committed; evaluated: the run has ended.
 */
export type KilledStage = "working" | "keeping" | "evaluated" | PullStage;

/** What the store says of a run, in one look. */
export type Look = {
  status: RunStatus;
  stage: KilledStage | null;
  rounds: number;
  /** When the next look at the host is due, if nothing else is to be done before; otherwise null. */
  dueMs: number | null;
};

const looked = `select runs.status, pull_requests.stage, coalesce(pull_requests.rounds, 0) as rounds,
  exists (select 1 from turns join entries on entries.id between :first and :last
    where turns.run_id = runs.id and turns.state = 'active' and entries.message_type = 'ACTION'
    and entries.created_at >= turns.started_at) as acted,
  case when runs.status = 'evaluating' and runs.lease_expires_at is null and pull_requests.stage != 'testing'
    and not exists (select 1 from turns where turns.run_id = runs.id and turns.state = 'waiting')
    and not exists (select 1 from host_events where state = 'waiting')
    then (select due_at from host_tasks where pull_request_id = pull_requests.id and lease_expires_at is null) end as due
  from runs left join pull_requests on pull_requests.run_id = runs.id where runs.id = :run`;
/** How long a run may stay as it is, on a machine many times slower than usual: only a test that fails waits so long. */
const stillMs = 240_000;

/**
 * As `openPulls`, but the engine and all of its parts work in a process of their own, to be killed, on a clock that is put forward
 * to what is due next whenever they only wait for it.
 */
export async function openKilledPulls(t: TestContext, kind: HostKind, settings: Record<string, string> = {}) {
  const of = await openPulls(t, kind);
  of.host.now = of.parts.now;
  const killed = new KilledEngine(t, of.dataDir, settings);
  const database = new DatabaseSync(join(of.dataDir, "errand.db"), { readOnly: true });
  t.after(() => database.close());
  const look = (runId: number): Look => {
    const range = { run: runId, first: entryId(runId, 0), last: entryId(runId, seqMax) };
    const { status, stage, rounds, acted, due } = Object(database.prepare(looked).get(range));
    return { status, rounds, stage: stageOf(status, stage, acted === 1), dueMs: due };
  };
  const advance = (ms: number) => {
    of.advance(ms);
    killed.advance(ms);
  };
  /** Looks at the run until `isSo`; what waits for a time has it at once. */
  const watch = async (runId: number, isSo: (look: Look) => boolean | Promise<boolean>): Promise<void> => {
    let last = "";
    for (let endsAt = 0; ; ) {
      const seen = look(runId);
      if (await isSo(seen)) return;
      const text = JSON.stringify(seen);
      if (text !== last) endsAt = Date.now() + stillMs;
      last = text;
      if (Date.now() > endsAt) {
        const state = [await of.find(runId), await of.told(runId), database.prepare("select * from host_events").all()];
        throw new Error(`run ${runId} did not get there: ${JSON.stringify(state)}`);
      }
      const leftMs = (seen.dueMs ?? 0) - of.parts.now().getTime();
      // No lease is held meanwhile that could expire.
      if (leftMs > 0) advance(leftMs);
      await pause(2);
    }
  };
  return { ...of, advance, killed, database, look, watch };
}

function stageOf(status: RunStatus, stage: PullStage | null, hasActed: boolean): KilledStage | null {
  if (hasActed) return "keeping";
  if (status === "running") return stage === "fixing" ? "fixing" : "working";
  if (status === "completed") return "evaluated";
  return status === "evaluating" && stage !== "fixing" ? stage : null;
}
