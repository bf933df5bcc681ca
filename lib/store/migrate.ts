import { migrations } from "./migrations.ts";

/** A step to a newer layout: statements, or what statements alone cannot do. */
export type Migration = string | ((database: MigratedDatabase) => void);

/** What {@link migrate} needs of a database. */
export type MigratedDatabase = {
  exec(sql: string): void;
  /** One statement with its parameters. */
  run(sql: string, parameters: readonly (number | string | Uint8Array)[]): void;
  /** The rows of a query, one at a time; other tables may be written meanwhile. */
  each(sql: string): Iterable<Record<string, unknown>>;
  /** Ends the open transaction, where the database has not done so by itself. */
  rollback(): void;
  version(): number;
  setVersion(version: number): void;
};

/**
 * Brings a store to the newest layout, each step in a transaction of its own that no other process can interleave with: where
 * two start at the same moment, one does the step and the other finds it done.
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
