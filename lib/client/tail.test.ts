import assert from "node:assert/strict";
import test from "node:test";
import type { LogEntry } from "#lib/contract/entry.ts";
import type { Run } from "#lib/contract/run.ts";
import { backoffMs } from "./backoff.ts";
import { ClientError } from "./client-error.ts";
import { Tail } from "./tail.ts";

/** A source that the test controls. */
class Source extends EventTarget {
  readonly after: number;
  isClosed = false;
  constructor(after: number) {
    super();
    this.after = after;
  }
  close() {
    this.isClosed = true;
  }
  opens() {
    this.dispatchEvent(new Event("open"));
  }
  breaks() {
    this.dispatchEvent(new Event("error"));
  }
  says(name: string, data?: unknown) {
    this.dispatchEvent(new MessageEvent(name, { data: data === undefined ? "" : JSON.stringify(data) }));
  }
}

// The tail reads nothing else of a run or an entry.
const run = (status: string, total_logs: number) => ({ id: 1, status, total_logs }) as Run;
const entry = (seq: number) => ({ seq }) as LogEntry;

function follow({ after = 0, first = null as Run | null, now = run("running", 0) as Run | ClientError } = {}) {
  const sources: Source[] = [];
  const timers: { callback: () => void; ms: number }[] = [];
  const seqs: number[] = [];
  const missed: [number, number][] = [];
  const world = { now };
  const tail = new Tail({
    after,
    run: first,
    open: (from) => {
      const source = new Source(from);
      sources.push(source);
      return source;
    },
    readRun: async () => {
      if (world.now instanceof ClientError) throw world.now;
      return world.now;
    },
    onEntries: (entries) => seqs.push(...entries.map(({ seq }) => seq)),
    onRun: () => {},
    onMissed: (from, to) => missed.push([from, to]),
    schedule: (callback, ms) => {
      const timer = { callback, ms };
      timers.push(timer);
      return () => {
        const at = timers.indexOf(timer);
        if (at >= 0) timers.splice(at, 1);
      };
    },
    random: () => 0,
  });
  const source = () => {
    const last = sources.at(-1);
    assert.ok(last, "a stream is open");
    return last;
  };
  /** Runs everything that was scheduled, and the promises that follow from it. */
  const elapse = async () => {
    for (const { callback } of timers.splice(0)) callback();
    await new Promise(setImmediate);
  };
  return { tail, sources, source, timers, seqs, missed, world, elapse };
}

test("entries arrive once each, in order, together", async () => {
  const { tail, source, seqs, elapse } = follow({ after: 2 });
  tail.start();
  assert.equal(source().after, 2);
  source().opens();
  for (const seq of [2, 3, 4, 4]) source().says("entry", entry(seq));
  assert.deepEqual(seqs, []);
  await elapse();
  assert.deepEqual(seqs, [3, 4]);
  assert.equal(tail.snapshot.totalLogs, 4);
  assert.equal(tail.snapshot.state, "live");
});

test("a broken connection continues after the last entry, with growing waits", async () => {
  const { tail, sources, source, timers, world, elapse } = follow();
  tail.start();
  source().opens();
  source().says("entry", entry(1));
  source().breaks();
  assert.equal(source().isClosed, true);
  assert.equal(tail.snapshot.state, "lost");
  assert.deepEqual(
    timers.map(({ ms }) => ms),
    [250],
  );
  world.now = new ClientError("unreachable", "down");
  await elapse();
  assert.deepEqual(
    timers.map(({ ms }) => ms),
    [500],
  );
  await elapse();
  assert.deepEqual(
    timers.map(({ ms }) => ms),
    [1000],
  );
  world.now = run("running", 3);
  await elapse();
  assert.equal(sources.length, 2);
  assert.equal(source().after, 1);
  assert.equal(tail.snapshot.totalLogs, 3);
});

test("progress from before a lost connection is over, unless the new connection repeats it", async () => {
  const { tail, source, elapse } = follow();
  tail.start();
  source().opens();
  source().says("progress", { tools: [{ id: "1" }] });
  assert.notEqual(tail.snapshot.progress, null);
  source().breaks();
  await elapse();
  source().opens();
  assert.equal(tail.snapshot.progress, null);
});

