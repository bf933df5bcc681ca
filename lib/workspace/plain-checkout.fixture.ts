import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { createCheckout } from "./checkout.ts";
import { commitAndKeep } from "./finish.ts";
import { removeTree } from "./remove-checkout.ts";
import { testEnv as env, git, makeRepository } from "./test-repository.ts";

// Run by plain-checkout.test.ts as an ordinary user, whom modes stop: turns in which the agent closes what it works in.
const [folder = ""] = process.argv.slice(2);
const dataDir = join(folder, "data");
const source = join(folder, "source");
makeRepository(source, { "docs/d1.md": "one\n", ".gitignore": "*.log\n" });
const open = () => createCheckout({ dataDir, runId: 1, repoId: 1, source, baseBranch: null, env });
const turns = [
  "mkdir -p shut/in; echo w > shut/in/f; chmod 000 shut/in shut; echo ok > ok",
  "echo changed >> docs/d1.md; chmod 000 docs",
  "echo a > by-head; chmod 000 .git/HEAD .git/index; chmod 000 .git",
  "echo b > by-top; chmod 000 .",
  "echo c > x.log; chmod 000 .gitignore",
  "mkdir sealed; echo d > sealed/f; chmod 500 sealed",
  "mkdir piped; echo e > piped/f; mkfifo piped/.gitignore piped/.gitattributes; chmod 500 piped",
  "mkdir big; echo g > big/f; head -c 1100000 /dev/zero > big/.gitignore; chmod 500 big",
];
const told: unknown[] = [];
for (const turn of turns) {
  const checkout = await open();
  execFileSync("sh", ["-c", turn], { cwd: checkout.path });
  // As after a turn that was cut off: the next one opens the checkout as it is.
  await open();
  told.push((await commitAndKeep({ checkout, message: "x", env })).leftOut);
}
const { path, mirror } = await open();
const files = git(mirror, "ls-tree", "-r", "--name-only", "errand/run-1").split("\n");
const sealed = statSync(join(path, "sealed")).mode & 0o777;
process.stdout.write(JSON.stringify({ files, told, sealed }));
await removeTree(dataDir);
