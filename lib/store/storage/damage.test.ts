// Tier: rest
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { cp, mkdtemp, open, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { messages } from "#lib/store/conformance.fixture.ts";
import { plainRun } from "#lib/store/runs/plain-run.fixture.ts";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import { StoreError } from "#lib/store/store-error.ts";
import { countOf } from "#lib/test-counts.fixture.ts";
import { openMark } from "./raise-mark.ts";

let folder: string;
/**
 * A store that was closed, an older copy of it, one whose processes were killed with entries in its log, and an unrelated one.
 */
const closed = () => join(folder, "closed");
const older = () => join(folder, "older");
const killed = () => join(folder, "killed");
const other = () => join(folder, "other");

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "errand-damage-"));
  await fill(closed());
  await cp(closed(), older(), { recursive: true });
  await fill(closed());
  await fill(other());
  // A killed process leaves the files as they are while it works.
  await cp(closed(), killed(), { recursive: true });
  await fill(killed(), async (file) => {
    for (const end of ["", "-wal", ".mark"]) await cp(`${file}${end}`, `${file}.as-killed${end}`);
  });
  for (const end of ["", "-wal", ".mark"]) {
    const file = join(killed(), "errand.db");
    await cp(`${file}.as-killed${end}`, `${file}${end}`);
    await rm(`${file}.as-killed${end}`);
  }
  await rm(join(killed(), "errand.db-shm"), { force: true });
});
after(() => rm(folder, { recursive: true, force: true }));

/** Appends 300 entries as an engine does, with the mark raised as the supervisor does. */
async function fill(dataDir: string, atWork: (file: string) => Promise<void> = async () => undefined): Promise<void> {
  const file = join(dataDir, "errand.db");
  const engine = await openStore({ file });
  await engine.organizations.ensureFirst({ organization: "Home", fullName: "Owner", email: null });
  const mark = openMark(file);
  mark.raise();
  await engine.runs.create({ organizationId: 1, userId: 1 }, plainRun("Look around"));
  const claimed = await engine.queue.claim("engine", 60_000);
  assert.ok(claimed);
  for (let batch = 0; batch < 3; batch += 1) {
    await engine.queue.append(claimed.lease, messages(100));
    mark.raise();
  }
  await atWork(file);
  await engine.queue.endLeases();
  mark.raise();
  await engine.close();
  mark.close();
}

/** Starts on a copy of a folder as the supervisor does, and stops again. */
async function start(dataDir: string): Promise<void> {
  const store = await openStore({ file: join(dataDir, "errand.db") });
  try {
    await store.checkAtStart();
  } finally {
    await store.close();
  }
}

async function overwrite(file: string, at: number, bytes: Uint8Array): Promise<void> {
  const opened = await open(file, "r+");
  await opened.write(bytes, 0, bytes.length, at);
  await opened.close();
}

/** 4 kB of noise at a share of the file. */
const noiseAt = (share: number) => async (file: string) => {
  const page = Math.floor(((await stat(file)).size / 8192 - 1) * share);
  await overwrite(file, page * 8192, randomBytes(4096));
};

async function flip(file: string, at: number): Promise<void> {
  const bytes = await readFile(file);
  const place = at < 0 ? bytes.length + at : at;
  await overwrite(file, place, Buffer.from([(bytes[place] ?? 0) ^ 0xff]));
}

