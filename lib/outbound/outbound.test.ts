import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import type { LookupAddress } from "node:dns";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { allowedOf } from "./allowed.fixture.ts";
import { nothingAllowed } from "./allowed-targets.ts";
import { createOutbound, type FindAddresses, type OutboundRequest } from "./outbound.ts";
import { OutboundError } from "./outbound-error.ts";

const loopback = allowedOf("127.0.0.0/8");
const get = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  method: "GET",
  url,
  timeoutMs: 5000,
  answerBytesMax: 1000,
  ...more,
});

async function listening(t: TestContext, server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return (server.address() as AddressInfo).port;
}
const serving = (t: TestContext, answer: RequestListener) => listening(t, createServer(answer));
/** A server that sends these bytes and keeps the connection, or ends it. */
const saying = (t: TestContext, text: string, ends: boolean) =>
  listening(
    t,
    createSocketServer((socket) => void socket.once("data", () => (ends ? socket.end(text) : socket.write(text)))),
  );

/** A resolver that returns the next list at each lookup, and the last one again. */
function resolving(...lists: string[][]): FindAddresses & { asked: string[] } {
  const asked: string[] = [];
  const find: FindAddresses = (name, found) => {
    asked.push(name);
    const list = lists[Math.min(asked.length, lists.length) - 1] ?? [];
    const addresses = list.map((address): LookupAddress => ({ address, family: address.includes(":") ? 6 : 4 }));
    setImmediate(() => found(null, addresses));
  };
  return Object.assign(find, { asked });
}

const failsWith = (reason: string, message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof OutboundError, String(error));
  assert.equal(error.reason, reason);
  assert.match(error.message, message);
  return true;
};

test("request and response arrive complete", async (t) => {
  const port = await serving(t, (request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      response.setHeader(
        "x-seen",
        `${request.method} ${request.url} ${request.headers["x-mine"]} ${request.headers.host}`,
      );
      response.writeHead(201).end(`heard ${body}`);
    });
  });
  const request = get(`http://127.0.0.1:${port}/a?b=c`, { method: "POST", body: "Grüße", headers: { "x-mine": "1" } });
  const { status, headers, body, complete } = await createOutbound(loopback).send(request);
  assert.deepEqual([status, Buffer.from(body).toString(), complete], [201, "heard Grüße", true]);
  assert.equal(headers["x-seen"], `POST /a?b=c 1 127.0.0.1:${port}`);
});

test("an unusable address is refused with its reason before anything is sent", async () => {
  const outbound = createOutbound(nothingAllowed);
  for (const url of ["", "nonsense", "ftp://example.com", "file:///etc/passwd", "javascript:1", "unix:/run/x.sock"]) {
    assert.equal(outbound.refusalOf(url), "must be an http or https address");
  }
  assert.equal(outbound.refusalOf("https://me:word@example.com"), "must not contain a name or password");
  for (const host of [
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f.1",
    "017700000001",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "localhost",
  ]) {
    const url = `http://${host}:1/`;
    assert.equal(
      outbound.refusalOf(url),
      "leads to a private network, which Errand does not allow (add it to ERRAND_OUTBOUND_ALLOW and restart)",
      host,
    );
    await assert.rejects(outbound.send(get(url)), failsWith("private", /^The address leads to a private network/));
  }
  for (const host of ["a.localhost", "localhost.", "１２７.0.0.1"])
    assert.ok(outbound.refusalOf(`http://${host}/`), host);
  assert.equal(outbound.refusalOf("https://example.com/x"), null);
  assert.equal(createOutbound(loopback).refusalOf("http://localhost:80/"), null);
});

test("a name that leads to a private address is refused where the connection is made", async (t) => {
  let requests = 0;
  const port = await serving(t, (_, response) => void response.end(String(++requests)));
  const private_ = createOutbound(nothingAllowed, resolving(["127.0.0.1", "::ffff:127.0.0.1", "fd00::1"]));
  await assert.rejects(private_.send(get(`http://hook.test:${port}/`)), failsWith("private", /private network/));
  assert.equal(requests, 0);
  const named = createOutbound(allowedOf("hook.test"), resolving(["127.0.0.1"]));
  assert.equal((await named.send(get(`http://hook.test:${port}/`))).status, 200);
});

test("a name that changes its address is looked up once, and that very address is connected to", async (t) => {
  let requests = 0;
  const port = await serving(t, (_, response) => void response.end(String(++requests)));
  const find = resolving(["127.0.0.1"], ["10.0.0.1"]);
  const outbound = createOutbound(loopback, find);
  assert.equal((await outbound.send(get(`http://rebind.test:${port}/`))).status, 200);
  assert.deepEqual(find.asked, ["rebind.test"]);
  // The same name leads elsewhere now; the earlier lookup no longer counts.
  await assert.rejects(outbound.send(get(`http://rebind.test:${port}/`)), failsWith("private", /private network/));
  assert.deepEqual([requests, find.asked.length], [1, 2]);
});

