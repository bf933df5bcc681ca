import { randomUUID } from "node:crypto";
import { renameSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { SqliteConnection } from "#lib/store/sqlite/sqlite-connection.ts";

/** How long another process may hold the write lock before the mark is not raised. */
const busyMs = 5000;

/** The file beside a store that holds its mark. */
export const markFile = (file: string) => `${file}.mark`;

/**
 * A connection that notes beside an existing store how far it has come. `raise` does so if any other connection has committed since
 * the last call; it throws a StoreError, and once a second is enough.
 */
export function openMark(file: string): { raise(): void; close(): void } {
  const database = new SqliteConnection(file, new DatabaseSync(file, { timeout: busyMs }), () => undefined);
  let markedAt: number | null = null;
  return {
    raise() {
      const version = database.number("pragma data_version");
      if (version === markedAt) return;
      raiseMark(file, database);
      markedAt = version;
    },
    close: () => database.close(),
  };
}

/** Raises the count (see HighWaterMark), first in the store, then in the file: the file's count never exceeds the store's. */
function raiseMark(file: string, database: SqliteConnection): void {
  database.exec("begin immediate");
  try {
    const one = "insert into high_water values (1, ?, 1) on conflict (id) do update set count = count + 1";
    database.run(one, [randomUUID()]);
    database.exec("commit");
  } finally {
    if (database.isInTransaction) database.exec("rollback");
  }
  const [row] = database.all<{ store: string; count: number }>("select store, count from high_water", []);
  if (row === undefined) return;
  const mark = { store: row.store, count: row.count, at: new Date().toISOString() };
  writeFileSync(`${markFile(file)}.new`, `${JSON.stringify(mark)}\n`, { mode: 0o600 });
  renameSync(`${markFile(file)}.new`, markFile(file));
}
