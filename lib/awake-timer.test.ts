import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { type AwakeClock, AwakeTimer, awakeLimit } from "#lib/awake-timer.ts";

/** A clock that a test moves: `run` as in a process at work, `stand` as in one that is stopped meanwhile. */
function clockUnderTest(start: number) {
  let now = start;
  let waiting: { at: number; call: () => void } | null = null;
  const clock: AwakeClock = {
    now: () => now,
    wait: (ms, call) => {
      waiting = { at: now + ms, call };
      return () => {
        waiting = null;
      };
    },
  };
  const fire = () => {
    const { call } = waiting ?? assert.fail("nothing waits");
    waiting = null;
    call();
  };
  return {
    clock,
    run(ms: number) {
      const until = now + ms;
      while (waiting !== null && waiting.at <= until) {
        now = Math.max(now, waiting.at);
        fire();
      }
      now = until;
    },
    /** The process is stopped for `ms`; on waking up, timers that are due come first. */
    stand(ms: number) {
      now += ms;
      if (waiting !== null && waiting.at <= now) fire();
    },
  };
}

function timerUnderTest(limitMs: number, start = 0) {
  const time = clockUnderTest(start);
  const ended: true[] = [];
  return { ...time, ended, timer: new AwakeTimer(limitMs, () => ended.push(true), time.clock) };
}

test("a limit is reached after its time in a process that runs", () => {
  const { run, ended, timer } = timerUnderTest(40_000);
  run(39_999);
  assert.deepEqual([ended.length, timer.leftMs], [0, 1]);
  run(1);
  assert.equal(ended.length, 1);
});

test("a limit ends on a clock whose times are fractions, and that moves with its timers alone", () => {
  for (let start = 0; start < 200; start += 0.1) {
    const { run, ended } = timerUnderTest(10_000, start);
    run(10_002);
    assert.equal(ended.length, 1, String(start));
  }
});

test("time in which the process was paused does not count, whenever and however often it did", () => {
  for (const before of [0, 500, 20_250, 39_900]) {
    const { run, stand, ended } = timerUnderTest(40_000);
    run(before);
    stand(3_600_000);
    run(100);
    stand(60_000);
    run(Math.max(0, 37_000 - before));
    assert.equal(ended.length, 0, `paused after ${before} ms`);
    run(8000);
    assert.equal(ended.length, 1);
  }
});

test("what is waiting after a pause is read before the limit is reached", () => {
  const { run, stand, ended, timer } = timerUnderTest(1000);
  for (let pauses = 0; pauses < 30; pauses++) {
    run(95);
    stand(3000);
    run(5);
    assert.equal(ended.length, 0);
    timer.restart();
  }
});

test("a process whose timers are always late still has limits", () => {
  const { stand, ended } = timerUnderTest(10_000);
  for (let looks = 0; looks < 30 && ended.length === 0; looks++) stand(1500);
  assert.equal(ended.length, 1);
});

test("a paused timer keeps what is left, and a restart gives the whole limit again", () => {
  const { run, ended, timer } = timerUnderTest(10_000);
  run(4000);
  timer.pause();
  timer.pause();
  run(100_000);
  assert.equal(timer.leftMs, 6000);
  timer.resume();
  timer.resume();
  run(5000);
  timer.restart();
  run(9000);
  assert.equal(ended.length, 0);
  timer.stop();
  run(100_000);
  assert.equal(ended.length, 0);
});

test("a signal of a limit is aborted with a TimeoutError, and not after it was stopped", async () => {
  const stopped = awakeLimit(1);
  stopped[Symbol.dispose]();
  const { signal } = awakeLimit(20);
  const alive = setInterval(() => undefined, 1000);
  await once(signal, "abort");
  clearInterval(alive);
  assert.equal(signal.reason.name, "TimeoutError");
  assert.equal(stopped.signal.aborted, false);
});

test("a process that is stopped for longer than its limit hears its talking agent and does not call it silent", async (t) => {
  const program = `
    const { spawn } = await import("node:child_process");
    const { TimeLimits } = await import(${JSON.stringify(new URL("agents/acp/time-limits.ts", import.meta.url).href)});
    const limits = new TimeLimits({ inactivityMs: 1000, turnMs: 3000 });
    const agent = spawn("sh", ["-c", "while :; do echo x; sleep 0.1; done"]);
    agent.stdout.on("data", () => setImmediate(() => limits.noteMessage()));
    agent.stdout.once("data", () => console.log("heard"));
    process.stdin.once("data", () => agent.stdout.once("data", () => setImmediate(() => console.log("heard again"))));
    void limits.expired.then((which) => { console.log(which); agent.kill(); process.exit(); });
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: ["pipe", "pipe", "inherit"] });
  t.after(() => child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async () => (await lines.next()).value;
  assert.equal(await nextLine(), "heard");
  child.kill("SIGSTOP");
  // Longer than both of its limits.
  await new Promise((resolve) => setTimeout(resolve, 4000));
  child.stdin.write("!");
  child.kill("SIGCONT");
  assert.equal(await nextLine(), "heard again");
  assert.equal(await nextLine(), "turn", "the turn's own time goes on from where it was");
});
