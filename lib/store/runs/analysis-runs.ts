import { sql, type Transaction } from "kysely";
import type { AnalysisLink } from "#lib/contract/logs/analyze-logs.ts";
import { type NewEntry, newEntry } from "#lib/contract/logs/entry.ts";
import { isEnd } from "#lib/contract/runs/run-status.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import { type EntryAppender, writeEntries } from "#lib/store/entries/append-entries.ts";
import { instantOf, type Now } from "#lib/store/instant.ts";
import type { Schema } from "#lib/store/schema.ts";
import type { Access } from "./access.ts";
import { insertRun } from "./insert-run.ts";
import { requireAct } from "./run-acts.ts";
import type { RunRow } from "./run-rows.ts";
import { readRun } from "./run-rows.ts";
import type { NewRun } from "./run-store.ts";

/** The analyzed run. */
export type AnalysedRun = { runId: number; webUrl: string };

/** Runs that analyze other runs. */
export function analysisRunStore({ writer, reader }: Dialect, appender: EntryAppender, now: Now, queueMax: number) {
  return {
    /**
     * Queues a run that analyzes run `ofRunId`, and links the two: the new run's first entry names the other; the analyzed run
     * gets its entry now if it has ended, otherwise at its end. Refused if that run is not visible, has no entries, or has an
     * analysis in progress (`busy`, with its id). `pageOf` returns the address of a run's page.
     */
    create(
      access: Access,
      ofRunId: number,
      run: NewRun,
      pageOf: (runId: number) => string,
    ): Promise<{ run: RunRow } | { refused: "absent" | "empty" } | { refused: "busy"; runId: number }> {
      return writer.transaction().execute(async (trx) => {
        const analysed = await trx
          .selectFrom("runs")
          .select(["status", "total_logs", "user_id"])
          .where("id", "=", ofRunId)
          .where("organization_id", "=", access.organizationId)
          .executeTakeFirst();
        if (analysed === undefined) return { refused: "absent" };
        requireAct(access, "analyze", analysed.user_id);
        if (analysed.total_logs === 0) return { refused: "empty" };
        const busy = await atWork(trx, ofRunId).executeTakeFirst();
        if (busy !== undefined) return { refused: "busy", runId: busy.id };
        const nowMs = now();
        const id = await insertRun(trx, access, run, nowMs, queueMax);
        const link = { agent_run_id: ofRunId, relation: "analysis_of", web_url: pageOf(ofRunId) } as const;
        await appender.append(trx, id, writeEntries([linkEntry(link, nowMs)]));
        await trx
          .insertInto("analysis_runs")
          .values({ run_id: id, of_run_id: ofRunId, web_url: pageOf(id), of_web_url: pageOf(ofRunId), link_seq: null })
          .execute();
        if (isEnd(analysed.status)) await linkAnalyses(trx, appender, ofRunId, nowMs);
        return { run: await readRun(trx, id) };
      });
    },

    /** The run that `runId` analyzes; null if it is not an analysis. */
    async findAnalysed(runId: number): Promise<AnalysedRun | null> {
      const row = await reader
        .selectFrom("analysis_runs")
        .select(["of_run_id", "of_web_url"])
        .where("run_id", "=", runId)
        .executeTakeFirst();
      return row === undefined ? null : { runId: row.of_run_id, webUrl: row.of_web_url };
    },

    /** Id of another analysis in progress of the run that `runId` analyzes, or null. */
    async findRival({ organizationId }: Access, runId: number): Promise<number | null> {
      const rival = await reader
        .selectFrom("analysis_runs as own")
        .innerJoin("analysis_runs as other", "other.of_run_id", "own.of_run_id")
        .innerJoin("runs", "runs.id", "other.run_id")
        .select("runs.id")
        .where("own.run_id", "=", runId)
        .where("runs.id", "!=", runId)
        .where("runs.organization_id", "=", organizationId)
        .where("runs.status", "in", liveAtAll)
        .executeTakeFirst();
      return rival?.id ?? null;
    },
  };
}

/**
 * Appends to an ended run the links to its analyses that are missing. Called in the transaction that ends it; it no longer has
 * a lease, and its status and end stay the same: the links carry the time of the end, so that the run's timeline ends with the
 * run, however late it is analyzed.
 */
export async function linkAnalyses(
  trx: Transaction<Schema>,
  appender: EntryAppender,
  runId: number,
  nowMs: number,
): Promise<void> {
  const missing = await trx
    .selectFrom("analysis_runs")
    .select(["run_id", "web_url"])
    .where("of_run_id", "=", runId)
    .where("link_seq", "is", null)
    .orderBy("run_id")
    .execute();
  if (missing.length === 0) return;
  const { finished_at } = await trx
    .selectFrom("runs")
    .select("finished_at")
    .where("id", "=", runId)
    .executeTakeFirstOrThrow();
  for (const { run_id, web_url } of missing) {
    const link = { agent_run_id: run_id, relation: "analysed_by", web_url } as const;
    const seq = await appender.append(trx, runId, writeEntries([linkEntry(link, finished_at ?? nowMs)]));
    await trx.updateTable("analysis_runs").set({ link_seq: seq }).where("run_id", "=", run_id).execute();
  }
}

const liveAtAll = ["queued", "running", "waiting", "evaluating"] as const;

function atWork(trx: Transaction<Schema>, ofRunId: number) {
  return trx
    .selectFrom("analysis_runs")
    .innerJoin("runs", "runs.id", "analysis_runs.run_id")
    .select("runs.id")
    .where("analysis_runs.of_run_id", "=", ofRunId)
    .where("runs.status", "in", liveAtAll)
    .limit(sql.lit(1));
}

function linkEntry(link: AnalysisLink, nowMs: number): NewEntry {
  return newEntry("AGENT_RUN_LINK", instantOf(nowMs), { observation: link });
}