test("waits start over only when the new connection has delivered something", async () => {
  const { tail, source, timers, elapse } = follow();
  tail.start();
  for (const expected of [250, 500]) {
    source().opens();
    source().breaks();
    assert.equal(timers[0]?.ms, expected);
    await elapse();
  }
  source().opens();
  source().says("run", run("running", 0));
  source().breaks();
  assert.equal(timers[0]?.ms, 250);
});

test("an ended session is detected and not retried", async () => {
  const { tail, source, timers, world, elapse } = follow();
  tail.start();
  world.now = new ClientError("unauthenticated", "Sign in.", { status: 401 });
  source().breaks();
  await elapse();
  assert.equal(tail.snapshot.state, "refused");
  assert.equal(tail.snapshot.error?.status, 401);
  assert.deepEqual(timers, []);
});

test("after a long absence the missed entries are named, not streamed", async () => {
  const { tail, source, missed, seqs, world, elapse } = follow({ after: 10 });
  tail.start();
  source().breaks();
  world.now = run("running", 5000);
  await elapse();
  assert.deepEqual(missed, [[11, 5000]]);
  assert.equal(source().after, 5000);
  source().says("entry", entry(5001));
  await elapse();
  assert.deepEqual(seqs, [5001]);
});

test("the end closes the connection; a resumed run is followed again", async () => {
  const { tail, sources, source, elapse } = follow();
  tail.start();
  source().says("entry", entry(1));
  source().says("run", run("completed", 1));
  source().says("end");
  assert.equal(tail.snapshot.state, "ended");
  assert.equal(source().isClosed, true);
  await elapse();
  assert.equal(sources.length, 1);
  tail.follow(run("queued", 1));
  assert.equal(sources.length, 2);
  assert.equal(source().after, 1);
});

test("a response that arrives after later changes does not undo them", async () => {
  const { tail, source } = follow();
  tail.start();
  source().opens();
  source().says("run", run("waiting", 1));
  source().says("run", run("running", 2));
  tail.follow(run("waiting", 1));
  assert.equal(tail.snapshot.run?.status, "running");
  source().breaks();
  tail.follow(run("canceled", 3));
  assert.equal(tail.snapshot.run?.status, "canceled");
  tail.stop();
});

test("a run that has ended and is fully read is not followed", () => {
  const { tail, sources } = follow({ after: 4, first: run("failed", 4) });
  tail.start();
  assert.equal(sources.length, 0);
  assert.equal(tail.snapshot.state, "ended");
});

test("a run that ended during an absence ends without another connection", async () => {
  const { tail, sources, source, world, elapse } = follow({ after: 3 });
  tail.start();
  source().breaks();
  world.now = run("completed", 3);
  await elapse();
  assert.equal(tail.snapshot.state, "ended");
  assert.equal(sources.length, 1);
});

test("a page hidden for long closes its connection and reopens it when it is shown", async () => {
  const { tail, sources, source, elapse } = follow();
  tail.start();
  source().opens();
  tail.setHidden(true);
  tail.setHidden(false);
  await elapse();
  assert.equal(source().isClosed, false);
  tail.setHidden(true);
  await elapse();
  assert.equal(source().isClosed, true);
  tail.setHidden(false);
  await elapse();
  assert.equal(sources.length, 2);
});

test("only the last 200 live entries are kept at hand", async () => {
  const { tail, source, elapse } = follow();
  tail.start();
  for (let seq = 1; seq <= 450; seq++) source().says("entry", entry(seq));
  await elapse();
  assert.equal(tail.snapshot.recent.length, 200);
  assert.equal(tail.snapshot.recent[0]?.seq, 251);
});

test("a stopped tail can be started again where it left off", () => {
  const { tail, sources, source, timers } = follow();
  tail.start();
  source().says("entry", entry(1));
  tail.stop();
  assert.equal(source().isClosed, true);
  assert.deepEqual(timers, []);
  tail.start();
  assert.equal(sources.length, 2);
  assert.equal(source().after, 1);
});

test("waits stay between a quarter of a second and fifteen seconds", () => {
  assert.equal(
    backoffMs(0, () => 0),
    250,
  );
  assert.equal(
    backoffMs(0, () => 0.999),
    500,
  );
  assert.equal(
    backoffMs(50, () => 0.999),
    14_993,
  );
});
