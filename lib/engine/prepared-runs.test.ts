// Tier: rest
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { SetupCommands } from "#lib/contract/repositories/setup.ts";
import { probeLayers } from "#lib/workspace/layers-probe.ts";
import {
  commitAll,
  git,
  makeRepository,
  temporaryFolder,
  testEnv,
  writeFiles,
} from "#lib/workspace/test-repository.ts";
import { probeWall } from "#lib/workspace/wall-probe.ts";
import { hasEnded, openEngine, sh } from "./engine.fixture.ts";
import { createRunWorkspace } from "./run-workspace.ts";
import { tidyPrepared } from "./tidy-prepared.ts";

const probed = { dataDir: tmpdir(), env: testEnv, user: null, hidden: [] };
const holds = (await probeWall(probed)).holds && (await probeLayers(probed)).holds;
const skip = holds ? false : "the wall or its layers do not hold here";

const install =
  "mkdir -p deps && seq 300 | while read -r n; do echo module $n > deps/$n; done; echo installed >> log.local";
const failing = "test ! -s src/fixed";
const build = "mkdir -p out && cat src/a > out/built && echo built >> log.local";

/** An engine behind the wall, with a repository whose setup is accepted. */
async function openWalled(t: TestContext, commands: Partial<SetupCommands> = { install: [install], build: [build] }) {
  const dataDir = temporaryFolder(t);
  const environment = { PATH: process.env.PATH ?? "" };
  const workspace = createRunWorkspace({ dataDir, environment, sandbox: "bubblewrap", diskLeftBytes: 0 });
  const prepared = { bytesMax: 1e9, usableMs: 600_000 };
  let aheadMs = 0;
  const now = () => new Date(Date.now() + aheadMs);
  const opened = await openEngine(t, { workspace, isolation: "wall", prepared }, { dataDir, now });
  const source = join(temporaryFolder(t), "source");
  makeRepository(source, {
    ".gitignore": "/deps/\nout/\n*.local\n",
    "src/a": "one\n",
    "package-lock.json": "{}\n",
    "README.md": "",
  });
  const names = { name: "x", fullName: "o/x", description: null, source, defaultBranch: "main" };
  const { id: repositoryId } = (await opened.store.repositories.add(opened.access, names)).repository;
  const accept = (more: Partial<SetupCommands>) =>
    opened.store.setups.change(opened.access, repositoryId, SetupCommands.parse(more), null);
  await accept(commands);
  opened.engine.start();
  /** Runs a step on the repository; returns what happened, one line each, without what differs from run to run. */
  const run = async (step: string, more: object = {}) => {
    const { id } = await opened.create(sh(step), { repositoryId, ...more });
    await opened.until(id, hasEnded);
    return { id, told: told(await opened.entries(id)) };
  };
  /** Runs a step in a new turn of an ended run; returns what happened in it, as `run` does. */
  const turn = async (id: number, step: string) => {
    const before = (await opened.entries(id)).length;
    const { turns } = await opened.until(id, hasEnded);
    await opened.store.runs.addTurn(opened.access, id, { prompt: sh(step), images: [], model: null });
    await opened.until(id, (now) => now.turns > turns && hasEnded(now));
    return told((await opened.entries(id)).slice(before));
  };
  const status = async () => (await opened.store.setups.find(opened.access, repositoryId))?.status;
  const commit = (files: Record<string, string>) => {
    writeFiles(source, files);
    commitAll(source, "more");
  };
  const tidy = (bytesMax = prepared.bytesMax) =>
    tidyPrepared({ store: opened.store, workspace, prepared: { ...prepared, bytesMax } });
  const pass = (ms: number) => {
    aheadMs += ms;
  };
  const kept = () => readdirSync(join(dataDir, "prepared", String(repositoryId))).filter((name) => name.length === 64);
  return { ...opened, dataDir, source, repositoryId, run, turn, status, commit, accept, tidy, pass, kept, workspace };
}

const inputOf = (entry: LogEntry) => Object(entry.tool_input) as Record<string, unknown>;
const outputOf = (entry: LogEntry) => Object(entry.tool_output) as Record<string, unknown>;

function told(entries: LogEntry[]): string[] {
  return entries.flatMap((entry) => {
    if (entry.message_type === "ERROR") return [`error ${JSON.stringify(entry.observation)}`];
    if (entry.tool_name === "errand") return [`${inputOf(entry).notice}: ${plain(String(outputOf(entry).text))}`];
    if (entry.message_type !== "ACTION") return [];
    const { command } = inputOf(entry);
    if (command === install) return ["install"];
    if (command === build || command === failing) return ["build"];
    return [`agent: ${String(outputOf(entry).output).trim()}`];
  });
}

