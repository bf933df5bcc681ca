import { DatabaseSync } from "node:sqlite";
import { entryId, seqOf } from "./entry-id.ts";

/** A run as an index of its entries sees it. */
export type IndexedRun = { id: number; totalLogs: number; isLive: boolean };

/** An entry to index; `createdAt` is in milliseconds, `body` its JSON in UTF-8. */
export type SourceEntry = { seq: number; createdAt: number; body: Uint8Array };

/** Source of the search index (lib/search), read on a separate connection. */
export type EntrySource = {
  /** Changes after every commit; see Store.version. */
  version(): number;
  /** Every run that has entries. */
  runs(): IndexedRun[];
  /** Runs that may grow, and those with an id above `after`. */
  recentRuns(after: number): IndexedRun[];
  findRun(runId: number): IndexedRun | null;
  /** Entries from seq `first` to `last`, about `bytesMax` of them, at least one. */
  read(runId: number, first: number, last: number, bytesMax: number): SourceEntry[];
  /** Creation time of the entry; null if there is none. */
  createdAt(runId: number, seq: number): number | null;
  close(): void;
};

// The index runs_live covers exactly these.
const live = "status in ('queued', 'running', 'waiting', 'evaluating')";

/** Opens an existing store file for reading. */
export function openEntrySource(storeFile: string): EntrySource {
  const database = new DatabaseSync(storeFile, { readOnly: true, timeout: 5000 });
  const columns = `select id, total_logs, ${live} as is_live from runs`;
  const all = database.prepare(`${columns} where total_logs > 0`);
  const recent = database.prepare(`${columns} where ${live} union ${columns} where id > ?`);
  const one = database.prepare(`${columns} where id = ?`);
  const entries = database.prepare(
    "select id, created_at, cast(body as blob) as body from entries where id between :first and :last order by id",
  );
  const at = database.prepare("select created_at from entries where id = ?");
  const version = database.prepare("pragma data_version");
  const runOf = (row: Record<string, unknown>): IndexedRun => ({
    id: Number(row.id),
    totalLogs: Number(row.total_logs),
    isLive: Number(row.is_live) === 1,
  });

  return {
    version: () => Number(version.get()?.data_version),
    runs: () => all.all().map(runOf),
    recentRuns: (after) => recent.all(after).map(runOf),
    findRun: (runId) => one.all(runId).map(runOf)[0] ?? null,
    read(runId, first, last, bytesMax) {
      const found: SourceEntry[] = [];
      let bytes = 0;
      for (const { id, created_at, body } of entries.iterate({
        first: entryId(runId, first),
        last: entryId(runId, last),
      })) {
        if (!(body instanceof Uint8Array)) throw new Error(`Entry ${id} has no body`);
        found.push({ seq: seqOf(runId, Number(id)), createdAt: Number(created_at), body });
        bytes += body.length;
        if (bytes >= bytesMax) break;
      }
      return found;
    },
    createdAt(runId, seq) {
      const row = at.get(entryId(runId, seq));
      return row === undefined ? null : Number(row.created_at);
    },
    close: () => database.close(),
  };
}
