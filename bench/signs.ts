import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSigns } from "#lib/setup/read-signs.ts";
import { median, print } from "./report.ts";

const files = 50_000;
const rounds = 7;
const boundMs = 300;

/** Time to find the setup commands of a repository of 50,000 files, compared with git's own list of its files. */
export async function benchSigns(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "errand-bench-signs-"));
  try {
    makeRepository(folder);
    const env = { PATH: process.env.PATH ?? "" };
    const [read, listed]: [number[], number[]] = [[], []];
    let found = 0;
    for (let round = 0; round < rounds; round += 1) {
      const startedAt = performance.now();
      const signs = await readSigns({ gitDir: folder, revision: "main", env });
      read.push(performance.now() - startedAt);
      found = signs?.commands.length ?? 0;
      const listedAt = performance.now();
      execFileSync("git", ["ls-tree", "-r", "-z", "main"], { cwd: folder, maxBuffer: 1e9 });
      listed.push(performance.now() - listedAt);
    }
    const [signsMs, listMs] = [median(read), median(listed)];
    print(`The setup commands of a repository of ${files.toLocaleString("en-US")} files`, [
      ["commands found", String(found)],
      ["time, median", `${signsMs.toFixed(0)} ms, ${signsMs <= boundMs ? "within" : "MISSES"} ${boundMs} ms`],
      ["time, at most", `${Math.max(...read).toFixed(0)} ms`],
      ["git ls-tree alone", `${listMs.toFixed(0)} ms`],
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A monorepo without workspaces: 500 packages, CI, and a root project of two ecosystems. */
function makeRepository(folder: string): void {
  execFileSync("git", ["init", "--quiet", "--bare", folder]);
  const lines = ["commit refs/heads/main", "committer Bench <bench@localhost> 0 +0000", "data 0"];
  const add = (path: string, text: string) =>
    lines.push(`M 100644 inline ${path}`, `data ${Buffer.byteLength(text)}`, text);
  const manifest = JSON.stringify({ scripts: { build: "tsc", test: "vitest", lint: "eslint ." } });
  add("package.json", manifest);
  add("package-lock.json", "{}");
  add("go.mod", "module bench\n");
  add(".github/workflows/ci.yml", `on: push\njobs:\n  a:\n    steps:\n${"      - run: npm ci\n".repeat(200)}`);
  for (let at = 0; at < 500; at += 1) add(`packages/p${at}/package.json`, manifest);
  for (let at = 0; at < files - 504; at += 1) add(`packages/p${at % 500}/src/d${at % 37}/file-${at}.ts`, "x");
  execFileSync("git", ["fast-import", "--quiet"], { cwd: folder, input: `${lines.join("\n")}\n` });
}