/** What is damaged, in which folder, and how; the first ones are the short form. */
const kinds: [what: string, from: () => string, damage: (file: string) => Promise<unknown>][] = [
  ["an empty file", closed, (file) => truncate(file, 0)],
  ["no file", closed, (file) => rm(file)],
  ["no log", killed, (file) => rm(`${file}-wal`)],
  ["a byte of the log flipped", killed, (file) => flip(`${file}-wal`, 60)],
  ["noise in the middle", closed, noiseAt(0.5)],
  ["an older copy", closed, (file) => cp(join(older(), "errand.db"), file)],
  ["an empty file beside its log", killed, (file) => truncate(file, 0)],
  ["no file beside its log", killed, (file) => rm(file)],
  ["an empty log", killed, (file) => truncate(`${file}-wal`, 0)],
  ["half a log", killed, async (file) => truncate(`${file}-wal`, Math.floor((await stat(`${file}-wal`)).size / 2))],
  ["a log of zeros", killed, async (file) => writeFile(`${file}-wal`, Buffer.alloc((await stat(`${file}-wal`)).size))],
  ["a log with another header", killed, (file) => overwrite(`${file}-wal`, 16, randomBytes(8))],
  ["noise in the schema", closed, (file) => overwrite(file, 100, randomBytes(4096))],
  ["noise in the header", closed, (file) => overwrite(file, 0, randomBytes(100))],
  ["noise in the first quarter", closed, noiseAt(0.25)],
  ["noise near the end", closed, noiseAt(0.9)],
  ["noise at the end", closed, noiseAt(1)],
  ["half a file", closed, async (file) => truncate(file, Math.floor((await stat(file)).size / 2))],
  ["one page", closed, (file) => truncate(file, 8192)],
  ["another store", closed, (file) => cp(join(other(), "errand.db"), file)],
  ["a text", closed, (file) => writeFile(file, "This is no database.\n".repeat(1000))],
  ["zeros", closed, async (file) => writeFile(file, Buffer.alloc((await stat(file)).size))],
];

test("stores that were closed or killed start; after that they still do", async () => {
  for (const from of [closed, killed]) {
    const dataDir = join(folder, "sound");
    await cp(from(), dataDir, { recursive: true });
    await start(dataDir);
    await start(dataDir);
    await rm(dataDir, { recursive: true });
  }
});

for (const [what, from, damage] of kinds.slice(0, countOf({ short: 6, long: kinds.length }))) {
  test(`a store is refused at its start, in one clear line: ${what}`, async () => {
    const dataDir = await mkdtemp(join(folder, "damaged-"));
    await cp(from(), dataDir, { recursive: true });
    const file = join(dataDir, "errand.db");
    await damage(file);
    await assert.rejects(start(dataDir), (error: unknown) => {
      assert.ok(error instanceof StoreError, String(error));
      assert.match(error.message, /^[^\n]{20,500}$/);
      assert.ok(error.message.includes(file));
      return true;
    });
    await assert.rejects(start(dataDir), StoreError, "the second time too");
  });
}

test("whoever deletes the mark starts with a new store, or continues with the existing one", async () => {
  const dataDir = join(folder, "accepted");
  await cp(closed(), dataDir, { recursive: true });
  await cp(join(older(), "errand.db"), join(dataDir, "errand.db"));
  await assert.rejects(start(dataDir), /is missing its latest writes; the last one was at/);
  await rm(join(dataDir, "errand.db.mark"));
  await start(dataDir);
});

test("damage that a read meets is reported by every process, and refused at the next start", async () => {
  const dataDir = join(folder, "met");
  await cp(closed(), dataDir, { recursive: true });
  const file = join(dataDir, "errand.db");
  const [reader, bystander] = [await openStore({ file }), await openStore({ file })];
  // Enough that entries are hit, wherever the schema puts them.
  for (let share = 0.1; share < 0.95; share += 0.02) await noiseAt(share)(file);
  const access = { organizationId: 1, userId: 1 };
  const reads = [1, 2].map((runId) => reader.entries.readAfter(access, runId, 0, 1000, 1e9));
  const failed = (await Promise.allSettled(reads)).filter(({ status }) => status === "rejected");
  assert.ok(failed.length > 0);
  assert.equal(await reader.findTrouble(false), "damaged");
  assert.equal(await bystander.findTrouble(false), "damaged");
  await reader.close();
  await bystander.close();
  await assert.rejects(start(dataDir), /is damaged/);
});
