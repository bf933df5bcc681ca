import { sql, type Transaction } from "kysely";
import { type NewEntry, populationProblem, type RawEntry } from "#lib/contract/entry.ts";
import { withParameters } from "./compiled.ts";
import type { Dialect } from "./dialect.ts";
import { type EntryFacts, factsOf, packFacts } from "./entry-facts.ts";
import { entryId, seqMax } from "./entry-id.ts";
import { entryJson, joinJson } from "./entry-json.ts";
import { toolNumberer } from "./run-tools.ts";
import type { Schema } from "./schema.ts";
import { type Lease, LeaseLostError } from "./store.ts";

/** An entry whose JSON is written but for the run and the seq, which only the transaction knows. */
export type WrittenEntry = {
  messageType: NewEntry["message_type"];
  isError: number;
  facts: EntryFacts;
  /** In pieces: text, and values that were JSON already. */
  bodyEnd: (string | Uint8Array)[];
};

/** Writes entries as JSON, before the right to write is taken. Throws where one breaks the population rules (§2.4). */
export function writeEntries(entries: readonly (NewEntry | RawEntry)[]): WrittenEntry[] {
  return entries.map((entry) => {
    const problem = populationProblem("json" in entry ? { ...entry, ...entry.json } : entry);
    if (problem !== null) throw new Error(`An entry cannot be stored: ${problem}`);
    const facts = factsOf(entry);
    return {
      messageType: entry.message_type,
      isError: facts.isError ? 1 : 0,
      facts,
      bodyEnd: entryJson(entry),
    };
  });
}

/** Appends to runs inside of the caller's transaction. */
export type EntryAppender = {
  /** Under a lease: throws {@link LeaseLostError} where it is lost. Gives the seq of the last entry of the run. */
  appendHeld(trx: Transaction<Schema>, lease: Lease, entries: WrittenEntry[]): Promise<number>;
  /** In a transaction that has looked at the run. Gives the seq of the last entry of the run. */
  append(trx: Transaction<Schema>, runId: number, entries: WrittenEntry[]): Promise<number>;
};

/** The queries are built once: appending is the most frequent of all writes. */
export function entryAppender({ writer: database, appendedBytes, runAll, utf8Text }: Dialect): EntryAppender {
  const numberTools = toolNumberer(database);
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
    .values({ id: 0, message_type: "ACTION", created_at: 0, is_error: 0, body: utf8Text(nothing) })
    .compile();
  const insertBlock = database
    .insertInto("entry_blocks")
    .values({ id: 0, kinds: "", tools: nothing, traits: nothing })
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet({
        kinds: sql<string>`entry_blocks.kinds || excluded.kinds`,
        tools: appendedBytes("tools"),
        traits: appendedBytes("traits"),
      }),
    )
    .compile();
  const insertSpans = database
    .insertInto("entry_spans")
    .values({ id: 0, times: nothing, durations: nothing, calls: nothing })
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet({
        times: appendedBytes("times"),
        durations: appendedBytes("durations"),
        calls: appendedBytes("calls"),
      }),
    )
    .compile();

  async function insertUpTo(trx: Transaction<Schema>, runId: number, last: number, entries: WrittenEntry[]) {
    if (last > seqMax) throw new Error(`Run ${runId} has reached ${seqMax} entries, the most that a run can have`);
    const first = last - entries.length + 1;
    const facts = entries.map((entry) => entry.facts);
    const tools = new Set(facts.flatMap(({ toolName }) => toolName ?? []));
    for (const block of packFacts(runId, first, facts, await numberTools(trx, runId, tools))) {
      const { id } = block;
      await trx.executeQuery(withParameters(insertBlock, [id, block.kinds, block.tools, block.traits]));
      await trx.executeQuery(withParameters(insertSpans, [id, block.times, block.durations, block.calls]));
    }
    await runAll(insert, rowsOf(runId, first, entries));
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

const nothing = new Uint8Array();

function* rowsOf(runId: number, first: number, entries: WrittenEntry[]): Generator<unknown[]> {
  let seq = first;
  for (const { messageType, isError, facts, bodyEnd } of entries) {
    const body = joinJson([`{"agent_run_id":${runId},"seq":${seq},`, ...bodyEnd]);
    yield [entryId(runId, seq), messageType, facts.time, isError, body];
    seq += 1;
  }
}
