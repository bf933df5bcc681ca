import assert from "node:assert/strict";
import { PassThrough, Readable, Writable } from "node:stream";
import { test } from "node:test";
import { setImmediate as tick } from "node:timers/promises";
import { BoundedText } from "./bounded-text.ts";
import { AgentConnection } from "./connection.ts";
import { until } from "./driver-under-test.fixture.ts";
import { parseUpdate } from "./message.ts";
import { readMessages } from "./stdio-messages.ts";
import { SwitchedListener } from "./switched-listener.ts";

const params = (text: string) => ({
  sessionId: "one",
  update: { sessionUpdate: "agent_message_chunk", messageId: "one", content: { type: "text", text } },
});

/** Processor time in milliseconds. */
function costOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test("an agent's small pieces cost little more than reading their JSON", () => {
  const lines = Array.from({ length: 20_000 }, (_, number) => JSON.stringify(params(`word ${number} `)));
  const parseAll = () => lines.forEach((line) => void parseUpdate(JSON.parse(line)));
  parseAll();
  const readAll = () => lines.forEach((line) => void JSON.parse(JSON.stringify(JSON.parse(line))));
  readAll();
  const [read, parsed] = [costOf(readAll), costOf(parseAll)];
  assert.ok(parsed < 5 * read, `${parsed} ms of processor time, ${read} ms for the JSON alone`);
});

test("the end of a text is the end of its pieces, whatever their sizes and whatever was dropped before", () => {
  for (const size of [1, 7, 150, 20_000]) {
    const bounded = new BoundedText(100_000);
    let whole = "";
    for (let number = 0; whole.length < 400_000; number += 1) {
      const piece = `${number} `.padEnd(size, "é").slice(0, Math.max(size, 2));
      bounded.append(piece);
      whole += piece;
      const isLooked = number % 1000 === 0 || whole.length < 300;
      if (isLooked) assert.equal(bounded.recent(), whole.slice(-16_384));
    }
    assert.equal(bounded.recent(), whole.slice(-16_384));
    assert.equal(bounded.length, whole.length);
  }
});

test("an agent that sends without a pause leaves other runs their turns", async () => {
  const line = `${JSON.stringify({ jsonrpc: "2.0", method: "session/update", params: params("word") })}\n`;
  const chunk = Buffer.from(line.repeat(Math.ceil(65_536 / line.length)));
  let messages = 0;
  let others = 0;
  const other = setInterval(() => {
    others += 1;
  }, 1);
  try {
    await readMessages(
      Readable.from(Array.from({ length: 50 }, () => chunk)),
      async () => {
        messages += 1;
      },
      () => assert.fail("no other lines"),
      () => undefined,
    );
  } finally {
    clearInterval(other);
  }
  assert.equal(messages, (50 * chunk.length) / line.length);
  assert.ok(others >= 50, `others had ${others} turns beside 50 chunks`);
});

/** A connection to an agent that writes `lines` and reads its stdin only by `read`, which returns a message's length. */
function connect(lines: () => AsyncGenerator<string>) {
  const unread: { line: string; onRead: () => void }[] = [];
  const stdin = new Writable({
    decodeStrings: false,
    write: (line: string, _encoding, onRead) => void unread.push({ line, onRead }),
  });
  const exited = Promise.withResolvers<{ code: number; signal: null }>();
  const process = {
    ...{ stdin, stdout: Readable.from(lines(), { highWaterMark: 1 }), stderr: new PassThrough() },
    ...{ exited: exited.promise, kill: async () => exited.resolve({ code: 9, signal: null }) },
  };
  const connection = new AgentConnection(process, new SwitchedListener());
  const read = () => {
    const first = unread.shift();
    first?.onRead();
    return first?.line.length ?? 0;
  };
  return { connection, stdin, read, end: () => exited.resolve({ code: 0, signal: null }) };
}

/** A request that the engine does not know; its answer repeats the method. */
const request = (id: number) => `${JSON.stringify({ jsonrpc: "2.0", id, method: "x".repeat(20_000), params: {} })}\n`;

test("an agent that asks without reading the answers has to wait until it reads them", async () => {
  let answered = 0;
  let mostUnread = 0;
  const { connection, read, end } = connect(async function* () {
    for (let id = 0; id < 200; id += 1) {
      mostUnread = Math.max(mostUnread, id - answered);
      yield request(id);
      await tick();
    }
  });
  let isOver = false;
  void connection.ended.then(() => {
    isOver = true;
  });
  // Reads far more slowly than it asks.
  for (let turns = 0; !isOver; turns += 1) {
    await tick();
    if (turns % 20 === 0 && read() > 0) answered += 1;
    if (answered === 200) end();
  }
  assert.ok(mostUnread < 60, `${mostUnread} answers of 40 kB were unread`);
  assert.equal(answered, 200);
});

test("an agent may write much before it reads a large prompt", async () => {
  const asked = Promise.withResolvers<void>();
  const { connection, end } = connect(async function* () {
    await tick();
    for (let id = 0; id < 5; id += 1) yield request(id);
    asked.resolve();
  });
  void connection.request("session/prompt", { text: "x".repeat(5_000_000) }).catch(() => undefined);
  await asked.promise;
  end();
  assert.equal((await connection.ended).code, 0);
});

test("an agent that ends without having read its answers is not waited for", async () => {
  const { connection, end, stdin } = connect(async function* () {
    for (let id = 0; id < 100; id += 1) yield request(id);
  });
  await until(() => stdin.writableLength > 1024 * 1024);
  end();
  assert.equal((await connection.ended).code, 0);
});
