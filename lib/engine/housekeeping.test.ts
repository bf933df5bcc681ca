// Tier: rest
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { readIndexProgress } from "#lib/search/index-progress.ts";
import { startSearchIndexing } from "#lib/search/indexing.ts";
import { git, makeRepository, temporaryFolder } from "#lib/workspace/test-repository.ts";
import { hasEnded, openEngine, sh } from "./engine.fixture.ts";
import { Housekeeping } from "./housekeeping.ts";
import { createRunWorkspace } from "./run-workspace.ts";

const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** An engine with its search index and its housekeeping, and a repository. */
async function openHouse(t: TestContext) {
  const dataDir = temporaryFolder(t);
  const workspace = createRunWorkspace({
    dataDir,
    environment: { PATH: process.env.PATH ?? "" },
    sandbox: "process-group",
  });
  const opened = await openEngine(t, { workspace }, { dataDir });
  const { store, access, engine, create, until } = opened;
  const source = join(temporaryFolder(t), "source");
  makeRepository(source, { ".gitignore": "*.local\n", "a.txt": "one\n" });
  const names = { name: "x", fullName: "o/x", description: null, source, defaultBranch: "main" };
  const { id: repositoryId } = (await store.repositories.add(access, names)).repository;
  engine.start();
  const run = async (step: string, of: number | null) => {
    const { id } = await create(sh(step), { repositoryId: of });
    await until(id, hasEnded);
    while (engine.isAtWork(id)) await wait(10);
    return id;
  };
  const files = { storeFile: join(dataDir, "errand.db"), indexFile: join(dataDir, "search.db") };
  const indexing = startSearchIndexing({ ...files, engineId: "test" }, logger);
  t.after(() => indexing.stop());
  const house = new Housekeeping({ store, workspace, isAtWork: (id) => engine.isAtWork(id), logger });
  const mirror = join(dataDir, "mirrors", `${repositoryId}.git`);
  return { ...opened, dataDir, repositoryId, run, house, files, mirror };
}

/** Files below a folder that contain a text, directly or in a git object. */
function filesWith(folder: string, text: string): string[] {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => readFileSync(path).includes(text));
  const mirrors = join(folder, "mirrors");
  for (const name of existsSync(mirrors) ? readdirSync(mirrors) : []) {
    const objects = git(join(mirrors, name), "cat-file", "--batch-all-objects", "--batch", "--buffer");
    if (objects.includes(text)) found.push(`${name}: an object`);
  }
  return found;
}

async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const endsAt = Date.now() + 60_000; !(await isSo()); await wait(50)) assert.ok(Date.now() < endsAt, what);
}

test("what a deleted run said and made is in no file of the data folder", async (t) => {
  const { dataDir, store, access, repositoryId, run, house, files, mirror } = await openHouse(t);
  const word = "Xylograph7";
  const step = `echo ${word} | tee kept.txt made.local; mkdir -p "$HOME/x"`;
  const [one, alone] = [await run(step, repositoryId), await run(step, null)];
  const other = await run("echo plain", repositoryId);
  await until(() => readIndexProgress(files)?.indexed === readIndexProgress(files)?.all, "it is indexed");
  assert.ok(filesWith(dataDir, word).length >= 4);
  for (const id of [one, alone]) assert.deepEqual(await store.removals.removeRun(access, id), { removed: [id] });
  await house.look();
  assert.deepEqual(await store.removals.list(0, 10), []);
  for (const folder of ["checkouts", "homes"]) assert.deepEqual(readdirSync(join(dataDir, folder)), [String(other)]);
  assert.deepEqual(git(mirror, "for-each-ref", "--format=%(refname)", "refs/heads"), `refs/heads/errand/run-${other}`);
  assert.deepEqual(readdirSync(join(dataDir, "mirrors")), [`${repositoryId}.git`]);
  await until(() => {
    const index = new DatabaseSync(files.indexFile, { readOnly: true });
    const rows = index.prepare("select run_id from progress").all();
    index.close();
    return rows.length === 1;
  }, "it has left the index");
  await until(
    async () => {
      await house.look();
      return filesWith(dataDir, word).length === 0;
    },
    `${filesWith(dataDir, word)}`,
  );
  // The other run keeps its checkout and branch.
  assert.equal((await store.runs.find(access, other))?.status, "completed");
  assert.equal(git(join(dataDir, "checkouts", String(other)), "status", "--porcelain"), "");
});

test("what could not be removed is tried again, and holds up nothing else", async (t) => {
  const { dataDir, store, access, run, repositoryId } = await openHouse(t);
  const [one, two] = [await run("echo one", repositoryId), await run("echo two", null)];
  for (const id of [one, two]) await store.removals.removeRun(access, id);
  const workspace = createRunWorkspace({ dataDir, environment: {}, sandbox: "process-group" });
  let failing = true;
  const told: object[] = [];
  const parts = {
    store,
    workspace: {
      ...workspace,
      removeRun: async (removed: Parameters<typeof workspace.removeRun>[0]) => {
        if (failing && removed.runId === one) throw new Error("a folder cannot be opened");
        await workspace.removeRun({ ...removed, repositoryId: null });
      },
      pruneMirror: async () => undefined,
    },
    isAtWork: () => false,
    logger: { ...logger, error: (fields: object) => told.push(fields) },
    lookMs: 1,
  };
  const house = new Housekeeping(parts);
  await house.look();
  assert.deepEqual(
    (await store.removals.list(0, 10)).map((removal) => removal.kind === "run" && removal.runId),
    [one],
  );
  assert.equal(told.length, 1);
  const looking = new Housekeeping(parts);
  looking.start();
  while (told.length < 2) await wait(1);
  await wait(100);
  assert.equal(told.length, 2, "it is not tried again at once");
  await looking.stop();
  failing = false;
  await new Housekeeping(parts).look();
  assert.deepEqual(await store.removals.list(0, 10), []);
});

test("locks that a killed git left in a mirror do not keep a deleted run's branch", async (t) => {
  const { store, access, run, house, mirror, repositoryId } = await openHouse(t);
  const id = await run("echo mine > a.txt", repositoryId);
  await store.removals.removeRun(access, id);
  for (const name of ["packed-refs.lock", `refs/heads/errand/run-${id}.lock`]) writeFileSync(join(mirror, name), "");
  await house.look();
  await house.look();
  assert.deepEqual(await store.removals.list(0, 10), []);
  assert.equal(git(mirror, "for-each-ref", "refs/heads", "refs/errand/base"), "");
});

test("a run whose turn is still being cleaned up is left alone until that is done", async (t) => {
  const { dataDir, store, access, run } = await openHouse(t);
  const id = await run("echo one", null);
  await store.removals.removeRun(access, id);
  const workspace = createRunWorkspace({ dataDir, environment: {}, sandbox: "process-group" });
  let isAtWork = true;
  const house = new Housekeeping({ store, workspace, isAtWork: () => isAtWork, logger });
  await house.look();
  assert.ok(existsSync(join(dataDir, "checkouts", String(id))));
  isAtWork = false;
  await house.look();
  assert.ok(!existsSync(join(dataDir, "checkouts", String(id))));
});
