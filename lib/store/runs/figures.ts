import { sql } from "kysely";
import type { RunStatus } from "#lib/contract/runs/run-status.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import { instantOrNull } from "#lib/store/instant.ts";

/** Numbers for the whole installation, over all organizations. */
export type StoreFigures = {
  /** Number of runs by status; absent if there are none. */
  runs: Partial<Record<RunStatus, number>>;
  /** When the oldest waiting run was queued; null if none waits. */
  oldestQueuedAt: string | null;
  /** Number of runs an engine is working on: those waiting for a person hold no slot, and no engine works on external ones. */
  working: number;
};

/** For monitoring. Read from indexes only. */
export type FigureStore = { read(): Promise<StoreFigures> };

/** {@link FigureStore} */
export function figureStore({ reader }: Dialect): FigureStore {
  const runs = reader
    .selectFrom("runs")
    .select(({ fn }) => ["status", fn.countAll<number>().as("count")])
    .groupBy("status");
  const queued = reader
    .selectFrom("runs")
    .select(({ fn }) => fn.min("queued_at").as("oldest"))
    .where("status", "=", sql.lit("queued"));
  const working = reader
    .selectFrom("runs")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("lease_expires_at", "is not", null)
    .where("status", "in", ["running", "evaluating"]);
  return {
    async read() {
      const counts = await runs.execute();
      const { oldest } = await queued.executeTakeFirstOrThrow();
      const { count } = await working.executeTakeFirstOrThrow();
      return {
        runs: Object.fromEntries(counts.map((row) => [row.status, row.count])),
        oldestQueuedAt: instantOrNull(oldest),
        working: count,
      };
    },
  };
}
