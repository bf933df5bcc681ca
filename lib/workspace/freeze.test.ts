// Tier: rest
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { findBubblewrapFlags } from "./bubblewrap.ts";
import { startContained } from "./contain.ts";
import { busyTree } from "./freeze.fixture.ts";
import { freeze, thaw } from "./freeze.ts";
import { temporaryFolder } from "./test-repository.ts";

async function isHere(t: TestContext): Promise<boolean> {
  if ((await findBubblewrapFlags({ PATH: process.env.PATH ?? "" })) !== null) return true;
  t.skip("bubblewrap does not work here");
  return false;
}

test("a frozen tree that keeps starting processes starts none and writes nothing until it is thawed", async (t) => {
  if (!(await isHere(t))) return;
  const folder = temporaryFolder(t);
  const tree = await startContained(busyTree(folder));
  t.after(() => tree.kill());
  await once(tree.stdout, "data");
  const file = join(folder, "busy");
  while (!existsSync(file)) await wait(10);
  assert.ok(await freeze(tree));
  const size = () => statSync(file).size;
  const [before, pids] = [size(), await tree.list()];
  await wait(300);
  assert.deepEqual([size(), await tree.list()], [before, pids]);
  await thaw(tree);
  while (size() === before) await wait(10);
  assert.ok(await freeze(tree));
  await tree.kill(0);
  assert.deepEqual(await tree.list(), []);
});

test("a tree held only by a process group is not frozen, and continues", async (t) => {
  const folder = temporaryFolder(t);
  const tree = await startContained({ ...busyTree(folder), mechanism: "process-group" });
  t.after(() => tree.kill());
  await once(tree.stdout, "data");
  assert.equal(await freeze(tree), false);
  const file = join(folder, "busy");
  while (!existsSync(file)) await wait(10);
  for (const before = statSync(file).size; statSync(file).size === before; ) await wait(10);
});

test("a frozen tree ends when its service is killed", async (t) => {
  if (!(await isHere(t))) return;
  const service = spawn(
    process.execPath,
    [fileURLToPath(new URL("./frozen-tree.fixture.ts", import.meta.url)), temporaryFolder(t)],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  t.after(() => service.kill("SIGKILL"));
  const [said] = await once(service.stdout, "data");
  const { isFrozen, pids } = JSON.parse(String(said)) as { isFrozen: boolean; pids: number[] };
  assert.ok(isFrozen && pids.length > 0);
  service.kill("SIGKILL");
  const isAlive = (pid: number) => {
    try {
      return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
    } catch {
      return false;
    }
  };
  for (const endsAt = Date.now() + 20_000; pids.some(isAlive); await wait(20)) {
    assert.ok(Date.now() < endsAt, "they outlive the service");
  }
});