test("of several addresses only the allowed ones are tried", async (t) => {
  const port = await serving(t, (request, response) => void response.end(request.socket.localAddress));
  const outbound = createOutbound(allowedOf("127.0.0.1"), resolving(["127.0.0.2", "::1", "127.0.0.1"]));
  const answer = await outbound.send(get(`http://many.test:${port}/`));
  assert.equal(Buffer.from(answer.body).toString(), "127.0.0.1");
});

test("a redirect is a response and is not followed", async (t) => {
  let requests = 0;
  const port = await serving(t, (_, response) => {
    requests++;
    response.writeHead(302, { location: "/on" }).end();
  });
  assert.equal((await createOutbound(loopback).send(get(`http://127.0.0.1:${port}/`))).status, 302);
  assert.equal(requests, 1);
});

test("no more than the limit is read of an endless body", async (t) => {
  const port = await serving(t, (_, response) => {
    const more = () => {
      while (!response.destroyed && response.write("x".repeat(10_000)));
    };
    response.on("drain", more);
    more();
  });
  const answer = await createOutbound(loopback).send(get(`http://127.0.0.1:${port}/`));
  assert.deepEqual([answer.status, answer.body.byteLength, answer.complete], [200, 1000, false]);
});

test("a body that is cut or never ends keeps its status, and is marked as incomplete", async (t) => {
  const head = "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc";
  const outbound = createOutbound(loopback);
  const cut = await outbound.send(get(`http://127.0.0.1:${await saying(t, head, true)}/`));
  assert.deepEqual([cut.status, Buffer.from(cut.body).toString(), cut.complete], [200, "abc", false]);
  const slow = get(`http://127.0.0.1:${await saying(t, head, false)}/`, { timeoutMs: 1_000 });
  assert.equal((await outbound.send(slow)).complete, false);
});

test("each way to get no response has its reason", async (t) => {
  const outbound = createOutbound(loopback);
  const refused = (url: string, more?: Partial<OutboundRequest>) => outbound.send(get(url, more));
  const silent = await saying(t, "", false);
  await assert.rejects(
    refused(`http://127.0.0.1:${silent}/`, { timeoutMs: 50 }),
    failsWith("timeout", /within 0.05 s/),
  );
  const closed = await saying(t, "", true);
  await assert.rejects(refused(`http://127.0.0.1:${closed}/`), failsWith("broken", /broke before it answered/));
  const nonsense = await saying(t, "no HTTP at all\r\n\r\n", true);
  await assert.rejects(refused(`http://127.0.0.1:${nonsense}/`), failsWith("broken", /HPE_/));
  await assert.rejects(refused(`https://127.0.0.1:${nonsense}/`), failsWith("broken", /./));
  const upgrade = await saying(t, "HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n", false);
  await assert.rejects(refused(`http://127.0.0.1:${upgrade}/`), failsWith("broken", /./));
  const server = createSocketServer();
  const port = await listening(t, server);
  await new Promise((resolve) => server.close(resolve));
  await assert.rejects(
    refused(`http://127.0.0.1:${port}/`),
    failsWith("unreachable", /Nothing answers at "127.0.0.1:/),
  );
  const unknown: FindAddresses = (_, found) => found(Object.assign(new Error("no"), { code: "ENOTFOUND" }), []);
  const nameless = createOutbound(loopback, unknown).send(get("http://nowhere.test/"));
  await assert.rejects(nameless, failsWith("not_found", /^The name "nowhere.test" was not found\.$/));
});

test("a lookup that gets no answer is given up in time", async () => {
  const outbound = createOutbound(nothingAllowed, () => undefined);
  await assert.rejects(outbound.send(get("http://slow.test/", { timeoutMs: 50 })), failsWith("timeout", /slow.test/));
});

test("a caller who aborts gets their own reason", async (t) => {
  const port = await saying(t, "", false);
  const mine = new Error("enough");
  const controller = new AbortController();
  const sent = createOutbound(loopback).send(get(`http://127.0.0.1:${port}/`, { signal: controller.signal }));
  controller.abort(mine);
  await assert.rejects(sent, mine);
  await assert.rejects(createOutbound(loopback).send(get("http://x.test/", { signal: controller.signal })), mine);
});

test("a proxy of the environment is not used", async (t) => {
  let throughProxy = 0;
  const proxy = await serving(t, (_, response) => void response.writeHead(502).end(String(++throughProxy)));
  const port = await serving(t, (_, response) => void response.end("direct"));
  const program = `
    const { createOutbound } = await import(${JSON.stringify(new URL("./outbound.ts", import.meta.url).href)});
    const { allowedOf } = await import(${JSON.stringify(new URL("./allowed.fixture.ts", import.meta.url).href)});
    const send = createOutbound(allowedOf("127.0.0.0/8")).send;
    const { body } = await send({ method: "GET", url: "http://127.0.0.1:${port}/", timeoutMs: 5000, answerBytesMax: 100 });
    process.stdout.write(Buffer.from(body));`;
  const environment = {
    ...process.env,
    NODE_USE_ENV_PROXY: "1",
    HTTP_PROXY: `http://127.0.0.1:${proxy}`,
    NO_PROXY: "",
  };
  const ran = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], { env: environment });
  assert.deepEqual([ran.stdout, throughProxy], ["direct", 0]);
});
