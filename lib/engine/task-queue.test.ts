import assert from "node:assert/strict";
import { test } from "node:test";
import { TaskQueue } from "./task-queue.ts";

/** Tasks by name; each is in progress until the test ends it. */
class QueueUnderTest extends TaskQueue<string> {
  readonly due: string[];
  readonly ends = new Map<string, () => void>();
  readonly errors: unknown[] = [];
  isBroken = false;

  /** Polls so seldom that only waking it makes it look again. */
  constructor(due: string[], atOnce: number, errors: unknown[] = []) {
    const parts = {
      store: { version: async () => 1 },
      logger: { error: (fields: object) => void errors.push(fields) },
    };
    super(parts, { trouble: "trouble", atOnce, pollMs: 3_600_000 });
    this.due = due;
    this.errors = errors;
  }

  override wake(): void {
    super.wake();
  }

  protected async claim(): Promise<string | null> {
    if (this.isBroken) throw new Error("no store");
    return this.due.shift() ?? null;
  }

  protected async take(task: string): Promise<void> {
    await new Promise<void>((resolve) => this.ends.set(task, resolve));
    this.ends.delete(task);
  }

  /** Resolves when these are in progress. */
  async until(...tasks: string[]): Promise<void> {
    while ([...this.ends.keys()].join() !== tasks.join()) await new Promise((resolve) => setImmediate(resolve));
  }

  end(task: string): void {
    this.ends.get(task)?.();
  }
}

test("no more tasks than that are in progress, and one that ends makes room for the next at once", async (t) => {
  const queue = new QueueUnderTest(["a", "b", "c", "d"], 2);
  t.after(() => queue.stop());
  queue.start();
  queue.wake();
  await queue.until("a", "b");
  assert.deepEqual(queue.due, ["c", "d"]);
  queue.end("b");
  await queue.until("a", "c");
  queue.end("c");
  await queue.until("a", "d");
  for (const task of ["a", "d"]) queue.end(task);
});

test("a stopped queue claims nothing more, and has stopped when everything in progress has ended", async () => {
  const queue = new QueueUnderTest(["a", "b"], 1);
  queue.start();
  queue.wake();
  await queue.until("a");
  let hasStopped = false;
  const stopped = queue.stop().then(() => {
    hasStopped = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(hasStopped, false);
  queue.end("a");
  await stopped;
  assert.deepEqual([queue.due, queue.ends.size], [["b"], 0]);
});

test("after trouble with the store it goes on", async (t) => {
  const queue = new QueueUnderTest(["a"], 1);
  t.after(() => queue.stop());
  queue.isBroken = true;
  queue.start();
  queue.wake();
  while (queue.errors.length === 0) await new Promise((resolve) => setImmediate(resolve));
  queue.isBroken = false;
  queue.wake();
  await queue.until("a");
  queue.end("a");
});

test("what becomes due by what is done is done too", async () => {
  const queue = new QueueUnderTest(["a"], 4);
  const done = queue.processDue();
  await queue.until("a");
  queue.due.push("b", "c");
  queue.end("a");
  await queue.until("b", "c");
  for (const task of ["b", "c"]) queue.end(task);
  await done;
  assert.deepEqual(queue.due, []);
});
