import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { SupervisedChild } from "./supervised-child.ts";

/** Follows a child whose n-th start does what the n-th script says; the last one counts for all that follow. */
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

test("why a child cannot work at its first start is told once and it is not tried again", async (t) => {
  const { until } = supervise(t, [sendAndEnd({ kind: "fatal", message: "The port is taken." })]);
  assert.deepEqual(await until(1), ["fatal: The port is taken."]);
});

test("what Node's own watch mode says on the channel is no word of the child", async (t) => {
  const watched = { "watch:import": ["file:///x.ts"] };
  const { until } = supervise(t, [`process.send(${JSON.stringify(watched)}); ${staysReady}`]);
  assert.deepEqual(await until(1), ["ready 2"]);
});

test("a child that ends at its first start without a word is tried again", async (t) => {
  const { until, ends } = supervise(t, ["process.exit(1);", "process.kill(process.pid, 'SIGKILL');", staysReady]);
  assert.deepEqual(await until(3), [
    "the test process ended (exit 1); starting it again in 500 ms",
    "the test process ended (SIGKILL); starting it again in 1000 ms",
    "ready 2",
  ]);
  assert.equal(ends(), 2);
});

test("a child that was ready once is tried again whatever keeps it from working, for the others work on", async (t) => {
  const { until } = supervise(t, [
    sendAndEnd(ready(1)),
    sendAndEnd({ kind: "fatal", message: "The port is taken." }),
    staysReady,
  ]);
  assert.deepEqual(await until(5), [
    "ready 1",
    "the test process ended (exit 1); starting it again in 500 ms",
    "the test process cannot work: The port is taken.",
    "the test process ended (exit 1); starting it again in 1000 ms",
    "ready 2",
  ]);
});
