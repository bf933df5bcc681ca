import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { plainRun } from "#lib/store/runs/plain-run.fixture.ts";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import type { Lease, Store } from "#lib/store/store.ts";
import { makeStoreFolder } from "#lib/store-folder.fixture.ts";
import { ChangeSignal } from "./change-signal.ts";
import { follow, type TailEvent } from "./follow.ts";

let folder: string;
let store: Store;
/** A second connection, as the engine's process has one. */
let engine: Store;
const access = { organizationId: 1, userId: 1 };

before(async () => {
  folder = await makeStoreFolder("errand-tail-");
  store = await openStore({ file: join(folder, "errand.db") });
  engine = await openStore({ file: join(folder, "errand.db") });
  await store.organizations.ensureFirst({ organization: "Home", fullName: "Owner", email: null });
});
after(async () => {
  await store.close();
  await engine.close();
  await rm(folder, { recursive: true });
});

async function startRun(entries = 0): Promise<{ runId: number; lease: Lease }> {
  const run = await store.runs.create(access, plainRun("Look around"));
  const claimed = await engine.queue.claim("engine", 60_000);
  assert.equal(claimed?.run.id, run.id);
  assert.ok(claimed);
  if (entries > 0) await engine.queue.append(claimed.lease, someEntries(entries));
  return { runId: run.id, lease: claimed.lease };
}

function someEntries(count: number): NewEntry[] {
  return Array.from({ length: count }, (_, index) => ({
    created_at: "2026-01-31T23:59:59.000Z",
    message_type: "PLAN_EVALUATION" as const,
    thought: `thought ${index}`,
    tool_name: null,
    tool_input: null,
    tool_output: null,
    observation: null,
  }));
}

const finish = (lease: Lease) =>
  engine.queue.finishTurn(lease, { status: "completed", result: "done", summary: "done", entries: someEntries(1) });

const ever = () => AbortSignal.timeout(20_000);

/** Reads until `enough`, at most 20 s. */
async function read(
  runId: number,
  { after: seen = 0, enough = () => false }: { after?: number; enough?: (event: TailEvent) => boolean },
): Promise<TailEvent[]> {
  const events: TailEvent[] = [];
  for await (const event of follow({ store, changes: new ChangeSignal(store) }, access, runId, {
    after: seen,
    signal: ever(),
  })) {
    events.push(event);
    if (enough(event)) break;
  }
  return events;
}

const seqs = (events: TailEvent[]) => events.flatMap((event) => (event.kind === "entry" ? [event.seq] : []));
const kinds = (events: TailEvent[]) => events.map((event) => event.kind);

test("a ban and its end are events of a live run", async () => {
  const { runId, lease } = await startRun();
  const seen: boolean[] = [];
  const last = (event: TailEvent) => {
    if (event.kind === "run") {
      seen.push(event.run.bannedAt !== null);
      if (seen.length < 3) void engine.runs.setBanned(access, runId, seen.length === 1);
    }
    return seen.length === 3;
  };
  await read(runId, { enough: last });
  assert.deepEqual(seen, [false, true, false]);
  await finish(lease);
});

test("a push and the isolation of a live run are events", async () => {
  const { runId, lease } = await startRun();
  const seen: [string | undefined, string | null][] = [];
  for await (const event of follow({ store, changes: new ChangeSignal(store) }, access, runId, {
    after: 0,
    signal: ever(),
  })) {
    if (event.kind !== "run" || event.run.status !== "running") continue;
    seen.push([event.run.pushed?.commit, event.run.isolation]);
    if (seen.length === 1) await engine.queue.setFigures(lease, { isolation: "leash" });
    if (seen.length === 2) await store.runs.notePushed(access, runId, { commit: "c".repeat(40), remote: "origin" });
    if (seen.length === 3) await finish(lease);
  }
  assert.deepEqual(seen, [
    [undefined, null],
    [undefined, "leash"],
    ["c".repeat(40), "leash"],
  ]);
});

test("an ended run is sent from the start: the run, every entry, the end", async () => {
  const { runId, lease } = await startRun(250);
  await finish(lease);
  const events = await read(runId, {});
  assert.equal(events[0]?.kind, "run");
  assert.equal(events.at(-1)?.kind, "end");
  assert.deepEqual(
    seqs(events),
    Array.from({ length: 251 }, (_, index) => index + 1),
  );
});

