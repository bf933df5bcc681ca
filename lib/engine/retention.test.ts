// Tier: rest
import assert from "node:assert/strict";
import { existsSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { readIndexProgress } from "#lib/search/index-progress.ts";
import { startSearchIndexing } from "#lib/search/indexing.ts";
import { messages } from "#lib/store/conformance.fixture.ts";
import { plainRun } from "#lib/store/runs/plain-run.fixture.ts";
import { countOf } from "#lib/test-counts.fixture.ts";
import { git, makeRepository, temporaryFolder } from "#lib/workspace/test-repository.ts";
import { hasEnded, openEngine, sh } from "./engine.fixture.ts";
import { Housekeeping } from "./housekeeping.ts";
import { Retention } from "./retention.ts";
import { createRunWorkspace } from "./run-workspace.ts";

const dayMs = 24 * 3_600_000;
const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** An engine with retention and housekeeping that look when told to, on a clock that is moved by hand. */
async function openKept(t: TestContext) {
  const dataDir = temporaryFolder(t);
  const environment = { PATH: process.env.PATH ?? "" };
  const workspace = createRunWorkspace({ dataDir, environment, sandbox: "process-group" });
  let aheadMs = 0;
  const opened = await openEngine(t, { workspace }, { dataDir, now: () => new Date(Date.now() + aheadMs) });
  const { store, access, engine, create, until } = opened;
  const isAtWork = (id: number) => engine.isAtWork(id);
  const parts = { store, workspace, isAtWork, logger };
  const retention = new Retention({ ...parts, now: () => Date.now() + aheadMs });
  const house = new Housekeeping(parts);
  engine.start();
  const settled = async (id: number) => {
    await until(id, hasEnded);
    while (isAtWork(id)) await wait(10);
    return id;
  };
  const run = async (step: string, repositoryId: number | null) =>
    settled((await create(sh(step), { repositoryId })).id);
  const pass = (ms: number) => {
    aheadMs += ms;
  };
  const audit = async () => (await store.audit.list(access, {}, { skip: 0, limit: 10 })).items;
  return { ...opened, dataDir, retention, house, run, settled, pass, audit };
}

test("old runs are deleted and old checkouts removed, and a run continues from its branch", async (t) => {
  const { dataDir, store, access, retention, house, run, settled, pass, audit, entries } = await openKept(t);
  const source = join(temporaryFolder(t), "source");
  makeRepository(source);
  const names = { name: "x", fullName: "o/x", description: null, source, defaultBranch: "main" };
  const repositoryId = (await store.repositories.add(access, names)).repository.id;
  const [old, alone] = [await run("echo Xylograph > kept.txt", repositoryId), await run("echo mine > a.txt", null)];
  await retention.look();
  const use = (await store.storage.listUse(access)).repositories;
  for (const { runBytes, fileBytes } of use) assert.ok(runBytes > 0 && fileBytes > 0);
  assert.ok(use.some(({ mirrorBytes }) => mirrorBytes > 0));

  pass(31 * dayMs);
  await retention.look();
  for (const folder of ["checkouts", "homes"]) assert.deepEqual(readdirSync(join(dataDir, folder)), [], folder);
  assert.deepEqual(
    (await store.storage.listUse(access)).repositories.map(({ fileBytes }) => fileBytes),
    [0, 0],
  );
  for (const [id, name] of [
    [old, "kept.txt"],
    [alone, "a.txt"],
  ] as const) {
    await store.runs.addTurn(access, id, { prompt: sh(`cat ${name}`), images: [], model: null });
    await settled(id);
    const [last] = (await entries(id)).filter(({ message_type }) => message_type === "ACTION").slice(-1);
    assert.match(JSON.stringify(last?.tool_output), /Xylograph|mine/);
  }

  await store.settings.change(access, { keepRunsDays: 10 });
  const young = await run("echo young", repositoryId);
  pass(5 * dayMs);
  await store.runs.addTurn(access, alone, { prompt: sh("echo again"), images: [], model: null });
  await settled(alone);
  pass(5 * dayMs + 60_000);
  await retention.look();
  await house.look();
  assert.equal(await store.runs.find(access, old), null);
  assert.equal(await store.runs.find(access, young), null);
  assert.equal((await store.runs.find(access, alone))?.id, alone, "it ended later");
  assert.deepEqual(git(join(dataDir, "mirrors", `${repositoryId}.git`), "branch", "--list"), "");
  const [record] = await audit();
  assert.deepEqual([record?.act, record?.actor, record?.details.deleted_runs], ["retention.applied", "system", 2]);
  assert.ok(!JSON.stringify(await audit()).includes("Xylograph"), "the audit log says nothing of what runs said");
});

test("a checkout with work that is in no branch is kept three times as long, and then the run says so", async (t) => {
  const { dataDir, store, access, retention, run, settled, pass, entries } = await openKept(t);
  const made = "git init -q sub; git -C sub remote add origin https://localhost/x; echo x > sub/x";
  const [plain, left, again] = [await run("echo a > a.txt", null), await run(made, null), await run(made, null)];
  const leftOut = async (id: number) => (await store.runs.find(access, id))?.leftOut;
  assert.deepEqual([await leftOut(plain), await leftOut(left)], [0, 1]);
  await store.runs.addTurn(access, again, { prompt: sh("rm -rf sub"), images: [], model: null });
  await settled(again);
  assert.equal(await leftOut(again), 0);

  await retention.look();
  pass(31 * dayMs);
  await retention.look();
  assert.deepEqual(readdirSync(join(dataDir, "checkouts")), [String(left)]);
  pass(58 * dayMs);
  await retention.look();
  assert.ok(existsSync(join(dataDir, "checkouts", String(left), "sub/x")));
  const codes = async (id: number) => (await entries(id)).map(({ observation }) => Object(observation).code);
  assert.ok(!(await codes(left)).includes("left_out_work_removed"));
  pass(2 * dayMs);
  await retention.look();
  assert.deepEqual(readdirSync(join(dataDir, "checkouts")), []);
  assert.equal((await codes(left)).at(-1), "left_out_work_removed");
  assert.ok(!(await codes(plain)).includes("left_out_work_removed"));
  assert.equal(await leftOut(left), 0);
});

test("telemetry of a session whose run was deleted, or never was, is removed a week after its last record", async (t) => {
  const { store, access, retention, pass } = await openKept(t);
  const { claudeSessions, claudeTelemetry } = store;
  const open = (sessionId: string) =>
    claudeSessions.open(access, sessionId, plainRun("In a terminal", { agent: "external", sourceType: "LOCAL" }));
  const told = { kind: "event", name: "user_prompt", atNs: null, startedMs: null, value: null } as const;
  const tell = async (sessionId: string, atMs: number) => {
    const record = { ...told, atMs, sessionId, attributes: { prompt: `at ${atMs}` }, isCumulative: false };
    return (await claudeTelemetry.keep(access, [record])).repeated === 1;
  };
  const opened = await open("deleted");
  assert.ok("runId" in opened);
  await open("known");
  await claudeSessions.report(access, "deleted", "COMPLETE", false);
  assert.deepEqual(await store.removals.removeRun(access, opened.runId), { removed: [opened.runId] });
  const begin = Date.now();
  const [old, ahead] = [begin - 8 * dayMs, begin + 400 * dayMs];
  const all = [
    ...([
      ["deleted", begin],
      ["deleted", old],
      ["unknown", begin],
      ["known", old],
    ] as const),
    ...([
      ["ahead", ahead],
      ["past", old],
    ] as const),
  ];
  for (const [sessionId, at] of all) assert.equal(await tell(sessionId, at), false);
  const isKept = async () => {
    const kept = [];
    for (const [sessionId, at] of all) if (await tell(sessionId, at)) kept.push(sessionId);
    return kept;
  };
  await retention.look();
  assert.deepEqual(await isKept(), ["deleted", "deleted", "unknown", "known"]);
  pass(8 * dayMs);
  await retention.look();
  assert.deepEqual(await isKept(), ["known"]);
});

test("a checkout stays if its run is resumed at the moment of its removal", async (t) => {
  const { dataDir, run } = await openKept(t);
  const id = await run("echo mine > a.txt", null);
  const environment = { PATH: process.env.PATH ?? "" };
  const workspace = createRunWorkspace({ dataDir, environment, sandbox: "process-group" });
  const file = join(dataDir, "checkouts", String(id), "a.txt");
  let asked = 0;
  const isWanted = async () => {
    asked += 1;
    assert.ok(!existsSync(file), "it is asked while the checkout is out of the way");
    return true;
  };
  assert.equal(await workspace.removeRunFiles(id, isWanted), false);
  assert.deepEqual([asked, existsSync(file)], [1, true]);
  // A turn that begins after `isWanted` was asked keeps everything that it makes.
  const home = join(dataDir, "homes", String(id));
  writeFileSync(join(home, "old"), "");
  const begin = async () => {
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, "new"), "");
    return false;
  };
  assert.equal(await workspace.removeRunFiles(id, begin), true);
  assert.deepEqual(readdirSync(home), ["new"]);
  assert.deepEqual(readdirSync(join(dataDir, "homes")), [String(id)]);
  assert.deepEqual(readdirSync(join(dataDir, "checkouts")), []);
});

