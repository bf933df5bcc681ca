import assert from "node:assert/strict";
import { mock, type TestContext, test } from "node:test";
import { type ControlRequests, LeaseLostError, type Store } from "#lib/store/store.ts";
import { WorkspaceError } from "#lib/workspace/workspace-error.ts";
import { RunLease } from "./run-lease.ts";

const lease = { runId: 1, epoch: 1 };

/** A lease over a queue that only renews and returns control requests; it uses nothing else of the store. */
function held(queue: { renew?: () => Promise<void>; controlRequests?: () => Promise<ControlRequests> }) {
  return new RunLease({ queue } as unknown as Store, lease, 3000);
}

test("a lease that another engine has taken stops the attempt as lost", async (t) => {
  mock.timers.enable({ apis: ["setInterval"] });
  t.after(() => mock.timers.reset());
  const run = held({ renew: () => Promise.reject(new LeaseLostError(lease)) });
  const stopped = new Promise((resolve) => run.signal.addEventListener("abort", resolve));
  mock.timers.tick(1000);
  await stopped;
  assert.equal(run.stopReason, "lease_lost");
  run.end();
});

test("a request to cancel stops the attempt and ends the wait for an answer", async () => {
  const run = held({ controlRequests: async () => ({ cancel: true, answer: null, message: false }) });
  const answer = run.waitForAnswer("q", 60_000);
  await run.readRequests();
  assert.deepEqual([await answer, run.stopReason], [null, "cancelled"]);
  run.end();
});

test("an answer reaches the question it was given to, and no other", async () => {
  let questionId = "old";
  const run = held({
    controlRequests: async () => ({ cancel: false, answer: { questionId, optionId: "yes" }, message: false }),
  });
  const answer = run.waitForAnswer("new", 60_000);
  await run.readRequests();
  questionId = "new";
  await run.readRequests();
  assert.deepEqual([await answer, run.stopReason], ["yes", null]);
  run.end();
});

test("an answer that was waiting when the time was up counts", async () => {
  const run = held({
    controlRequests: async () => ({ cancel: false, answer: { questionId: "q", optionId: "yes" }, message: false }),
  });
  assert.equal(await run.waitForAnswer("q", 1), "yes");
  run.end();
});

test("a question that nobody answered in time is over, and the next one is not", async () => {
  const run = held({ controlRequests: async () => ({ cancel: false, answer: null, message: false }) });
  assert.equal(await run.waitForAnswer("q", 1), null);
  void run.waitForAnswer("next", 60_000);
  await new Promise(setImmediate);
  assert.equal(run.isWaiting, true);
  run.end();
});

/** When, in seconds, work that never finds space is tried; `rejected` settles when that has ended. */
function triesOf(run: RunLease, t: TestContext) {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  t.after(() => run.end());
  const full = new WorkspaceError("disk_full", "The disk is full.");
  const triedAt: number[] = [];
  let now = 0;
  const kept = run.writeOnceThereIsSpace(() => {
    triedAt.push(now);
    return Promise.reject(full);
  });
  const pass = async (seconds: number) => {
    for (const end = now + seconds; now < end; now += 1) {
      await new Promise(setImmediate);
      mock.timers.tick(1000);
    }
  };
  return { triedAt, pass, rejected: assert.rejects(kept, full) };
}

test("work that finds no space is tried ever more rarely, at least every minute, until a cancel ends the wait", async (t) => {
  const run = held({});
  const { triedAt, pass, rejected } = triesOf(run, t);
  await pass(200);
  assert.deepEqual(triedAt, [0, 1, 3, 7, 15, 31, 63, 123, 183]);
  run.stop("cancelled");
  await rejected;
});

test("work of a turn that was cancelled is tried for half a minute, too", async (t) => {
  const run = held({});
  run.stop("cancelled");
  const { triedAt, pass, rejected } = triesOf(run, t);
  await pass(40);
  assert.deepEqual(triedAt, [0, 1, 3, 7, 15, 31]);
  await rejected;
});
