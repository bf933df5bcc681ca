// Tier: rest
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chownSync, existsSync, mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { readAgentHead } from "./agent-head.ts";
import { checkoutOf, keep } from "./finish.fixture.ts";
import { listIgnoredPaths } from "./ignored-paths.ts";
import { makeCheckoutPlain } from "./plain-checkout.ts";
import { git, makeRepository, temporaryFolder, testEnv, writeFiles } from "./test-repository.ts";
import { listUncommittedPaths } from "./uncommitted-paths.ts";

test("folders and files that the agent closed are kept, in this turn and the next ones", (t) => {
  const folder = temporaryFolder(t);
  const nobody = { uid: 65_534, gid: 65_534 };
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(folder, nobody.uid, nobody.gid);
  const fixture = join(import.meta.dirname, "plain-checkout.fixture.ts");
  const env = { ...process.env, HOME: folder };
  const out = execFileSync(process.execPath, [fixture, folder], { ...(isRoot ? nobody : {}), env, encoding: "utf8" });
  const { files, told, sealed } = JSON.parse(out);
  const inBig = ["big/.gitignore.too-large", "big/f"];
  const others = ["by-head", "by-top", "docs/d1.md", "ok", "piped/f", "sealed/f", "shut/in/f"];
  assert.deepEqual(files, [".gitignore", ...inBig, ...others]);
  const last = told.pop();
  assert.deepEqual(told, [[], [], [], [], [], [], []]);
  assert.match(JSON.stringify(last), /big\/\.gitignore\.too-large/);
  assert.equal(sealed, 0o500, "write-protection stays");
});

test("pipes, sockets and links under names that git reads cost a turn nothing", async (t) => {
  const outside = temporaryFolder(t);
  execFileSync("mkfifo", [join(outside, "HEAD")]);
  for (const name of ["objects", "refs"]) mkdirSync(join(outside, name));
  const ways: [string, (path: string) => void][] = [
    ...[".gitignore", "sub/.gitignore", "sub/.gitattributes", ".gitattributes", ".gitmodules", ".mailmap"].map(
      (name): [string, (path: string) => void] => [name, (path) => pipe(join(path, name))],
    ),
    ...[
      "info/exclude",
      "info/attributes",
      "HEAD",
      "packed-refs",
      "MERGE_HEAD",
      "config",
      "shallow",
      "index",
      "logs/HEAD",
    ].map((name): [string, (path: string) => void] => [name, (path) => pipe(join(path, ".git", name))]),
    ...["HEAD", "commondir", "packed-refs", "config", "info/exclude"].map((name): [string, (path: string) => void] => [
      `inner ${name}`,
      (path) => {
        makeRepository(join(path, "inner"), { "i.txt": "i\n" });
        pipe(join(path, "inner/.git", name));
      },
    ]),
    ["a .git that is a pipe", (path) => pipe(join(path, "inner/.git"))],
    [
      "a .git that leads to a pipe",
      (path) => writeFiles(path, { "inner ü/.git": `gitdir: ${outside}\n`, "inner ü/x.txt": "x\n" }),
    ],
    [
      "a .git that is a link to one",
      (path) =>
        execFileSync("sh", ["-c", 'mkdir inner; ln -s "$1" inner/.git; echo x > inner/x', "sh", outside], {
          cwd: path,
        }),
    ],
    [
      "a socket",
      (path) =>
        execFileSync(
          "perl",
          ["-MIO::Socket::UNIX", "-e", 'IO::Socket::UNIX->new(Local => ".gitignore", Listen => 1) or die'],
          { cwd: path },
        ),
    ],
    ["a file of the repository", (path) => pipe(join(path, "a.txt"))],
  ];
  for (const [name, damage] of ways) {
    const checkout = await checkoutOf(t);
    writeFiles(checkout.path, { "important.txt": "important\n" });
    damage(checkout.path);
    const startedAt = performance.now();
    assert.ok((await listUncommittedPaths({ checkout, env: testEnv })).includes("important.txt"), name);
    await listIgnoredPaths({ checkout, env: testEnv });
    assert.match((await keep(checkout)).diff, /\+important/, name);
    assert.ok(performance.now() - startedAt < 30_000, name);
  }
});

