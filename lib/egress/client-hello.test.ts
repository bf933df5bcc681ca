import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { test } from "node:test";
import { connect as connectSecure } from "node:tls";
import { readServerName } from "./client-hello.ts";
import { connectText, listening, namesOf, proxyUnderTest } from "./proxy-under-test.fixture.ts";

/** The first bytes that Node's own TLS client sends. */
async function helloFor(servername: string): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  const server = createServer((socket) => {
    socket.once("data", (bytes) => {
      resolve(bytes);
      socket.destroy();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  connectSecure({ host: "127.0.0.1", port, servername }).on("error", () => undefined);
  const bytes = await promise;
  server.close();
  return bytes;
}

/** The same message in records of `size` bytes. */
function inRecords(hello: Buffer, size: number): Buffer {
  const message = hello.subarray(5);
  const records: Buffer[] = [];
  for (let at = 0; at < message.length; at += size) {
    const part = message.subarray(at, at + size);
    records.push(Buffer.from([22, 3, 1, part.length >> 8, part.length & 255]), part);
  }
  return Buffer.concat(records);
}

test("the host that a TLS client names is read, however its message is cut", async () => {
  const hello = await helloFor("asked.test");
  assert.deepEqual(readServerName(hello), { name: "asked.test" });
  for (let end = 0; end < hello.length; end += 1) {
    assert.equal(readServerName(hello.subarray(0, end)), "unfinished", `${end} bytes`);
  }
  for (const size of [1, 7, 100]) assert.deepEqual(readServerName(inRecords(hello, size)), { name: "asked.test" });
  assert.deepEqual(readServerName(await helloFor("")), { name: null });
  assert.equal(readServerName(Buffer.from("SSH-2.0-x\r\n")), "not_tls");
  const broken = Buffer.from(hello);
  broken.writeUInt16BE(65_535, 5 + 4 + 34 + 1 + 32);
  assert.throws(() => readServerName(broken), RangeError);
});

/** The same message, extended by unknown cipher suites to a length that servers still accept. */
function lengthened(hello: Buffer, bytes: number): Buffer {
  const message = hello.subarray(5);
  const at = 4 + 34 + 1 + message.readUInt8(38);
  const end = at + 2 + message.readUInt16BE(at);
  const suites = Buffer.concat([message.subarray(at + 2, end), Buffer.alloc(bytes, 0xfa)]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(suites.length);
  const long = Buffer.concat([message.subarray(0, at), length, suites, message.subarray(end)]);
  long.writeUIntBE(long.length - 4, 1, 3);
  return inRecords(Buffer.concat([Buffer.alloc(5), long]), 16_384);
}

/** A proxy to an echo server with two names. Returns what a client receives after sending `bytes` in a tunnel. */
async function tunnelled(t: Parameters<typeof proxyUnderTest>[0]) {
  const heard: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on("data", (bytes) => {
      heard.push(bytes);
      socket.write("heard");
    });
  });
  const port = await listening(t, server, "127.0.0.3");
  const names = { "allowed.test": () => ["127.0.0.3"], "other.test": () => ["127.0.0.3"] };
  const permitted = `allowed.test:${port},friend.test:${port}`;
  const { socket, denials } = await proxyUnderTest(t, { find: namesOf(names), permitted });
  const say = async (...parts: Buffer[]) => {
    const wire = connect({ path: socket });
    wire.write(connectText(`allowed.test:${port}`));
    const [first] = await once(wire, "data");
    assert.match(String(first), /^HTTP\/1.1 200/);
    for (const part of parts) {
      wire.write(part);
      await new Promise(setImmediate);
    }
    const [answer] = await once(wire, "data");
    wire.destroy();
    return answer as Buffer;
  };
  return { say, heard, denials, port };
}

test("a tunnel carries TLS for the host it was opened for, or another allowed one", async (t) => {
  const { say, heard, denials } = await tunnelled(t);
  const hello = await helloFor("allowed.test");
  assert.equal(String(await say(hello.subarray(0, 3), hello.subarray(3, 60), hello.subarray(60))), "heard");
  assert.deepEqual(Buffer.concat(heard), hello);
  assert.equal(String(await say(await helloFor("friend.test"))), "heard");
  assert.equal(String(await say(await helloFor(""))), "heard");
  assert.equal(String(await say(Buffer.from("no TLS at all"))), "heard");
  assert.deepEqual(denials, []);
});

test("a tunnel is closed if TLS names a host that is not allowed, before the server receives anything", async (t) => {
  const { say, heard, denials, port } = await tunnelled(t);
  const hello = await helloFor("other.test");
  for (const bytes of [hello, inRecords(hello, 16), lengthened(hello, 100)]) {
    assert.deepEqual([...(await say(bytes))], [21, 3, 3, 0, 2, 2, 112], "the alert unrecognized_name");
  }
  assert.deepEqual(heard, []);
  assert.deepEqual(denials, Array(3).fill({ host: "other.test", port, rule: "host_not_allowed" }));
});

test("a tunnel is closed if TLS begins with anything but a client's first message", async (t) => {
  const { say, heard } = await tunnelled(t);
  const hello = await helloFor("other.test");
  // A server skips a warning before the message, and anything in it that it does not understand.
  const warning = Buffer.from([21, 3, 1, 0, 2, 1, 90]);
  const halves = inRecords(hello, hello.length >> 1);
  const half = 5 + halves.readUInt16BE(3);
  const between = Buffer.concat([halves.subarray(0, half), Buffer.from([20, 3, 3, 0, 1, 1]), halves.subarray(half)]);
  const request = Buffer.from([22, 3, 1, 0, 4, 0, 0, 0, 0]);
  const empty = Buffer.from([22, 3, 1, 0, 0]);
  const tooLong = Buffer.from([22, 3, 1, 0, 4, 1, 255, 255, 255]);
  const begins = [[warning, hello], [between], [request, hello], [tooLong, hello], [empty, warning, hello]];
  for (const bytes of [...begins, [lengthened(hello, 65_000)]]) {
    assert.deepEqual([...(await say(Buffer.concat(bytes)))], [21, 3, 3, 0, 2, 2, 112]);
  }
  assert.deepEqual(heard, []);
});