const plain = (text: string) =>
  text
    .replace(/[0-9a-f]{12}/, "KEY")
    .replace(/\d+\.\d+ s/, "TIME")
    .replace(/\d[\d.,]* (?:B|KB|MB)\b/, "SIZE");
const look = "ls deps | wc -l; cat deps/7 out/built log.local; git status --porcelain";

test("a second run begins with what the first one's setup made; another lockfile, its age or a request makes it again", {
  skip,
}, async (t) => {
  const { run, status, commit, store, pass, tidy, kept, repositoryId, dataDir, entries } = await openWalled(t);
  const first = await run(look);
  const seen = (built: string, lines = "installed\nbuilt") => `agent: 300\nmodule 7\n${built}\n${lines}`;
  const keptNote =
    "Setup cache saved: Saved as setup cache KEY: SIZE in 304 files, TIME. Runs with the same lockfiles start from it.";
  assert.deepEqual(first.told, ["install", "build", keptNote, seen("one")]);
  assert.equal(await status(), "ready");
  const prepared = "Setup cache reused: Reused setup cache KEY, TIME.";
  const second = await run(look);
  assert.deepEqual(second.told, [prepared, seen("one")]);
  const note = (await entries(second.id)).find((entry) => inputOf(entry).notice === "Setup cache reused");
  assert.ok(Number(/([\d.]+) s\.$/.exec(String(note && outputOf(note).text))?.[1]) < 10);

  commit({ "README.md": "new\n", "src/a": "two\n" });
  assert.deepEqual((await run(look)).told, [prepared, "build", seen("two", "installed\nbuilt\nbuilt")]);
  commit({ "package-lock.json": '{"a":1}\n' });
  assert.deepEqual((await run(look)).told, ["install", "build", keptNote, seen("two")]);
  assert.equal(kept().length, 2);

  await store.prepared.outdate(repositoryId);
  assert.equal(await status(), "stale");
  await tidy();
  assert.deepEqual([kept(), await status()], [[], "stale"], "what is outdated is removed and remembered");
  assert.deepEqual((await run(look)).told, ["install", "build", keptNote, seen("two")]);
  pass(1_200_000);
  assert.equal(await status(), "stale");
  assert.deepEqual((await run(look)).told, ["install", "build", keptNote, seen("two")]);
  assert.ok(
    !readFileSync(join(dataDir, "prepared", String(repositoryId), kept()[0] ?? "", "manifest.json"), "utf8").includes(
      dataDir,
    ),
  );
});

test("a rebuild keeps what the next run's setup made, even if the old files are still there", { skip }, async (t) => {
  const { run, store, repositoryId } = await openWalled(t, { install: ["mkdir -p deps; date +%s%N > deps/made"] });
  const made = async () => (await run("cat deps/made")).told.at(-1);
  const old = await made();
  assert.equal(await made(), old);
  await store.prepared.outdate(repositoryId);
  const rebuilt = await made();
  assert.notEqual(rebuilt, old);
  assert.equal(await made(), rebuilt);
});

test("a run's own changes to its layers last into its later turns, and go when the layers below are no longer kept", {
  skip,
}, async (t) => {
  const { run, turn, store, repositoryId, tidy } = await openWalled(t, { install: [install] });
  await run("true");
  const { id } = await run("echo own > deps/own; rm deps/7");
  assert.deepEqual(await turn(id, "cat deps/own; ls deps/7 || ls deps | wc -l"), [
    "agent: own\nls: cannot access 'deps/7': No such file or directory\n300",
  ]);
  await store.prepared.outdate(repositoryId);
  await tidy();
  assert.deepEqual(await turn(id, "ls deps/own || cat deps/7"), [
    "install",
    "agent: ls: cannot access 'deps/own': No such file or directory\nmodule 7",
  ]);
});

test("a run whose checkout is made again keeps nothing of its earlier layers", { skip }, async (t) => {
  const { run, turn, dataDir } = await openWalled(t, { install: [install] });
  await run("true");
  const { id } = await run("echo own > deps/own");
  rmSync(join(dataDir, "checkouts", String(id)), { recursive: true });
  const seen = "agent: 300\nmodule 7";
  assert.deepEqual(await turn(id, "ls deps | wc -l; cat deps/7; echo later > deps/7"), ["install", seen]);
  assert.deepEqual(await turn(id, "ls deps | wc -l; cat deps/7"), ["agent: 300\nlater"]);
});

test("a build that failed on a reused setup cache is run again in the next turn, over the run's layers", {
  skip,
}, async (t) => {
  const { run, turn, commit } = await openWalled(t, { install: [install], build: [failing] });
  commit({ "src/fixed": "" });
  await run("true");
  commit({ "src/fixed": "no" });
  const { id, told } = await run("echo own > deps/own; : > src/fixed");
  assert.deepEqual(told, [
    "Setup cache reused: Reused setup cache KEY, TIME.",
    "build",
    `Setup failed: The setup command \`${failing}\` exited with 1. The agent continues, and its prompt says what failed.`,
    "agent: ",
  ]);
  assert.deepEqual(await turn(id, "cat deps/own"), ["install", "build", "agent: own"]);
  assert.deepEqual(await turn(id, "cat deps/own"), ["agent: own"]);
});

