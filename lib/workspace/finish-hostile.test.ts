// Tier: rest
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type Checkout, createCheckout } from "./checkout.ts";
import { checkoutOf, keep } from "./finish.fixture.ts";
import { commitAll, git, makeRepository, testEnv, writeFiles } from "./test-repository.ts";
import { listUncommittedPaths } from "./uncommitted-paths.ts";
import { WorkspaceError } from "./workspace-error.ts";

test("nothing that the agent puts into its repository is executed", async (t) => {
  const checkout = await checkoutOf(t, { "a.txt": "one\n", "sub/keep": "" });
  const mark = join(checkout.path, "..", "ran");
  const bad = join(checkout.path, "..", "bad.sh");
  writeFileSync(bad, `#!/bin/sh\ntouch '${mark}'\ncat\n`, { mode: 0o755 });
  const evil = `'${bad}'`;
  const hostile: [string, string][] = [
    ["core.fsmonitor", bad],
    ["core.hooksPath", join(checkout.path, "hooks")],
    ["core.pager", evil],
    ["core.editor", evil],
    ["core.sshCommand", evil],
    ["core.gitProxy", evil],
    ["core.askPass", bad],
    ["core.alternateRefsCommand", evil],
    ["core.attributesFile", join(checkout.path, "attributes")],
    ["filter.evil.clean", evil],
    ["filter.evil.smudge", evil],
    ["filter.evil.process", evil],
    ["filter.evil.required", "true"],
    ["diff.external", evil],
    ["diff.evil.command", evil],
    ["diff.evil.textconv", evil],
    ["merge.evil.driver", evil],
    ["gpg.program", bad],
    ["commit.gpgSign", "true"],
    ["credential.helper", `!${evil}`],
    ["uploadpack.packObjectsHook", evil],
    ["trailer.evil.command", evil],
    ["extensions.worktreeConfig", "true"],
    ["gc.recentObjectsHook", evil],
  ];
  const nested = join(checkout.path, "sub/module");
  makeRepository(nested);
  git(checkout.path, "add", "--all");
  git(checkout.path, "commit", "--quiet", "-m", "with an embedded repository");
  for (const [key, value] of hostile) {
    git(checkout.path, "config", key, value);
    git(nested, "config", key, value);
  }
  const hooks = [
    "pre-commit",
    "post-commit",
    "post-index-change",
    "reference-transaction",
    "pre-auto-gc",
    "commit-msg",
  ];
  for (const hook of [...hooks, "pre-push", "post-checkout", "update", "post-receive", "pre-receive"]) {
    for (const folder of ["hooks", ".git/hooks", "sub/module/.git/hooks"]) {
      writeFiles(checkout.path, { [`${folder}/${hook}`]: `#!/bin/sh\ntouch '${mark}'\n` });
      chmodSync(join(checkout.path, folder, hook), 0o755);
    }
  }
  const attributes = "* filter=evil diff=evil merge=evil\n";
  for (const path of [".gitattributes", "attributes", ".git/info/attributes", "sub/module/.gitattributes"]) {
    writeFiles(checkout.path, { [path]: attributes });
  }
  writeFiles(checkout.path, { "a.txt": "changed\n", "sub/module/a.txt": "changed\n" });
  // `git status` runs a filter only if times and sizes are not conclusive; `git add` always does.
  assert.throws(() => git(checkout.path, "add", "--all"), "the settings are not hostile enough");
  assert.equal(existsSync(mark), true);
  rmSync(mark);

  const kept = await keep(checkout);
  await keep(checkout);
  assert.equal(existsSync(mark), false);
  assert.match(kept.diff, /\n\+changed\n/);
  assert.equal(git(checkout.mirror, "show", "errand/run-1:a.txt"), "changed");
});

test("a broken or missing .git costs the agent's history, never its files", async (t) => {
  const breaks: [string, (checkout: Checkout) => void][] = [
    ["settings", ({ path }) => writeFileSync(join(path, ".git/config"), "[broken\n")],
    ["index", ({ path }) => writeFileSync(join(path, ".git/index"), "garbage")],
    ["no index", ({ path }) => rmSync(join(path, ".git/index"))],
    ["HEAD", ({ path }) => writeFileSync(join(path, ".git/HEAD"), "ref: ../../../etc/passwd\n")],
    ["missing commit", ({ path }) => writeFileSync(join(path, ".git/HEAD"), `${"1".repeat(40)}\n`)],
    ["orphan branch", ({ path }) => git(path, "checkout", "--quiet", "--orphan", "new")],
    ["gone", ({ path }) => rmSync(join(path, ".git"), { recursive: true })],
    [
      "a new one",
      ({ path }) => {
        rmSync(join(path, ".git"), { recursive: true });
        git(path, "init", "--quiet");
      },
    ],
    [
      "elsewhere",
      ({ path }) => {
        renameSync(join(path, ".git"), join(path, "..", "moved"));
        symlinkSync(join(path, "..", "moved"), join(path, ".git"));
      },
    ],
    [
      "a file",
      ({ path }) => {
        rmSync(join(path, ".git"), { recursive: true });
        writeFileSync(join(path, ".git"), "gitdir: /nowhere\n");
      },
    ],
    ["locked", ({ path }) => writeFileSync(join(path, ".git/index.lock"), "")],
    [
      "errand taken",
      ({ path }) => {
        git(path, "checkout", "--quiet", "--detach");
        git(path, "branch", "-D", "errand/run-1");
        rmSync(join(path, ".git/refs/heads/errand"), { recursive: true, force: true });
        git(path, "branch", "errand");
      },
    ],
    [
      "a pipe",
      ({ path }) => {
        rmSync(join(path, ".git/HEAD"));
        execFileSync("mkfifo", [join(path, ".git/HEAD")]);
      },
    ],
  ];
  for (const [name, damage] of breaks) {
    const checkout = await checkoutOf(t, { "a.txt": "one\n", "b.txt": "two\n" });
    writeFiles(checkout.path, { "a.txt": "changed\n", "new.txt": "n\n" });
    damage(checkout);
    const kept = await keep(checkout);
    assert.equal(kept.filesChanged, 2, name);
    assert.equal(git(checkout.mirror, "rev-parse", "errand/run-1~1"), checkout.baseCommit, name);
    if (name === "settings") continue;
    assert.equal(git(checkout.path, "status", "--porcelain"), "", name);
    assert.equal(git(checkout.path, "rev-parse", "HEAD"), kept.commit, name);
  }
});

