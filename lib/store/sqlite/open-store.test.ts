import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, open, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { sql } from "kysely";
import { messages, openFixture } from "#lib/store/conformance.fixture.ts";
import { StoreError } from "#lib/store/store-error.ts";
import { storeVersion } from "#lib/store/tables.ts";
import { openStore } from "./open-store.ts";
import { openSqlite } from "./sqlite-dialect.ts";

async function newFile(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "errand-store-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "data", "errand.db");
}

async function refused(file: string, message: RegExp): Promise<void> {
  await assert.rejects(openStore({ file }), (error: unknown) => {
    assert.ok(error instanceof StoreError, String(error));
    assert.match(error.message, message);
    assert.equal(error.message.includes("\n"), false);
    assert.ok(error.message.includes(file));
    return true;
  });
}

/** A closed store, changed by hand. */
async function changedStore(t: TestContext, statements: string): Promise<string> {
  const file = await newFile(t);
  await (await openStore({ file })).close();
  const database = new DatabaseSync(file);
  database.exec(statements);
  database.close();
  return file;
}

test("a new store is readable by its owner alone", async (t) => {
  const file = await newFile(t);
  const store = await openStore({ file });
  t.after(() => store.close());
  const modes = await Promise.all([dirname(file), file, `${file}-wal`, `${file}-shm`].map((path) => stat(path)));
  assert.deepEqual(
    modes.map(({ mode }) => (mode & 0o777).toString(8)),
    ["700", "600", "600", "600"],
  );
});

test("a commit is on disk when it is acknowledged, and references are checked", async (t) => {
  const dialect = await openSqlite(await newFile(t));
  t.after(() => dialect.close());
  const settings = ["synchronous", "journal_mode", "page_size", "foreign_keys", "busy_timeout", "user_version"];
  const values = [];
  for (const setting of settings) {
    const { rows } = await sql.raw(`pragma ${setting}`).execute(dialect.writer);
    values.push(Object.values(rows[0] ?? {})[0]);
  }
  assert.deepEqual(values, [2, "wal", 8192, 1, 5000, storeVersion]);
});

test("reads can neither write nor open a transaction", async (t) => {
  const dialect = await openSqlite(await newFile(t));
  t.after(() => dialect.close());
  const row = { id: "a", beat_at: 1 };
  await assert.rejects(dialect.reader.insertInto("engines").values(row).execute(), /read-only/);
  await assert.rejects(
    dialect.reader.transaction().execute(async () => undefined),
    /no transactions/,
  );
});

test("a store opens again with everything that was in it", async (t) => {
  const file = await newFile(t);
  const first = await openFixture(t, () => openStore({ file }));
  const { lease, run } = await first.startRun();
  await first.store.queue.append(lease, messages(3));
  const store = await openStore({ file });
  t.after(() => store.close());
  assert.equal((await store.runs.find(first.access, run.id))?.totalLogs, 3);
  assert.deepEqual(await store.check(), []);
});

test("a store with fewer tables and indexes gets them when it is opened, and keeps what it has", async (t) => {
  const file = await changedStore(
    t,
    `insert into high_water values (1, 'kept', 1);
     drop table run_denials; drop index runs_by_end; drop trigger audit_no_delete`,
  );
  await (await openStore({ file })).close();
  const database = new DatabaseSync(file);
  t.after(() => database.close());
  const names = "'run_denials', 'run_denials_by_time', 'runs_by_end', 'audit_no_delete'";
  const count = database.prepare(`select count(*) as n from sqlite_schema where name in (${names})`);
  assert.equal(count.get()?.n, 4);
  assert.equal(database.prepare("select store from high_water").get()?.store, "kept");
});

test("a store of another version is refused with both versions, and stays as it is", async (t) => {
  for (const [version, message] of [
    [storeVersion + 1, `has version ${storeVersion + 1}, but this Errand supports only up to ${storeVersion}:`],
    [storeVersion - 1, `has version ${storeVersion - 1}, and this Errand needs ${storeVersion}: .*upgrade-store`],
    [58, "has version 58, but only those from 59 on can be upgraded"],
  ] as const) {
    const file = await changedStore(t, `pragma user_version = ${version}; pragma journal_mode = delete`);
    const before = await readFile(file);
    await refused(file, new RegExp(message));
    assert.deepEqual(await readFile(file), before);
  }
});

test("a file that is no SQLite database is refused and stays as it is", async (t) => {
  for (const text of ["short", "long enough for a page. ".repeat(1000)]) {
    const file = await newFile(t);
    await mkdir(dirname(file));
    await writeFile(file, text);
    await refused(file, /not a SQLite database/);
    assert.equal(await readFile(file, "utf8"), text);
  }
});

test("a database of another program is refused and stays as it is", async (t) => {
  const file = await newFile(t);
  await mkdir(dirname(file));
  const database = new DatabaseSync(file);
  database.exec("create table notes (text)");
  database.close();
  const before = await readFile(file);
  await refused(file, /another program/);
  assert.deepEqual(await readFile(file), before);
});

test("a damaged store is refused, and damage that shows later is found by the check", async (t) => {
  const schema = await changedStore(t, "select 1");
  await overwrite(schema, 100, 4000);
  await refused(schema, /is damaged/);

  const deep = await newFile(t);
  const fixture = await openFixture(t, () => openStore({ file: deep }));
  const { lease } = await fixture.startRun();
  await fixture.store.queue.append(lease, messages(500));
  const database = new DatabaseSync(deep);
  database.exec("pragma wal_checkpoint(truncate)");
  database.close();
  const { size } = await stat(deep);
  await overwrite(deep, size - 8192 * 3, 8192);
  const store = await openStore({ file: deep });
  t.after(() => store.close());
  assert.notDeepEqual(await store.check(), []);
});

async function overwrite(file: string, position: number, bytes: number): Promise<void> {
  const handle = await open(file, "r+");
  await handle.write(Buffer.alloc(bytes, 0x5a), 0, bytes, position);
  await handle.close();
}

test("a place that cannot be written is refused with the reason", async (t) => {
  const file = await newFile(t);
  await mkdir(dirname(file));
  await writeFile(file, "");
  await refused(join(file, "errand.db"), /cannot be written: a part of its path is a file/);
  await refused(join(file, "deeper", "errand.db"), /cannot be written: a part of its path is a file/);
  await refused(dirname(file), /cannot be written: it is a folder/);

  const locked = await newFile(t);
  await mkdir(dirname(locked), { mode: 0o500 });
  await asUnprivileged(() => refused(locked, /cannot be written: permission denied/));
  const readOnly = await changedStore(t, "select 1");
  await chmod(readOnly, 0o400);
  await asUnprivileged(() => refused(readOnly, /cannot be written: permission denied/));
});

/** The superuser may write everywhere, so it gives up that right for a moment. */
async function asUnprivileged(work: () => Promise<void>): Promise<void> {
  if (process.getuid?.() !== 0) return work();
  process.seteuid?.(65_534);
  try {
    await work();
  } finally {
    process.seteuid?.(0);
  }
}
