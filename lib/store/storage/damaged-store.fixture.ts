import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Overwrites every page of entries in the store of a data folder; everything else in it stays readable. */
export function damageEntries(dataDir: string): void {
  const file = join(dataDir, "errand.db");
  const database = new DatabaseSync(file, { timeout: 5000 });
  database.exec("pragma wal_checkpoint(truncate)");
  const pages = database
    .prepare("select pgoffset as at, pgsize as size from dbstat where name = 'entries' and pagetype = 'leaf'")
    .all();
  database.close();
  const opened = openSync(file, "r+");
  for (const { at, size } of pages) writeSync(opened, Buffer.alloc(Number(size), 0xff), 0, Number(size), Number(at));
  closeSync(opened);
}
