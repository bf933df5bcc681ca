import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { openStore } from "./open-store.ts";
import { tablesOfRuns } from "./removals.ts";

/** Deleted separately: they have dependent rows, or name a run twice. */
const others = ["claude_sessions"];

test("deleting runs covers every table that names a run", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "errand-removals-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "errand.db");
  await (await openStore({ file })).close();
  const database = new DatabaseSync(file);
  const referring = database.prepare(`
    select distinct name from sqlite_schema, pragma_foreign_key_list(name) as key
    where type = 'table' and key."table" = 'runs'`);
  const named = database.prepare(`
    select distinct sqlite_schema.name from sqlite_schema, pragma_table_info(sqlite_schema.name) as info
    where sqlite_schema.type = 'table' and info.name = 'run_id' and sqlite_schema.name <> 'pending_deletions'`);
  const found = [...referring.all(), ...named.all()].map(({ name }) => String(name));
  database.close();
  assert.deepEqual([...new Set(found)].sort(), [...tablesOfRuns, ...others].sort());
});
