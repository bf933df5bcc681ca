import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdirSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createCheckout } from "./checkout.ts";
import { commitAndKeep } from "./finish.ts";
import { git, makeRepository, testEnv } from "./test-repository.ts";
import { WorkspaceError } from "./workspace-error.ts";

/**
 * A program for a small disk at the folder of its argument: commits 4 MB of work with more and more space left, and prints as JSON
 * each refusal, with the files it left unfinished, and the names of the files on the branch in the end.
 */
const [, , disk = ""] = process.argv;
const dataDir = join(disk, "data");
const source = join(disk, "source");
makeRepository(source);
const checkout = await createCheckout({ dataDir, runId: 1, repoId: 1, source, baseBranch: null, env: testEnv });
writeFileSync(join(checkout.path, "large.bin"), randomBytes(3_000_000));
writeFileSync(join(checkout.path, "middle.bin"), randomBytes(1_000_000));

const free = () => statfsSync(disk).bavail * statfsSync(disk).bsize;
const refusals: { code: string; message: string; unfinished: string[] }[] = [];
for (const left of [0, 100_000, 3_500_000, 6_000_000, 9_500_000, 16_000_000]) {
  writeFileSync(join(disk, "other"), "");
  writeFileSync(join(disk, "other"), Buffer.alloc(Math.max(0, free() - left)));
  try {
    await commitAndKeep({ checkout, message: "Work", env: testEnv });
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    const found = readdirSync(dataDir, { recursive: true, encoding: "utf8" });
    const unfinished = found.filter((name) => /\/tmp_|\.finishing/.test(name));
    refusals.push({ code: error.code, message: error.message, unfinished });
  }
}
execFileSync("git", ["fsck", "--full", "--strict"], { cwd: checkout.mirror, stdio: "ignore" });
const files = git(checkout.mirror, "ls-tree", "-r", "--name-only", "errand/run-1").split("\n");
process.stdout.write(JSON.stringify({ refusals, files }));
