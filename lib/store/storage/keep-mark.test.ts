import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { plainRun } from "#lib/store/runs/plain-run.fixture.ts";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import { temporaryFolder } from "#lib/workspace/test-repository.ts";
import { readMark } from "./high-water.ts";
import { keepMark } from "./keep-mark.ts";
import { openMark } from "./raise-mark.ts";

test("what another process wrote is in the mark outside the store a second later, and what it wrote last at the end", async (t) => {
  const file = join(temporaryFolder(t), "errand.db");
  const engine = await openStore({ file });
  await engine.organizations.ensureFirst({ organization: "Home", fullName: "Owner", email: null });
  const database = new DatabaseSync(file, { readOnly: true });
  t.after(async () => {
    database.close();
    await engine.close();
  });
  const write = () => engine.runs.create({ organizationId: 1, userId: 1 }, plainRun("Look around"));
  const stored = () => database.prepare("select store, count from high_water").get();
  const marked = () => {
    const { store, count } = readMark(file) ?? {};
    return { store, count };
  };

  t.mock.timers.enable({ apis: ["setInterval"] });
  let raised = 0;
  const mark = openMark(file);
  const counted = {
    ...mark,
    raise() {
      raised += 1;
      mark.raise();
    },
  };
  const end = keepMark(counted, (error) => assert.fail(String(error)));
  for (let second = 1; second <= 3; second += 1) {
    await write();
    t.mock.timers.tick(999);
    assert.equal(raised, second - 1);
    t.mock.timers.tick(1);
    assert.equal(raised, second);
    assert.deepEqual(marked(), { ...stored() });
    assert.equal(marked().count, second);
  }
  t.mock.timers.tick(5000);
  assert.equal(marked().count, 3, "nothing was written since");

  await write();
  end();
  assert.equal(marked().count, 4);
  raised = 0;
  t.mock.timers.tick(5000);
  assert.equal(raised, 0, "it has ended");
});

test("a mark that could not be raised is raised the next time", (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const failures: unknown[] = [];
  let isClosed = false;
  const raise = () => {
    throw new Error("busy");
  };
  const end = keepMark({ raise, close: () => (isClosed = true) }, (error) => failures.push(error));
  t.mock.timers.tick(3000);
  end();
  assert.deepEqual([failures.length, isClosed], [4, true]);
});
