import { migrations } from "./migrations.ts";

/** A migration: SQL statements, or a function for what they cannot do. */
export type Migration = string | ((database: MigratedDatabase) => void);

/** What {@link migrate} needs of a database. */
export type MigratedDatabase = {
  exec(sql: string): void;
  /** One statement with its parameters. */
  run(sql: string, parameters: readonly (number | string | Uint8Array)[]): void;
  /** The rows of a query, one at a time; other tables may be written meanwhile. */
  each(sql: string): Iterable<Record<string, unknown>>;
  /** Ends the open transaction, unless the database has already done so. */
  rollback(): void;
  version(): number;
  setVersion(version: number): void;
};

/**
 * Migrates a store to the newest version, each migration in a transaction of its own that no other process can interleave with:
 * if two start at the same time, one does the migration and the other finds it done.
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
