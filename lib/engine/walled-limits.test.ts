// Tier: rest
import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { test } from "node:test";
import { temporaryFolder } from "#lib/workspace/test-repository.ts";
import { probeWall } from "#lib/workspace/wall-probe.ts";
import { hasEnded, openEngine, sh } from "./engine.fixture.ts";
import { createRunWorkspace } from "./run-workspace.ts";
import { environment } from "./walled.fixture.ts";

const { holds } = await probeWall({ dataDir: tmpdir(), env: environment, user: null, hidden: [] });

test("a run that uses too much memory behind the wall is ended, and says why", { skip: !holds }, async (t) => {
  const dataDir = temporaryFolder(t);
  const workspace = createRunWorkspace({ dataDir, environment, sandbox: "auto", memoryBytes: 400 * 1024 ** 2 });
  const { engine, create, until, entries } = await openEngine(t, { workspace, isolation: "wall" }, { dataDir });
  engine.start();
  const eat = "node -e 'const all = []; setInterval(() => all.length < 20 && all.push(Buffer.alloc(5e7, 1)), 100)'";
  const run = await until((await create(sh(eat))).id, hasEnded);
  assert.equal(run.status, "failed");
  assert.match(
    JSON.stringify((await entries(run.id)).at(-1)),
    /Errand ended it: it used \d+ MB of memory, more than 400 MB/,
  );
});

test("a run that starts process after process behind the wall is ended, and says why", { skip: !holds }, async (t) => {
  const dataDir = temporaryFolder(t);
  const workspace = createRunWorkspace({ dataDir, environment, sandbox: "auto", processes: 30 });
  const { engine, create, until, entries } = await openEngine(t, { workspace, isolation: "wall" }, { dataDir });
  engine.start();
  const few = await until((await create(sh("for i in $(seq 10); do sleep 2 & done; wait"))).id, hasEnded);
  assert.equal(few.status, "completed");
  const run = await until((await create(sh("for i in $(seq 60); do setsid sleep 60 & done; sleep 60"))).id, hasEnded);
  assert.equal(run.status, "failed");
  assert.match(JSON.stringify((await entries(run.id)).at(-1)), /Errand ended it: it had \d+ processes, more than 30/);
});

test("a run that fills the disk behind the wall is ended, and says why", { skip: !holds }, async (t) => {
  const dataDir = temporaryFolder(t);
  // As if the test's disk had no space left.
  const disk = { diskLeftBytes: Number.MAX_SAFE_INTEGER, diskMostBytes: 40 * 1024 ** 2 };
  const workspace = createRunWorkspace({ dataDir, environment, sandbox: "auto", ...disk });
  const { engine, create, until, entries } = await openEngine(t, { workspace, isolation: "wall" }, { dataDir });
  engine.start();
  const small = await until((await create(sh("head -c 10M /dev/zero > small; sleep 3"))).id, hasEnded);
  assert.equal(small.status, "completed");
  const fill = "for i in $(seq 8); do head -c 10M /dev/zero > big-$i; done; sleep 60";
  const run = await until((await create(sh(fill))).id, hasEnded);
  assert.equal(run.status, "failed");
  const said = JSON.stringify((await entries(run.id)).at(-1));
  const used = Number(/Errand ended it: it used (\d+) MB of a disk that has \d+ MB left/.exec(said)?.[1]);
  // The excess may be noticed before everything is written; megabytes are rounded.
  assert.ok(used >= 40 && used < 90, said);
});
