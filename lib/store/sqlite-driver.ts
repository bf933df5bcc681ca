import {
  type DatabaseConnection,
  type Driver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { Schema } from "./schema.ts";
import type { WriterLock } from "./writer-lock.ts";

/** A connection Kysely can drive. */
type DrivenConnection = DatabaseConnection & { exec(text: string): void; readonly isInTransaction: boolean };

/** Kysely over one connection; `lock` null for one that only reads and has no transactions. */
export function kyselyOver(connection: DrivenConnection, lock: WriterLock | null): Kysely<Schema> {
  const driver = new SqliteDriver(connection, lock);
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => new LockedBelowAdapter(),
      createDriver: () => driver,
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

/** Gives Kysely access to a connection; with a lock, exclusively until it is released. */
class SqliteDriver implements Driver {
  readonly #connection: DrivenConnection;
  readonly #lock: WriterLock | null;

  constructor(connection: DrivenConnection, lock: WriterLock | null) {
    this.#connection = connection;
    this.#lock = lock;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    await this.#lock?.acquire();
    return this.#connection;
  }

  async beginTransaction(): Promise<void> {
    if (this.#lock === null) throw new Error("The connection that reads has no transactions");
    this.#connection.exec("begin immediate");
  }

  async commitTransaction(): Promise<void> {
    this.#connection.exec("commit");
  }

  /** On some errors (a full disk) SQLite rolls back by itself. */
  async rollbackTransaction(): Promise<void> {
    if (this.#connection.isInTransaction) this.#connection.exec("rollback");
  }

  async releaseConnection(): Promise<void> {
    this.#lock?.release();
  }

  async destroy(): Promise<void> {}
}

/** The driver's own lock is first come, first served; Kysely's for single connections is not. */
class LockedBelowAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}
