// Tier: rest
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { git, makeRepository, temporaryFolder } from "#lib/workspace/test-repository.ts";
import { ecosystemFixtures } from "./ecosystem-fixtures.fixture.ts";
import { readSigns } from "./read-signs.ts";
import { signBytesMax } from "./source-tree.ts";

const env = { PATH: process.env.PATH ?? "" };

/** A repository with these files in one commit. */
function repository(
  t: TestContext,
  files: Record<string, string>,
  prepare: (folder: string) => void = () => {},
): string {
  const folder = temporaryFolder(t);
  makeRepository(folder, { ".keep": "", ...files });
  prepare(folder);
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "--allow-empty", "--message=second");
  return folder;
}

async function signsOf(folder: string, path = env.PATH) {
  const signs = await readSigns({ gitDir: join(folder, ".git"), revision: "HEAD", env: { PATH: path } });
  assert.ok(signs !== null);
  return signs;
}

for (const fixture of ecosystemFixtures) {
  test(`${fixture.name}: the commands are found with the lines that suggest them`, async (t) => {
    const { commands, inputs } = await signsOf(repository(t, fixture.files));
    assert.deepEqual(
      commands.map(({ kind, command, evidence: [first] }) => [kind, command, `${first?.path}:${first?.line}`]),
      fixture.commands,
    );
    assert.deepEqual(inputs, fixture.inputs);
  });
}

test("a command that several files suggest is one command with the evidence of each", async (t) => {
  const fixture = ecosystemFixtures.find(({ name }) => name === "agent files and CI");
  const { commands } = await signsOf(repository(t, fixture?.files ?? {}));
  const tests = commands.filter(({ command }) => command === "npm test");
  assert.deepEqual(
    tests.map(({ evidence }) => evidence),
    [
      [
        { path: ".errand/setup.json", line: 3 },
        { path: "package.json", line: 5 },
      ],
    ],
  );
});

test("files that begin with a byte order mark, as editors on Windows write them, are read like others", async (t) => {
  const files = {
    ".errand/setup.json": '{"lint": ["make lint"]}\n',
    "package.json": '{"dependencies": {"a": "1"}, "scripts": {"build": "tsc", "test": "node --test"}}\n',
  };
  const marked = Object.entries(files).map(([path, text]) => [path, `\ufeff${text}`]);
  const plain = await signsOf(repository(t, files));
  assert.equal(plain.commands.length, 4);
  assert.deepEqual((await signsOf(repository(t, Object.fromEntries(marked)))).commands, plain.commands);
});

test("nothing of a repository is executed while its signs are read", async (t) => {
  const traps = temporaryFolder(t);
  const [mark, bin] = [join(traps, "executed"), join(traps, "bin")];
  const trap = `#!/bin/sh\necho "$0 $*" >> '${mark}'\n`;
  mkdirSync(bin);
  for (const name of ["npm", "pnpm", "yarn", "node", "go", "cargo", "make", "python3", "sh", "bash", "env", "trap"]) {
    writeFileSync(join(bin, name), trap);
    chmodSync(join(bin, name), 0o755);
  }
  symlinkSync(execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim(), join(bin, "git"));
  const files = Object.assign({}, ...ecosystemFixtures.map((fixture) => fixture.files));
  const folder = repository(t, { ...files, ".gitattributes": "* filter=trap diff=trap text\n" });
  // From here on any of these would leave the mark: hooks, filters, text conversion, the file system monitor, the pager.
  const settings = {
    "filter.trap.smudge": join(bin, "trap"),
    "filter.trap.clean": join(bin, "trap"),
    "filter.trap.process": join(bin, "trap"),
    "filter.trap.required": "true",
    "diff.trap.textconv": join(bin, "trap"),
    "diff.external": join(bin, "trap"),
    "core.fsmonitor": join(bin, "trap"),
    "core.pager": join(bin, "trap"),
    "core.sshCommand": join(bin, "trap"),
    "core.alternateRefsCommand": join(bin, "trap"),
    "uploadpack.packObjectsHook": join(bin, "trap"),
    "extensions.partialClone": "origin",
    "remote.origin.url": `ext::${join(bin, "trap")}`,
    "remote.origin.promisor": "true",
  };
  for (const [name, value] of Object.entries(settings)) git(folder, "config", name, value);
  for (const hook of ["post-checkout", "post-index-change", "reference-transaction", "fsmonitor-watchman"]) {
    writeFileSync(join(folder, ".git/hooks", hook), trap);
    chmodSync(join(folder, ".git/hooks", hook), 0o755);
  }
  const { commands } = await signsOf(folder, bin);
  assert.ok(commands.length > 20);
  assert.equal(existsSync(mark), false);
  execFileSync(join(bin, "trap"));
  assert.equal(existsSync(mark), true, "the traps work");
});

