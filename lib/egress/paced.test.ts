import assert from "node:assert/strict";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { ask, namesOf, proxyUnderTest, serving } from "./proxy-under-test.fixture.ts";

/** Floods a socket over many connections with requests that it does not wait for. */
const flood = `
  const { connect } = require("node:net");
  const { workerData } = require("node:worker_threads");
  const many = Buffer.from("GET /k/NONE/ HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n".repeat(3000));
  const go = () => {
    const socket = connect({ path: workerData });
    const write = () => { while (socket.write(many)); socket.once("drain", write); };
    socket.on("connect", write).on("error", () => undefined).on("close", () => setTimeout(go, 5)).resume();
  };
  for (let at = 0; at < 100; at += 1) go();
`;

test("a flooding run gets only a few answers before the process serves other runs", async (t) => {
  const { socket, denials } = await proxyUnderTest(t, {});
  const worker = new Worker(flood, { eval: true, workerData: socket });
  t.after(() => worker.terminate());
  let [before, most] = [0, 0];
  while (denials.length < 5000) {
    await new Promise(setImmediate);
    most = Math.max(most, denials.length - before);
    before = denials.length;
  }
  assert.ok(most < 300, `${most} requests in one round of the event loop`);
});

test("a large body passes a paced connection complete", async (t) => {
  const body = "0123456789abcdef".repeat(65_536);
  const find = namesOf({ "allowed.test": () => ["127.0.0.3"] });
  const port = await serving(t, "127.0.0.3", async (request, response) => {
    let count = 0;
    for await (const chunk of request) count += chunk.length;
    response.end(`heard ${count}`);
  });
  const host = `allowed.test:${port}`;
  const { socket } = await proxyUnderTest(t, { find, permitted: host });
  const head = `POST http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`;
  assert.match((await ask(socket, head + body)).body, new RegExp(`heard ${body.length}`));
});
