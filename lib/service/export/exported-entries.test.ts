import assert from "node:assert/strict";
import { test } from "node:test";
import type { EntryStore, StoredEntry } from "#lib/store/entries/entry-store.ts";
import { entriesUpTo } from "./exported-entries.ts";

const access = { organizationId: 1, userId: 1 };

/** A store that has these seqs, and returns two of them at a time. */
function storeOf(seqs: number[]): Pick<EntryStore, "readAfter"> {
  return {
    readAfter: async (_access, _runId, after, limit): Promise<StoredEntry[]> =>
      seqs
        .filter((seq) => seq > after)
        .slice(0, Math.min(2, limit))
        .map((seq) => ({ seq, body: `${seq}` })),
  };
}

async function all(texts: AsyncIterable<string>): Promise<string[]> {
  const read: string[] = [];
  for await (const text of texts) read.push(text);
  return read;
}

test("all entries up to the total are read, and none after it", async () => {
  assert.deepEqual(await all(entriesUpTo(storeOf([1, 2, 3, 4, 5, 6]), access, 7, 5)), ["1", "2", "3", "4", "5"]);
  assert.deepEqual(await all(entriesUpTo(storeOf([]), access, 7, 0)), []);
});

test("a missing entry aborts the reading: a truncated file never looks complete", async () => {
  for (const seqs of [[1, 2, 4, 5], [1, 2, 3], [2, 3, 4, 5], []]) {
    await assert.rejects(all(entriesUpTo(storeOf(seqs), access, 7, 5)), /Entry \d of run 7 is missing/);
  }
});
