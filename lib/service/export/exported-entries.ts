import { setImmediate as turn } from "node:timers/promises";
import type { EntryStore } from "#lib/store/entries/entry-store.ts";
import type { Access } from "#lib/store/runs/access.ts";
import { Turns } from "#lib/turns.ts";

/** JSON texts of entries, oldest first. */
export type ExportedEntries = AsyncIterable<string>;

const batchEntriesMax = 500;
const batchBytesMax = 1024 * 1024;
/** Several exports read by turns: what one does with a batch of one huge entry keeps others waiting long enough. */
const reading = new Turns(1);

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
    const batch = await reading.take(async () => {
      // Others get their turn between two batches, also where whoever takes them never waits.
      await turn();
      return entries.readAfter(access, runId, seen, Math.min(batchEntriesMax, total - seen), batchBytesMax);
    });
    for (const { seq, body } of batch) {
      if (seq !== seen + 1) throw new Error(`Entry ${seen + 1} of run ${runId} is missing`);
      seen = seq;
      yield body;
    }
    if (batch.length === 0) throw new Error(`Entry ${seen + 1} of run ${runId} is missing`);
  }
}