function pipe(path: string): void {
  execFileSync("sh", ["-c", 'mkdir -p "$(dirname "$1")"; rm -rf "$1"; mkfifo "$1"', "sh", path]);
}

test("pipes cost a turn nothing after more repositories than are listed", async (t) => {
  const checkout = await checkoutOf(t);
  const deep = join(checkout.path, ...Array.from({ length: 14 }, () => "d".repeat(240)));
  mkdirSync(deep, { recursive: true });
  for (let at = 0; at < 1400; at += 1) {
    mkdirSync(join(deep, `${at}`));
    writeFileSync(join(deep, `${at}/.git`), "gitdir: x");
  }
  // A folder's order is none: some of them come later.
  const pipes = Array.from({ length: 20 }, (_, at) => `p${at}/.gitignore`);
  writeFiles(checkout.path, Object.fromEntries(pipes.map((pipe) => [pipe.replace(".gitignore", "f"), "f\n"])));
  execFileSync("mkfifo", pipes, { cwd: checkout.path });
  const signal = AbortSignal.timeout(60_000);
  assert.equal((await listUncommittedPaths({ checkout, env: testEnv, signal })).length, pipes.length);
});

test("a pipe whose absolute path is too long costs a turn nothing", async (t) => {
  const checkout = await checkoutOf(t);
  // git opens a path of 4,094 bytes; with "./" before it, nothing does.
  const make =
    'for (1..17) { $ARGV[0] .= "four" if $_ == 17; mkdir $ARGV[0]; chdir $ARGV[0] or die } system("mkfifo .gitignore")';
  execFileSync("perl", ["-e", make, "d".repeat(239)], { cwd: checkout.path });
  writeFiles(checkout.path, { f: "f\n" });
  const signal = AbortSignal.timeout(60_000);
  assert.deepEqual(await listUncommittedPaths({ checkout, env: testEnv, signal }), ["f"]);
  assert.match((await keep(checkout)).diff, /\+f/);
});

test("a file whose path is too long for the system is told, and the rest of the turn is kept, in this turn and the next", async (t) => {
  const checkout = await checkoutOf(t);
  // 16 folders of 250 bytes: with the file 4,116 bytes, or 4,076, which git can open from the checkout.
  const make = 'for (1..16) { mkdir $ARGV[0]; chdir $ARGV[0] or die } for (100, 60) { open(F, ">", "c" x $_) or die }';
  execFileSync("perl", ["-e", make, "d".repeat(250)], { cwd: checkout.path });
  writeFiles(checkout.path, { small: "small\n" });
  for (const name of ["small", "more"]) {
    writeFiles(checkout.path, { [name]: `${name}\n` });
    const { diff, leftOut } = await keep(checkout);
    assert.match(diff, new RegExp(`\\+${name}`));
    assert.deepEqual(
      leftOut.map(({ path, why }) => [path.length, why]),
      [[4116, "long"]],
    );
    assert.match(diff, /^diff --git a\/.*\/c{60}$/m);
  }
});

test("ignore and attribute files that git could not read in time are renamed and told, and the rest is kept", async (t) => {
  const checkout = await checkoutOf(t, { "a.txt": "one\n", "sub/.gitignore": "*.log\n" });
  writeFiles(checkout.path, {
    ".gitignore": "",
    ".gitattributes": "",
    "important.txt": "important\n",
    "sub/x.log": "x\n",
  });
  truncateSync(join(checkout.path, ".gitignore"), 2 * 1024 ** 3);
  writeFileSync(join(checkout.path, ".gitattributes"), "a.txt text\n".repeat(200_000));
  writeFiles(checkout.path, { ".git/info/exclude": "" });
  truncateSync(join(checkout.path, ".git/info/exclude"), 300 * 1024 ** 2);
  const kept = await keep(checkout);
  assert.match(kept.diff, /\+important/);
  assert.deepEqual(kept.leftOut.map(({ path, why }) => `${path} ${why}`).sort(), [
    ".git/info/exclude.too-large rules",
    ".gitattributes.too-large rules",
    ".gitignore.too-large rules",
    ".gitignore.too-large too_large",
  ]);
  const paths = git(checkout.mirror, "ls-tree", "-r", "--name-only", "errand/run-1").split("\n");
  assert.deepEqual(paths, [".gitattributes.too-large", "a.txt", "important.txt", "sub/.gitignore"]);
});

