import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "#lib/workspace/test-repository.ts";
import { sweepSockets } from "./listen.ts";
import { ask, connectText, getText, listening, namesOf, proxyUnderTest, serving } from "./proxy-under-test.fixture.ts";

test("a tunnel to an allowed host carries all bytes both ways, and ends when a side ends", async (t) => {
  const echo = createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket));
  const port = await listening(t, echo, "127.0.0.3");
  const find = namesOf({ "allowed.test": () => ["127.0.0.3"] });
  const { socket } = await proxyUnderTest(t, { find, permitted: `allowed.test:${port}` });
  const wire = connect({ path: socket, allowHalfOpen: true });
  const sent = Buffer.alloc(3_000_000, "0123456789");
  // The first bytes come with the request, before the tunnel is open.
  wire.write(connectText(`allowed.test:${port}`));
  wire.end(sent);
  const chunks: Buffer[] = [];
  wire.on("data", (chunk) => chunks.push(chunk));
  await once(wire, "end");
  const said = Buffer.concat(chunks);
  const head = said.indexOf("\r\n\r\n") + 4;
  assert.equal(said.subarray(0, head).toString(), "HTTP/1.1 200 Connection established\r\n\r\n");
  assert.ok(said.subarray(head).equals(sent));
  assert.deepEqual(find.asked, ["allowed.test"]);
});

test("a plain request is forwarded with its headers, and the answer comes back unchanged", async (t) => {
  const port = await serving(t, "127.0.0.3", (request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      const { headers, method, url } = request;
      response.writeHead(201, { "x-seen": `${method} ${url}`, "proxy-authenticate": "x" });
      response.end(JSON.stringify({ body, headers }));
    });
  });
  const { socket } = await proxyUnderTest(t, {
    find: namesOf({ "allowed.test": () => ["127.0.0.3"] }),
    permitted: `allowed.test:${port}`,
  });
  const host = `allowed.test:${port}`;
  const answer = await ask(
    socket,
    `POST http://${host}/a?b=c HTTP/1.1\r\nHost: ${host}\r\nX-Mine: 1\r\nProxy-Authorization: Basic eA==\r\nConnection: close, X-Hop\r\nX-Hop: 1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
  );
  assert.equal(answer.status, 201);
  assert.match(answer.head, /x-seen: POST \/a\?b=c/i);
  assert.doesNotMatch(answer.head, /proxy-authenticate/i);
  const seen = JSON.parse(answer.body.replace(/^[\da-f]+\r\n|\r\n0\r\n\r\n$/g, ""));
  assert.equal(seen.body, "hello");
  assert.equal(seen.headers.host, host);
  assert.equal(seen.headers["x-mine"], "1");
  for (const name of ["proxy-authorization", "x-hop"]) assert.ok(!(name in seen.headers), name);
});

test("a refusal names the rule and the way to allow it, and is recorded", async (t) => {
  const { socket, denials } = await proxyUnderTest(t, {
    find: namesOf({ "inner.test": () => ["10.0.0.1"] }),
    rules: { rules: [{ host: "inner.test", port: 443 }] },
    howToAllow: "An admin can allow it on the page Network.",
  });
  const tunnel = await ask(socket, connectText("other.test:443"));
  assert.equal(tunnel.status, 403);
  assert.equal(
    tunnel.body,
    "Errand did not connect to other.test:443: this run may reach allowed hosts only, and this host is not among them (host_not_allowed). An admin can allow it on the page Network.\n",
  );
  const plain = await ask(socket, getText("http://inner.test:443/"));
  assert.equal(plain.status, 403);
  assert.match(plain.body, /private network \(private_address\).*ERRAND_EGRESS_PRIVATE/);
  assert.deepEqual(denials, [
    { host: "other.test", port: 443, rule: "host_not_allowed" },
    { host: "inner.test", port: 443, rule: "private_address" },
  ]);
});

test("an invalid proxy request is 400, an unknown name 502, and neither is a denial", async (t) => {
  const { socket, denials } = await proxyUnderTest(t, { rules: { mode: "open" } });
  const answers: [string, number][] = [
    [connectText("nowhere.test:443"), 502],
    [getText("http://nowhere.test/"), 502],
    [connectText("nowhere.test"), 400],
    [connectText("u@nowhere.test:443"), 400],
    [getText("https://nowhere.test/"), 400],
    [getText("http://u:p@nowhere.test/"), 400],
    ["GET http://nowhere.test/ HTTP/1.1\r\nHost: other.test\r\nConnection: close\r\n\r\n", 400],
    ["GET http://nowhere.test/ HTTP/1.1\r\nHost: nowhere.test\r\nHost: other.test\r\nConnection: close\r\n\r\n", 400],
    ["nonsense\r\n\r\n", 400],
  ];
  for (const [text, status] of answers) assert.equal((await ask(socket, text)).status, status, text);
  assert.deepEqual(denials, []);
});

test("an answer that cannot be sent on is 502, and the proxy goes on", async (t) => {
  for (const line of ["200 \x01", "000 none", "099 low", "200 OK\r\nX-Odd: a\x01b"]) {
    const server = createServer((wire) => wire.end(`HTTP/1.1 ${line}\r\nContent-Length: 0\r\n\r\n`));
    const port = await listening(t, server, "127.0.0.3");
    const find = namesOf({ "allowed.test": () => ["127.0.0.3"] });
    const { socket } = await proxyUnderTest(t, { find, permitted: `allowed.test:${port}` });
    const answer = await ask(socket, getText(`http://allowed.test:${port}/`));
    assert.equal(answer.status, 502, JSON.stringify(line));
  }
});