test("a forged object never reaches the mirror", async (t) => {
  const checkout = await checkoutOf(t);
  writeFiles(checkout.path, { "new.txt": "real\n" });
  commitAll(checkout.path, "real");
  const [forged, other] = ["new.txt", "a.txt"].map((name) => git(checkout.path, "rev-parse", `HEAD:${name}`));
  const place = (id = "") => join(checkout.path, ".git/objects", id.slice(0, 2), id.slice(2));
  rmSync(place(forged));
  execFileSync("cp", [place(other), place(forged)]);
  writeFiles(checkout.path, { "more.txt": "more\n" });
  const before = git(checkout.mirror, "rev-parse", "errand/run-1");
  await assert.rejects(keep(checkout), WorkspaceError);
  assert.equal(git(checkout.mirror, "rev-parse", "errand/run-1"), before);
  assert.equal(git(checkout.mirror, "fsck", "--full", "--no-dangling"), "");
});

test("nothing in a .git leads to another repository", async (t) => {
  const ways: [string, (own: string, other: string) => void][] = [
    ["alternates", (own, other) => writeFiles(own, { "objects/info/alternates": `${other}/objects\n` })],
    [
      "a link for all objects of a kind",
      (own, other) => {
        for (const name of execFileSync("ls", [`${other}/objects`], { encoding: "utf8" })
          .trim()
          .split("\n")) {
          rmSync(join(own, "objects", name), { recursive: true, force: true });
          symlinkSync(join(other, "objects", name), join(own, "objects", name));
        }
      },
    ],
    [
      "links for single objects",
      (own, other) => {
        for (const path of execFileSync("find", [".", "-type", "f"], { cwd: `${other}/objects`, encoding: "utf8" })
          .trim()
          .split("\n")) {
          mkdirSync(join(own, "objects", path, ".."), { recursive: true });
          rmSync(join(own, "objects", path), { force: true });
          symlinkSync(join(other, "objects", path), join(own, "objects", path));
        }
      },
    ],
  ];
  for (const [name, lead] of ways) {
    const checkout = await checkoutOf(t);
    const dataDir = join(checkout.path, "../..");
    const source = join(dataDir, "../other");
    makeRepository(source, { "secret.txt": "of others\n" });
    const other = await createCheckout({ dataDir, runId: 2, repoId: 2, source, baseBranch: null, env: testEnv });
    const own = join(checkout.path, ".git");
    lead(own, other.mirror);
    rmSync(join(own, "refs"), { recursive: true });
    symlinkSync(join(other.mirror, "refs"), join(own, "refs"));
    writeFileSync(join(own, "HEAD"), "ref: refs/remotes/origin/main\n");
    assert.deepEqual(await listUncommittedPaths({ checkout, env: testEnv }), [], name);
    await keep(checkout);
    const commits = git(checkout.mirror, "rev-list", "--all");
    assert.equal(commits, checkout.baseCommit, name);
    assert.equal(git(other.mirror, "for-each-ref", "refs/heads/errand/run-1"), "", name);
    assert.equal(readFileSync(join(own, "refs/heads/errand/run-1"), "utf8"), `${checkout.baseCommit}\n`, name);
  }
});

test("a person's git in the checkout has its settings after a turn, not those of a common folder", async (t) => {
  const checkout = await checkoutOf(t);
  const evil = join(checkout.path, "evil");
  git(checkout.path, "init", "--quiet", "--bare", evil);
  git(evil, "config", "core.fsmonitor", join(evil, "run"));
  writeFileSync(join(checkout.path, ".git/commondir"), "../evil\n");
  assert.match(git(checkout.path, "config", "--list"), /fsmonitor/, "git follows it");
  await keep(checkout);
  assert.doesNotMatch(git(checkout.path, "config", "--list"), /fsmonitor/);
});
