import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { acted, openFixture } from "#lib/store/conformance.fixture.ts";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import { JudgeAgain } from "./judge-again.ts";

const ignored = () => undefined;
const logger = {
  debug: ignored,
  info: ignored,
  warn: ignored,
  error: (fields: object) => assert.fail(JSON.stringify(fields)),
};

test("the engine judges what an earlier rule judged, until it is stopped", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "errand-judge-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "errand.db");
  const { store, startRun } = await openFixture(t, () => openStore({ file }));
  const { lease } = await startRun();
  await store.queue.append(lease, [{ ...acted("x"), tool_output: { status: "failed" } }, acted("y")]);
  const database = new DatabaseSync(file);
  t.after(() => database.close());
  const reset = () => database.exec("update runs set facts_version = 0; update entries set is_error = 0");
  const failures = () => database.prepare("select count(*) as n from entries where is_error = 1").get()?.n;
  const task = new JudgeAgain(store, logger);
  reset();
  await task.look();
  assert.equal(failures(), 1);
  reset();
  await task.stop();
  await task.look();
  assert.equal(failures(), 0);
});
