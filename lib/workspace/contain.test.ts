// Tier: rest
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { setTimeout as delay, setImmediate } from "node:timers/promises";
import { findBubblewrapFlags } from "./bubblewrap.ts";
import { type Contained, type ContainMechanism, type ContainOptions, startContained } from "./contain.ts";
import { listMarked, listProcesses } from "./process-table.ts";
import { sweepOrphans } from "./sweep-orphans.ts";
import { temporaryFolder, testEnv } from "./test-repository.ts";
import { WorkspaceError } from "./workspace-error.ts";

const env = testEnv;
const mechanisms: ContainMechanism[] = ["process-group"];
if ((await findBubblewrapFlags(env)) !== null) mechanisms.push("bubblewrap");

/**
 * A process with descendants that try to escape: in the group, in their own session, orphaned by a double fork in their own
 * session, ignoring SIGTERM. Each keeps appending lines to a file, which shows whether it is alive.
 */
const fugitives = `
beat() { while :; do echo "$1" >> "$BEATS"; sleep 0.02; done; }
beat group &
(trap '' TERM; beat deaf) &
export -f beat
setsid bash -c 'beat session' &
(setsid bash -c '(beat orphan) & exit' &)
setsid setsid bash -c '(trap "" TERM HUP; beat deaforphan) & exit'
echo ready
trap '' TERM
wait
`;
const names = ["deaf", "deaforphan", "group", "orphan", "session"];

function fugitiveOptions(t: TestContext, mechanism: ContainMechanism): ContainOptions & { beats: string } {
  const dataDir = temporaryFolder(t);
  const beats = join(dataDir, "beats");
  writeFileSync(beats, "");
  return {
    dataDir,
    beats,
    mechanism,
    command: "bash",
    args: ["-c", fugitives],
    cwd: dataDir,
    env: { ...env, BEATS: beats },
    graceMs: 100,
  };
}

async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!(await condition())) {
    assert.ok(Date.now() < deadline, `not in time: ${what}`);
    await delay(10);
  }
}

const beating = (path: string) => [...new Set(readFileSync(path, "utf8").trim().split("\n"))].sort();

/** The descendants alive now, found by their environment. */
const listAlive = async (beats: string) => listMarked(await listProcesses(), `BEATS=${beats}`);

