import { type CompiledQuery, type Kysely, sql, type Transaction } from "kysely";
import { type NewEntry, populationProblem } from "#lib/contract/entry.ts";
import { blocksOf, kindOf } from "./entry-blocks.ts";
import { entryId, seqMax } from "./entry-id.ts";
import { millisecondsOf } from "./instant.ts";
import type { Schema } from "./schema.ts";
import { type Lease, LeaseLostError } from "./store.ts";

/** An entry whose JSON is written but for the run and the seq, which only the transaction knows. */
export type WrittenEntry = {
  messageType: NewEntry["message_type"];
  createdAt: number;
  isError: number;
  bodyEnd: string;
};

/** Writes entries as JSON, before the right to write is taken. Throws where one breaks the population rules (§2.4). */
export function writeEntries(entries: NewEntry[]): WrittenEntry[] {
  return entries.map((entry) => {
    const problem = populationProblem(entry);
    if (problem !== null) throw new Error(`An entry cannot be stored: ${problem}`);
    // All keys of an entry are always there, in this order.
    const rest = {
      created_at: entry.created_at,
      message_type: entry.message_type,
      thought: entry.thought ?? null,
      tool_name: entry.tool_name ?? null,
      tool_input: entry.tool_input ?? null,
      tool_output: entry.tool_output ?? null,
      observation: entry.observation ?? null,
    };
    return {
      messageType: entry.message_type,
      createdAt: millisecondsOf(entry.created_at),
      isError: isError(entry) ? 1 : 0,
      bodyEnd: JSON.stringify(rest).slice(1),
    };
  });
}

function isError({ message_type, tool_output }: NewEntry): boolean {
  if (message_type === "ERROR") return true;
  const exitCode = tool_output?.exit_code;
  return tool_output?.status === "failed" || (typeof exitCode === "number" && exitCode !== 0);
}

/** Appends to runs inside of the caller's transaction. */
export type EntryAppender = {
  /** Under a lease: throws {@link LeaseLostError} where it is lost. Gives the seq of the last entry of the run. */
  appendHeld(trx: Transaction<Schema>, lease: Lease, entries: WrittenEntry[]): Promise<number>;
  /** In a transaction that has looked at the run. Gives the seq of the last entry of the run. */
  append(trx: Transaction<Schema>, runId: number, entries: WrittenEntry[]): Promise<number>;
};

/** The queries are built once: appending is the most frequent of all writes. */
export function entryAppender(database: Kysely<Schema>): EntryAppender {
  const count = database
    .updateTable("runs")
    .set({ total_logs: sql<number>`total_logs + ${0}` })
    .where("id", "=", 0)
    .returning("total_logs");
  const countAny = count.compile();
  const countHeld = count
    .where("lease_epoch", "=", 0)
    .where("status", "in", sql<"running">`('running', 'waiting', 'evaluating')`)
    .compile();
  const insert = database
    .insertInto("entries")
    .values({ id: 0, message_type: "ACTION", created_at: 0, is_error: 0, body: "" })
    .compile();
  const insertKinds = database
    .insertInto("entry_blocks")
    .values({ id: 0, kinds: "" })
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet({ kinds: sql<string>`entry_blocks.kinds || excluded.kinds` }),
    )
    .compile();

  async function insertUpTo(trx: Transaction<Schema>, runId: number, last: number, entries: WrittenEntry[]) {
    if (last > seqMax) throw new Error(`Run ${runId} has reached ${seqMax} entries, the most that a run can have`);
    let seq = last - entries.length;
    const kinds = entries.map(({ messageType, isError }) => kindOf(messageType, isError === 1)).join("");
    for (const block of blocksOf(runId, seq + 1, kinds)) {
      await trx.executeQuery(withParameters(insertKinds, [block.id, block.kinds]));
    }
    for (const { messageType, createdAt, isError, bodyEnd } of entries) {
      seq += 1;
      const body = `{"agent_run_id":${runId},"seq":${seq},${bodyEnd}`;
      await trx.executeQuery(withParameters(insert, [entryId(runId, seq), messageType, createdAt, isError, body]));
    }
    return last;
  }

  return {
    async appendHeld(trx, lease, entries) {
      const { runId, epoch } = lease;
      const { rows } = await trx.executeQuery(withParameters(countHeld, [entries.length, runId, epoch]));
      const [counted] = rows;
      if (counted === undefined) throw new LeaseLostError(lease);
      return insertUpTo(trx, runId, counted.total_logs, entries);
    },
    async append(trx, runId, entries) {
      const { rows } = await trx.executeQuery(withParameters(countAny, [entries.length, runId]));
      const [counted] = rows;
      if (counted === undefined) throw new Error(`Run ${runId} is not there`);
      return insertUpTo(trx, runId, counted.total_logs, entries);
    },
  };
}

const withParameters = <Row>(query: CompiledQuery<Row>, parameters: unknown[]): CompiledQuery<Row> => ({
  ...query,
  parameters,
});
