import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { ClientError } from "#lib/client/client-error.ts";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { backoffMs } from "./backoff.ts";
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

/** A tail whose clock and frames are moved by hand. */
function follow(t: TestContext, { after = 0, first = null as Run | null } = {}) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const sources: Source[] = [];
  const frames = new Set<() => void>();
  const seqs: number[] = [];
  const missed: [number, number][] = [];
  const world = { now: run("running", 0) as Run | ClientError, reads: 0 };
  const tail = new Tail({
    after,
    run: first,
    open: (from) => {
      const source = new Source(from);
      sources.push(source);
      return source;
    },
    readRun: async () => {
      world.reads += 1;
      if (world.now instanceof ClientError) throw world.now;
      return world.now;
    },
    onEntries: (entries) => seqs.push(...entries.map(({ seq }) => seq)),
    onRun: () => {},
    onMissed: (from, to) => missed.push([from, to]),
    nextFrame: (callback) => {
      frames.add(callback);
      return () => frames.delete(callback);
    },
    random: () => 0,
  });
  const source = () => {
    const last = sources.at(-1);
    assert.ok(last, "a stream is open");
    return last;
  };
  const frame = () => {
    for (const callback of frames) callback();
  };
  /** Lets time pass, and runs the promises that follow from it. */
  const passes = async (ms: number) => {
    t.mock.timers.tick(ms);
    await new Promise(setImmediate);
  };
  return { tail, sources, source, frames, frame, seqs, missed, world, passes };
}

/** Longer than any wait. */
const longMs = 60_000;

test("entries arrive once each, in order, together", async (t) => {
  const { tail, source, seqs, frame } = follow(t, { after: 2 });
  tail.start();
  assert.equal(source().after, 2);
  source().opens();
  for (const seq of [2, 3, 4, 4]) source().says("entry", entry(seq));
  assert.deepEqual(seqs, []);
  frame();
  assert.deepEqual(seqs, [3, 4]);
  assert.equal(tail.snapshot.totalLogs, 4);
  assert.equal(tail.snapshot.state, "live");
});

test("a broken connection continues after the last entry, with growing waits", async (t) => {
  const { tail, sources, source, world, passes } = follow(t);
  tail.start();
  source().opens();
  source().says("entry", entry(1));
  source().breaks();
  assert.equal(source().isClosed, true);
  assert.equal(tail.snapshot.state, "lost");
  world.now = new ClientError("unreachable", "down");
  for (const [reads, waitMs] of [250, 500].entries()) {
    await passes(waitMs - 1);
    assert.equal(world.reads, reads);
    await passes(1);
    assert.equal(world.reads, reads + 1);
  }
  world.now = run("running", 3);
  await passes(999);
  assert.equal(sources.length, 1);
  await passes(1);
  assert.equal(sources.length, 2);
  assert.equal(source().after, 1);
  assert.equal(tail.snapshot.totalLogs, 3);
});

test("progress from before a lost connection is over, unless the new connection repeats it", async (t) => {
  const { tail, source, passes } = follow(t);
  tail.start();
  source().opens();
  source().says("progress", { tools: [{ id: "1" }] });
  assert.notEqual(tail.snapshot.progress, null);
  source().breaks();
  await passes(250);
  source().opens();
  assert.equal(tail.snapshot.progress, null);
});

test("waits start over only when the new connection has delivered something", async (t) => {
  const { tail, sources, source, passes } = follow(t);
  const waits = async (ms: number) => {
    const before = sources.length;
    await passes(ms - 1);
    assert.equal(sources.length, before);
    await passes(1);
    assert.equal(sources.length, before + 1);
  };
  tail.start();
  for (const expected of [250, 500]) {
    source().opens();
    source().breaks();
    await waits(expected);
  }
  source().opens();
  source().says("run", run("running", 0));
  source().breaks();
  await waits(250);
});

test("an ended session is detected and not retried", async (t) => {
  const { tail, sources, source, world, passes } = follow(t);
  tail.start();
  world.now = new ClientError("unauthenticated", "Sign in.", { status: 401 });
  source().breaks();
  await passes(250);
  assert.equal(tail.snapshot.state, "refused");
  assert.equal(tail.snapshot.error?.status, 401);
  await passes(longMs);
  assert.equal(world.reads, 1);
  assert.equal(sources.length, 1);
});

test("after a long absence the missed entries are named, not streamed", async (t) => {
  const { tail, source, missed, seqs, world, frame, passes } = follow(t, { after: 10 });
  tail.start();
  source().breaks();
  world.now = run("running", 5000);
  await passes(250);
  assert.deepEqual(missed, [[11, 5000]]);
  assert.equal(source().after, 5000);
  source().says("entry", entry(5001));
  frame();
  assert.deepEqual(seqs, [5001]);
});

test("the end closes the connection; a resumed run is followed again", async (t) => {
  const { tail, sources, source, passes } = follow(t);
  tail.start();
  source().says("entry", entry(1));
  source().says("run", run("completed", 1));
  source().says("end");
  assert.equal(tail.snapshot.state, "ended");
  assert.equal(source().isClosed, true);
  await passes(longMs);
  assert.equal(sources.length, 1);
  tail.follow(run("queued", 1));
  assert.equal(sources.length, 2);
  assert.equal(source().after, 1);
});

test("a response that arrives after later changes does not undo them", async (t) => {
  const { tail, source } = follow(t);
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

test("a run that has ended and is fully read is not followed", (t) => {
  const { tail, sources } = follow(t, { after: 4, first: run("failed", 4) });
  tail.start();
  assert.equal(sources.length, 0);
  assert.equal(tail.snapshot.state, "ended");
});

test("a run that ended during an absence ends without another connection", async (t) => {
  const { tail, sources, source, world, passes } = follow(t, { after: 3 });
  tail.start();
  source().breaks();
  world.now = run("completed", 3);
  await passes(250);
  assert.equal(tail.snapshot.state, "ended");
  assert.equal(sources.length, 1);
});

test("a page hidden for long closes its connection and reopens it when it is shown", async (t) => {
  const { tail, sources, source, passes } = follow(t);
  tail.start();
  source().opens();
  tail.setHidden(true);
  tail.setHidden(false);
  await passes(longMs);
  assert.equal(source().isClosed, false);
  tail.setHidden(true);
  await passes(29_999);
  assert.equal(source().isClosed, false);
  await passes(1);
  assert.equal(source().isClosed, true);
  tail.setHidden(false);
  await passes(0);
  assert.equal(sources.length, 2);
});

test("only the last 200 live entries are kept at hand", async (t) => {
  const { tail, source, frame } = follow(t);
  tail.start();
  for (let seq = 1; seq <= 450; seq++) source().says("entry", entry(seq));
  frame();
  assert.equal(tail.snapshot.recent.length, 200);
  assert.equal(tail.snapshot.recent[0]?.seq, 251);
});

test("a stopped tail can be started again where it left off", (t) => {
  const { tail, sources, source, frames } = follow(t);
  tail.start();
  source().says("entry", entry(1));
  tail.stop();
  assert.equal(source().isClosed, true);
  assert.equal(frames.size, 0);
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
