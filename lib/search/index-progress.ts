import type { DatabaseSync } from "node:sqlite";
import { openEntrySource } from "#lib/store/entries/entry-source.ts";
import { openIndexToRead } from "./index-file.ts";

/** How far the index lags behind the store; null if there is no readable index. Both counts are of entries. */
export function readIndexProgress(files: {
  storeFile: string;
  indexFile: string;
}): { indexed: number; all: number } | null {
  const database = openIndexToRead(files.indexFile);
  if (database === null) return null;
  try {
    const indexedOf = readProgress(database);
    if (indexedOf === null) return null;
    const source = openEntrySource(files.storeFile);
    try {
      let indexed = 0;
      let all = 0;
      for (const { id, totalLogs } of source.runs()) {
        indexed += Math.min(indexedOf.get(id) ?? 0, totalLogs);
        all += totalLogs;
      }
      return { indexed, all };
    } finally {
      source.close();
    }
  } finally {
    database.close();
  }
}

// The engine removes a damaged index whenever it meets one, and SQLite then has other errors for those who have it open.
function readProgress(database: DatabaseSync): Map<number, number> | null {
  try {
    const rows = database.prepare("select run_id, indexed_seq from progress").all();
    return new Map(rows.map(({ run_id, indexed_seq }) => [Number(run_id), Number(indexed_seq)]));
  } catch {
    return null;
  }
}
