import type { Transaction } from "kysely";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { externalAgent } from "#lib/contract/runs/agent-ids.ts";
import { isEnd, type RunStatus, transitions } from "#lib/contract/runs/run-status.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import { type EntryAppender, writeEntries } from "#lib/store/entries/append-entries.ts";
import { seqMax } from "#lib/store/entries/entry-id.ts";
import { personEntry } from "#lib/store/entries/person-entry.ts";
import type { Now } from "#lib/store/instant.ts";
import type { Schema } from "#lib/store/schema.ts";
import { keepAnswer } from "#lib/store/turns/turn-answers.ts";
import { keepTurnFigures } from "#lib/store/turns/turn-figures.ts";
import { activeTurn, endActiveTurns, startNextTurn } from "#lib/store/turns/turns.ts";
import type { Access } from "./access.ts";
import { linkAnalyses } from "./analysis-runs.ts";
import { changeStatus } from "./change-status.ts";
import { noteReportedStart, reportedEnd } from "./reported-times.ts";
import { requireAct } from "./run-acts.ts";
import type { RunRow } from "./run-rows.ts";
import { readRun } from "./run-rows.ts";
import type { ExternalRefusal, TurnRow } from "./run-store.ts";

type OpenRun = { status: RunStatus; totalLogs: number };

/** Runs that another system executes. They have no lease: scopes decide who may report their steps. */
export function externalRunStore({ writer }: Dialect, appender: EntryAppender, now: Now) {
  return {
    /** Appends all entries or none, after the existing ones. Throws if an entry breaks the population rules. */
    async append(
      access: Access,
      runId: number,
      entries: readonly NewEntry[],
    ): Promise<{ firstSeq: number; lastSeq: number } | { refused: ExternalRefusal }> {
      const written = writeEntries(entries);
      return writer.transaction().execute(async (trx) => {
        const run = await findOpen(trx, access, runId);
        if (typeof run === "string") return { refused: run };
        if (run.totalLogs + written.length > seqMax) return { refused: "full" };
        const last = await appender.append(trx, runId, written);
        await noteReportedStart(trx, runId, written);
        return { firstSeq: last - written.length + 1, lastSeq: last };
      });
    },

    /**
     * Changes the given fields; nothing if the transition table does not allow the status. Result and summary are those of the
     * newest turn.
     */
    update(
      access: Access,
      runId: number,
      { status, ...texts }: { status?: RunStatus; result?: string | null; summary?: string | null },
    ): Promise<{ run: RunRow } | { refused: ExternalRefusal } | { refused: "transition"; from: RunStatus }> {
      return writer.transaction().execute(async (trx) => {
        const run = await findOpen(trx, access, runId);
        if (typeof run === "string") return { refused: run };
        const changed = status !== undefined && status !== run.status;
        if (changed && !transitions[run.status].includes(status)) return { refused: "transition", from: run.status };
        if (Object.keys(texts).length > 0) await keepAnswer(trx, runId, await activeTurn(trx, runId), texts);
        if (changed) {
          const nowMs = now();
          if (isEnd(status)) await endActiveTurns(trx, runId, status, nowMs);
          const finished = isEnd(status) ? { finished_at: await reportedEnd(trx, runId, nowMs) } : {};
          await changeStatus(trx, runId, status, nowMs, finished);
          if (isEnd(status)) await linkAnalyses(trx, appender, runId, nowMs);
        }
        return { run: await readRun(trx, runId) };
      });
    },
  };
}

/** Makes a queued external run `running` at once, in the transaction that queued it: no engine ever sees it queued. */
export async function startExternal(trx: Transaction<Schema>, runId: number, nowMs: number): Promise<void> {
  await startTurn(trx, runId, nowMs);
  const run = await trx.selectFrom("runs").select("started_at").where("id", "=", runId).executeTakeFirstOrThrow();
  await changeStatus(trx, runId, "running", nowMs, { started_at: run.started_at ?? nowMs });
}

/** Starts the turn just added to an external run: its message becomes an entry, and the run continues. */
export async function continueExternal(
  trx: Transaction<Schema>,
  appender: EntryAppender,
  run: { id: number; status: RunStatus },
  nowMs: number,
): Promise<void> {
  const { number, prompt, attachments = [] } = await startTurn(trx, run.id, nowMs);
  // If it belongs to a Claude Code session, its silence is measured again.
  await trx
    .updateTable("claude_sessions")
    .set({ heard_at: nowMs, silent_at: null })
    .where("run_id", "=", run.id)
    .execute();
  const message = {
    ...personEntry(prompt, nowMs),
    tool_input: { turn: number, ...(attachments.length > 0 ? { attachments } : {}) },
  };
  await appender.append(trx, run.id, writeEntries([message]));
  if (isEnd(run.status)) await changeStatus(trx, run.id, "queued", nowMs);
  if (isEnd(run.status) || run.status === "waiting") await changeStatus(trx, run.id, "running", nowMs);
}

/** Ends a live external run: there is no engine to ask. */
export async function cancelExternal(
  trx: Transaction<Schema>,
  appender: EntryAppender,
  runId: number,
  nowMs: number,
): Promise<void> {
  const observation = { kind: "interruption", message: "Cancelled." };
  await appender.append(trx, runId, writeEntries([personEntry(observation, nowMs)]));
  await endActiveTurns(trx, runId, "cancelled", nowMs);
  await changeStatus(trx, runId, "cancelled", nowMs, { finished_at: await reportedEnd(trx, runId, nowMs) });
  await linkAnalyses(trx, appender, runId, nowMs);
}

/** Starts the turn just added to an external run. What is reported from now on is that turn's. */
export async function startTurn(trx: Transaction<Schema>, runId: number, nowMs: number): Promise<TurnRow> {
  await keepTurnFigures(trx, runId);
  const turn = await startNextTurn(trx, runId, nowMs);
  if (turn === null) throw new Error(`External run ${runId} has no turn that waits`);
  return turn;
}

async function findOpen(
  trx: Transaction<Schema>,
  access: Access,
  runId: number,
): Promise<OpenRun | Extract<ExternalRefusal, "absent" | "not_external" | "ended">> {
  const run = await trx
    .selectFrom("runs")
    .select(["status", "agent", "total_logs", "user_id"])
    .where("id", "=", runId)
    .where("organization_id", "=", access.organizationId)
    .executeTakeFirst();
  if (run === undefined) return "absent";
  requireAct(access, "report", run.user_id);
  if (run.agent !== externalAgent) return "not_external";
  if (isEnd(run.status)) return "ended";
  return { status: run.status, totalLogs: run.total_logs };
}