test("a run that cannot be measured, or that ended later than the clock says, holds up nothing else", async (t) => {
  const { store, access, retention, run, pass } = await openKept(t);
  const [unreadable, ahead] = [await run("echo one", null), await run("echo two", null)];
  const { countEntryBytes } = store.storage;
  t.mock.method(store.storage, "countEntryBytes", async (id: number, first: number, last: number) => {
    if (id === unreadable) throw new Error("database disk image is malformed");
    return countEntryBytes(id, first, last);
  });
  await store.settings.change(access, { keepRunsDays: 10 });
  pass(-3_600_000);
  await retention.look();
  const [use] = (await store.storage.listUse(access)).repositories;
  assert.ok((use?.runBytes ?? 0) > 0, "the other is measured");
  pass(11 * dayMs);
  await retention.look();
  for (const id of [unreadable, ahead]) assert.equal(await store.runs.find(access, id), null);
});

test("after many runs are removed, no more disk is used than before them", async (t) => {
  const { dataDir, store, access, retention, house, run, pass } = await openKept(t);
  const count = countOf({ short: 60, long: 10_000 });
  const files = { storeFile: join(dataDir, "errand.db"), indexFile: join(dataDir, "search.db") };
  const indexing = startSearchIndexing({ ...files, engineId: "test" }, logger);
  t.after(() => indexing.stop());
  const settle = async (isSo: () => boolean) => {
    for (const endsAt = Date.now() + 600_000; !isSo(); await wait(50)) assert.ok(Date.now() < endsAt);
  };
  const isIndexed = () => {
    const progress = readIndexProgress(files);
    return progress !== null && progress.indexed === progress.all;
  };
  await settle(() => existsSync(files.indexFile) && isIndexed());
  // A new index stays in its log until the first checkpoint, which a busy machine does after this.
  await settle(() => [files.storeFile, files.indexFile].every(emptyLog));
  const before = bytesOf(dataDir, isKept);
  for (let each = 0; each < 3; each += 1) await run("seq 5000 > made.txt", null);
  for (let each = 0; each < count; each += 1) {
    const { id } = await store.runs.create(
      access,
      plainRun(`Work ${each} ${"words ".repeat(50)}`, { agent: "external" }),
    );
    await store.external.append(access, id, messages(40));
    await store.external.update(access, id, { status: "completed" });
  }
  await settle(isIndexed);
  assert.ok(bytesOf(dataDir) > 2 * before);
  pass(400 * dayMs);
  await store.settings.change(access, { keepRunsDays: 365 });
  await retention.look();
  await settle(() => readIndexProgress(files)?.all === 0);
  await house.look();
  let after = 0;
  const limit = before * 1.1;
  // An idle service writes to its logs too (leases, marks); the deleted data would take far more.
  const isLog = (file: string) => file.endsWith("-wal");
  // The index follows within ten seconds; the store gives 16 MB back at a time.
  for (const endsAt = Date.now() + 120_000; ; await wait(200)) {
    await house.look();
    after = bytesOf(dataDir, isKept);
    if ((after <= limit && bytesOf(dataDir, isLog) < 1_000_000) || Date.now() > endsAt) break;
  }
  t.diagnostic(`${count} runs: ${before} bytes before, ${after} after`);
  assert.ok(after <= limit, `${after} bytes, ${before} before: ${JSON.stringify(sizesIn(dataDir))}`);
  assert.ok(bytesOf(dataDir, isLog) < 1_000_000, JSON.stringify(sizesIn(dataDir)));
});

/** False for the write-ahead logs and their indexes. */
const isKept = (file: string) => !/-(?:wal|shm)$/.test(file);

/** Moves what a database's log holds into its file; false if somebody was reading. */
function emptyLog(file: string): boolean {
  const database = new DatabaseSync(file, { timeout: 5000 });
  try {
    return database.prepare("pragma wal_checkpoint(truncate)").get()?.busy === 0;
  } finally {
    database.close();
  }
}

function sizesIn(folder: string): Record<string, number> {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    found.map(({ parentPath, name }) => [join(parentPath, name), lstatSync(join(parentPath, name)).size]),
  );
}

function bytesOf(folder: string, counts: (file: string) => boolean = () => true): number {
  return Object.entries(sizesIn(folder)).reduce((sum, [file, size]) => sum + (counts(file) ? size : 0), 0);
}
