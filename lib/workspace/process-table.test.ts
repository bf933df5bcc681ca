import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { identifyProcess, listMarked, listProcesses } from "./process-table.ts";
import { testEnv } from "./test-repository.ts";

test("a scan begins after its call: it sees processes started during another scan", async (t) => {
  const before = listProcesses();
  const others = [listProcesses(), listProcesses()];
  const child = spawn("sleep", ["1000"], { env: { ...testEnv, LOOKED_FOR: "1" } });
  t.after(() => child.kill("SIGKILL"));
  await once(child, "spawn");
  assert.ok((await listProcesses()).some(({ pid }) => pid === child.pid));
  assert.ok((await before).some(({ pid }) => pid === process.pid));
  for (const other of others) assert.ok((await other).some(({ pid }) => pid === process.pid));
  assert.deepEqual(await listMarked(await listProcesses(), "LOOKED_FOR=1"), [child.pid]);
});

test("a process that has ended is gone, even if its parent never notices", {
  skip: process.platform === "linux" ? false : "elsewhere ps lists them",
}, async (t) => {
  // The shell starts a process and then becomes one that waits for nobody.
  const parent = spawn("sh", ["-c", "sleep 1000 & echo $!; exec sleep 1000"], { env: testEnv });
  t.after(() => parent.kill("SIGKILL"));
  const [line] = await once(parent.stdout, "data");
  const pid = Number(String(line));
  assert.notEqual(await identifyProcess(pid), null);
  process.kill(pid, "SIGKILL");
  while ((await listProcesses()).some((entry) => entry.pid === pid)) await wait(5);
  assert.equal(process.kill(pid, 0), true, "its entry is still in the table");
  assert.equal(await identifyProcess(pid), null);
});

test("hundreds of concurrent scans see every process, even with few open files allowed", {
  skip: process.platform === "linux" ? false : "elsewhere ps lists them",
}, async () => {
  const table = join(import.meta.dirname, "process-table.ts");
  const script = `
    import { identifyProcess, listMarked, listProcesses } from ${JSON.stringify(table)};
    const looks = Array.from({ length: 300 }, async () => {
      const all = await listProcesses();
      return all.some(({ pid }) => pid === process.ppid) && all.some(({ pid }) => pid === process.pid);
    });
    const seen = await Promise.all(looks);
    const marked = await Promise.all([listMarked(await listProcesses(), "LOOKER=1"), listMarked(await listProcesses(), "LOOKER=1")]);
    console.log(seen.filter(Boolean).length, marked.flat().length);`;
  const args = ["--nofile=80", process.execPath, "--input-type=module", "--eval", script];
  const { stdout } = await promisify(execFile)("prlimit", args, { env: { ...testEnv, LOOKER: "1" } });
  assert.equal(stdout, "300 0\n");
});
