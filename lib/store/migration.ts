/** A migration: SQL statements, or a function for what they cannot do. */
export type Migration = string | ((database: MigratedDatabase) => void);

/** What a migration needs from a database. */
export type MigratedDatabase = {
  exec(sql: string): void;
  /** One statement with its parameters. */
  run(sql: string, parameters: readonly (number | string | Uint8Array)[]): void;
  /** The rows of a query, one at a time; other tables may be written in the meantime. */
  each(sql: string): Iterable<Record<string, unknown>>;
  /** Ends the open transaction, unless the database has already done so. */
  rollback(): void;
  version(): number;
  setVersion(version: number): void;
};
