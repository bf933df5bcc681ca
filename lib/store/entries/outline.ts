import type { Dialect } from "#lib/store/dialect.ts";
import { instantOf } from "#lib/store/instant.ts";
import { type VisibleRun, visibleRun } from "#lib/store/runs/visible-run.ts";
import { statement } from "#lib/store/statement.ts";
import { blockId, kinds, placeInBlock } from "./entry-blocks.ts";
import type { EntryStore, OutlinedEntries } from "./entry-store.ts";
import { KindCache } from "./kind-cache.ts";

/** Rows looked up by key at once. */
const lookupMax = 500;
/** Entries whose type codes are cached, one byte each. */
const heldMax = 32 * 2 ** 20;

/** Entries between two seqs, inclusive; their times are not known yet. */
type Part = Omit<OutlinedEntries, "firstAt" | "lastAt">;

/** See {@link EntryStore.outline}. */
export function outlineReader({ reader, readAll, joinedBytes }: Dialect): EntryStore["outline"] {
  const blocks = statement<VisibleRun & { first: number; last: number }, { kinds: Uint8Array | null }>(`
    select ${joinedBytes("kinds")} as kinds from (
      select kinds from entry_blocks where id >= :first and id <= :last and ${visibleRun} order by id
    ) as block`);

  /** Creation times of these entries of a run: from the rows beside the entries, few enough to be cached. */
  async function readTimes(runId: number, seqs: readonly number[]): Promise<(seq: number) => string> {
    const ids = [...new Set(seqs.map((seq) => blockId(runId, seq)))];
    const rows = new Map<number, DataView>();
    for (let start = 0; start < ids.length; start += lookupMax) {
      const some = ids.slice(start, start + lookupMax);
      const found = await reader.selectFrom("entry_spans").select(["id", "times"]).where("id", "in", some).execute();
      for (const { id, times } of found) rows.set(id, new DataView(times.buffer, times.byteOffset, times.byteLength));
    }
    return (seq) => {
      const times = rows.get(blockId(runId, seq));
      if (times === undefined) throw new Error(`Entry ${seq} of run ${runId} is counted and has no time`);
      return instantOf(times.getFloat64(placeInBlock(seq) * Float64Array.BYTES_PER_ELEMENT, true));
    };
  }

  const holder = new KindCache(heldMax);

  /** Type codes of the entries from `first` to `last`; null if the organization has no such run. */
  async function readKinds(organizationId: number, runId: number, first: number, last: number) {
    const held = holder.get(runId);
    const isJoined = first <= held.length + 1;
    // Always read the last block: this checks that the run belongs to the organization.
    const from = isJoined ? Math.min(held.length + 1, last) : first;
    const [row] = await readAll(blocks, {
      first: blockId(runId, from),
      last: blockId(runId, last),
      run: runId,
      organization: organizationId,
    });
    if (row === undefined || row.kinds === null) return null;
    const start = from - 1 - placeInBlock(from);
    if (!isJoined) return row.kinds.subarray(first - 1 - start, last - start);
    return holder.join(runId, held, start, row.kinds).subarray(first - 1, last);
  }

  return async ({ organizationId }, runId, { first, last, buckets }) => {
    if (first > last) return [];
    const letters = await readKinds(organizationId, runId, first, last);
    if (letters === null) return [];
    const parts = foldKinds(letters, first, buckets);
    const ends = parts.flatMap((part) => [part.first, part.last]);
    const at = await readTimes(runId, ends);
    return parts.map((part) => ({ ...part, firstAt: at(part.first), lastAt: at(part.last) }));
  };
}

/**
 * Divides entries, given as type codes with the first one at seq `first`, into at most `buckets` parts, equal in size to within
 * one entry.
 */
function foldKinds(letters: Uint8Array, first: number, buckets: number): Part[] {
  const { length } = letters;
  const count = Math.min(buckets, length);
  return Array.from({ length: count }, (_, index) => {
    const start = Math.floor((index * length) / count);
    const end = Math.floor(((index + 1) * length) / count);
    return foldPart(letters, first, start, end);
  });
}

function foldPart(letters: Uint8Array, first: number, start: number, end: number): Part {
  const found = new Uint32Array(256);
  let firstError = -1;
  let lastError = -1;
  for (let place = start; place < end; place += 1) {
    const code = letters[place] ?? 0;
    found[code] = (found[code] ?? 0) + 1;
    if (code >= smallLetters) continue;
    if (firstError === -1) firstError = place;
    lastError = place;
  }
  const counts: Part["counts"] = {};
  let errors = 0;
  for (const { code, messageType, isError } of kinds) {
    const number = found[code] ?? 0;
    if (number === 0) continue;
    counts[messageType] = (counts[messageType] ?? 0) + number;
    if (isError) errors += number;
  }
  return {
    first: first + start,
    last: first + end - 1,
    counts,
    errors,
    firstError: firstError === -1 ? null : first + firstError,
    lastError: lastError === -1 ? null : first + lastError,
  };
}

/** Capital letters, which mark errors, have smaller codes. */
const smallLetters = "a".charCodeAt(0);
