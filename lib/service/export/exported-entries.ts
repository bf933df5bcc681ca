import { setImmediate as turn } from "node:timers/promises";
import type { EntryStore } from "#lib/store/entries/entry-store.ts";
import type { Access } from "#lib/store/runs/access.ts";

/** JSON texts of entries, oldest first. */
export type ExportedEntries = AsyncIterable<string>;

const batchEntriesMax = 500;
const batchBytesMax = 1024 * 1024;

/**
 * Entries 1 … `total` of a run, regardless of later ones. One batch at a time is held in memory; the next is read once
 * the last was taken. Throws if one is missing: an incomplete file must not look complete.
 */
export async function* entriesUpTo(
  entries: Pick<EntryStore, "readAfter">,
  access: Access,
  runId: number,
  total: number,
): AsyncGenerator<string> {
  let seen = 0;
  while (seen < total) {
    const batch = await entries.readAfter(access, runId, seen, Math.min(batchEntriesMax, total - seen), batchBytesMax);
    for (const { seq, body } of batch) {
      if (seq !== seen + 1) throw new Error(`Entry ${seen + 1} of run ${runId} is missing`);
      seen = seq;
      yield body;
    }
    if (batch.length === 0) throw new Error(`Entry ${seen + 1} of run ${runId} is missing`);
    // Others get their turn between two batches, also where whoever takes them never waits.
    await turn();
  }
}
