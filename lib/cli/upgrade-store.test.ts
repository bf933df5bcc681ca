// Tier: rest
// The fixture is a backup that commit e77c2831 made of a store with a row in every table.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { parsePage } from "#lib/store/conformance.fixture.ts";
import { plainRun } from "#lib/store/runs/plain-run.fixture.ts";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import { takeLock } from "#lib/store/storage/folder-lock.ts";
import { storeVersion } from "#lib/store/tables.ts";
import { temporaryFolder } from "#lib/workspace/test-repository.ts";
import { errand } from "./data-folder.fixture.ts";

const backup = join(import.meta.dirname, "version-59.fixture.tar.gz");
const access = { organizationId: 1, userId: 1 };

/** A data folder with the store of the fixture, changed by hand. */
function openOld(t: TestContext, statements = "") {
  const dataDir = join(temporaryFolder(t), "data");
  mkdirSync(dataDir);
  execFileSync("tar", ["--extract", "--gzip", "--file", backup, "--directory", dataDir, "errand.db"]);
  const file = join(dataDir, "errand.db");
  const database = new DatabaseSync(file);
  database.exec(statements);
  database.close();
  return { dataDir, file };
}

const storesIn = (dataDir: string) => readdirSync(dataDir).filter((name) => name.startsWith("errand.db"));

type Row = Record<string, unknown>;

/** Every row by table, in an order that does not depend on the file. */
function rowsOf(file: string): Map<string, Row[]> {
  const database = new DatabaseSync(file, { readOnly: true });
  const names = database
    .prepare("select name from sqlite_schema where type = 'table' and name <> 'sqlite_stat1'")
    .all();
  const all = names.map(({ name }): [string, Row[]] => [
    String(name),
    database
      .prepare(`select * from ${name}`)
      .all()
      .map((row) => ({ ...row })),
  ]);
  database.close();
  return new Map(all);
}

const renamed = new Map([
  ["heard", "host_events"],
  ["sizes", "disk_usage"],
  ["removals", "pending_deletions"],
  ["machine_isolation", "agent_isolation"],
  ["agents_file", "agents_file_status"],
]);

/** Rows in the order of their texts, with some columns left out. */
function sorted(rows: readonly Row[], ...without: string[]): string[] {
  return rows
    .map((row) => {
      const shown = Object.entries(row).filter(([name]) => !without.includes(name));
      return JSON.stringify(
        shown.map(([name, value]) => [name === "said_key" ? "message_key" : name, value]).toSorted(),
      );
    })
    .toSorted();
}

/** Checks that the store has all that the old one had. */
async function checkUpgraded(t: TestContext, old: ReadonlyMap<string, Row[]>, file: string): Promise<void> {
  const upgraded = rowsOf(file);
  for (const [name, rows] of old) {
    assert.ok(rows.length > 0, `${name} is empty`);
    const now = upgraded.get(renamed.get(name) ?? name) ?? [];
    const there = new Set(Object.keys(rows[0] ?? {}).map((column) => (column === "said_key" ? "message_key" : column)));
    const added = Object.keys(now[0] ?? {}).filter((column) => !there.has(column));
    const ofMachine = { agents_file: ["id"], machine_isolation: ["id"] };
    const completed = { repositories: ["full_name"], pull_requests: ["state"], ...ofMachine }[name] ?? [];
    const named = rows.map((row) =>
      name === "sqlite_sequence" ? { ...row, name: renamed.get(String(row.name)) ?? row.name } : row,
    );
    assert.deepEqual(sorted(now, ...added, ...completed), sorted(named, ...completed), name);
  }
  assert.deepEqual(
    upgraded.get("repositories")?.map((row) => row.full_name),
    ["group/sub/sub2/p", "team/sub/app", "My name", "team/app"],
  );
  assert.deepEqual(
    upgraded.get("pull_requests")?.map((row) => row.state),
    ["pushed", "failed", "opening"],
  );
  const store = await openStore({ file });
  t.after(() => store.close());
  assert.deepEqual(await store.check(), []);
  const { items } = await store.runs.list(access, {}, { skip: 0, limit: 10 });
  assert.deepEqual(
    items.map(({ id, status, totalLogs }) => [id, status, totalLogs]),
    [
      [3, "running", 3],
      [2, "interrupted", 21],
      [1, "failed", 309],
    ],
  );
  const window = { skip: 300, limit: 1, reverse: false, totalLogs: 309 };
  const [entry] = parsePage(await store.entries.readPage(access, 1, window));
  assert.deepEqual(entry?.tool_output, { status: "completed", output: "Grüße 日本" });
  assert.equal((await store.tokens.findByHash(new Uint8Array(32).fill(1)))?.name, "ci 1");
  assert.equal((await store.shares.findByHash(new Uint8Array(32).fill(3)))?.runId, 1);
  assert.equal((await store.webhooks.find(access))?.url, "https://hooks.example/a");
  assert.equal(
    (await store.runs.create(access, plainRun("next"))).id,
    5,
    "the number of a deleted run is not given again",
  );
}

