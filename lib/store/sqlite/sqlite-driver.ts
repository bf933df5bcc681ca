import {
  type DatabaseConnection,
  type Driver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import type { Schema } from "#lib/store/schema.ts";
import type { Turns } from "#lib/turns.ts";

/** A connection Kysely can drive. */
type DrivenConnection = DatabaseConnection & { exec(text: string): void; readonly isInTransaction: boolean };

/** Kysely over one connection; `turns` of one at a time, or null for a connection that only reads and has no transactions. */
export function kyselyOver(connection: DrivenConnection, turns: Turns | null): Kysely<Schema> {
  const driver = new SqliteDriver(connection, turns);
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => new LockedBelowAdapter(),
      createDriver: () => driver,
      createIntrospector: (database) => new SqliteIntrospector(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

/** Gives Kysely access to a connection; with turns, exclusively until it is released. */
class SqliteDriver implements Driver {
  readonly #connection: DrivenConnection;
  readonly #turns: Turns | null;
  #leave: (() => void) | null = null;

  constructor(connection: DrivenConnection, turns: Turns | null) {
    this.#connection = connection;
    this.#turns = turns;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#turns !== null) this.#leave = await this.#turns.enter();
    return this.#connection;
  }

  async beginTransaction(): Promise<void> {
    if (this.#turns === null) throw new Error("The connection that reads has no transactions");
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
    this.#leave?.();
  }

  async destroy(): Promise<void> {}
}

/** The driver's own turns are first come, first served; Kysely's for single connections is not. */
class LockedBelowAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}
