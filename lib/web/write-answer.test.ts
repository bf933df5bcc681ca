import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, get, type IncomingMessage, type ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { type TestContext, test } from "node:test";
import type { Answer } from "#lib/http/answer.ts";
import { ApiUnderTest } from "./api-under-test.ts";
import { listen } from "./listen.ts";
import { NodeCall } from "./node-call.ts";
import { writeAnswer } from "./write-answer.ts";

/** A server that writes these responses; returns its port. `hasWritten` is called after each. */
async function serve(t: TestContext, answer: (call: NodeCall) => Promise<Answer>, hasWritten = () => {}) {
  const server = createServer(async (request, response) => {
    response.once("finish", hasWritten);
    const call = new NodeCall(request, response, new AbortController().signal);
    await writeAnswer(response, await answer(call), "GET");
  });
  t.after(() => server.close());
  return await listen(server, "127.0.0.1", 0);
}

const ask = (port: number, path: string, token = "") =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    get({ port, host: "127.0.0.1", path, headers, agent: false }, resolve).on("error", reject);
  });

async function read(message: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of message) pieces.push(piece);
  return Buffer.concat(pieces);
}

test("bytes owned by a response arrive complete, however slowly they are read, and then their memory is released", async (t) => {
  // More than the system buffers between the two.
  const size = 64 * 1024 * 1024;
  const bytes = new Uint8Array(size).fill(7);
  // Texts this short share a buffer with all others.
  const [before, after] = [Buffer.from("["), Buffer.from("]")];
  const written = Promise.withResolvers<void>();
  const headers = { "content-length": String(size + 2) };
  const answer: Answer = { status: 200, headers, body: [before, bytes, after], isOwn: true };
  const port = await serve(t, async () => answer, written.resolve);
  const message = await ask(port, "/");
  message.once("data", () => message.pause());
  await once(message, "pause");
  assert.equal(bytes.length, size);

  const taken = await read(message);
  const rest = taken.subarray(0, -1);
  assert.ok(taken.length > size / 2 && rest.equals(Buffer.alloc(rest.length, 7)) && taken.at(-1) === after[0]);
  await written.promise;
  assert.equal(bytes.length, 0);
  assert.deepEqual([before.toString(), after.toString()], ["[", "]"]);
});

test("an event stream whose client reads nothing is cut off; a file, and a stream that is read, are not", async (t) => {
  // Longer than a busy machine pauses while it reads.
  const limitMs = 3000;
  const text = "é".repeat(4 * 1024 * 1024);
  async function* endless() {
    for (;;) yield text;
  }
  async function* large() {
    for (let count = 0; count < 4; count += 1) yield text;
  }
  const cut = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    const body = request.url === "/large" ? large() : endless();
    const headers = { "content-type": request.url === "/file" ? "text/plain" : "text/event-stream; charset=utf-8" };
    await writeAnswer(response, { status: 200, headers, body }, "GET", limitMs);
    if (request.url === "/endless") cut.resolve();
  });
  t.after(() => server.close().closeAllConnections());
  const port = await listen(server, "127.0.0.1", 0);
  const file = await ask(port, "/file");
  file.pause();
  const silent = await ask(port, "/endless");
  silent.pause();
  silent.on("error", () => undefined);

  assert.equal((await read(await ask(port, "/large"))).toString(), text.repeat(4));
  await cut.promise;
  silent.resume();
  await assert.rejects(read(silent), { code: "ECONNRESET" });
  assert.equal(file.socket.destroyed, false);
  file.resume();
  const [more] = await once(file, "data");
  assert.ok(more.length > 0);
  file.destroy();
});

test("time in which the process was paused is not the client's: what it read meanwhile keeps its connection", async (t) => {
  const limitMs = 2000;
  const size = 32 * 1024 * 1024;
  const pieces = Array.from({ length: 32 }, () => Buffer.alloc(1024 * 1024, 7));
  async function* stream() {
    yield* pieces;
  }
  const responses: ServerResponse[] = [];
  const server = createServer(async (request, response) => {
    responses.push(response);
    const isFile = request.url === "/file";
    const headers = { "content-type": isFile ? "text/plain" : "text/event-stream; charset=utf-8" };
    const body = isFile ? Readable.from(pieces) : stream();
    await writeAnswer(response, { status: 200, headers, body, ...(isFile && { takeMs: limitMs }) }, "GET", limitMs);
  });
  t.after(() => server.close().closeAllConnections());
  const port = await listen(server, "127.0.0.1", 0);
  const standStill = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, limitMs * 1.1);
  for (const path of ["/stream", "/file"]) {
    // Reads nothing until it is told to.
    const client = spawn(process.execPath, ["-e", slowReader, `http://127.0.0.1:${port}${path}`]);
    t.after(() => client.kill());
    const said = client.stdout.setEncoding("utf8")[Symbol.asyncIterator]();
    assert.equal((await said.next()).value, "open\n");
    while (responses.at(-1)?.writableNeedDrain !== true) await new Promise(setImmediate);
    standStill();
    for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
    client.stdin.write("read\n");
    standStill();
    assert.equal((await said.next()).value, `${size}\n`, path);
  }
});

const slowReader = `
require("node:http").get(process.argv[1], (message) => {
  console.log("open");
  process.stdin.once("data", () => {
    let size = 0;
    message.on("data", (piece) => { size += piece.length; });
    message.on("end", () => { console.log(size); process.exit(); });
    message.on("error", ({ code }) => { console.log(code); process.exit(); });
  });
});`;

test("a page of entries cached for others is the same at each request", async (t) => {
  const api = await ApiUnderTest.open();
  t.after(() => api.close());
  const token = await api.token();
  const { run } = await api.liveRun(100);
  const port = await serve(t, (call) => api.api(call));
  const path = `/v1/organizations/1/agent/run/${run.id}/logs?limit=100`;
  const first = (await read(await ask(port, path, token))).toString();
  assert.equal(JSON.parse(first).logs.length, 100);
  for (let time = 0; time < 3; time += 1) {
    const pages = await Promise.all([path, path, path].map(async (one) => read(await ask(port, one, token))));
    for (const page of pages) assert.equal(page.toString(), first);
  }
});
