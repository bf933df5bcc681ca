import { type Kysely, sql } from "kysely";
import type { Dialect } from "./dialect.ts";
import { entryId, seqMax, seqOf } from "./entry-id.ts";
import type { EntryStore } from "./entry-store.ts";
import { factsReader } from "./facts.ts";
import { outlineReader } from "./outline.ts";
import type { Schema } from "./schema.ts";
import { toolCallFinder } from "./tool-call.ts";
import { isVisible } from "./visible-run.ts";

const nothing = new Uint8Array();
/** Entries that are chosen one by one are read by one statement, whatever their number; a run has no entry 0. */
const chosenMax = 100;

/** Reads of stored entries, each by its key and none of them built more than once. */
export function entryStore(dialect: Dialect): EntryStore {
  const { reader, readAll, joinedBodies } = dialect;
  const pageIn = (order: "asc" | "desc") =>
    reader
      .selectFrom(between(reader).select("body").orderBy("id", order).as("page"))
      .select(joinedBodies.as("bodies"))
      .compile();
  const page = { oldestFirst: pageIn("asc"), newestFirst: pageIn("desc") };
  const sizes = between(reader)
    .select(["id", sql<number>`octet_length(body)`.as("bytes")])
    .orderBy("id")
    .limit(0)
    .compile();
  const bodies = between(reader).select(["id", "body"]).orderBy("id").compile();

  const chosenRows = reader
    .selectFrom("entries")
    .where("entries.id", "in", Array<number>(chosenMax).fill(0))
    .where(isVisible);
  const chosenSizes = chosenRows.select(["id", sql<number>`octet_length(body)`.as("bytes")]).compile();
  const chosen = chosenRows.select(["id", "body"]).compile();
  const facts = factsReader(dialect);

  return {
    async readPage({ organizationId }, runId, { skip, limit, reverse, totalLogs }) {
      const total = Math.min(totalLogs, seqMax);
      const first = reverse ? Math.max(total - skip - limit, 0) + 1 : skip + 1;
      const last = reverse ? total - skip : Math.min(skip + limit, total);
      if (first > last) return nothing;
      const query = reverse ? page.newestFirst : page.oldestFirst;
      const [row] = await readAll(query, [entryId(runId, first), entryId(runId, last), runId, organizationId]);
      return row?.bodies ?? nothing;
    },

    async readAfter({ organizationId }, runId, after, limit, bytesMax) {
      if (after >= seqMax) return [];
      const range = (last: number) => [entryId(runId, after + 1), entryId(runId, last), runId, organizationId];
      const found = await readAll(sizes, [...range(seqMax), limit]);
      let bytes = 0;
      const fitting = found.findIndex((entry) => {
        bytes += entry.bytes;
        return bytes > bytesMax;
      });
      const last = found[fitting === -1 ? found.length - 1 : Math.max(fitting - 1, 0)];
      if (last === undefined) return [];
      const rows = await readAll(bodies, range(seqOf(runId, last.id)));
      return rows.map(({ id, body }) => ({ seq: seqOf(runId, id), body }));
    },

    async find({ organizationId }, runId, seq) {
      if (seq < 1 || seq > seqMax) return null;
      const id = entryId(runId, seq);
      const [row] = await readAll(bodies, [id, id, runId, organizationId]);
      return row?.body ?? null;
    },

    async readChosen({ organizationId }, runId, seqs, bytesMax) {
      if (seqs.length > chosenMax) throw new RangeError(`At most ${chosenMax} entries are read at once`);
      const idsOf = (some: readonly number[]) =>
        Array.from({ length: chosenMax }, (_, index) => entryId(runId, some[index] ?? 0));
      const found = new Map<number, number>();
      const rows = await readAll(chosenSizes, [...idsOf(seqs), runId, organizationId]);
      for (const { id, bytes } of rows) found.set(seqOf(runId, id), bytes);
      const fitting: number[] = [];
      let bytes = 0;
      for (const seq of seqs) {
        const size = found.get(seq);
        if (size === undefined) continue;
        bytes += size;
        if (bytes > bytesMax && fitting.length > 0) break;
        fitting.push(seq);
      }
      if (fitting.length === 0) return [];
      const read = new Map<number, string>();
      for (const { id, body } of await readAll(chosen, [...idsOf(fitting), runId, organizationId])) {
        read.set(seqOf(runId, id), body);
      }
      return fitting.flatMap((seq) => {
        const body = read.get(seq);
        return body === undefined ? [] : [{ seq, body }];
      });
    },

    ...facts,
    findToolCall: toolCallFinder(dialect, facts.calls),
    outline: outlineReader(dialect),
  };
}

/** Entries by first and last key, of a run that the organization has: parameters id, id, run, organization. */
function between(database: Kysely<Schema>) {
  return database.selectFrom("entries").where("entries.id", ">=", 0).where("entries.id", "<=", 0).where(isVisible);
}