for (const mechanism of mechanisms) {
  test(`${mechanism}: kill ends all descendants, whatever they did to escape`, async (t) => {
    const options = fugitiveOptions(t, mechanism);
    const contained = await startContained(options);
    assert.equal(contained.mechanism, mechanism);
    await until("all beat", () => beating(options.beats).join() === names.join());
    const killing = contained.kill();
    assert.equal(contained.kill(), killing);
    await killing;
    assert.deepEqual(await listAlive(options.beats), []);
    assert.deepEqual(
      existsSync(join(options.dataDir, "agents")) ? readdirSync(join(options.dataDir, "agents")) : [],
      [],
    );
    await contained.exited;
  });

  test(`${mechanism}: kill after the command ended by itself ends the processes it left`, async (t) => {
    const options = fugitiveOptions(t, mechanism);
    const contained = await startContained({
      ...options,
      args: ["-c", fugitives.replace(/trap '' TERM\nwait\n$/, "exit 7\n")],
    });
    contained.stdout.resume();
    assert.deepEqual(await contained.exited, { code: 7, signal: null, error: null });
    await contained.kill();
    assert.deepEqual(await listAlive(options.beats), []);
  });

  test(`${mechanism}: kill after the command ended by itself does not touch processes started since`, async (t) => {
    const options = { ...fugitiveOptions(t, mechanism), command: "sh" };
    const start = (script: string) => startContained({ ...options, args: ["-c", script] });
    const ended: Contained[] = [];
    const later: Contained[] = [];
    for (let at = 0; at < 15; at += 1) {
      const contained = await start("exit 0");
      await contained.exited;
      ended.push(contained);
    }
    // The kernel reuses ids of ended namespaces after an unknown time.
    await delay(2000);
    for (const _ of ended) {
      const contained = await start("echo ready; exec sleep 1000");
      t.after(() => contained.kill());
      await once(contained.stdout, "data");
      later.push(contained);
    }
    for (const contained of ended) {
      await contained.kill();
      assert.deepEqual(await contained.list(), []);
    }
    for (const { child, list } of later) {
      assert.deepEqual([child.exitCode, child.signalCode], [null, null]);
      assert.ok((await list()).length > 0);
    }
  });

  test(`${mechanism}: an abort ends the tree, and one before the start prevents it`, async (t) => {
    const options = fugitiveOptions(t, mechanism);
    const abort = new AbortController();
    const contained = await startContained({ ...options, signal: abort.signal });
    await until("all beat", () => beating(options.beats).join() === names.join());
    abort.abort();
    await contained.exited;
    await contained.kill();
    assert.deepEqual(await listAlive(options.beats), []);
    await assert.rejects(startContained({ ...options, signal: AbortSignal.abort(new Error("enough")) }), /enough/);
  });

  test(`${mechanism}: the grace period lets a command end in order`, async (t) => {
    const options = fugitiveOptions(t, mechanism);
    const script = `trap 'echo bye; exit 0' TERM; echo ready; while :; do sleep 0.01; done`;
    const contained = await startContained({ ...options, args: ["-c", script], graceMs: 10_000 });
    let said = "";
    contained.stdout.setEncoding("utf8").on("data", (part: string) => {
      said += part;
    });
    const closed = once(contained.child, "close");
    await until("it is ready", () => said === "ready\n");
    await contained.kill();
    await closed;
    assert.equal(said, "ready\nbye\n");
  });

  test(`${mechanism}: pipes, folder, environment and exit code are the command's`, async (t) => {
    const dataDir = temporaryFolder(t);
    const script = `cat; pwd; echo "$A|$SECRET|"; test -e /dev/fd/3 && echo leaked; echo oops >&2; exit 3`;
    const options = { dataDir, mechanism, command: "sh", args: ["-c", script], cwd: dataDir };
    const contained = await startContained({ ...options, env: { PATH: env.PATH, A: "a b" } });
    contained.stdin.end("in\n");
    const [out, error] = await Promise.all([text(contained.stdout), text(contained.stderr)]);
    assert.deepEqual([out, error], [`in\n${dataDir}\na b||\n`, "oops\n"]);
    assert.deepEqual(await contained.exited, { code: 3, signal: null, error: null });
    contained.stdin.write("nobody reads this");
    await contained.kill();
  });

  test(`${mechanism}: the output of a command that ended before anybody read it is kept`, async (t) => {
    const dataDir = temporaryFolder(t);
    const options = { dataDir, mechanism, command: "sh", args: ["-c", "echo out; echo oops >&2"], cwd: dataDir, env };
    const contained = await startContained(options);
    await contained.exited;
    // Node empties the streams of a child that ends in the turn of its exit.
    await setImmediate();
    await contained.kill();
    assert.deepEqual(await Promise.all([text(contained.stdout), text(contained.stderr)]), ["out\n", "oops\n"]);
  });

  test(`${mechanism}: nothing is left of an engine that died by SIGKILL`, async (t) => {
    const options = fugitiveOptions(t, mechanism);
    const engine = spawn(process.execPath, [
      "--input-type=module",
      "-e",
      `const { startContained } = await import(${JSON.stringify(import.meta.resolve("./contain.ts"))});
       await startContained(JSON.parse(process.argv[1]));
       setInterval(() => {}, 1000);`,
      JSON.stringify(options),
    ]);
    await until("all beat", () => beating(options.beats).join() === names.join());
    assert.equal(await sweepOrphans({ dataDir: options.dataDir }), 0, "agents of a live engine are let be");
    engine.kill("SIGKILL");
    await once(engine, "exit");
    const count = await sweepOrphans({ dataDir: options.dataDir, graceMs: 100 });
    if (mechanism === "process-group") assert.ok(count >= 6, `${count} were left`);
    else await until("the kernel has ended the namespace", async () => (await listAlive(options.beats)).length === 0);
    assert.deepEqual(await listAlive(options.beats), []);
    assert.equal(await sweepOrphans({ dataDir: options.dataDir }), 0);
  });
}

test("the error for a missing command names it, the one for a missing folder names no path", async (t) => {
  const cwd = temporaryFolder(t);
  const start = (command: string, folder = cwd) =>
    startContained({ dataDir: cwd, command, args: [], cwd: folder, env });
  const isCode = (code: string, name: RegExp) => (error: unknown) =>
    error instanceof WorkspaceError && error.code === code && name.test(error.message);
  await assert.rejects(
    start("no-such-agent"),
    isCode("command_not_found", /"no-such-agent" was not found: it is not on PATH/),
  );
  await assert.rejects(start("./nope"), isCode("command_not_found", /"\.\/nope"/));
  await assert.rejects(start(""), isCode("command_not_found", /not the name/));
  await assert.rejects(start("bash", join(cwd, "gone")), isCode("checkout_missing", /^The working folder is gone\.$/));
});

test("without bubblewrap on PATH the process group is used", async (t) => {
  const dataDir = temporaryFolder(t);
  const options = { dataDir, command: process.execPath, args: ["-e", ""], cwd: dataDir, env: { PATH: dataDir } };
  const contained = await startContained(options);
  assert.equal(contained.mechanism, "process-group");
  assert.equal((await contained.exited).code, 0);
  await contained.kill();
  await assert.rejects(startContained({ ...options, mechanism: "bubblewrap" }), /bubblewrap/);
});
