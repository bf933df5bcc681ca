import type { MigratedDatabase } from "./migration.ts";
import { migrations } from "./migrations.ts";

/**
 * Migrates a store to the newest version, each migration in a separate transaction that no other process can interleave with: if
 * two processes start at the same time, one migrates and the other finds the store migrated.
 */
export function migrate(database: MigratedDatabase): void {
  while (database.version() < migrations.length) {
    database.exec("begin immediate");
    try {
      const version = database.version();
      const step = migrations[version];
      if (step !== undefined) {
        if (typeof step === "string") database.exec(step);
        else step(database);
        database.setVersion(version + 1);
      }
      database.exec("commit");
    } catch (error) {
      database.rollback();
      throw error;
    }
  }
}
