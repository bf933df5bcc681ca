import type { Transaction } from "kysely";
import { type NewEntry, populationProblem } from "#lib/contract/logs/entry.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import { type Lease, LeaseLostError } from "#lib/store/runs/queue-store.ts";
import type { Schema } from "#lib/store/schema.ts";
import { runIn, statement } from "#lib/store/statement.ts";
import { type EntryFacts, factsOf, packFacts } from "./entry-facts.ts";
import { entryId, seqMax } from "./entry-id.ts";
import { numberTools } from "./run-tools.ts";

/** An entry, complete except for the run and the seq, which only the transaction knows. */
export type WrittenEntry = {
  messageType: NewEntry["message_type"];
  isError: number;
  facts: EntryFacts;
  /** Its JSON after the run and the seq. */
  bodyEnd: string;
};

/** Serializes entries before taking the write lock. Throws if one breaks the population rules. */
export function writeEntries(entries: readonly NewEntry[]): WrittenEntry[] {
  return entries.map((entry) => {
    const problem = populationProblem(entry);
    if (problem !== null) throw new Error(`An entry cannot be stored: ${problem}`);
    const facts = factsOf(entry);
    return {
      messageType: entry.message_type,
      isError: facts.isError ? 1 : 0,
      facts,
      bodyEnd: bodyEndOf(entry),
    };
  });
}

/** All keys are always present, in this order. */
function bodyEndOf(entry: NewEntry): string {
  const { created_at, message_type, tool_call_id = null } = entry;
  const { thought, tool_name, tool_input, tool_output, observation } = entry;
  const fields = { created_at, message_type, tool_call_id, thought, tool_name, tool_input, tool_output, observation };
  return JSON.stringify(fields).slice(1);
}

/** Appends to runs inside the caller's transaction. */
export type EntryAppender = {
  /** Under a lease: throws {@link LeaseLostError} if it is lost. Returns the seq of the run's last entry. */
  appendLeased(trx: Transaction<Schema>, lease: Lease, entries: WrittenEntry[]): Promise<number>;
  /** In a transaction that has checked the run. Returns the seq of the run's last entry. */
  append(trx: Transaction<Schema>, runId: number, entries: WrittenEntry[]): Promise<number>;
};

const countAny = statement<{ run: number; added: number }, { total_logs: number }>(
  "update runs set total_logs = total_logs + :added where id = :run returning total_logs",
);
const countHeld = statement<{ run: number; added: number; epoch: number }, { total_logs: number }>(`
  update runs set total_logs = total_logs + :added
  where id = :run and lease_epoch = :epoch and status in ('running', 'waiting', 'evaluating')
  returning total_logs`);

type EntryValues = { id: number; type: string; at: number; isError: number; body: string };
type BlockValues = { id: number; kinds: string; tools: Uint8Array; traits: Uint8Array };
type SpanValues = { id: number; times: Uint8Array; durations: Uint8Array; calls: Uint8Array };

/** Appending is the most frequent write, so its statements are written out. */
export function entryAppender({ appendedBytes, runAll }: Dialect): EntryAppender {
  const insert = statement<EntryValues>(`
    insert into entries (id, message_type, created_at, is_error, body)
    values (:id, :type, :at, :isError, :body)`);
  const insertBlock = statement<BlockValues>(`
    insert into entry_blocks (id, kinds, tools, traits) values (:id, :kinds, :tools, :traits)
    on conflict (id) do update set
      kinds = entry_blocks.kinds || excluded.kinds,
      tools = ${appendedBytes("entry_blocks", "tools")},
      traits = ${appendedBytes("entry_blocks", "traits")}`);
  const insertSpans = statement<SpanValues>(`
    insert into entry_spans (id, times, durations, calls) values (:id, :times, :durations, :calls)
    on conflict (id) do update set
      times = ${appendedBytes("entry_spans", "times")},
      durations = ${appendedBytes("entry_spans", "durations")},
      calls = ${appendedBytes("entry_spans", "calls")}`);

  async function insertUpTo(trx: Transaction<Schema>, runId: number, last: number, entries: WrittenEntry[]) {
    if (last > seqMax) throw new Error(`Run ${runId} has reached ${seqMax} entries, the most that a run can have`);
    const first = last - entries.length + 1;
    const facts = entries.map((entry) => entry.facts);
    const tools = new Set(facts.flatMap(({ toolName }) => toolName ?? []));
    for (const { id, kinds, tools: codes, traits, times, durations, calls } of packFacts(
      runId,
      first,
      facts,
      await numberTools(trx, runId, tools),
    )) {
      await runIn(trx, insertBlock, { id, kinds, tools: codes, traits });
      await runIn(trx, insertSpans, { id, times, durations, calls });
    }
    await runAll(insert, rowsOf(runId, first, entries));
    return last;
  }

  function* rowsOf(runId: number, first: number, entries: WrittenEntry[]): Generator<EntryValues> {
    let seq = first;
    for (const { messageType, isError, facts, bodyEnd } of entries) {
      const body = `{"agent_run_id":${runId},"seq":${seq},${bodyEnd}`;
      yield { id: entryId(runId, seq), type: messageType, at: facts.time, isError, body };
      seq += 1;
    }
  }

  return {
    async appendLeased(trx, lease, entries) {
      const { runId, epoch } = lease;
      const [counted] = await runIn(trx, countHeld, { run: runId, added: entries.length, epoch });
      if (counted === undefined) throw new LeaseLostError(lease);
      return insertUpTo(trx, runId, counted.total_logs, entries);
    },
    async append(trx, runId, entries) {
      const [counted] = await runIn(trx, countAny, { run: runId, added: entries.length });
      if (counted === undefined) throw new Error(`Run ${runId} is not there`);
      return insertUpTo(trx, runId, counted.total_logs, entries);
    },
  };
}
