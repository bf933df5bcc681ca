// Tier: rest
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { lineFinder } from "./diff-line.ts";

test("a change is located only if its text is in the checkout's file exactly once", (t) => {
  const root = mkdtempSync(join(tmpdir(), "errand-lines-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, "checkout");
  mkdirSync(folder);
  writeFileSync(join(folder, "a.txt"), "one\ntwo\nthree\ntwo\nfour\n");
  writeFileSync(join(root, "secret"), "word\n");
  symlinkSync("../secret", join(folder, "link"));
  const lineOf = lineFinder(folder);
  const line = (path: string, newText: string) => lineOf({ path, oldText: "x", newText });
  assert.equal(line("a.txt", "three\n"), 3);
  assert.equal(line("a.txt", "two\nfour\n"), 4);
  assert.equal(line("a.txt", "two\n"), null);
  assert.equal(line("a.txt", "five"), null);
  assert.equal(line("a.txt", ""), null);
  for (const path of ["none", ".", "link", "../secret", join(root, "secret")])
    assert.equal(line(path, "word"), null, path);
});

test("a file that an agent replaces by a pipe or a link meanwhile blocks nothing and shows nothing", {
  skip: process.platform === "linux" ? false : "only Linux tells where an open file lies",
}, async (t) => {
  const root = mkdtempSync(join(tmpdir(), "errand-lines-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, "checkout");
  mkdirSync(folder);
  writeFileSync(join(root, "secret"), "word\n");
  const swapping =
    'cd "$1"; mkfifo pipe; ln -s ../secret link; echo text > plain; echo; while :; do ln plain p; mv p a; ln pipe q; mv q a; cp -P link l; mv l a; done';
  const agent = spawn("sh", ["-c", swapping, "sh", folder], { stdio: ["ignore", "pipe", "ignore"] });
  t.after(() => agent.kill("SIGKILL"));
  await once(agent.stdout, "data");
  // In a separate process: one that waits for a pipe can only be killed.
  const look = `import { lineFinder } from ${JSON.stringify(new URL("./diff-line.ts", import.meta.url).href)};
    const lineOf = lineFinder(${JSON.stringify(folder)});
    for (const end = Date.now() + 3000; Date.now() < end; ) if (lineOf({ path: "a", oldText: "x", newText: "word" }) !== null) process.exit(3);
    process.exit(4);`;
  const looking = spawn(process.execPath, ["--input-type=module", "-e", look], { stdio: "inherit", timeout: 20_000 });
  const [code] = await once(looking, "exit");
  assert.equal(code, 4);
});
