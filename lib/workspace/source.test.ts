// Tier: rest
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { pathToFileURL } from "node:url";
import { allowedOf } from "#lib/outbound/allowed.fixture.ts";
import { parseSource } from "./parse-source.ts";
import { inspectSource, listRemoteRefs, locateSource } from "./source.ts";
import { commitAll, git, makeRepository, temporaryFolder, testEnv, writeFiles } from "./test-repository.ts";
import { WorkspaceError } from "./workspace-error.ts";

const env = testEnv;
/** A data folder without any of the sources. */
const dataDir = "/nonexistent/errand-data";
const failsWith = (code: string, message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof WorkspaceError, String(error));
  assert.equal(error.code, code);
  assert.match(error.message, message);
  return true;
};

test("a source is a path or a URL of an allowed transport, and nothing git could misread", () => {
  for (const source of [
    "/srv/a b/🧭",
    "https://example.org/a.git",
    "ssh://git@example.org:2222/a.git",
    "git@example.org:ada/a.git",
    "example.org:a",
    "git://example.org/a",
    "https://[2606:4700::1111]/a",
    "ssh://git@work_git/a",
  ]) {
    assert.equal(parseSource(source).location, source);
  }
  assert.deepEqual(parseSource("file:///srv/a%20b"), { location: "/srv/a b", local: true, shown: "/srv/a b" });
  assert.equal(parseSource("https://ada:pw@example.org/a").shown, "https://***@example.org/a");
  for (const [source, message] of [
    ["", /empty/],
    ["  ", /empty/],
    ["-uevil", /begin with "-"/],
    ["/a\0b", /NUL/],
    [`/${"a".repeat(4096)}`, /4096/],
    ["ext::sh -c evil", /"ext::" is not allowed/],
    ["::evil", /not allowed/],
    ["ftp://example.org/a", /"ftp:\/\/" is not allowed/],
    ["ssh://-oProxyCommand=evil/a", /not a valid URL|begin with "-"/],
    ["-oProxyCommand=evil:a", /begin with "-"/],
    ["a@-oProxyCommand=evil:a", /neither/],
    ["relative/path", /neither/],
    ["https://", /valid URL/],
    ["https://a..b/a", /host that cannot exist/],
    ["ssh://git@x-.test/a", /host that cannot exist/],
    ["https://example.org/a\nb", /control/],
    ["file://elsewhere/a", /file:/],
  ] as const) {
    assert.throws(() => parseSource(source), failsWith("source_invalid", message), source);
  }
});

test("a repository is reported with its default branch and its branches", async (t) => {
  const folder = temporaryFolder(t);
  makeRepository(join(folder, "r"));
  git(join(folder, "r"), "branch", "feature/x");
  git(join(folder, "r"), "branch", "x/HEAD");
  git(folder, "clone", "--quiet", "--bare", "r", "bare.git");
  const report = { defaultBranch: "main", branches: ["feature/x", "main", "x/HEAD"], empty: false };
  assert.deepEqual(await inspectSource(join(folder, "r"), { dataDir, env }), report);
  assert.deepEqual(await inspectSource(join(folder, "bare.git"), { dataDir, env }), report);
  assert.deepEqual(await inspectSource(pathToFileURL(join(folder, "r")).href, { dataDir, env }), report);
  git(join(folder, "r"), "checkout", "--quiet", "--detach");
  assert.equal((await inspectSource(join(folder, "r"), { dataDir, env })).defaultBranch, null);
  git(join(folder, "r"), "symbolic-ref", "HEAD", "refs/heads/unborn");
  assert.equal((await inspectSource(join(folder, "r"), { dataDir, env })).defaultBranch, "main");
});

test("a folder whose path has several lines is read like any other", async (t) => {
  const folder = join(temporaryFolder(t), "one\ntwo");
  makeRepository(folder);
  assert.deepEqual((await inspectSource(folder, { dataDir, env })).branches, ["main"]);
});

test("a repository without commits is reported as empty", async (t) => {
  const folder = temporaryFolder(t);
  git(folder, "init", "--quiet");
  assert.deepEqual(await inspectSource(folder, { dataDir, env }), { defaultBranch: null, branches: [], empty: true });
});

