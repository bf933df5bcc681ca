// Tier: rest
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { lutimesSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { withLock } from "./repository-lock.ts";
import { temporaryFolder } from "./test-repository.ts";
import { WorkspaceError } from "./workspace-error.ts";

test("callers of one process take turns in order", async (t) => {
  const path = join(temporaryFolder(t), "x.lock");
  const seen: string[] = [];
  await Promise.all(
    ["a", "b", "c"].map((name) =>
      withLock({ path }, async () => {
        seen.push(`${name}+`);
        await new Promise(setImmediate);
        seen.push(`${name}-`);
      }),
    ),
  );
  assert.deepEqual(seen, ["a+", "a-", "b+", "b-", "c+", "c-"]);
  assert.deepEqual(readdirSync(join(path, "..")), []);
});

test("processes take turns", async (t) => {
  const folder = temporaryFolder(t);
  const counter = join(folder, "counter");
  writeFileSync(counter, "0");
  const script = `
    import { readFileSync, writeFileSync } from "node:fs";
    const { withLock } = await import(${JSON.stringify(import.meta.resolve("./repository-lock.ts"))});
    for (let i = 0; i < 10; i++) await withLock({ path: process.argv[1] + ".lock" }, async () => {
      const value = Number(readFileSync(process.argv[1], "utf8"));
      await new Promise((done) => setTimeout(done, 3));
      writeFileSync(process.argv[1], String(value + 1));
    });`;
  const codes = await Promise.all(
    [1, 2, 3].map(async () => {
      const child = spawn(process.execPath, ["--input-type=module", "-e", script, counter], { stdio: "inherit" });
      return (await once(child, "exit"))[0];
    }),
  );
  assert.deepEqual(codes, [0, 0, 0]);
  assert.equal(readFileSync(counter, "utf8"), "30");
});

test("a lock has its holder's name from its first moment, even if the holder is killed", async (t) => {
  const path = join(temporaryFolder(t), "x.lock");
  const script = `
    const { withLock } = await import(${JSON.stringify(import.meta.resolve("./repository-lock.ts"))});
    for (let i = 0; i < 500; i++) await withLock({ path: process.argv[1] }, async () => undefined);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script, path], { stdio: "inherit" });
  const exit = once(child, "exit");
  const seen = new Set<string>();
  while (child.exitCode === null && child.signalCode === null) {
    for (let i = 0; i < 200; i++) {
      try {
        seen.add(readlinkSync(path));
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
      }
    }
    await new Promise(setImmediate);
  }
  assert.deepEqual(await exit, [0, null]);
  assert.ok(seen.size > 0);
  for (const owner of seen) assert.equal(JSON.parse(owner || "null")?.pid, child.pid);
  assert.deepEqual(readdirSync(join(path, "..")), []);
});

test("the lock of a dead holder is taken over, that of a live one is awaited until the time-out", async (t) => {
  const path = join(temporaryFolder(t), "x.lock");
  const gone = spawn(process.execPath, ["-e", ""]);
  await once(gone, "exit");
  const dead = JSON.stringify({ id: "1", pid: gone.pid, host: hostname() });
  symlinkSync(dead, path);
  assert.equal(await withLock({ path, timeoutMs: 5000 }, async () => "mine"), "mine");
  // As an earlier release created it.
  writeFileSync(path, dead);
  assert.equal(await withLock({ path, timeoutMs: 5000 }, async () => "mine"), "mine");
  for (const owner of [
    { id: "2", pid: process.pid, host: hostname() },
    { id: "3", pid: 1, host: "elsewhere" },
  ]) {
    rmSync(path, { force: true });
    symlinkSync(JSON.stringify(owner), path);
    await assert.rejects(
      withLock({ path, timeoutMs: 100 }, async () => "mine"),
      new WorkspaceError("lock_timeout", "The repository's mirror has been in use by other tasks for 0.1 s."),
    );
    const signal = AbortSignal.abort(new Error("enough"));
    await assert.rejects(
      withLock({ path, signal }, async () => "mine"),
      /enough/,
    );
  }
  const longAgo = new Date(Date.now() - 120_000);
  const own = `${path}-of-a-live-holder`;
  symlinkSync(JSON.stringify({ id: "4", pid: process.pid, host: hostname() }), own);
  lutimesSync(own, longAgo, longAgo);
  await assert.rejects(
    withLock({ path: own, timeoutMs: 300 }, async () => "mine"),
    /in use by other tasks/,
    "a clock set forward",
  );
  lutimesSync(path, longAgo, longAgo);
  assert.equal(await withLock({ path, timeoutMs: 5000 }, async () => "mine"), "mine");
});