test("packed references are read up to a limit, and a turn whose file is larger keeps its files", async (t) => {
  const checkout = await checkoutOf(t);
  writeFiles(checkout.path, { "b.txt": "b\n" });
  git(checkout.path, "add", "--all");
  git(checkout.path, "commit", "--quiet", "-m", "b");
  const head = git(checkout.path, "rev-parse", "HEAD");
  git(checkout.path, "pack-refs", "--all");
  const own = join(checkout.path, ".git");
  assert.equal(await readAgentHead(own), head);
  const before = process.memoryUsage().rss;
  truncateSync(join(own, "packed-refs"), 3 * 1024 ** 3);
  assert.equal(await readAgentHead(own), null);
  assert.match((await keep(checkout)).diff, /\+b/);
  assert.ok(process.memoryUsage().rss - before < 200 * 1024 ** 2);
});

test("of thousands of nested folders the turn keeps what git can read in bounded time, and names where it ends", async (t) => {
  const checkout = await checkoutOf(t);
  writeFiles(checkout.path, { "important.txt": "important\n" });
  const make = 'for (1..1000) { mkdir "d" x 200; chdir "d" x 200 } open F, ">", "deep.txt"; print F "x"';
  execFileSync("perl", ["-e", make], { cwd: checkout.path });
  const kept = await keep(checkout);
  execFileSync("rm", ["-rf", checkout.path]);
  assert.match(kept.diff, /\+important/);
  assert.deepEqual(
    kept.leftOut.map(({ path, why }) => [path.slice(0, 4), why]),
    [["dddd", "unread"]],
  );
});

test("a relative folder on PATH does not keep a checkout from being read", async (t) => {
  const folder = temporaryFolder(t);
  makeRepository(folder, { "a.txt": "a\n" });
  pipe(join(folder, ".git/HEAD-of-mine"));
  const path = process.env.PATH;
  process.env.PATH = `node_modules/.bin::${path}`;
  t.after(() => {
    process.env.PATH = path;
  });
  assert.deepEqual(await makeCheckoutPlain(folder), { repositories: [], setAside: [], hidesAll: false });
  assert.ok(!existsSync(join(folder, ".git/HEAD-of-mine")));
});

test("what stands under the name of a file that is set aside stays, and a padded .git file leads nowhere", async (t) => {
  const folder = temporaryFolder(t);
  makeRepository(folder, { "a.txt": "a\n" });
  const large = "x".repeat(1_100_000);
  writeFiles(folder, {
    ".gitignore": large,
    ".gitignore.too-large/k": "k",
    "sub/.gitattributes": large,
    "sub/.gitattributes.too-large": "precious",
    "padded/.git": `gitdir: ../real${"\n".repeat(6000)}`,
  });
  mkdirSync(join(folder, ".git/info/exclude.too-large/x"), { recursive: true });
  writeFileSync(join(folder, ".git/info/exclude"), large);
  const { repositories, setAside } = await makeCheckoutPlain(folder);
  assert.deepEqual(repositories, []);
  assert.deepEqual(setAside.toSorted(), [
    ".git/info/exclude.too-large-2",
    ".gitignore.too-large-2",
    "sub/.gitattributes.too-large-2",
  ]);
  assert.ok(!existsSync(join(folder, "padded/.git")) && !existsSync(join(folder, ".gitignore")));
});