test("a redirect is passed on, not followed", async (t) => {
  let reached = 0;
  const trap = await serving(t, "127.0.0.2", (_, response) => void response.end(String(++reached)));
  const port = await serving(t, "127.0.0.3", (_, response) => {
    response.writeHead(302, { location: `http://127.0.0.2:${trap}/`, "content-length": 0 }).end();
  });
  const { socket } = await proxyUnderTest(t, {
    find: namesOf({ "allowed.test": () => ["127.0.0.3"] }),
    permitted: `allowed.test:${port}`,
  });
  const answer = await ask(socket, getText(`http://allowed.test:${port}/`));
  assert.equal(answer.status, 302);
  assert.equal((await ask(socket, getText(`http://127.0.0.2:${trap}/`))).status, 403);
  assert.equal(reached, 0);
});

test("the socket's path may have any length, other users cannot reach it, and it is removed", async (t) => {
  const folder = join(temporaryFolder(t), "a".repeat(120), "run");
  mkdirSync(join(folder, ".."), { recursive: true });
  const { socket, close } = await proxyUnderTest(t, { folder, name: "7.sock" });
  assert.ok(Buffer.byteLength(socket) > 108);
  assert.deepEqual(readdirSync(folder), ["7.sock"]);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  await close();
  assert.deepEqual(readdirSync(folder), []);
});

test("a run's connections end with the run", async (t) => {
  const port = await listening(
    t,
    createServer(() => undefined),
    "127.0.0.3",
  );
  const { socket, close } = await proxyUnderTest(t, {
    find: namesOf({ "allowed.test": () => ["127.0.0.3"] }),
    permitted: `allowed.test:${port}`,
  });
  const wire = connect({ path: socket });
  wire.write(connectText(`allowed.test:${port}`));
  await once(wire, "data");
  const closed = once(wire, "close");
  await close();
  await closed;
  await assert.rejects(ask(socket, connectText(`allowed.test:${port}`)), /ENOENT|ECONNREFUSED/);
});

test("a client that disconnects during a look-up leaves no connection", async (t) => {
  const opened = new Set<Socket>();
  let requests = 0;
  const server = createHttpServer((_, response) => void response.end(String(++requests)));
  server.on("connection", (socket) => {
    opened.add(socket);
    socket.once("close", () => opened.delete(socket));
  });
  const port = await listening(t, server, "127.0.0.3");
  const looked: (() => void)[] = [];
  const { socket } = await proxyUnderTest(t, {
    find: (_, found) => looked.push(() => found(null, [{ address: "127.0.0.3", family: 4 }])),
    permitted: `allowed.test:${port}`,
  });
  for (const text of [connectText(`allowed.test:${port}`), getText(`http://allowed.test:${port}/`)]) {
    const wire = connect({ path: socket });
    wire.write(text);
    while (looked.length === 0) await new Promise((resolve) => setImmediate(resolve));
    wire.destroy();
    await once(wire, "close");
    // The proxy handles the disconnect before it answers the next client.
    assert.equal((await ask(socket, connectText("nobody"))).status, 400);
    looked.pop()?.();
  }
  const last = ask(socket, getText(`http://allowed.test:${port}/`));
  while (looked.length === 0) await new Promise((resolve) => setImmediate(resolve));
  looked.pop()?.();
  assert.equal((await last).body, "1");
  while (opened.size > 0) await new Promise((resolve) => setImmediate(resolve));
});

test("the sockets of a killed service are removed, those in use stay", async (t) => {
  const folder = join(temporaryFolder(t), "a".repeat(100));
  mkdirSync(folder);
  const listens = "require('node:net').createServer().listen('left.sock', () => console.log('ready'))";
  const killed = spawn(process.execPath, ["-e", listens], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  await once(killed.stdout, "data");
  killed.kill("SIGKILL");
  await once(killed, "exit");
  await proxyUnderTest(t, { folder, name: "used.sock" });
  assert.deepEqual(readdirSync(folder).sort(), ["left.sock", "used.sock"]);
  await sweepSockets(folder);
  assert.deepEqual(readdirSync(folder), ["used.sock"]);
  await sweepSockets(join(folder, "absent"));
});

test("a run has at most 256 connections at once", async (t) => {
  const { socket } = await proxyUnderTest(t, {});
  const wires = Array.from({ length: 256 }, () => connect({ path: socket }));
  t.after(() => wires.forEach((wire) => void wire.destroy()));
  await Promise.all(wires.map((wire) => once(wire, "connect")));
  const more = connect({ path: socket });
  more.on("error", () => undefined);
  await once(more, "close");
  assert.ok(wires.every((wire) => !wire.destroyed));
});
