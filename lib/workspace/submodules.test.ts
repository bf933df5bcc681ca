// Tier: rest
import assert from "node:assert/strict";
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { allowedOf } from "#lib/outbound/allowed.fixture.ts";
import { type Checkout, createCheckout, findCheckout } from "./checkout.ts";
import { commitAndKeep } from "./finish.ts";
import { answerAsRemote } from "./git-remote.fixture.ts";
import { removeRepository } from "./remove-run.ts";
import { commitAll, git, makeRepository, temporaryFolder, testEnv, writeFiles } from "./test-repository.ts";

const env = testEnv;

/** A server of `team/app.git` and other repositories, of which `private` wants a credential, and runs of `app`. */
async function hosted(t: TestContext) {
  const folder = temporaryFolder(t);
  const authorizations = new Map<string, string | undefined>();
  const server = createServer((request, response) => {
    const [, name = "", rest = ""] = /^\/team\/(\w+)\.git\/([^?]*)/.exec(request.url ?? "") ?? [];
    authorizations.set(name, request.headers.authorization);
    if (name === "private" && request.headers.authorization !== "Basic c2VjcmV0") {
      response.writeHead(401, { "www-authenticate": 'Basic realm="x"' }).end();
    } else answerAsRemote(request, response, join(folder, name, ".git"), rest);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const app = join(folder, "app");
  const options = { dataDir: join(folder, "data"), source: `${origin}/team/app.git`, env, repoId: 1, baseBranch: null };
  const allowed = allowedOf("127.0.0.0/8");
  const open = (runId: number, more = {}) =>
    createCheckout({
      ...options,
      allowed,
      submodules: { findCredential: async () => ({ header: "Basic c2VjcmV0" }) },
      runId,
      ...more,
    });
  /** Records a commit as the submodule `path` of a repository. */
  const link = (repository: string, path: string, url: string, commit: string) => {
    git(repository, "config", "--file", ".gitmodules", `submodule.${path}.path`, path);
    git(repository, "config", "--file", ".gitmodules", `submodule.${path}.url`, url);
    git(repository, "add", ".gitmodules");
    git(repository, "update-index", "--add", "--cacheinfo", `160000,${commit},${path}`);
  };
  return { folder, app, origin, open, link, authorizations };
}

const shown = ({ submodules = [] }: Checkout) => submodules.map(({ path, problem }) => [path, problem]);

test("submodules are plain files at their recorded commits, nested and private ones too, and no change of them is committed", async (t) => {
  const { folder, app, origin, open, link, authorizations } = await hosted(t);
  const inner = makeRepository(join(folder, "inner"), { "inner.txt": "inner\n" });
  makeRepository(join(folder, "lib"), { "lib.txt": "one\n" });
  link(join(folder, "lib"), "deep/inner", "../inner.git", inner);
  git(join(folder, "lib"), "commit", "--quiet", "-m", "with inner");
  const lib = git(join(folder, "lib"), "rev-parse", "HEAD");
  writeFiles(join(folder, "lib"), { "lib.txt": "two\n" });
  commitAll(join(folder, "lib"), "later");
  const hidden = makeRepository(join(folder, "private"), { "p.txt": "p\n" });
  makeRepository(app, { "a.txt": "a\n" });
  link(app, "vendor/lib", "../lib.git", lib);
  link(app, "private files", `${origin}/team/private.git`, hidden);
  git(app, "commit", "--quiet", "-m", "submodules");

  const checkout = await open(1);
  assert.deepEqual(shown(checkout), [
    ["private files", null],
    ["vendor/lib", null],
    ["vendor/lib/deep/inner", null],
  ]);
  const read = (path: string) => readFileSync(join(checkout.path, path), "utf8");
  assert.deepEqual(
    [read("vendor/lib/lib.txt"), read("vendor/lib/deep/inner/inner.txt"), read("private files/p.txt")],
    ["one\n", "inner\n", "p\n"],
  );
  assert.equal(existsSync(join(checkout.path, "vendor/lib/.git")), false);
  assert.deepEqual([authorizations.get("lib"), authorizations.get("private")], [undefined, "Basic c2VjcmV0"]);
  assert.equal(git(checkout.path, "status", "--porcelain"), "");

  writeFiles(checkout.path, { "vendor/lib/lib.txt": "changed\n", "vendor/lib/new.txt": "new\n", "a.txt": "b\n" });
  const kept = await commitAndKeep({ checkout, message: "m", env });
  assert.equal(kept.filesChanged, 1);
  assert.deepEqual(kept.leftOut, [{ path: "vendor/lib/", why: "submodule", bytes: null }]);
  assert.deepEqual(
    git(checkout.mirror, "ls-tree", "-r", `${kept.commit}`, "vendor/lib").split("\t")[0],
    `160000 commit ${lib}`,
  );
  assert.deepEqual(await findCheckout({ dataDir: join(folder, "data"), runId: 1, repoId: 1 }), checkout);

  rmSync(checkout.path, { recursive: true });
  assert.equal(readFileSync(join((await open(1)).path, "vendor/lib/lib.txt"), "utf8"), "one\n");
  await removeRepository({ dataDir: join(folder, "data"), repositoryId: 1 });
  assert.deepEqual(
    readdirSync(join(folder, "data/mirrors")).filter((name) => name.endsWith(".git")),
    [],
  );
});

test("what an agent does to a submodule's files is named, whatever it is, and leads git nowhere else", async (t) => {
  const { folder, app, open, link } = await hosted(t);
  const lib = makeRepository(join(folder, "lib"), {
    "lib.txt": "one\n",
    "empty.txt": "",
    "run.sh": "exit\n",
    ".gitignore": "out\n",
  });
  makeRepository(app, { "a.txt": "a\n" });
  link(app, "lib", "../lib.git", lib);
  git(app, "commit", "--quiet", "-m", "submodules");
  let runId = 0;
  const named = async (change: (path: string) => void) => {
    runId += 1;
    const checkout = await open(runId);
    change(join(checkout.path, "lib"));
    const { leftOut, filesChanged } = await commitAndKeep({ checkout, message: "m", env });
    return { paths: leftOut.map(({ path }) => path), filesChanged };
  };
  const none = { paths: [], filesChanged: 0 };
  assert.deepEqual(await named(() => {}), none);
  assert.deepEqual(await named((path) => writeFiles(path, { out: "built\n" })), none);
  const told = { paths: ["lib/"], filesChanged: 0 };
  for (const change of [
    (path: string) => writeFiles(path, { "empty.txt": "no longer\n" }),
    (path: string) => rmSync(join(path, "lib.txt")),
    (path: string) => chmodSync(join(path, "run.sh"), 0o755),
  ]) {
    assert.deepEqual(await named(change), told);
  }
  // These are committed.
  const committed = { paths: [], filesChanged: 1 };
  assert.deepEqual(await named((path) => rmSync(path, { recursive: true })), committed);
  const replaced = await named((path) => {
    rmSync(path, { recursive: true });
    symlinkSync(folder, path);
  });
  assert.deepEqual(replaced, committed);
});

test("a submodule that cannot be fetched stays empty and says why, and the run begins", async (t) => {
  const { folder, app, origin, open, link } = await hosted(t);
  const lib = makeRepository(join(folder, "lib"), { "lib.txt": "one\n" });
  makeRepository(app, { "a.txt": "a\n" });
  link(app, "folder", join(folder, "lib"), lib);
  link(app, "gone", `${origin}/team/gone.git`, lib);
  link(app, "inside", "http://10.1.2.3/lib.git", lib);
  link(app, "lost", "../lib.git", "1".repeat(40));
  for (const [name, path] of Object.entries({
    up: "../x",
    root: "/etc",
    none: "",
    file: "a.txt",
    magic: ":(glob)**",
  })) {
    git(app, "config", "--file", ".gitmodules", `submodule.${name}.path`, path);
    git(app, "config", "--file", ".gitmodules", `submodule.${name}.url`, "../lib.git");
  }
  git(app, "add", ".gitmodules");
  git(app, "commit", "--quiet", "-m", "submodules");
  const checkout = await open(1);
  const problems = new Map((checkout.submodules ?? []).map(({ path, problem }) => [path, problem ?? ""]));
  assert.deepEqual([...problems.keys()], ["folder", "gone", "inside", "lost"]);
  assert.equal(problems.get("folder"), "its address is a folder");
  assert.match(problems.get("gone") ?? "", /gone\.git" cannot be read/);
  assert.match(problems.get("inside") ?? "", /private network/);
  assert.equal(problems.get("lost"), "no branch or tag of its repository has the commit 111111111111");
  for (const path of problems.keys()) assert.deepEqual(readdirSync(join(checkout.path, path)), []);
  assert.deepEqual((await open(2, { submodules: undefined })).submodules, undefined);
});
