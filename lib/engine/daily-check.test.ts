import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import { DailyCheck } from "./daily-check.ts";

const dayMs = 24 * 3_600_000;
const soon = () => new Promise((resolve) => setTimeout(resolve, 10));

/** A store with its daily check, on a clock that is moved by hand. */
async function checkedStore(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), "errand-check-"));
  const storeFile = join(folder, "errand.db");
  const store = await openStore({ file: storeFile });
  await store.organizations.ensureFirst({ organization: "Home", fullName: "Owner", email: null });
  await store.close();
  const state = { now: Date.parse("2026-01-31T12:00:00.000Z"), isIdle: false, looks: 0, logged: 0 };
  const log = () => {
    state.logged += 1;
  };
  const check = new DailyCheck({
    storeFile,
    isIdle: () => {
      state.looks += 1;
      return state.isIdle;
    },
    now: () => state.now,
    logger: { info: log, warn: log, error: log },
    lookMs: 5,
  });
  t.after(async () => {
    await check.stop();
    await rm(folder, { recursive: true });
  });
  const noted = () => readFile(`${storeFile}.checked`, "utf8").catch(() => null);
  const untilNoted = async (at: number) => {
    while ((await noted()) !== `${new Date(at).toISOString()}\n`) await soon();
  };
  /** Resolves when `count` more looks have ended. */
  const looks = async (count: number) => {
    for (const seen = state.looks; state.looks <= seen + count; ) await soon();
  };
  return { storeFile, state, check, noted, untilNoted, looks };
}

test("a store is checked once a day, only while no run is at work", async (t) => {
  const { state, check, noted, untilNoted, looks } = await checkedStore(t);
  check.start();
  await looks(3);
  assert.equal(await noted(), null, "a run is at work");
  const first = state.now;
  state.isIdle = true;
  await untilNoted(first);
  state.now += dayMs - 1;
  await looks(3);
  assert.equal(await noted(), `${new Date(first).toISOString()}\n`);
  state.now += 1;
  await untilNoted(first + dayMs);
  assert.equal(state.logged, 0);
});

test("damage that no read has met yet is reported once it is found", async (t) => {
  const { storeFile, state, check, untilNoted } = await checkedStore(t);
  // Pages of tables that opening a store does not read.
  const schema = new DatabaseSync(storeFile);
  const roots = schema.prepare("select rootpage from sqlite_schema where name in ('shares', 'claude_calls')").all();
  schema.close();
  assert.equal(roots.length, 2);
  const file = await open(storeFile, "r+");
  for (const { rootpage } of roots) await file.write(randomBytes(4096), 0, 4096, (Number(rootpage) - 1) * 8192);
  await file.close();
  const reader = await openStore({ file: storeFile });
  assert.equal(await reader.findTrouble(false), null);
  state.isIdle = true;
  check.start();
  await untilNoted(state.now);
  assert.equal(await reader.findTrouble(false), "damaged");
  assert.equal(state.logged, 1);
  await assert.rejects(reader.checkAtStart(), /is damaged/);
  await reader.close();
});