test("links, submodules, huge files and hostile names are skipped", async (t) => {
  const outside = join(temporaryFolder(t), "package.json");
  writeFileSync(outside, '{"scripts":{"test":"steal"}}');
  const folder = repository(
    t,
    {
      "go.mod": "module x\n",
      "composer.json": `{"scripts":{"test":"x"},"pad":"${"x".repeat(signBytesMax)}"}`,
      "a b; touch x/Cargo.toml": "",
      "$(touch x)/pom.xml": "",
      "new\nline/mix.exs": "",
      "-rf/mix.exs": "",
      "node_modules/x/package.json": '{"scripts":{"test":"x"}}',
      ".github/workflows/bomb.yml": `on: push\na: &a [x]\nb: &b [${"*a,".repeat(50)}]\nc: [${"*b,".repeat(50)}]\njobs: *b\n`,
      ".github/workflows/deep.yml": `on: push\njobs: ${"[".repeat(20_000)}\n`,
      ".devcontainer.json": `{"postCreateCommand": ${"[".repeat(20_000)}`,
    },
    (at) => symlinkSync(outside, join(at, "package.json")),
  );
  writeFileSync(join(folder, ".gitmodules"), '[submodule "deno.json"]\n\tpath = deno.json\n\turl = /nowhere\n');
  git(folder, "update-index", "--add", "--cacheinfo", `160000,${git(folder, "rev-parse", "HEAD")},Makefile`);
  git(folder, "commit", "--quiet", "--message=second");
  const { commands } = await signsOf(folder);
  assert.deepEqual(
    commands.map(({ command }) => command),
    ["go mod download", "go build ./...", "go test ./...", "go vet ./...", "composer install --no-interaction"],
  );
});

test("a name that is not UTF-8 is skipped, the others are read", async (t) => {
  const folder = repository(t, { Makefile: "test:\n" }, (at) => {
    writeFileSync(Buffer.concat([Buffer.from(`${at}/bad-`), Buffer.from([0xff, 0xfe])]), "");
  });
  const { commands, files } = await signsOf(folder);
  assert.deepEqual([commands.map(({ command }) => command), files], [["make test"], 2]);
});

test("a repository without signs has no commands, one without a commit has no signs", async (t) => {
  assert.deepEqual((await signsOf(repository(t, { "README.md": "# x\n" }))).commands, []);
  const empty = temporaryFolder(t);
  git(empty, "init", "--quiet", "--bare");
  assert.equal(await readSigns({ gitDir: empty, revision: "HEAD", env }), null);
});

test("of many nested projects three are read, the shallowest first, none of a family that the top has", async (t) => {
  const files = Object.fromEntries(
    ["d", "c", "b/x", "a/x/y", "c/inner", "tests", "docs"].map((folder) => [
      `${folder}/package.json`,
      '{"scripts":{"test":"x"}}',
    ]),
  );
  const { commands, leftOut } = await signsOf(
    repository(t, { ...files, "go.mod": "module x\n", "tool/go.mod": "module y\n" }),
  );
  assert.deepEqual(leftOut, ["a/x/y was not looked at: only the 3 shallowest nested projects are"]);
  assert.deepEqual(
    commands.filter(({ kind }) => kind === "test").map(({ command }) => command),
    ["go test ./...", "cd c && npm test", "cd d && npm test", "cd b/x && npm test"],
  );
});

test("of many CI files twenty are read, and the others are named", async (t) => {
  const workflow = (at: number) => `on: push\njobs:\n  a:\n    steps:\n      - run: npx eslint d${at}\n`;
  const names = Array.from({ length: 25 }, (_, at) => `.github/workflows/w${String(at).padStart(2, "0")}.yml`);
  const folder = repository(t, Object.fromEntries(names.map((name, at) => [name, workflow(at)])));
  const { commands, leftOut } = await signsOf(folder);
  assert.equal(commands.length, 20);
  assert.deepEqual(leftOut, [
    `${names.slice(20, 23).join(", ")} and 2 more were not looked at: only the first 20 CI files by name are`,
  ]);
});