test("nothing is kept of a run on another branch, of files that git does not ignore, or of a failed setup; read-only runs get what is kept", {
  skip,
}, async (t) => {
  const { run, accept, source, store, repositoryId, status } = await openWalled(t, { install: ["exit 3"] });
  assert.equal((await run("true")).told.length, 3);
  assert.deepEqual(await store.prepared.list(repositoryId), []);
  await accept({ install: [`${install}; touch seen`] });
  const [, , notKept] = (await run("true")).told;
  assert.equal(
    notKept,
    "Setup cache not saved: The setup cache was not saved, so later runs will run the setup commands again: git does not ignore everything that the setup commands made.",
  );
  await accept({ install: [install] });
  git(source, "branch", "topic");
  assert.deepEqual((await run("ls deps | wc -l", { baseBranch: "topic" })).told, ["install", "agent: 300"]);
  assert.deepEqual(await store.prepared.list(repositoryId), []);
  await run("true");
  assert.equal(await status(), "ready");
  const onTopic = await run("ls deps | wc -l", { baseBranch: "topic" });
  assert.deepEqual(onTopic.told, ["Setup cache reused: Reused setup cache KEY, TIME.", "agent: 300"]);
  const reading = await run("ls deps | wc -l", { permissionMode: "read-only" });
  assert.equal(reading.told[0], "Setup cache reused: Reused setup cache KEY, TIME.");
});

test("beyond the size limit the least recently used go first, and never what a run has mounted", {
  skip,
}, async (t) => {
  const { run, create, until, commit, source, store, repositoryId, dataDir, entries, pass, tidy, kept } =
    await openWalled(t, { install: [install] });
  const keys: Record<string, string> = {};
  const bytes: Record<string, number> = {};
  for (const name of ["one", "two", "three"]) {
    commit({ "package-lock.json": `{"name":"${name}"}\n` });
    git(source, "branch", name);
    await run("true");
    pass(1000);
    const newest = (await store.prepared.listAll()).at(-1);
    assert.equal(newest?.state, "ready");
    [keys[name], bytes[name]] = [newest.key, newest.bytes];
  }
  const sizeOf = (...names: string[]) => names.reduce((sum, name) => sum + (bytes[name] ?? Number.NaN), 0);
  const left = () => Object.keys(keys).filter((name) => kept().includes(keys[name] ?? ""));
  await tidy(sizeOf("one", "two", "three"));
  assert.deepEqual(left(), ["one", "two", "three"], "as much as the limit stays");

  const step = "touch begun.local; until [ -e go.local ]; do sleep 0.05; done; ls deps | wc -l";
  const { id } = await create(sh(step), { repositoryId, baseBranch: "two" });
  const inCheckout = (name: string) => join(dataDir, "checkouts", String(id), name);
  await until(id, () => existsSync(inCheckout("begun.local")));
  // Later runs have used these; a run still has the second one mounted.
  for (const name of ["three", "one"]) {
    pass(1000);
    assert.equal(await store.prepared.use({ repositoryId, key: keys[name] ?? "" }), true);
  }
  await tidy(sizeOf("one", "two"));
  assert.deepEqual(left(), ["one", "two"], "the oldest is mounted, so the second oldest goes");
  writeFileSync(inCheckout("go.local"), "");
  await until(id, hasEnded);
  assert.deepEqual(told(await entries(id)), ["Setup cache reused: Reused setup cache KEY, TIME.", "agent: 300"]);
  await tidy(sizeOf("one", "two") - 1);
  assert.deepEqual(left(), ["one"]);
  assert.equal((await store.prepared.listAll()).length, 1, "of what is removed no row is left");
  await tidy(sizeOf("one") - 1);
  assert.deepEqual(left(), []);
});

test("where layers cannot be mounted the commands run each time, and the run says why", { skip }, async (t) => {
  const { run, workspace } = await openWalled(t, { install: [install] });
  workspace.prepared.state = async () => ({
    holds: false,
    why: "unshare: Operation not permitted.",
    fix: "Run it as root.",
  });
  const why = "unshare: Operation not permitted. Run it as root.";
  for (const _ of [1, 2]) {
    assert.deepEqual((await run("ls deps | wc -l")).told, [
      "install",
      `Setup cache not saved: The setup cache was not saved, so later runs will run the setup commands again: ${why}`,
      "agent: 300",
    ]);
  }
});
