import assert from "node:assert/strict";
import { mock, test } from "node:test";
import type { HighlightAnswer, HighlightRequest } from "./highlight-protocol.ts";
import { Highlighter } from "./highlighter.ts";

/** A worker that answers when the test tells it to. */
class WorkerByHand extends EventTarget {
  readonly asked: HighlightRequest[] = [];
  isTerminated = false;

  postMessage(request: HighlightRequest): void {
    this.asked.push(request);
  }

  terminate(): void {
    this.isTerminated = true;
  }

  answer(data: HighlightAnswer): void {
    if (!this.isTerminated) this.dispatchEvent(new MessageEvent("message", { data }));
  }

  /** Begins and answers the request at an index, from 0. */
  finish(place: number): void {
    const { id, text } = this.asked[place] as HighlightRequest;
    this.answer({ id, begun: true });
    this.answer({
      id,
      lines: [[{ length: text.length, light: "#000000", dark: "#ffffff", italic: false, bold: false }]],
    });
  }
}

function setUp() {
  const workers: WorkerByHand[] = [];
  const highlighter = new Highlighter(() => {
    workers.push(new WorkerByHand());
    return workers.at(-1) as unknown as Worker;
  });
  const lengthOf = async (text: string) => (await highlighter.highlight(text, "bash"))?.[0]?.[0]?.length ?? null;
  return { workers, lengthOf };
}

test("colors arrive however long a worker takes to load", async (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  const { workers, lengthOf } = setUp();
  const length = lengthOf("ls");
  mock.timers.tick(3_600_000);
  workers[0]?.finish(0);
  assert.equal(await length, 2);
  assert.equal(workers.length, 1);
});

test("a text that blocks the worker loses its own colors; the next worker handles the others", async (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
  const { workers, lengthOf } = setUp();
  const lengths = [lengthOf("a"), lengthOf("stuck"), lengthOf("abc")];
  workers[0]?.finish(0);
  workers[0]?.answer({ id: 2, begun: true });
  mock.timers.tick(8_000);
  assert.ok(workers[0]?.isTerminated);
  assert.deepEqual(
    workers[1]?.asked.map(({ text }) => text),
    ["abc"],
  );
  workers[1]?.finish(0);
  assert.deepEqual(await Promise.all(lengths), [1, null, 3]);
  assert.equal(await lengthOf("stuck"), null);
  assert.equal(workers[1]?.asked.length, 1, "what was stuck once is not tried again");
});

test("if the worker cannot be loaded, text stays plain, and the next text tries again", async () => {
  const { workers, lengthOf } = setUp();
  const first = lengthOf("ls");
  workers[0]?.dispatchEvent(new Event("error"));
  assert.equal(await first, null);
  const again = lengthOf("ls");
  workers[1]?.finish(0);
  assert.equal(await again, 2);
});

test("the same text is requested once, and a text of over 200,000 characters never", async () => {
  const { workers, lengthOf } = setUp();
  const both = [lengthOf("ls"), lengthOf("ls")];
  workers[0]?.finish(0);
  assert.deepEqual(await Promise.all(both), [2, 2]);
  assert.equal(await lengthOf("x".repeat(200_001)), null);
  assert.equal(workers[0]?.asked.length, 1);
});
