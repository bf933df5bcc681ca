import type { Dialect } from "#lib/store/dialect.ts";
import type { Access } from "#lib/store/runs/access.ts";
import { type VisibleRun, visibleRun } from "#lib/store/runs/visible-run.ts";
import { statement } from "#lib/store/statement.ts";
import { entryId, seqMax, seqOf } from "./entry-id.ts";
import type { EntryStore } from "./entry-store.ts";
import { factsReader } from "./facts.ts";
import { outlineReader } from "./outline.ts";
import { toolCallFinder } from "./tool-call.ts";

const comma = Buffer.from(",");
/** More is read in pieces, off the event loop: it would keep every other request waiting. */
const pieceBytesMax = 1024 * 1024;
/** Entries chosen one by one are read by one statement, whatever their number; no run has an entry 0. */
const chosenMax = 100;

/** Entries by first and last key. */
type Between = VisibleRun & { first: number; last: number };
const between = `entries.id >= :first and entries.id <= :last and ${visibleRun}`;
const sizes = statement<Between & { limit: number }, { id: number; bytes: number }>(
  `select id, octet_length(body) as bytes from entries where ${between} order by id limit :limit`,
);
const bodies = statement<Between, { id: number; body: string }>(
  `select id, body from entries where ${between} order by id`,
);

const chosenNames = Array.from({ length: chosenMax }, (_, index) => `id${index}`);
/** Each name of {@link chosenNames} with a key. */
type Chosen = VisibleRun & Record<string, number>;
function chosenOf({ organizationId }: Access, runId: number, seqs: readonly number[]): Chosen {
  if (seqs.length > chosenMax) throw new RangeError(`At most ${chosenMax} entries are read at once`);
  const ids = chosenNames.map((name, index) => [name, entryId(runId, seqs[index] ?? 0)]);
  return { run: runId, organization: organizationId, ...Object.fromEntries(ids) };
}
const amongChosen = `entries.id in (${chosenNames.map((name) => `:${name}`).join(", ")}) and ${visibleRun}`;
const chosenSizes = statement<Chosen, { id: number; bytes: number }>(
  `select id, octet_length(body) as bytes from entries where ${amongChosen}`,
);
const chosen = statement<Chosen, { id: number; body: string }>(`select id, body from entries where ${amongChosen}`);

/** Consecutive entries that are read at once, by first and last key: at most {@link pieceBytesMax}, or one. */
function piecesOf(sized: { id: number; bytes: number }[]): { first: number; last: number }[] {
  const pieces: { first: number; last: number }[] = [];
  let bytes = pieceBytesMax;
  for (const entry of sized) {
    bytes += entry.bytes;
    const piece = pieces.at(-1);
    if (piece !== undefined && bytes <= pieceBytesMax) piece.last = entry.id;
    else {
      pieces.push({ first: entry.id, last: entry.id });
      bytes = entry.bytes;
    }
  }
  return pieces;
}

/** Reads stored entries, each by its key, without parsing them. */
export function entryStore(dialect: Dialect): EntryStore {
  const { readAll, readLarge, joinedBodies, bodyBytes } = dialect;
  const joined = (order: "asc" | "desc") =>
    `select ${joinedBodies} as bodies from (select body from entries where ${between} order by id ${order}) as page`;
  const pageIn = (order: "asc" | "desc") => ({
    /** No bodies if they are too large to be read at once. */
    small: statement<Between, { size: number | null; bodies: Uint8Array | null }>(
      `select size, case when size <= ${pieceBytesMax} then (${joined(order)}) end as bodies
      from (select sum(octet_length(body)) as size from entries where ${between}) as sized`,
    ),
    piece: statement<Between, { bodies: Uint8Array | null }>(joined(order)),
  });
  /** An entry alone needs no joining, which would copy it. */
  const alone = statement<Between, { bodies: Uint8Array | null }>(
    `select ${bodyBytes} as bodies from entries where ${between}`,
  );
  const page = { oldestFirst: pageIn("asc"), newestFirst: pageIn("desc") };
  const facts = factsReader(dialect);

  return {
    async readPage({ organizationId }, runId, { skip, limit, reverse, totalLogs }) {
      const total = Math.min(totalLogs, seqMax);
      const first = reverse ? Math.max(total - skip - limit, 0) + 1 : skip + 1;
      const last = reverse ? total - skip : Math.min(skip + limit, total);
      if (first > last) return [];
      const query = reverse ? page.newestFirst : page.oldestFirst;
      const range = {
        first: entryId(runId, first),
        last: entryId(runId, last),
        run: runId,
        organization: organizationId,
      };
      const [row] = await readAll(query.small, range);
      if (row === undefined || row.size === null) return [];
      if (row.bodies !== null) return [row.bodies];
      const sized = await readAll(sizes, { ...range, limit });
      const pieces = piecesOf(sized).map((piece) => ({ ...range, ...piece }));
      const read: Uint8Array[] = [];
      for (const piece of reverse ? pieces.toReversed() : pieces) {
        const [part] = await readLarge(piece.first === piece.last ? alone : query.piece, piece);
        if (part?.bodies) read.push(...(read.length > 0 ? [comma] : []), part.bodies);
      }
      return read;
    },

    async readAfter({ organizationId }, runId, after, limit, bytesMax) {
      if (after >= seqMax) return [];
      const range = { first: entryId(runId, after + 1), run: runId, organization: organizationId };
      const found = await readAll(sizes, { ...range, last: entryId(runId, seqMax), limit });
      let bytes = 0;
      const fitting = found.findIndex((entry) => {
        bytes += entry.bytes;
        return bytes > bytesMax;
      });
      const last = found[fitting === -1 ? found.length - 1 : Math.max(fitting - 1, 0)];
      if (last === undefined) return [];
      const rows = await readAll(bodies, { ...range, last: last.id });
      return rows.map(({ id, body }) => ({ seq: seqOf(runId, id), body }));
    },

    async find({ organizationId }, runId, seq) {
      if (seq < 1 || seq > seqMax) return null;
      const id = entryId(runId, seq);
      const [row] = await readAll(bodies, { first: id, last: id, run: runId, organization: organizationId });
      return row?.body ?? null;
    },

    async findLarge(access, runId, seqs, least) {
      const sized = await readAll(chosenSizes, chosenOf(access, runId, seqs));
      return new Set(sized.flatMap(({ id, bytes }) => (bytes > least ? [seqOf(runId, id)] : [])));
    },

    async readChosen(access, runId, seqs, bytesMax) {
      const found = new Map<number, number>();
      const rows = await readAll(chosenSizes, chosenOf(access, runId, seqs));
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
      for (const { id, body } of await readAll(chosen, chosenOf(access, runId, fitting))) {
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
