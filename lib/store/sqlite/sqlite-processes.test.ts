// Tier: rest
import assert from "node:assert/strict";
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { messages, openFixture } from "#lib/store/conformance.fixture.ts";
import { makeStoreFolder } from "#lib/store-folder.fixture.ts";
import { openStore } from "./open-store.ts";

const program = fileURLToPath(new URL("./process-under-test.ts", import.meta.url));

async function newFile(t: TestContext): Promise<string> {
  const folder = await makeStoreFolder("errand-store-");
  t.after(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "data", "errand.db");
}

/** Another process on the store, waiting for the signal to begin. */
async function startProcess(t: TestContext, parameters: unknown[]) {
  const child = spawn(process.execPath, [program, ...parameters.map(String)], { stdio: ["pipe", "pipe", "pipe"] });
  t.after(() => child.kill("SIGKILL"));
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ready = await lines.next();
  assert.equal(ready.value, "ready", errors);
  return { child, lines, begin: () => child.stdin.write("begin\n"), errors: () => errors };
}

type OtherProcess = Awaited<ReturnType<typeof startProcess>>;

async function valuesUntilEnd({ child, lines, errors }: OtherProcess): Promise<unknown[]> {
  const exit = exitOf(child);
  const values: unknown[] = [];
  for await (const line of { [Symbol.asyncIterator]: () => lines }) values.push(JSON.parse(line));
  assert.equal(await exit, 0, errors());
  return values;
}

async function exitOf(child: ChildProcessWithoutNullStreams): Promise<unknown> {
  if (child.exitCode !== null) return child.exitCode;
  const [code, signal] = await once(child, "exit");
  return code ?? signal;
}

test("processes that start at the same moment create one store, and what it lacks", async (t) => {
  const file = await newFile(t);
  const start = async () => {
    const processes = await Promise.all(Array.from({ length: 4 }, () => startProcess(t, [file, "start"])));
    for (const { begin } of processes) begin();
    const said = (await Promise.all(processes.map(valuesUntilEnd))).flat();
    return said.toSorted((a, b) => JSON.stringify(b).localeCompare(JSON.stringify(a)));
  };
  const first = (created: boolean) => ({ organizationId: 1, userId: 1, created });
  assert.deepEqual(await start(), [true, false, false, false].map(first));
  const database = new DatabaseSync(file);
  t.after(() => database.close());
  const tables = "select name from sqlite_schema order by name";
  const all = database.prepare(tables).all();
  database.exec("drop table run_denials; drop table shares; drop index runs_by_end");
  assert.deepEqual(await start(), [false, false, false, false].map(first));
  assert.deepEqual(database.prepare(tables).all(), all);
});

test("two processes append to different runs at once, and a third sees both grow", async (t) => {
  const file = await newFile(t);
  const { store, access, startRun } = await openFixture(t, (now) => openStore({ file, now }));
  const leases = [(await startRun()).lease, (await startRun()).lease];
  const processes = await Promise.all(
    leases.map(({ runId, epoch }) => startProcess(t, [file, "append", runId, epoch, 2, 150])),
  );
  const version = await store.version();
  for (const { begin } of processes) begin();
  for (const said of await Promise.all(processes.map(valuesUntilEnd))) {
    assert.deepEqual(
      said,
      Array.from({ length: 150 }, (_, index) => 2 * (index + 1)),
    );
  }
  assert.notEqual(await store.version(), version);
  for (const { runId } of leases) {
    assert.equal((await store.runs.find(access, runId))?.totalLogs, 300);
    const entries = await store.entries.readAfter(access, runId, 0, 1000, 1e9);
    assert.deepEqual(
      entries.map(({ seq }) => seq),
      Array.from({ length: 300 }, (_, index) => index + 1),
    );
  }
});

test("engines in two processes never claim the same run", async (t) => {
  const file = await newFile(t);
  const { makeRun } = await openFixture(t, (now) => openStore({ file, now }));
  const ids: number[] = [];
  for (let count = 0; count < 100; count += 1) ids.push((await makeRun()).id);
  const processes = await Promise.all([1, 2].map(() => startProcess(t, [file, "claim"])));
  for (const { begin } of processes) begin();
  const claimed = await Promise.all(processes.map(valuesUntilEnd));
  assert.deepEqual(
    claimed.flat().toSorted((a, b) => Number(a) - Number(b)),
    ids,
  );
  for (const own of claimed) {
    assert.deepEqual(
      own,
      own.toSorted((a, b) => Number(a) - Number(b)),
    );
  }
});

test("a writer that is killed loses nothing acknowledged, leaves no gap and no half batch", async (t) => {
  const file = await newFile(t);
  const { store, access, startRun } = await openFixture(t, (now) => openStore({ file, now }));
  const { lease, run } = await startRun();
  let known = 0;
  for (const batchesBeforeKill of [5, 40, 90]) {
    const writer = await startProcess(t, [file, "append", lease.runId, lease.epoch, 3]);
    const exit = exitOf(writer.child);
    writer.begin();
    let acknowledged = 0;
    for (let count = 0; count < batchesBeforeKill; count += 1) {
      acknowledged = Number((await writer.lines.next()).value);
    }
    writer.child.kill("SIGKILL");
    for (let line = await writer.lines.next(); line.done !== true; line = await writer.lines.next()) {
      acknowledged = Number(line.value);
    }
    assert.equal(await exit, "SIGKILL");
    const total = (await store.runs.find(access, run.id))?.totalLogs ?? 0;
    assert.ok(total >= acknowledged, `${total} entries, ${acknowledged} acknowledged`);
    assert.ok(acknowledged >= known + 3 * batchesBeforeKill);
    assert.equal((total - known) % 3, 0);
    const entries = await store.entries.readAfter(access, run.id, 0, 1_000_000, 1e9);
    assert.deepEqual(
      entries.map(({ seq }) => seq),
      Array.from({ length: total }, (_, index) => index + 1),
    );
    assert.equal(await store.queue.append(lease, messages(1)), total + 1);
    known = total + 1;
  }
  assert.deepEqual(await store.check(), []);
});
