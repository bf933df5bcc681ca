import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { plainRun } from "#lib/store/runs/plain-run.fixture.ts";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import { readMark } from "#lib/store/storage/high-water.ts";
import { temporaryFolder } from "#lib/workspace/test-repository.ts";
import { keepMark } from "./keep-mark.ts";

const logger = { debug: () => undefined };

test("what another process wrote is in the mark outside the store a second later, and what it wrote last at the end", async (t) => {
  const file = join(temporaryFolder(t), "errand.db");
  const [supervisor, engine] = [await openStore({ file }), await openStore({ file })];
  const database = new DatabaseSync(file, { readOnly: true });
  t.after(async () => {
    database.close();
    await engine.close();
    await supervisor.close();
  });
  await supervisor.organizations.ensureFirst({ organization: "Home", fullName: "Owner", email: null });
  const write = () => engine.runs.create({ organizationId: 1, userId: 1 }, plainRun("Look around"));
  const stored = () => database.prepare("select store, count from high_water").get();
  const marked = () => {
    const { store, count } = readMark(file) ?? {};
    return { store, count };
  };

  t.mock.timers.enable({ apis: ["setInterval"] });
  let raised: Promise<void> | null = null;
  const raiseMark = () => {
    raised = supervisor.raiseMark();
    return raised;
  };
  const end = keepMark({ raiseMark }, logger);
  for (let second = 1; second <= 3; second += 1) {
    await write();
    t.mock.timers.tick(999);
    assert.equal(raised, null);
    t.mock.timers.tick(1);
    await raised;
    raised = null;
    assert.deepEqual(marked(), { ...stored() });
    assert.equal(marked().count, second);
  }
  t.mock.timers.tick(5000);
  await raised;
  assert.equal(marked().count, 3, "nothing was written since");

  await write();
  await end();
  assert.equal(marked().count, 4);
  raised = null;
  t.mock.timers.tick(5000);
  assert.equal(raised, null, "it has ended");
});

test("a mark that could not be raised is raised the next time", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  let tries = 0;
  const end = keepMark({ raiseMark: () => Promise.reject(new Error(`busy ${++tries}`)) }, logger);
  t.mock.timers.tick(3000);
  await end();
  assert.equal(tries, 4);
});
