import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { takeLock } from "./folder-lock.ts";

async function folderOf(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "errand-lock-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Another process that holds the lock until it is killed. */
async function startHolder(t: TestContext, file: string) {
  const program = `
    import { takeLock } from ${JSON.stringify(new URL("./folder-lock.ts", import.meta.url).href)};
    const release = await takeLock(${JSON.stringify(file)}, 0);
    process.stdout.write(release === null ? "refused" : "held");
    setInterval(() => globalThis.gc(), 20);`;
  const child = spawn(process.execPath, ["--expose-gc", "--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => child.kill("SIGKILL"));
  const [said] = await once(child.stdout, "data");
  return { child, said: String(said) };
}

test("a lock has one holder, and is free as soon as its holder is killed", async (t) => {
  const file = join(await folderOf(t), "data", "service.lock");
  const { child, said } = await startHolder(t, file);
  assert.equal(said, "held");
  assert.equal(await takeLock(file, 200), null);

  const waiting = takeLock(file, 60_000);
  child.kill("SIGKILL");
  const release = await waiting;
  assert.notEqual(release, null);
  assert.equal((await startHolder(t, file)).said, "refused");
  release?.();
  assert.equal((await startHolder(t, file)).said, "held");
  assert.equal((await stat(file)).size, 0);
});

test("a lock that cannot be taken is one clear line", async (t) => {
  const folder = await folderOf(t);
  await writeFile(join(folder, "file"), "");
  const line = { name: "StoreError", message: /^The lock .* cannot be written: a part of its path is a file$/ };
  await assert.rejects(takeLock(join(folder, "file", "service.lock"), 0), line);
  await mkdir(join(folder, "service.lock"));
  await assert.rejects(takeLock(join(folder, "service.lock"), 0), { name: "StoreError", message: /it is a folder$/ });
});
