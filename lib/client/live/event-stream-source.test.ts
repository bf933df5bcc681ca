import assert from "node:assert/strict";
import { test } from "node:test";
import { type EventStreamOptions, EventStreamSource } from "./event-stream-source.ts";

/** A connection that delivers the pieces one read after the other; `isOver`: it then ends. */
function connected(pieces: string[], { isOver = true, ...options }: EventStreamOptions & { isOver?: boolean } = {}) {
  const state = { pulled: 0, isLetGo: false };
  const bytes = pieces.map((piece) => new TextEncoder().encode(piece));
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = bytes[state.pulled];
        state.pulled += 1;
        if (piece !== undefined) controller.enqueue(piece);
        else if (isOver) controller.close();
      },
      cancel() {
        state.isLetGo = true;
      },
    },
    { highWaterMark: 0 },
  );
  const said: string[] = [];
  const source = new EventStreamSource(async () => new Response(body), options);
  const done = new Promise<void>((resolve) => {
    for (const name of ["open", "entry", "message", "error"]) {
      source.addEventListener(name, (event) => {
        said.push(event instanceof MessageEvent ? `${name} ${event.data}` : name);
        if (name === "error") resolve();
      });
    }
  });
  return { source, said, done, state };
}

test("events are assembled from any pieces, and a stream that stops without its end event is an error", async () => {
  const pieces = [
    "retry: 1000\n\n: here\n\nevent: en",
    "try\nid: 1\nda",
    "ta: ä1\r\n\r\ndata: two\ndata: lines\n\nda",
    "ta: lost",
  ];
  const { said, done } = connected(pieces);
  await done;
  assert.deepEqual(said, ["open", "entry ä1", "message two\nlines", "error"]);
});

test("a character that two pieces share is whole", async () => {
  const [first, second] = [new Uint8Array([0x64, 0x61, 0x74, 0x61, 0x3a, 0xc3]), new Uint8Array([0xa4, 0x0a, 0x0a])];
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(first);
      controller.enqueue(second);
      controller.close();
    },
  });
  const source = new EventStreamSource(async () => new Response(body));
  const data = await new Promise((resolve) =>
    source.addEventListener("message", (event) => resolve(event instanceof MessageEvent ? event.data : null)),
  );
  assert.equal(data, "ä");
});

test("a response that is no stream, and a failed connection, are errors", async () => {
  for (const connect of [
    async () => new Response("no", { status: 503 }),
    () => Promise.reject(new TypeError("fetch failed")),
  ]) {
    const source = new EventStreamSource(connect);
    const said: string[] = [];
    source.addEventListener("open", () => said.push("open"));
    await new Promise<void>((resolve) => source.addEventListener("error", () => resolve()));
    assert.deepEqual(said, []);
  }
});

test("a connection that is silent for too long is an error", async () => {
  const { said, done } = connected(["data: 1\n\n"], { isOver: false, silenceMsMax: 20 });
  await done;
  assert.deepEqual(said, ["open", "message 1", "error"]);
});

test("nothing is read while the listener has no room, and that does not count as silence", async () => {
  let makeRoom = () => {};
  let asked = 0;
  const beforeRead = () => {
    asked += 1;
    return asked < 3
      ? Promise.resolve()
      : new Promise<void>((resolve) => {
          makeRoom = resolve;
        });
  };
  const pieces = ["data: 1\n\n", "data: 2\n\n", "data: 3\n\n"];
  const { said, done, state } = connected(pieces, { beforeRead, silenceMsMax: 1000 });
  while (asked < 3) await new Promise(setImmediate);
  for (let turns = 0; turns < 20; turns += 1) await new Promise(setImmediate);
  assert.deepEqual(said, ["open", "message 1", "message 2"]);
  assert.ok(state.pulled <= 3, `${state.pulled} pieces were read`);
  while (!said.includes("error")) {
    makeRoom();
    await new Promise(setImmediate);
  }
  await done;
  assert.deepEqual(said, ["open", "message 1", "message 2", "message 3", "error"]);
});

test("a closed connection emits nothing more and releases the stream", async () => {
  const { source, said, state } = connected(["data: 1\n\n"], { isOver: false });
  await new Promise<void>((resolve) => source.addEventListener("message", () => resolve()));
  source.close();
  while (!state.isLetGo) await new Promise(setImmediate);
  assert.deepEqual(said, ["open", "message 1"]);
});
