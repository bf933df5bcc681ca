import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { SetupCommands } from "#lib/contract/repositories/setup.ts";
import { createRunWorkspace } from "../lib/engine/run-workspace.ts";
import { median, print } from "./report.ts";

const folders = 120;
const filesEach = 100;
const fileBytes = 13_100;
const rounds = 9;
const repositoryId = 1;

/**
 * How long a run waits for a prepared checkout of 157 MB in 12,000 files: found by its key and mounted, compared with copied by
 * tar. And the cost of keeping it once.
 */
export async function benchPrepared(): Promise<void> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "errand-bench-")));
  const dataDir = join(folder, "data");
  try {
    const environment = { PATH: process.env.PATH ?? "" };
    const workspace = createRunWorkspace({ dataDir, environment, sandbox: "bubblewrap" });
    const wall = await workspace.findWallState();
    if (!wall.holds) throw new Error(`The wall does not work here: ${wall.why}`);
    const layers = await workspace.prepared.state();
    if (!layers.holds) throw new Error(`Layers cannot be mounted here: ${layers.why}`);
    const source = await makeSource(folder);
    const { signal } = new AbortController();
    const open = (runId: number) => workspace.open({ runId, repositoryId, source, baseBranch: null }, signal);
    const commands = SetupCommands.parse({ install: ["npm ci"] });
    const first = await open(1);
    await fill(join(first.path, "node_modules"));
    const keyed = await workspace.prepared.keyOf(first, commands, signal);
    if (keyed === null) throw new Error("The commit has no key");
    const name = { repositoryId, key: keyed.key };
    const startedAt = performance.now();
    const made = { name, tree: keyed.tree, begunAt: Date.now(), secrets: [], bytesMax: 1e9 };
    const keeping = await workspace.prepared.keep({ runId: 1, checkout: first }, made, signal);
    if ("why" in keeping) throw new Error(`It is not kept: ${keeping.why}`);
    const keepMs = performance.now() - startedAt;
    const mounting: number[] = [];
    const copying: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const runId = round + 2;
      const checkout = await open(runId);
      const from = performance.now();
      const found = await workspace.prepared.keyOf(checkout, commands, signal);
      if (found?.key !== name.key) throw new Error("The key of the same commit is another one");
      const attached = await workspace.prepared.attach({ runId, checkout }, name);
      if (attached === null) throw new Error("What was kept does not fit");
      mounting.push(performance.now() - from);
      await attached.space.close();
      if (round % 3 === 0)
        copying.push(await copyByTar(join(first.path, "node_modules"), join(folder, `copy-${round}`)));
    }
    const [mountMs, copyMs] = [median(mounting), median(copying)];
    const { bytes, files } = keeping.kept;
    print(`Setup caches: ${(bytes / 1e6).toFixed(0)} MB in ${files} files`, [
      ["found and mounted", `${mountMs.toFixed(0)} ms`, `at most ${Math.max(...mounting).toFixed(0)} ms of ${rounds}`],
      ["copied by tar", `${copyMs.toFixed(0)} ms`, `${(copyMs / mountMs).toFixed(0)} times as long`],
      ["kept, once", `${keepMs.toFixed(0)} ms`, `${(keepMs / copyMs).toFixed(1)} times a copy by tar`],
    ]);
  } finally {
    await promisify(execFile)("rm", ["-rf", "--", folder]);
  }
}

async function makeSource(folder: string): Promise<string> {
  const source = join(folder, "source");
  await mkdir(source);
  await writeFile(join(source, ".gitignore"), "node_modules/\n");
  await writeFile(join(source, "package-lock.json"), "{}\n");
  const git = (...args: string[]) =>
    promisify(execFile)("git", ["-c", "user.name=a", "-c", "user.email=a@localhost", ...args], { cwd: source });
  await git("init", "--quiet", "--initial-branch=main");
  await git("add", ".");
  await git("commit", "--quiet", "--message=first");
  return source;
}

async function fill(folder: string): Promise<void> {
  const content = Buffer.alloc(fileBytes, "x");
  for (let at = 0; at < folders; at += 1) {
    const inside = join(folder, `package-${at}`);
    await mkdir(inside, { recursive: true });
    await Promise.all(Array.from({ length: filesEach }, (_, file) => writeFile(join(inside, `${file}.js`), content)));
  }
}

/** Milliseconds. */
async function copyByTar(from: string, to: string): Promise<number> {
  await mkdir(to);
  const startedAt = performance.now();
  await promisify(execFile)("sh", ["-c", 'tar -C "$1" -cf - . | tar -C "$2" -xf -', "sh", from, to]);
  const ms = performance.now() - startedAt;
  await rm(to, { recursive: true });
  return ms;
}
