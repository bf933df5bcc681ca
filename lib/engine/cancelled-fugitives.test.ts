// Tier: rest
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { type TestContext, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { Isolation } from "#lib/contract/runs/isolation.ts";
import { countOf } from "#lib/test-counts.fixture.ts";
import { signalAll } from "#lib/workspace/process-table.ts";
import { temporaryFolder } from "#lib/workspace/test-repository.ts";
import { probeWall } from "#lib/workspace/wall-probe.ts";
import { hasEnded, openEngine, sh } from "./engine.fixture.ts";
import { createRunWorkspace } from "./run-workspace.ts";
import { environment } from "./walled.fixture.ts";

/** Ways in which processes started by an agent try to outlive its run. `$LIVE N` stays until it is killed. */
const fugitives = [
  'setsid "$LIVE" 0 &',
  `(setsid bash -c '("$LIVE" 1) & exit' &)`,
  `bash -c 'trap "" TERM HUP INT; exec "$LIVE" 2' &`,
  `(setsid setsid bash -c 'trap "" TERM HUP; ("$LIVE" 3 & exit) & exit' &)`,
];
/** These keep nothing that identifies them: no session, parent or environment. Only a namespace holds them. */
const unknown = ["env -i setsid $LIVE 4 &", "(env -i setsid bash -c \"trap '' TERM HUP; ($LIVE 5 & exit) & exit\" &)"];

const { holds } = await probeWall({ dataDir: tmpdir(), env: environment, user: null, hidden: [] });
const rounds = countOf({ short: 4, long: 200 });
const limits = { startMs: 300_000, inactivityMs: 300_000, turnMs: 300_000, questionMs: 10_000, stopGraceMs: 2000 };
const leftMs = 12_000;

/** Starts them all and waits until each is running; they are found by the marker in their name. */
function startAll(marker: string, started: readonly string[]): string {
  return `export LIVE=$PWD/live
printf '#!/bin/bash\ntouch "$(dirname "$0")/alive-$1"\nexec -a ${marker} sleep 600\n' > "$LIVE"
chmod +x "$LIVE"
${started.join("\n")}
until set -- alive-*; [ $# = ${started.length} ] && [ -e "$1" ]; do sleep 0.05; done`;
}

function listAlive(marker: string): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "latin1").startsWith(marker);
    } catch {
      return false;
    }
  });
}

/** Milliseconds until no process with the marker is left. */
async function untilNone(marker: string): Promise<number> {
  const from = Date.now();
  for (; listAlive(marker).length > 0; await delay(50)) assert.ok(Date.now() - from < leftMs, `${marker} lives on`);
  return Date.now() - from;
}

async function cancelMany(t: TestContext, isolation: Isolation, started: readonly string[]): Promise<void> {
  const name = `errand-fugitive-${randomUUID()}`;
  const dataDir = temporaryFolder(t);
  const sandbox = isolation === "wall" ? "auto" : "process-group";
  const workspace = createRunWorkspace({ dataDir, environment, sandbox });
  const opened = await openEngine(t, { workspace, isolation, limits, concurrency: 4 }, { dataDir });
  const { engine, store, access, create } = opened;
  t.after(() => signalAll(listAlive(name), "SIGKILL"));
  engine.start();
  const took: number[] = [];
  let next = 0;
  const work = async () => {
    for (let round = next++; round < rounds; round = next++) {
      const marker = `${name}-${round}-`;
      const isCancelled = round % 2 === 0;
      // In every other round the agent itself is killed, in the middle of its step.
      const last = isCancelled ? "sleep 600" : "sleep 0.2; kill -9 $PPID; sleep 600";
      const { id } = await create(sh(startAll(marker, started), last));
      if (isCancelled) {
        while (listAlive(marker).length < started.length) {
          const run = await store.runs.find(access, id);
          assert.ok(run !== null && !hasEnded(run), JSON.stringify(await opened.entries(id)));
          await delay(50);
        }
        await store.runs.cancel(access, id);
      }
      const run = await endOf(id);
      assert.equal(run.status, isCancelled ? "cancelled" : "failed", JSON.stringify(await opened.entries(id)));
      took.push(await untilNone(marker));
    }
  };
  const endOf = async (id: number) => {
    for (;;) {
      const run = await store.runs.find(access, id);
      assert.ok(run !== null);
      if (hasEnded(run)) return run;
      await delay(20);
    }
  };
  await Promise.all(Array.from({ length: 4 }, work));
  assert.equal(took.length, rounds);
  assert.ok(!readFileSync("/proc/self/mounts", "utf8").includes(dataDir), "no mount is left");
  assert.deepEqual(readdirSync(`${dataDir}/agents`), [], "no note of an agent is left");
  t.diagnostic(
    `${rounds} runs, ${rounds * started.length} processes; the last was gone ${Math.max(...took)} ms after the end`,
  );
}

test("nothing is left of cancelled runs and killed agents behind the wall, however it hides", { skip: !holds }, (t) =>
  cancelMany(t, "wall", [...fugitives, ...unknown]),
);

test("without bubblewrap nothing that keeps the run's marker is left", (t) => cancelMany(t, "leash", fugitives));
