import assert from "node:assert/strict";
import { test } from "node:test";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { followRun } from "./follow-run.ts";

// Following reads nothing else of a run or an entry.
const run = (finished_at: string | null, total_logs: number) => ({ id: 1, finished_at, total_logs }) as Run;
const entry = (seq: number) => ({ seq }) as LogEntry;

/** A followed run, and a stream that the test controls. */
function following() {
  const listeners = new Map<string, (event: Event) => void>();
  const state = { isOpen: false, hasRoom: (): Promise<void> => Promise.resolve() };
  const events = followRun({
    run: run(null, 0),
    after: 0,
    open: (_, beforeRead) => {
      Object.assign(state, { isOpen: true, hasRoom: beforeRead });
      return {
        addEventListener: (name, listener) => void listeners.set(name, listener),
        close: () => {
          state.isOpen = false;
        },
      };
    },
    readRun: async () => run(null, 0),
    signal: undefined,
  });
  const say = (name: string, data?: unknown) => {
    listeners.get(name)?.(new MessageEvent(name, { data: data === undefined ? "" : JSON.stringify(data) }));
  };
  return { events, say, state };
}

test("events arrive in order, an unchanged run is no event, and only the latest progress waits", async () => {
  const { events, say } = following();
  assert.equal((await events.next()).value?.type, "run");
  const next = events.next();
  say("run", run(null, 0));
  say("entry", entry(1));
  say("progress", { text: "a" });
  say("progress", { text: "b" });
  say("run", run(null, 2));
  say("entry", entry(2));
  say("run", run("2026-01-31T23:59:59.000Z", 2));
  say("end");
  const rest: unknown[] = [(await next).value];
  for await (const event of events) rest.push(event);
  assert.deepEqual(rest, [
    { type: "entry", entry: entry(1) },
    { type: "progress", progress: { text: "b" } },
    { type: "run", run: run(null, 2) },
    { type: "entry", entry: entry(2) },
    { type: "run", run: run("2026-01-31T23:59:59.000Z", 2) },
    { type: "progress", progress: null },
  ]);
});

test("a stream that skips entries is an error, never a gap", async () => {
  const { events, say, state } = following();
  await events.next();
  const next = events.next();
  say("entry", entry(1));
  assert.equal((await next).value?.type, "entry");
  const after = events.next();
  say("entry", entry(4));
  await assert.rejects(after, { code: "unexpected_answer", message: "The stream left out the entries 2 to 3." });
  assert.equal(state.isOpen, false);
});

test("a slow consumer is sent at most a thousand events, and one that breaks off releases the connection", async () => {
  const { events, say, state } = following();
  await events.next();
  const next = events.next();
  for (let seq = 1; seq <= 1_500; seq += 1) say("entry", entry(seq));
  assert.equal((await next).value?.type, "entry");
  for (let seq = 1_501; seq <= 3_000; seq += 1) say("entry", entry(seq));
  await Promise.resolve();
  let hasRoom = false;
  void state.hasRoom().then(() => {
    hasRoom = true;
  });
  for (let seq = 2; seq <= 1_500; seq += 1) await events.next();
  assert.equal(hasRoom, false);
  await events.next();
  await Promise.resolve();
  assert.equal(hasRoom, true);
  await events.return(undefined);
  assert.equal(state.isOpen, false);
});