test("while another process appends, followers who come at any time see no gap and no duplicate", async () => {
  const { runId, lease } = await startRun();
  const followers = [read(runId, {}), read(runId, {})];
  const halfway = await (async () => {
    for (let batch = 0; batch < 40; batch += 1) {
      await engine.queue.append(lease, someEntries(1 + (batch % 7)));
      if (batch === 20) followers.push(read(runId, {}), read(runId, { after: 30 }));
    }
    await finish(lease);
    return 30;
  })();
  const total = (await store.runs.find(access, runId))?.totalLogs ?? 0;
  const from = (first: number) => Array.from({ length: total - first }, (_, index) => first + index + 1);
  const [one, two, late, resumed] = (await Promise.all(followers)).map(seqs);
  for (const seen of [one, two, late]) assert.deepEqual(seen, from(0));
  assert.deepEqual(resumed, from(halfway));
});

test("the run is sent at every change except of its entries, and only the latest progress", async () => {
  const { runId, lease } = await startRun(1);
  const progress = (text: string) => ({ thought: "", text, tools: [], updated_at: "2026-01-31T23:59:59.000Z" });
  await engine.queue.setProgress(lease, progress("one"));
  const events: TailEvent[] = [];
  for await (const event of follow({ store, changes: new ChangeSignal(store) }, access, runId, {
    after: 0,
    signal: ever(),
  })) {
    events.push(event);
    if (event.kind === "progress" && event.progress?.text === "one") {
      await engine.queue.setProgress(lease, progress("two"));
      await engine.queue.setProgress(lease, progress("three"));
      await engine.queue.append(lease, someEntries(1));
    } else if (event.kind === "progress" && event.progress?.text === "three") {
      await engine.queue.setFigures(lease, { model: "a-model" });
    } else if (event.kind === "run" && event.run.status === "running" && event.run.model === "a-model") {
      await engine.queue.setProgress(lease, null);
    } else if (event.kind === "progress" && event.progress === null) await finish(lease);
  }
  assert.deepEqual(kinds(events), [
    "run",
    "entry",
    "progress",
    "entry",
    "progress",
    "run",
    "progress",
    "entry",
    "run",
    "end",
  ]);
});

test("a slow reader is waited for and then gets everything", async () => {
  const { runId, lease } = await startRun(5);
  const stream = follow({ store, changes: new ChangeSignal(store) }, access, runId, { after: 0, signal: ever() });
  await stream.next();
  await engine.queue.append(lease, someEntries(300));
  await finish(lease);
  const events: TailEvent[] = [];
  for await (const event of stream) events.push(event);
  assert.equal(seqs(events).length, 306);
  assert.equal(events.at(-1)?.kind, "end");
});

test("a run of another organization, and one that does not exist, end at once without an event", async () => {
  const { runId, lease } = await startRun();
  const stranger = { organizationId: 2, userId: 2 };
  for await (const _ of follow({ store, changes: new ChangeSignal(store) }, stranger, runId, {
    after: 0,
    signal: ever(),
  }))
    assert.fail("nothing is told");
  assert.deepEqual(await read(999_999, {}), []);
  await finish(lease);
});

test("an aborted follower stops while nothing happens", async () => {
  const { runId, lease } = await startRun();
  const leaving = new AbortController();
  const events: TailEvent[] = [];
  for await (const event of follow({ store, changes: new ChangeSignal(store) }, access, runId, {
    after: 0,
    signal: leaving.signal,
  })) {
    events.push(event);
    setImmediate(() => leaving.abort());
  }
  assert.deepEqual(kinds(events), ["run"]);
  await finish(lease);
});

test("while a pull request's checks run, each change of their figures is sent", async () => {
  const named = { name: "shop", fullName: "acme/shop", description: null, defaultBranch: "main" };
  const { repository } = await store.repositories.add(access, { ...named, source: "https://github.com/acme/shop" });
  const run = await store.runs.create(access, { ...plainRun("Look around"), repositoryId: repository.id });
  const claimed = await engine.queue.claim("engine", 60_000);
  assert.ok(claimed?.run.id === run.id);
  await engine.queue.setFigures(claimed.lease, { branch: `errand/run-${run.id}` });
  await finish(claimed.lease);
  await store.pulls.request(access, run.id, { title: null, body: null, draft: null, baseBranch: null });
  const look = async (passed: number) => {
    const task = await engine.pulls.claim(60_000);
    assert.ok(task);
    const checks = { passed, failed: 0, pending: 2 - passed, failing: [] };
    const next = passed === 2 ? ({ kind: "end" } as const) : ({ kind: "again", waitMs: 0 } as const);
    // Changes of only the engine's notes are not sent.
    await engine.pulls.step(task, { changes: { stage: "checking", checks, watch: { looks: passed } }, next });
  };
  const told: unknown[] = [];
  for await (const event of follow({ store, changes: new ChangeSignal(store) }, access, run.id, {
    after: 0,
    signal: ever(),
  })) {
    if (event.kind !== "run") continue;
    told.push(event.run.pull?.checks?.passed ?? null);
    if (told.length < 4) await look(told.length - 1);
  }
  assert.deepEqual(told, [null, 0, 1, 2]);
});
