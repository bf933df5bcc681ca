import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { SupervisedChild } from "./supervised-child.ts";

/** Supervises a child whose n-th start runs the n-th script; the last one is used for all further starts. */
function supervise(t: TestContext, scripts: string[]) {
  const folder = mkdtempSync(join(tmpdir(), "errand-child-"));
  const entry = join(folder, "child.mjs");
  let starts = 0;
  let ends = 0;
  const told: string[] = [];
  let wake: () => void = () => undefined;
  const tell = (what: string) => {
    told.push(what);
    wake();
  };
  const child = new SupervisedChild({
    name: "test",
    entry,
    env: () => {
      writeFileSync(entry, scripts[Math.min(starts, scripts.length - 1)] ?? "");
      starts += 1;
      return process.env;
    },
    execArgv: [],
    onReady: (listening) => tell(`ready ${listening?.port ?? "without a port"}`),
    onFatal: (message) => tell(`fatal: ${message}`),
    onRestart: (message) => tell(message),
    onEnd: () => {
      ends += 1;
    },
  });
  t.after(async () => {
    await child.stop(2000);
    rmSync(folder, { recursive: true });
  });
  child.start();
  const until = async (count: number) => {
    while (told.length < count) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return told;
  };
  return { until, ends: () => ends };
}

const sendAndEnd = (message: object) => `process.send(${JSON.stringify(message)}, () => process.exit(1));`;
const ready = (port: number) => ({ kind: "ready", listening: { url: "http://x", port } });
const staysReady = `process.send(${JSON.stringify(ready(2))}); setInterval(() => {}, 1000);`;

test("the reason why a child cannot work at its first start is reported once, and it is not restarted", async (t) => {
  const { until } = supervise(t, [sendAndEnd({ kind: "fatal", message: "The port is taken." })]);
  assert.deepEqual(await until(1), ["fatal: The port is taken."]);
});

test("messages of Node's own watch mode on the channel are not taken for the child's", async (t) => {
  const watched = { "watch:import": ["file:///x.ts"] };
  const { until } = supervise(t, [`process.send(${JSON.stringify(watched)}); ${staysReady}`]);
  assert.deepEqual(await until(1), ["ready 2"]);
});

test("a child that ends at its first start without a message is restarted", async (t) => {
  const { until, ends } = supervise(t, ["process.exit(1);", "process.kill(process.pid, 'SIGKILL');", staysReady]);
  assert.deepEqual(await until(3), [
    "the test process ended (exit 1); restarting it in 500 ms",
    "the test process ended (SIGKILL); restarting it in 1000 ms",
    "ready 2",
  ]);
  assert.equal(ends(), 2);
});

test("a child that was ready once is restarted whatever keeps it from working, because the others work on", async (t) => {
  const { until } = supervise(t, [
    sendAndEnd(ready(1)),
    sendAndEnd({ kind: "fatal", message: "The port is taken." }),
    staysReady,
  ]);
  assert.deepEqual(await until(5), [
    "ready 1",
    "the test process ended (exit 1); restarting it in 500 ms",
    "the test process cannot run: The port is taken.",
    "the test process ended (exit 1); restarting it in 1000 ms",
    "ready 2",
  ]);
});

/** The delays before the next starts of a child that ends each time; no time passes but what they say. */
async function delaysOf(t: TestContext, script: string, said: RegExp, count: number) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { until } = supervise(t, [script]);
  const delays: number[] = [];
  for (let heard = 1; delays.length < count; heard += 1) {
    const what = (await until(heard))[heard - 1] ?? "";
    const delay = Number(/restarting it in (\d+) ms/.exec(what)?.[1] ?? Number.NaN);
    if (Number.isNaN(delay)) assert.match(what, said);
    else {
      delays.push(delay);
      t.mock.timers.tick(delay);
    }
  }
  return delays;
}

test("a child that was ready and ends again and again is started again within 2 s each time", async (t) => {
  assert.deepEqual(await delaysOf(t, sendAndEnd(ready(1)), /^ready 1$/, 6), [500, 1000, 2000, 2000, 2000, 2000]);
});

test("a child that never was ready is tried again for ever, in the end every 30 s", async (t) => {
  const delays = await delaysOf(t, "process.exit(1);", /^$/, 9);
  assert.deepEqual(delays, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
});