test("the error for a source that cannot be fetched has its name and the problem", async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, "plain"));
  writeFileSync(join(folder, "file"), "");
  const allowed = allowedOf("127.0.0.1");
  const inspect = (source: string) => inspectSource(source, { dataDir, allowed, env });
  await assert.rejects(inspect(join(folder, "no")), failsWith("source_not_found", /no" does not exist/));
  await assert.rejects(inspect(join(folder, "file/x")), failsWith("source_not_found", /does not exist/));
  await assert.rejects(inspect(join(folder, "plain")), failsWith("source_not_repository", /plain" is not a git repo/));
  await assert.rejects(inspect(join(folder, "file")), failsWith("source_not_repository", /not a folder/));
  const refused = failsWith("source_unavailable", /"http:\/\/\*\*\*@127\.0\.0\.1:1\/x" cannot be read/);
  await assert.rejects(inspect("http://ada:pw@127.0.0.1:1/x"), refused);
  if (process.getuid?.() === 0) return;
  chmodSync(join(folder, "plain"), 0);
  try {
    await assert.rejects(inspect(join(folder, "plain")), failsWith("source_unreadable", /cannot be read/));
  } finally {
    chmodSync(join(folder, "plain"), 0o700);
  }
});

test("a partial clone is refused, because its files are elsewhere", async (t) => {
  const base = temporaryFolder(t);
  makeRepository(join(base, "whole"));
  git(join(base, "whole"), "config", "uploadpack.allowFilter", "true");
  const whole = `file://${join(base, "whole")}`;
  git(base, "clone", "--quiet", "--filter=blob:none", whole, "part");
  git(base, "clone", "--quiet", "--filter=blob:none", "--bare", whole, "part.git");
  git(base, "clone", "--quiet", "--depth=1", whole, "shallow");
  for (const name of ["part", "part.git"]) {
    const inspected = inspectSource(join(base, name), { dataDir, env });
    await assert.rejects(
      inspected,
      failsWith("source_unreadable", /partial clone.*Add the repository it was cloned from/),
    );
  }
  assert.equal((await inspectSource(join(base, "shallow"), { dataDir, env })).defaultBranch, "main");
});

test("a partial clone is accepted once it has everything and no filter that leaves out files at the next fetch", async (t) => {
  const base = temporaryFolder(t);
  const whole = join(base, "whole");
  makeRepository(whole);
  writeFiles(whole, { "a.txt": "two\n" });
  commitAll(whole, "two");
  git(whole, "config", "uploadpack.allowFilter", "true");
  git(base, "clone", "--quiet", "--filter=blob:none", `file://${whole}`, "part");
  const part = join(base, "part");
  const inspect = () => inspectSource(part, { dataDir, env });
  const refused = failsWith("source_unreadable", /git fetch --refetch --no-filter.*partialclonefilter/);
  git(part, "config", "--unset", "remote.origin.partialclonefilter");
  await assert.rejects(inspect(), refused);
  git(part, "fetch", "--quiet", "--refetch", "--no-filter");
  assert.equal((await inspect()).defaultBranch, "main");
  git(part, "config", "remote.origin.partialclonefilter", "blob:none");
  await assert.rejects(inspect(), refused);
});

test("a partial clone that cannot be checked in time is refused as such, not as one that lacks files", async (t) => {
  const base = temporaryFolder(t);
  makeRepository(join(base, "whole"));
  git(join(base, "whole"), "config", "remote.origin.promisor", "true");
  // As with a repository whose objects take minutes to list.
  mkdirSync(join(base, "bin"));
  const slow = `#!/bin/sh\ncase "$*" in *rev-list*) exec sleep 600;; esac\nPATH=\${PATH#*:} exec git "$@"\n`;
  writeFileSync(join(base, "bin/git"), slow, { mode: 0o755 });
  const path = `${join(base, "bin")}:${env.PATH}`;
  await assert.rejects(
    inspectSource(join(base, "whole"), { dataDir, env: { ...env, PATH: path }, timeoutMs: 5000 }),
    failsWith("source_unreadable", /listing its objects took more than 5 s.*if it lacks no files, remove its settings/),
  );
});

test("no source may be in the data folder, however it is named", async (t) => {
  const folder = temporaryFolder(t);
  const data = join(folder, "data");
  makeRepository(join(data, "checkouts/3"));
  git(join(data, "checkouts/3"), "clone", "--quiet", "--bare", ".", join(data, "mirrors/2.git"));
  git(join(data, "checkouts/3"), "worktree", "add", "--quiet", join(folder, "worktree"));
  symlinkSync(join(data, "mirrors/2.git"), join(folder, "link"));
  symlinkSync(data, join(folder, "data-link"));
  for (const name of ["linked", "named", "beside", "plain"]) mkdirSync(join(folder, name));
  symlinkSync(join(data, "checkouts/3/.git"), join(folder, "linked/.git"));
  writeFileSync(join(folder, "named/.git"), `gitdir: ${join(data, "mirrors/2.git")}\n`);
  symlinkSync(join(data, "mirrors/2.git"), join(folder, "plain.git"));
  const within = failsWith("source_invalid", /is inside Errand's data folder/);
  const sources = [
    ...[join(data, "mirrors/2.git"), join(data, "checkouts/3"), join(data, "mirrors/99.git"), data],
    ...[`${folder}/other/../data/mirrors/2.git`, pathToFileURL(join(data, "mirrors/2.git")).href],
    ...["link", "data-link/mirrors/2.git", "linked", "named", "worktree"].map((name) => join(folder, name)),
  ];
  for (const dataDir of [data, join(folder, "data-link")]) {
    for (const source of sources) await assert.rejects(inspectSource(source, { dataDir, env }), within, source);
    const beside = failsWith("source_not_repository", /plain" is not a git repository/);
    await assert.rejects(inspectSource(join(folder, "plain"), { dataDir, env }), beside);
  }
  makeRepository(folder);
  const holder = await inspectSource(folder, { dataDir: data, env });
  assert.equal(holder.defaultBranch, "main", "a repository that the data folder lies in may be used");
});

/** Starts a web server. Returns its origin. */
async function serving(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
}

test("redirects are not followed, and answers of a server are not passed on", async (t) => {
  const asked: string[] = [];
  const origin = await serving(t, (request, response) => {
    asked.push(request.url ?? "");
    if (request.url?.startsWith("/moved")) return void response.writeHead(302, { location: "/internal" }).end();
    response.writeHead(500, { "content-type": "text/plain" }).end("INTERNAL-BODY-42");
  });
  const allowed = allowedOf("127.0.0.1");
  const inspect = (path: string) => inspectSource(`${origin}/${path}`, { dataDir, allowed, env });
  await assert.rejects(inspect("moved"), failsWith("source_unavailable", /redirects to another address/));
  assert.deepEqual(asked, ["/moved/info/refs?service=git-upload-pack"]);
  const refused = await inspect("broken").catch((error: unknown) => error);
  assert.ok(refused instanceof WorkspaceError);
  assert.match(refused.message, /returned error: 500/);
  assert.doesNotMatch(refused.message, /INTERNAL/);
});

test("a server in a private network is contacted only if the installation allows it", async (t) => {
  let asked = 0;
  const origin = await serving(t, (_, response) => void response.writeHead(404).end(String(++asked)));
  const { port } = new URL(origin);
  const inside = failsWith("source_invalid", /leads to a private network, which Errand does not allow/);
  for (const source of [
    ...[`${origin}/a`, `http://localhost:${port}/a`, `http://0x7f.1:${port}/a`, `http://[::ffff:127.0.0.1]:${port}/a`],
    ...[`git://127.0.0.1:${port}/a`, `git://localhost:${port}/a`, "http://169.254.169.254/latest", "https://[::1]/a"],
    ...[`http://u:p@127.1:${port}/a`, "https://10.0.0.1/a"],
  ]) {
    await assert.rejects(inspectSource(source, { dataDir, env }), inside, source);
  }
  // Git reads this as 127.0.0.1; the checked address is another one.
  const direct = { PATH: env.PATH };
  const twoWays = inspectSource(`http://example.invalid\\@127.0.0.1:${port}/a`, { dataDir, env: direct });
  await assert.rejects(twoWays, failsWith("source_unavailable", /the name "example.invalid" was not found/));
  assert.equal(asked, 0);
  for (const [host, list] of [
    ["127.0.0.1", "127.0.0.0/8"],
    ["localhost", "127.0.0.0/8"],
    ["localhost", "localhost"],
  ] as const) {
    const options = { dataDir, allowed: allowedOf(list), env: direct };
    await assert.rejects(
      inspectSource(`http://${host}:${port}/a`, options),
      failsWith("source_unavailable", /not found/),
    );
  }
  assert.equal(asked, 3);
});

test("a folder's HEAD, branches and tags are those that git names to others", async (t) => {
  const folder = temporaryFolder(t);
  const place = (name: string) => join(folder, name);
  const made = (name: string) => {
    makeRepository(place(name));
    return place(name);
  };
  const many = made("many");
  git(many, "branch", "older/ü");
  git(many, "pack-refs", "--all");
  writeFiles(many, { "b.txt": "b\n" });
  commitAll(many, "two");
  git(many, "tag", "light");
  git(many, "tag", "-a", "-m", "noted", "noted");
  git(many, "update-ref", "refs/notes/x", "HEAD");
  git(many, "symbolic-ref", "refs/heads/alias", "refs/heads/older/ü");
  git(many, "worktree", "add", "--quiet", "-b", "beside", place("beside"));
  git(made("detached"), "checkout", "--quiet", "--detach");
  git(made("unborn"), "checkout", "--quiet", "--orphan", "new");
  git(folder, "init", "--quiet", "empty");
  git(folder, "init", "--quiet", "--bare", "bare.git");
  git(folder, "init", "--quiet", "--object-format=sha256", "long");
  writeFiles(place("long"), { "a.txt": "a\n" });
  commitAll(place("long"), "one");
  const broken = made("broken");
  writeFileSync(join(broken, ".git/refs/heads/broken"), `${"1".repeat(40)}\n`);
  const linked = made("linked");
  renameSync(join(linked, ".git/HEAD"), join(linked, ".git/was"));
  symlinkSync("refs/heads/main", join(linked, ".git/HEAD"));
  for (const name of ["many", "beside", "detached", "unborn", "empty", "bare.git", "long", "broken", "linked"]) {
    const source = await locateSource(place(name), { dataDir, env });
    const named = await listRemoteRefs({ ...source, local: false }, { env });
    assert.deepEqual(await listRemoteRefs(source, { env }), named, name);
  }
});
