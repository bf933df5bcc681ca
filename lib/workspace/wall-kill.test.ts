// Tier: rest
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { countOf } from "#lib/test-counts.fixture.ts";
import { startContained } from "./contain.ts";
import { listMarked, listProcesses, signalAll } from "./process-table.ts";
import { testEnv } from "./test-repository.ts";
import { casts, makeScene } from "./wall.fixture.ts";
import { buildWall, type WallOptions, wallEnvironment } from "./wall.ts";
import { probeWall } from "./wall-probe.ts";

const { holds } = await probeWall({ dataDir: tmpdir(), env: testEnv, user: null, hidden: [] });
const env = { PATH: "/usr/local/bin:/usr/bin:/bin" };

/** Processes that try to escape: in their own sessions, orphaned, ignoring SIGTERM. */
const fugitives = `
(trap '' TERM; while :; do sleep 0.05; done) &
setsid bash -c 'while :; do sleep 0.05; done' &
setsid setsid bash -c '(trap "" TERM HUP; while :; do sleep 0.05; done) & exit'
echo ready
trap '' TERM
wait`;

async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await isSo())) {
    assert.ok(Date.now() < deadline, `not in time: ${what}`);
    await delay(10);
  }
}

const listAlive = async (mark: string) => listMarked(await listProcesses(), `WALL_TEST=${mark}`);

for (const cast of holds ? casts.filter((cast) => cast !== "nobody's service") : []) {
  test(`no process is left of a command cancelled or killed behind the wall, as ${cast}`, async (t) => {
    const { options } = await makeScene(t, cast);
    const mounted = readFileSync("/proc/self/mounts", "utf8");
    const count = countOf({ short: 9, long: 200 });
    for (let round = 0; round < count; round += 1) {
      const mark = `${process.pid}-${round}`;
      const abort = new AbortController();
      const contained = await startContained({
        ...{ dataDir: options.hidden[0] ?? "", command: "/bin/bash", args: ["-c", fugitives], cwd: options.checkout },
        ...{ env: { ...wallEnvironment(env), WALL_TEST: mark }, wall: options, signal: abort.signal, graceMs: 20 },
      });
      const isUp = round % 4 !== 3;
      if (isUp) {
        await once(contained.stdout, "data");
        assert.ok((await listAlive(mark)).length >= 4);
      }
      if (round % 3 === 0) abort.abort();
      if (round % 3 === 1) contained.child.kill("SIGKILL");
      if (round % 3 === 2) await contained.kill();
      await contained.exited;
      // If bubblewrap is killed while it builds the wall, kill() ends what it has started.
      if (!isUp) await contained.kill();
      await until("all have ended", async () => (await listAlive(mark)).length === 0);
      await contained.kill();
    }
    assert.equal(readFileSync("/proc/self/mounts", "utf8"), mounted);
  });

  test(`no process is left behind the wall of an engine that died, as ${cast}, because of --die-with-parent`, async (t) => {
    const { options } = await makeScene(t, cast);
    assert.equal(await leftBy(options, "engine", (args) => args), false);
    assert.equal(await leftBy(options, "other", (args) => args.filter((word) => word !== "--die-with-parent")), true);
  });
}

/** Whether something in the wall outlives the process that started it, when that is killed. */
async function leftBy(options: WallOptions, name: string, change: (args: string[]) => string[]): Promise<boolean> {
  const mark = `${process.pid}-${name}`;
  const wall = await buildWall("/bin/bash", env, 4, options);
  const engine = spawn(
    process.execPath,
    [
      "-e",
      `const [args, files] = JSON.parse(process.argv[1]);
       const stdio = ["ignore", "inherit", "inherit", "ignore", ...files.map(() => "pipe")];
       const child = require("node:child_process").spawn("bwrap", args, { stdio });
       files.forEach((file, at) => child.stdio[4 + at].end(Buffer.from(file, "base64")));
       setInterval(() => undefined, 1000);`,
      JSON.stringify([
        [...change(wall.args), "--", ...wall.before, "bash", "-c", fugitives],
        wall.files.map((file) => file.toString("base64")),
      ]),
    ],
    { env: { ...testEnv, WALL_TEST: mark }, stdio: ["ignore", "pipe", "inherit"] },
  );
  await once(engine.stdout, "data");
  const bwrap = (await listProcesses()).filter(({ parentPid }) => parentPid === engine.pid).map(({ pid }) => pid);
  engine.kill("SIGKILL");
  await once(engine, "exit");
  if (change(["--die-with-parent"]).length > 0) {
    await until("the kernel has ended all", async () => (await listAlive(mark)).length === 0);
    return false;
  }
  const left = await listAlive(mark);
  signalAll([...bwrap, ...left], "SIGKILL");
  await until("the test has ended all", async () => (await listAlive(mark)).length === 0);
  return left.length > 0;
}
