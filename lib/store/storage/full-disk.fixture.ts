import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Pages of a store that its tests fill. */
export const fewPages = 800;

/**
 * Fills the store of a data folder, opened with `pagesMax` {@link fewPages}: a write that needs another page finds the disk full.
 * The returned function makes room again.
 */
export function fillDisk(dataDir: string): () => void {
  const database = new DatabaseSync(join(dataDir, "errand.db"), { timeout: 5000 });
  database.exec(`
    create table ballast (bytes blob) strict;
    insert into ballast values (zeroblob(${fewPages * 8192}));`);
  return () => {
    database.exec("delete from ballast");
    database.close();
  };
}
