import { type Expression, type ExpressionBuilder, type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Dialect } from "#lib/store/dialect.ts";
import type { Schema } from "#lib/store/schema.ts";
import { compiledStatement, named } from "#lib/store/statement.ts";
import type { Listed, Window } from "#lib/store/window.ts";
import type { Access } from "./access.ts";
import { matching } from "./run-filter.ts";
import { type RunRow, runRow, type SelectedRun, selectRuns, withQueuePositions } from "./run-rows.ts";
import type { RunFilter, RunOrder } from "./run-store.ts";

async function countOf(
  reader: Kysely<Schema>,
  matches: (eb: ExpressionBuilder<Schema, "runs">) => Expression<SqlBool>,
) {
  const counted = reader
    .selectFrom("runs")
    .where(matches)
    .select(({ fn }) => fn.countAll<number>().as("total"));
  return (await counted.executeTakeFirstOrThrow()).total;
}

/** SQL of each order. */
const inOrder: Record<RunOrder, RawBuilder<unknown>> = {
  newest: sql`runs.id desc`,
  oldest: sql`runs.id`,
  last_ended: sql`runs.finished_at desc nulls last, runs.id desc`,
};

/** Runs that match a filter. */
export function runLists(dialect: Dialect) {
  const { reader, readAll } = dialect;
  // Prepared once: composing a statement with all columns costs as much as reading ten runs.
  const runsByIds = compiledStatement<{ ids: string }, SelectedRun>(
    selectRuns(reader, sql<number | null>`null`)
      .where("runs.id", "in", sql<number>`(select value from json_each(${named<string>("ids")}))`)
      .compile(),
  );
  return {
    /** One page of the matching runs in `order`, how many match but for `before`, and how many of those `before` passes over. */
    async list(
      access: Access,
      filter: RunFilter,
      { skip, limit }: Window,
      order: RunOrder = "newest",
    ): Promise<Listed<RunRow> & { passed: number }> {
      const matches = (eb: ExpressionBuilder<Schema, "runs">) => matching(eb, access, filter, dialect);
      // What is passed over is only counted, in an index.
      const page = await reader
        .selectFrom("runs")
        .select("runs.id")
        .where(matches)
        .orderBy(inOrder[order])
        .limit(limit)
        .offset(skip)
        .execute();
      const read = await readAll(runsByIds, { ids: JSON.stringify(page.map(({ id }) => id)) });
      const byId = new Map(read.map((row) => [row.id, row]));
      // One may be deleted in between.
      const rows = page.flatMap(({ id }) => byId.get(id) ?? []);
      const count = await countOf(reader, matches);
      const { before, ...whole } = filter;
      const total = before === undefined ? count : await countOf(reader, (eb) => matching(eb, access, whole, dialect));
      const placed = await withQueuePositions(reader, access.organizationId, rows);
      return { items: placed.map(runRow), total, passed: total - count };
    },

    /** Ids of at most `limit` of the newest matching runs, and how many match in all. */
    async listIds(access: Access, filter: RunFilter, limit: number): Promise<{ ids: number[]; total: number }> {
      const matches = (eb: ExpressionBuilder<Schema, "runs">) => matching(eb, access, filter, dialect);
      const rows = await reader
        .selectFrom("runs")
        .where(matches)
        .select("runs.id")
        .orderBy(inOrder.newest)
        .limit(limit)
        .execute();
      return { ids: rows.map(({ id }) => id), total: await countOf(reader, matches) };
    },

    /** Every matching run, newest first, with its agent and its number of entries. A few microseconds per run. */
    async listCounts(access: Access, filter: RunFilter): Promise<{ id: number; agent: string; totalLogs: number }[]> {
      const rows = await reader
        .selectFrom("runs")
        .where((eb) => matching(eb, access, filter, dialect))
        .select(["runs.id", "runs.agent", "runs.total_logs"])
        .orderBy("runs.id", "desc")
        .execute();
      return rows.map(({ id, agent, total_logs }) => ({ id, agent, totalLogs: total_logs }));
    },
  };
}
