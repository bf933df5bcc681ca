// Tier: rest
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { describe, type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { hasEnded, openEngine, sh } from "./engine.fixture.ts";

/** Ways in which processes started by a step try to outlive it. `$LIVE N` stays until it is killed. */
const escapes = [
  "$LIVE 0 &",
  "nohup $LIVE 1 &",
  "setsid $LIVE 2 &",
  "setsid $LIVE 3 < /dev/null > /dev/null 2>&1 & disown",
  "(setsid bash -c '($LIVE 4) & exit' &)",
  "setsid setsid bash -c '(trap \"\" TERM HUP INT; $LIVE 5) & exit'",
  "(setsid bash -c 'cd /; (setsid $LIVE 6) & exit' &)",
];

/** A step that starts all of them and waits until each is running. They are found by the marker in their command line. */
function startAll(marker: string): string {
  return `export LIVE=$PWD/live
printf '#!/bin/bash\ntouch "$(dirname "$0")/alive-$1"\nexec -a ${marker} sleep 600\n' > $LIVE
chmod +x $LIVE
${escapes.join("\n")}
until [ $(ls alive-* 2>/dev/null | wc -l) = ${escapes.length} ]; do sleep 0.02; done`;
}

/** The live processes with the marker in their command line. Linux only, where /proc is. */
function listAlive(marker: string, isIt = (commandLine: string) => commandLine.includes(marker)): string[] {
  return readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return false;
    try {
      const state = readFileSync(`/proc/${name}/stat`, "latin1").split(") ")[1]?.[0];
      return state !== "Z" && isIt(readFileSync(`/proc/${name}/cmdline`, "latin1"));
    } catch {
      return false;
    }
  });
}

async function untilAlive(marker: string): Promise<void> {
  const deadline = Date.now() + 120_000;
  const found = () => listAlive(marker, (commandLine) => commandLine.startsWith(marker));
  while (found().length < escapes.length) {
    assert.ok(Date.now() < deadline, `${found().length} of ${escapes.length} were started`);
    await wait(100);
  }
}

async function assertStarted({ entries }: Opened, runId: number): Promise<void> {
  const first = (await entries(runId)).find(({ message_type }) => message_type === "ACTION");
  assert.equal((first?.tool_output as { exit_code?: number } | null)?.exit_code, 0, JSON.stringify(first));
}

type Opened = Awaited<ReturnType<typeof openEngine>>;
type End = { name: string; after: string[]; status: string; end?: (opened: Opened, runId: number) => Promise<unknown> };

const limits = { startMs: 10_000, inactivityMs: 30_000, turnMs: 60_000, questionMs: 10_000, stopGraceMs: 2000 };
const ends: (End & { limits?: typeof limits })[] = [
  { name: "a step that succeeds", after: [], status: "completed" },
  { name: "a step that fails", after: ["exit 3"], status: "failed" },
  { name: "a step that is killed", after: ["kill -9 $$"], status: "failed" },
  {
    name: "a run that is cancelled",
    after: ["sleep 600"],
    status: "cancelled",
    end: ({ store, access }, runId) => store.runs.cancel(access, runId),
  },
  {
    name: "an agent that is killed",
    after: ["kill -9 $PPID; sleep 600"],
    status: "failed",
  },
  {
    name: "a turn that takes too long",
    after: ["sleep 600"],
    status: "timed_out",
    limits: { ...limits, turnMs: 4000 },
  },
  { name: "an engine that stops", after: ["sleep 600"], status: "interrupted", end: ({ engine }) => engine.stop() },
];

// Concurrent, because most of the time is the grace period of processes that ignore SIGTERM.
describe("without a sandbox", { concurrency: 3 }, () => {
  for (const { name, after, status, end, limits: bounds } of ends) {
    test(`nothing that its steps started is left of ${name}`, async (t: TestContext) => {
      const opened = await openEngine(t, { limits: bounds ?? limits });
      const marker = `errand-left-${randomUUID()}`;
      t.after(() => {
        for (const pid of listAlive(marker)) process.kill(Number(pid), "SIGKILL");
      });
      const run = await opened.create(sh(startAll(marker), ...after));
      opened.engine.start();
      if (end !== undefined) {
        await untilAlive(marker);
        await end(opened, run.id);
      }
      const ended = await opened.until(run.id, hasEnded);
      assert.equal(ended.status, status);
      if (end === undefined) await assertStarted(opened, run.id);
      assert.deepEqual(listAlive(marker), []);
    });
  }
});
