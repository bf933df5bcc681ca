import assert from "node:assert/strict";
import { test } from "node:test";
import { EventStream, type StreamEvent } from "#lib/service/reply.ts";
import { eventStreamText } from "./event-stream.ts";

test("events are written as the standard requires, entries with their id", async () => {
  async function* events(): AsyncGenerator<StreamEvent> {
    yield { event: "entry", id: 3, data: '{"a":1}' };
    yield { event: "run", id: null, data: "{}" };
  }
  const texts: string[] = [];
  for await (const text of eventStreamText(new EventStream(events(), new AbortController().signal))) texts.push(text);
  assert.deepEqual(texts, ["retry: 1000\n\n", 'event: entry\nid: 3\ndata: {"a":1}\n\n', "event: run\ndata: {}\n\n"]);
});

test("silence is filled with comments, and no event is lost meanwhile", async () => {
  const gate = Promise.withResolvers<void>();
  async function* events(): AsyncGenerator<StreamEvent> {
    await gate.promise;
    yield { event: "end", id: null, data: "{}" };
  }
  const texts: string[] = [];
  for await (const text of eventStreamText(new EventStream(events(), new AbortController().signal), 1)) {
    texts.push(text);
    if (texts.length === 4) gate.resolve();
  }
  assert.deepEqual(texts.slice(0, 4), ["retry: 1000\n\n", ...Array(3).fill(": still here\n\n")]);
  assert.equal(texts.at(-1), "event: end\ndata: {}\n\n");
});

test("a reader who leaves ends the events behind the stream", async () => {
  let left = false;
  async function* events(): AsyncGenerator<StreamEvent> {
    try {
      for (let id = 1; ; id += 1) yield { event: "entry", id, data: "{}" };
    } finally {
      left = true;
    }
  }
  for await (const text of eventStreamText(new EventStream(events(), new AbortController().signal)))
    if (text.includes("id: 5")) break;
  assert.equal(left, true);
});
