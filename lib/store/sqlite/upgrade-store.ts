import { existsSync, realpathSync, renameSync, rmSync } from "node:fs";
import type { Selectable } from "kysely";
import { metadataNameMax, metadataValueMax } from "#lib/contract/bounds.ts";
import { type IntegrationRow, integrationRow } from "#lib/store/integrations/integrations.ts";
import type { Schema } from "#lib/store/schema.ts";
import { StoreError } from "#lib/store/store-error.ts";
import { storeVersion, tables } from "#lib/store/tables.ts";
import { SqliteConnection } from "./sqlite-connection.ts";
import { createSqliteStore } from "./sqlite-dialect.ts";
import { versionOf, withDatabase } from "./store-copy.ts";
import { makeStoreFile } from "./store-file.ts";
import { refuseVersion } from "./store-version.ts";

/** Earlier names of tables and columns, by the present ones. */
const earlierTables: Record<string, string> = {
  host_events: "heard",
  disk_usage: "sizes",
  pending_deletions: "removals",
  agent_isolation: "machine_isolation",
  agents_file_status: "agents_file",
};
const earlierColumns: Record<string, string> = { message_key: "said_key" };

/** Full name of a repository. */
type NameOf = (source: string, integrations: readonly IntegrationRow[]) => string;

/**
 * Upgrades a store to the present version; returns its version before. It is copied table by table, and the copy takes its place
 * when it is complete. Nobody else may use it. Throws StoreError if there is none, or it cannot be upgraded.
 */
export async function upgradeStore(path: string, nameOf: NameOf): Promise<number> {
  // A link stays one: what it leads to is upgraded.
  const file = existsSync(path) ? realpathSync(path) : path;
  const version = await withDatabase(
    file,
    (database) => {
      const found = versionOf(file, database);
      refuseVersion(file, found, true);
      // SQLite would apply a log that is left beside the copy to it.
      if (found < storeVersion) database.exec("pragma wal_checkpoint(truncate); pragma journal_mode = delete");
      return found;
    },
    false,
  );
  if (version === storeVersion) return version;
  const copy = `${file}.upgrade`;
  const removeCopy = () => {
    for (const side of ["", "-journal", "-wal", "-shm"]) rmSync(`${copy}${side}`, { force: true });
  };
  // Says so if it cannot be written.
  await makeStoreFile(copy);
  try {
    // A killed upgrade may have left one.
    removeCopy();
    await makeStoreFile(copy);
    await withDatabase(
      copy,
      (database) => {
        const connection = new SqliteConnection(copy, database, () => undefined);
        connection.exec("pragma foreign_keys = off; pragma page_size = 8192; pragma auto_vacuum = incremental");
        connection.run("attach ? as old", [file]);
        connection.exec("begin");
        createSqliteStore(connection);
        for (const [name, { columns }] of Object.entries(tables)) copyTable(connection, name, Object.keys(columns));
        copySequences(connection);
        if (version < 60) completeNames(connection, nameOf);
        if (version < 62) endOpening(connection);
        if (version < 1001) addTurnFigures(connection);
        if (version < 1002) addRunMetadata(connection);
        refuseDangling(connection, file);
        connection.exec("commit");
      },
      false,
    );
    renameSync(copy, file);
  } finally {
    removeCopy();
  }
  return version;
}

/** Throws StoreError if rows refer to missing ones. */
function refuseDangling(connection: SqliteConnection, file: string): void {
  const counts = connection.texts(`
    select "table" || ': ' || count(*) from pragma_foreign_key_check group by "table" order by "table"`);
  if (counts.length === 0) return;
  const what = `it has references to missing rows (${counts.join(", ")})`;
  throw new StoreError(`The store ${file} is damaged: ${what}. Restore a backup`, { trouble: "damaged" });
}

/** Columns that the old table did not have, and nulls where there are none any more, get their defaults. */
function copyTable(connection: SqliteConnection, name: string, columns: readonly string[]): void {
  const columnsOf = (table: string) =>
    connection.all<{ name: string }>("select name from pragma_table_info(?, 'old')", [table]).map((row) => row.name);
  const from = [name, earlierTables[name] ?? name].find((table) => columnsOf(table).length > 0);
  if (from === undefined) return;
  const there = columnsOf(from);
  const defaults = new Map(
    connection
      .all<{ name: string; value: string }>(
        `select name, dflt_value as value from pragma_table_info(?, 'main') where "notnull" and dflt_value is not null`,
        [name],
      )
      .map((row) => [row.name, row.value]),
  );
  const pairs = columns.flatMap((to) => {
    const column = [to, earlierColumns[to] ?? to].find((one) => there.includes(one));
    return column === undefined ? [] : [{ to, column }];
  });
  const into = pairs.map(({ to }) => to).join();
  const selected = pairs.map(({ to, column }) => `coalesce(${column}, ${defaults.get(to) ?? "null"})`).join();
  connection.exec(`insert into main.${name} (${into}) select ${selected} from old.${from}`);
}

/** So that no id of a deleted row is given again. */
function copySequences(connection: SqliteConnection): void {
  connection.exec("delete from sqlite_sequence; insert into sqlite_sequence select * from old.sqlite_sequence");
  for (const names of Object.entries(earlierTables)) {
    connection.run("update sqlite_sequence set name = ? where name = ?", names);
  }
}

/** In groups within groups, full names of repositories had only the last group. Names that people gave stay. */
function completeNames(connection: SqliteConnection, nameOf: NameOf): void {
  type Row<Name extends keyof Schema> = Selectable<Schema[Name]>;
  const ofOrganization = "select * from main.integrations where organization_id = ?";
  for (const { id, organization_id, full_name, source } of connection.all<Row<"repositories">>(
    "select * from main.repositories",
    [],
  )) {
    const integrations = connection.all<Row<"integrations">>(ofOrganization, [organization_id]).map(integrationRow);
    const whole = nameOf(source, integrations);
    const isShortened = whole.split("/").slice(-2).join("/") === full_name && whole !== full_name;
    if (isShortened) connection.run("update main.repositories set full_name = ? where id = ?", [whole, id]);
  }
}

/** Figures were the run's alone: its first turn stands for all before the upgrade. */
function addTurnFigures(connection: SqliteConnection): void {
  connection.exec(`
update main.turns set (tokens, cost_usd) = (select tokens, cost_usd from main.runs where id = run_id)
where (run_id, number) in (select run_id, min(number) from main.turns where started_at is not null group by run_id)`);
}

/** As run-metadata.ts does it, but for lengths (in code points here) and very large numbers (1.0e+21, not 1e+21). */
function addRunMetadata(connection: SqliteConnection): void {
  connection.exec(`
insert into main.run_metadata (organization_id, name, value, run_id)
select organization_id, key, case when type in ('true', 'false') then type else cast(atom as text) end, runs.id
from main.runs, json_each(metadata)
where type in ('text', 'integer', 'real', 'true', 'false') and length(key) <= ${metadataNameMax}
and length(cast(atom as text)) <= ${metadataValueMax}`);
}

/** Work on pull requests that had ended was said to be opening. Only remotes without pull requests got a verdict. */
function endOpening(connection: SqliteConnection): void {
  connection.exec(`
update main.pull_requests
set state = iif(head_commit is not null and coalesce(verdict, 'refused') not in ('refused', 'diverged'), 'pushed', 'failed')
where state = 'opening' and stage is null and number is null and id not in (select pull_request_id from main.host_tasks)`);
}