test("commands that cannot be accepted are left out and named; the rest are proposed", async (t) => {
  const file = {
    install: ["npm ci", "x".repeat(9000), "a\u0000b"],
    test: ["\ud800", "npm test"],
    inputs: [
      "../../etc/passwd",
      "/abs",
      "./.git/config",
      ".",
      "go.sum",
      ...Array.from({ length: 120 }, (_, at) => `f${at}`),
    ],
  };
  const folder = repository(t, { ".errand/setup.json": JSON.stringify(file) });
  const { commands, inputs, leftOut } = await signsOf(folder);
  assert.deepEqual(
    commands.map(({ command }) => command),
    ["npm ci", "npm test"],
  );
  assert.deepEqual([inputs.length, inputs[0]], [100, "go.sum"]);
  const named = leftOut.join("\n");
  for (const word of ["8192 characters", "NUL", "surrogate", "etc/passwd", "/abs", ".git/config", "f99"]) {
    assert.ok(named.includes(word), word);
  }
});

test("more commands than a setup may have are left out", async (t) => {
  const install = Array.from({ length: 60 }, (_, at) => `npm run step-${at}`);
  const { commands, leftOut } = await signsOf(repository(t, { ".errand/setup.json": JSON.stringify({ install }) }));
  assert.equal(commands.length, 50);
  assert.match(leftOut.join("\n"), /step-59/);
});

test("reading the files ends at its limit and on a cancel, and leaves no git process", async (t) => {
  const folder = repository(t, { Makefile: "test:\n" });
  const bin = temporaryFolder(t);
  const pid = join(bin, "pid");
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const slow = `#!/bin/sh\ncase "$*" in *ls-tree*) echo $$ > '${pid}'; exec sleep 300;; esac\nexec '${real}' "$@"\n`;
  writeFileSync(join(bin, "git"), slow);
  chmodSync(join(bin, "git"), 0o755);
  const place = { gitDir: join(folder, ".git"), revision: "HEAD", env: { PATH: `${bin}:${env.PATH}` } };
  await assert.rejects(readSigns(place, 100), {
    name: "ThreadLimitError",
    message: "Reading the files of the repository took longer than 0.1 s.",
  });
  const cancel = new AbortController();
  const asked = readSigns({ ...place, signal: cancel.signal });
  const watching = setInterval(() => {
    if (existsSync(pid)) cancel.abort(new Error("cancelled"));
  }, 5);
  t.after(() => clearInterval(watching));
  await assert.rejects(asked, { message: "cancelled" });
  assert.throws(() => process.kill(Number(readFileSync(pid, "utf8")), 0), { code: "ESRCH" });
});

test("what git says about a repository that it cannot read is passed on with its exit code", async (t) => {
  const place = { gitDir: temporaryFolder(t), revision: "HEAD", env: { PATH: env.PATH } };
  await assert.rejects(readSigns(place), { name: "GitError", code: "git_failed", exitCode: 128 });
});

test("files too large or too deeply nested to be read are named; a lockfile counts by its name", async (t) => {
  const large = "x".repeat(signBytesMax);
  const folder = repository(t, {
    "composer.json": large + large,
    "package-lock.json": large + large,
    "package.json": '{"scripts":{"test":"x"}}',
    ".devcontainer.json": large + large,
    ".github/workflows/large.yml": `on: push\n# ${large.slice(0, 200_000)}`,
    ".github/workflows/deep.yml": `on: push\njobs: ${"[".repeat(200)}`,
    ".github/workflows/many.yml": "---\na: 1\n".repeat(20),
    "Taskfile.yml": `tasks:\n# ${large.slice(0, 200_000)}`,
  });
  const { commands, leftOut } = await signsOf(folder);
  assert.deepEqual(leftOut.toSorted(), [
    ".devcontainer.json was not read: it has more than 256 KB",
    ".github/workflows/deep.yml was not read: it is nested more than 100 deep",
    ".github/workflows/large.yml was not read: it has more than 128 KB",
    ".github/workflows/many.yml was not read: it has more than 10 documents",
    "Taskfile.yml was not read: it has more than 128 KB",
    "composer.json was not read: it has more than 256 KB",
  ]);
  assert.ok(commands.some(({ command }) => command === "npm ci"));
});
