import type { Dialect } from "./dialect.ts";
import { blockId, kinds, placeInBlock } from "./entry-blocks.ts";
import { entryId } from "./entry-id.ts";
import type { EntryStore, OutlinedEntries } from "./entry-store.ts";
import { instantOf } from "./instant.ts";
import { isVisible } from "./visible-run.ts";

/** How many entries are looked up by key at once. */
const lookupMax = 500;

/** What lies between two seqs, both included; its times are not known yet. */
type Part = Omit<OutlinedEntries, "firstAt" | "lastAt">;

/** See {@link EntryStore.outline}. */
export function outlineReader({ reader, readAll, joinedBytes }: Dialect): EntryStore["outline"] {
  const inBlocks = reader
    .selectFrom("entry_blocks")
    .select("kinds")
    .where("entry_blocks.id", ">=", 0)
    .where("entry_blocks.id", "<=", 0)
    .where(isVisible)
    .orderBy("entry_blocks.id");
  const blocks = reader.selectFrom(inBlocks.as("block")).select(joinedBytes("kinds").as("kinds")).compile();

  async function readTimes(ids: number[]): Promise<Map<number, number>> {
    const times = new Map<number, number>();
    for (let start = 0; start < ids.length; start += lookupMax) {
      const some = ids.slice(start, start + lookupMax);
      const rows = await reader.selectFrom("entries").select(["id", "created_at"]).where("id", "in", some).execute();
      for (const { id, created_at } of rows) times.set(id, created_at);
    }
    return times;
  }

  return async ({ organizationId }, runId, { first, last, buckets }) => {
    if (first > last) return [];
    const [row] = await readAll(blocks, [blockId(runId, first), blockId(runId, last), runId, organizationId]);
    if (row === undefined || row.kinds === null) return [];
    const start = placeInBlock(first);
    const parts = foldKinds(row.kinds.subarray(start, start + last - first + 1), first, buckets);
    const times = await readTimes(parts.flatMap((part) => [entryId(runId, part.first), entryId(runId, part.last)]));
    const at = (seq: number) => {
      const ms = times.get(entryId(runId, seq));
      if (ms === undefined) throw new Error(`Entry ${seq} of run ${runId} is counted and not there`);
      return instantOf(ms);
    };
    return parts.map((part) => ({ ...part, firstAt: at(part.first), lastAt: at(part.last) }));
  };
}

/** Entries as the codes of their letters, the first one with seq `first`, in at most `buckets` parts of the same size but for one entry. */
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

/** Capital letters, which stand for errors, have smaller codes. */
const smallLetters = "a".charCodeAt(0);
