// Tier: rest
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, linkSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { countOf } from "#lib/test-counts.fixture.ts";
import { moveAgentHead } from "./agent-head.ts";
import { makeGitPlain } from "./plain-git.ts";
import { writePreparedMark } from "./prepared-mark.ts";
import { removeCheckout } from "./remove-checkout.ts";
import { removeRun } from "./remove-run.ts";
import { temporaryFolder, testEnv } from "./test-repository.ts";

/** A chain of folders whose path is many times longer than a path may be, with a write-protected one and a file at its end. */
function digDeep(cwd: string, levels = countOf({ short: 300, long: 3000 })): void {
  const dig = `for (1..${levels}) { mkdir "d" x 200 or die; chdir "d" x 200 or die } open my $f, ">", "file"; chmod 0500, "."; chdir ".."; chmod 0, "d" x 200;`;
  execFileSync("perl", ["-e", dig], { cwd });
}

/** A data folder with the files of run 7, deep in each of its folders, and a file and a folder elsewhere that they lead to. */
function scene(t: TestContext) {
  const dataDir = temporaryFolder(t);
  for (const folder of ["checkouts/7/.git/refs", "homes/7", "layers/7", "elsewhere"]) {
    mkdirSync(join(dataDir, folder), { recursive: true });
  }
  writeFileSync(join(dataDir, "elsewhere/object"), "of the mirror", { mode: 0o444 });
  for (const folder of ["checkouts/7", "homes/7", "layers/7"]) {
    digDeep(join(dataDir, folder));
    linkSync(join(dataDir, "elsewhere/object"), join(dataDir, folder, "object"));
    symlinkSync(join(dataDir, "elsewhere"), join(dataDir, folder, "link"));
  }
  chmodSync(join(dataDir, "elsewhere"), 0o500);
  const isElsewhereUntouched = () => {
    assert.deepEqual(readdirSync(join(dataDir, "elsewhere")), ["object"]);
    const modes = ["elsewhere", "elsewhere/object"].map((path) => statSync(join(dataDir, path)).mode & 0o777);
    assert.deepEqual(modes, [0o500, 0o444]);
    chmodSync(join(dataDir, "elsewhere"), 0o700);
  };
  return { dataDir, isElsewhereUntouched };
}

test("a run is removed however deep its folders are, and what they are linked to stays as it is", async (t) => {
  const { dataDir, isElsewhereUntouched } = scene(t);
  await removeRun({ dataDir, runId: 7, repositoryId: null, env: testEnv });
  for (const folder of ["checkouts", "homes", "layers"]) assert.deepEqual(readdirSync(join(dataDir, folder)), []);
  isElsewhereUntouched();
});

test("so is a checkout that is too old, and its home stays", async (t) => {
  const { dataDir, isElsewhereUntouched } = scene(t);
  await removeCheckout({ dataDir, runId: 7 });
  assert.ok(!existsSync(join(dataDir, "checkouts/7")));
  assert.ok(existsSync(join(dataDir, "homes/7/object")));
  isElsewhereUntouched();
  await removeRun({ dataDir, runId: 7, repositoryId: null, env: testEnv });
});

test("deep folders in .git, under names that Errand removes there, do not cost a turn's work", async (t) => {
  const git = join(temporaryFolder(t), ".git");
  for (const name of ["sequencer", "HEAD.errand-new", "commondir", "objects/info/alternates", "errand-prepared"]) {
    mkdirSync(join(git, name), { recursive: true });
    digDeep(join(git, name), 300);
  }
  writeFileSync(join(git, "new-index"), "");
  await makeGitPlain(git);
  await writePreparedMark(join(git, ".."), null);
  await moveAgentHead({ git, branch: "errand/run-7", commit: null, index: join(git, "new-index") });
  assert.deepEqual(readdirSync(git).sort(), ["HEAD", "index", "objects"]);
});