test("a store of version 59 has everything after the upgrade, also what was only in its log; it is not used before", async (t) => {
  const { dataDir, file } = openOld(t);
  const newest = new DatabaseSync(file);
  newest.exec("update users set full_name = 'Ada Lovelace' where id = 1");
  newest.exec(`update runs set metadata = '{"team":"shop","n":1.5,"live":true,"tags":["a"],"none":null}' where id = 1`);
  // As a killed service leaves it: the log is not yet in the file.
  for (const side of ["", "-wal"]) copyFileSync(`${file}${side}`, `${file}${side}.copy`);
  newest.close();
  for (const side of ["", "-wal"]) execFileSync("mv", [`${file}${side}.copy`, `${file}${side}`]);
  const old = rowsOf(file);
  assert.equal(old.get("users")?.[0]?.full_name, "Ada Lovelace");
  for (const side of ["", "-journal", "-wal", "-shm"]) writeFileSync(`${file}.upgrade${side}`, "of a killed upgrade");
  await assert.rejects(openStore({ file }), /has version 59, and this Errand needs \d+: .* errand -- upgrade-store` /);
  assert.deepEqual(await errand(dataDir, "upgrade-store"), {
    ...{ code: 0, err: "" },
    out: `${file}: version 59 before, ${storeVersion} now\n`,
  });
  assert.deepEqual(storesIn(dataDir), ["errand.db"]);
  await checkUpgraded(t, old, file);
  assert.deepEqual(
    rowsOf(file)
      .get("run_metadata")
      ?.filter(({ run_id }) => run_id === 1)
      .map(({ organization_id, name, value }) => [organization_id, name, value]),
    [
      [1, "live", "true"],
      [1, "n", "1.5"],
      [1, "team", "shop"],
    ],
  );
  const again = await errand(openOld(t, `pragma user_version = ${storeVersion}`).dataDir, "upgrade-store");
  assert.match(again.out, new RegExp(`has version ${storeVersion} already`));
});

test("a store of version 1000 gets what has come since, and keeps what its turns used", async (t) => {
  const { dataDir, file } = openOld(t);
  assert.equal((await errand(dataDir, "upgrade-store")).code, 0);
  const database = new DatabaseSync(file);
  database.exec(`
    drop table engines;
    create table engines (id text not null, machine_id text, beat_at integer not null, primary key (id)) strict, without rowid;
    insert into engines values ('left by a killed engine', null, 1);
    alter table turns drop column used_model;
    pragma user_version = 1000`);
  const turns = database.prepare("select * from turns order by run_id, number").all();
  database.close();
  assert.equal((await errand(dataDir, "upgrade-store")).code, 0);
  const upgraded = rowsOf(file);
  assert.deepEqual(
    upgraded.get("engines")?.map((row) => ({ ...row })),
    [{ id: "left by a killed engine", machine_id: "", beat_at: 1 }],
  );
  assert.deepEqual(sorted(upgraded.get("turns") ?? [], "used_model"), sorted(turns));
});

test("of a store that is a link, what it leads to is upgraded", async (t) => {
  const { dataDir, file } = openOld(t);
  const real = join(temporaryFolder(t), "moved.db");
  copyFileSync(file, real);
  unlinkSync(file);
  symlinkSync(real, file);
  const old = rowsOf(real);
  assert.equal((await errand(dataDir, "upgrade-store")).code, 0);
  assert.ok(lstatSync(file).isSymbolicLink());
  await checkUpgraded(t, old, real);
});

test("a backup of version 59 is restored with everything", async (t) => {
  const target = join(temporaryFolder(t), "data");
  const { code, err } = await errand(target, "restore", backup);
  assert.deepEqual([code, err.includes("secret.key")], [0, true]);
  await checkUpgraded(t, rowsOf(openOld(t).file), join(target, "errand.db"));
});

test("a store of version 63 keeps what it recorded itself, names that people gave since, and figures of runs", async (t) => {
  const { dataDir, file } = openOld(
    t,
    `alter table repositories add column fetch_submodules integer not null default 0;
     alter table runs add column left_out integer not null default 0;
     update repositories set fetch_submodules = 1 where id = 1;
     update runs set left_out = 2 where id = 1;
     update runs set cost_usd = 0.5, tokens = '{"total":3}' where id = 1;
     pragma user_version = 63`,
  );
  assert.equal((await errand(dataDir, "upgrade-store")).code, 0);
  const rows = rowsOf(file);
  assert.deepEqual(
    rows.get("repositories")?.map((row) => [row.full_name, row.fetch_submodules]),
    [
      ["sub2/p", 1],
      ["sub/app", 0],
      ["My name", 0],
      ["team/app", 0],
    ],
  );
  assert.deepEqual(
    rows.get("runs")?.map((row) => row.left_out),
    [2, 0, 0],
  );
  assert.deepEqual(
    rows.get("turns")?.map((row) => [row.run_id, row.tokens, row.cost_usd]),
    [
      [1, '{"total":3}', 0.5],
      [1, null, null],
      [2, null, null],
      [2, null, null],
      [3, null, null],
    ],
  );
});

test("a store that cannot be upgraded stays as it is, and one line says why", async (t) => {
  const refused = async ({ dataDir, file }: { dataDir: string; file: string }, why: RegExp) => {
    const before = readFileSync(file);
    const { code, err } = await errand(dataDir, "upgrade-store");
    assert.equal(code, 1);
    assert.match(err, why);
    assert.equal(err.split("\n").length, 2);
    assert.deepEqual(readFileSync(file), before);
    assert.deepEqual(storesIn(dataDir), ["errand.db"]);
  };
  await refused(openOld(t, "pragma user_version = 58"), /version 58, but only those from 59 on can be upgraded/);
  await refused(openOld(t, "pragma user_version = 9999"), /version 9999, but this Errand supports only up to/);
  await refused(openOld(t, "pragma application_id = 1"), /is not an Errand store/);
  await refused(
    openOld(
      t,
      "pragma journal_mode = delete; pragma foreign_keys = off; update runs set organization_id = 77; update turns set run_id = 99 where run_id = 2",
    ),
    /is damaged: it has references to missing rows \(runs: 3, turns: 2\)\. Restore a backup/,
  );
  const damaged = openOld(t, "pragma journal_mode = delete");
  const bytes = readFileSync(damaged.file);
  // The page with this text.
  const page = Math.floor(bytes.indexOf("message 200") / 8192) * 8192;
  writeFileSync(damaged.file, bytes.fill(0x5a, page, page + 8192));
  await refused(damaged, /is damaged: restore a backup/);
  const running = openOld(t);
  const release = await takeLock(join(running.dataDir, "service.lock"), 0);
  await refused(running, /Another Errand is running/);
  release?.();
  const inTheWay = openOld(t);
  mkdirSync(`${inTheWay.file}.upgrade`);
  const { code, err } = await errand(inTheWay.dataDir, "upgrade-store");
  assert.deepEqual(
    [code, err.split("\n").length, err.includes(`${inTheWay.file}.upgrade cannot be written: it is a folder`)],
    [1, 2, true],
  );
  const missing = await errand(join(temporaryFolder(t), "nothing"), "upgrade-store");
  assert.match(missing.err, /There is no store at/);
});
