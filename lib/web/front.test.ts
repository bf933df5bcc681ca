import assert from "node:assert/strict";
import { once } from "node:events";
import { request as httpRequest, Server } from "node:http";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { ApiUnderTest, someEntries } from "./api-under-test.ts";
import type { Front, PageHandler } from "./front.ts";
import { type Sent, sendTo } from "./plain-request.fixture.ts";

let api: ApiUnderTest;
let front: Front;
let token: string;
let page: PageHandler;
const O = "/v1/organizations/1";

before(async () => {
  api = await ApiUnderTest.open();
  token = await api.token();
  page = async (_, response) => void response.end("a page");
  front = await api.serve({ next: (request, response) => page(request, response), allowedHosts: ["extra.test"] });
});
after(async () => {
  await front.close();
  await api.close();
});

const send = (path: string, sent: Sent = {}) => sendTo(front.port, path, sent);

/** What the server writes until it closes the connection. */
async function raw(text: string): Promise<string> {
  const socket = connect(front.port, "127.0.0.1");
  socket.write(text);
  const pieces: Buffer[] = [];
  for await (const piece of socket) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

const bearer = () => ({ authorization: `Bearer ${token}` });
const asJson = () => ({ ...bearer(), "content-type": "application/json" });

test("foreign hosts are refused, known ones served whatever the port", async () => {
  const refused = await send("/healthz", { headers: { host: "evil.example" } });
  assert.equal(refused.status, 421);
  assert.equal(JSON.parse(refused.text).code, "misdirected");
  assert.equal((await send("/", { headers: { host: "evil.example" } })).status, 421);
  for (const host of ["localhost:1", "127.0.0.1", "[::1]:80", "EXTRA.test"]) {
    assert.equal((await send("/healthz", { headers: { host } })).status, 200, host);
  }
});

test("unknown paths are JSON 404, wrong methods 405 with Allow, invalid escapes 400, and every response has its id", async () => {
  const answers: [string, string, number][] = [
    ["GET", "/v1/nothing", 404],
    ["DELETE", `${O}/agent/runs`, 405],
    ["PROPFIND", `${O}/agent/runs`, 405],
    ["GET", "/v1/%E0%A4%A", 400],
    ["GET", "/%zz", 400],
    ["GET", "ftp://localhost/v1/organizations", 400],
  ];
  for (const [method, path, status] of answers) {
    const got = await send(path, { method, headers: { "x-request-id": "my-id.1" } });
    assert.equal(got.status, status, path);
    assert.equal(got.headers["content-type"], "application/problem+json; charset=utf-8");
    assert.equal(got.headers["x-request-id"], "my-id.1");
    assert.equal(JSON.parse(got.text).request_id, "my-id.1");
    if (status === 405) assert.equal(got.headers.allow, "GET, HEAD, OPTIONS");
  }
  assert.notEqual((await send("/healthz", { headers: { "x-request-id": "a b" } })).headers["x-request-id"], "a b");
  assert.equal((await send("/healthz", { method: "HEAD" })).text, "");
});

test("a target may be a whole address, whose host counts", async () => {
  const headers = { ...bearer(), host: "evil.example" };
  for (const target of ["http://localhost/v1/users/me", "HTTPS://extra.test:8443/v1/users/me"]) {
    const { status, text } = await send(target, { headers });
    assert.deepEqual([status, JSON.parse(text).id], [200, 1], target);
  }
  assert.equal((await send("http://evil.example/healthz", { headers: { host: "localhost" } })).status, 421);
  assert.equal((await send("http://localhost", {})).text, "a page");
  assert.equal((await send("http://localhost?a=b", {})).text, "a page");
});

test("a wrong base address gets JSON with a token, and names the right one", async () => {
  const meant: [string, RegExp][] = [
    ["/api/v1/users/me", /Did you mean \/v1\/users\/me\?$/],
    ["/organizations/1/agent/runs", /Did you mean \/v1\/organizations\/1\/agent\/runs\?$/],
    ["/V2/organizations/1", /Did you mean \/v1\/organizations\/1\?$/],
    ["/elsewhere", /The API is under \/v1\.$/],
  ];
  for (const [path, words] of meant) {
    const { status, headers, text } = await send(path, { headers: { ...bearer(), accept: "*/*" } });
    assert.deepEqual([status, headers["content-type"]], [404, "application/problem+json; charset=utf-8"], path);
    assert.match(JSON.parse(text).detail, words);
  }
  // A proxy may ask browsers for a password of its own.
  const basic = { authorization: "Basic YTpi", accept: "*/*" };
  assert.equal((await send("/organizations", { headers: basic })).text, "a page");
});

test("outside /v1 a client that asks for JSON gets a JSON 404, browsers and all others the page", async () => {
  for (const accept of ["application/json", "application/json, text/plain, */*", "application/problem+json;q=0.9"]) {
    const got = await send("/organizations/1/agent/runs", { headers: { accept } });
    assert.equal(got.status, 404, accept);
    assert.equal(got.headers["content-type"], "application/problem+json; charset=utf-8");
    assert.equal(JSON.parse(got.text).code, "not_found");
  }
  const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
  for (const accept of [browser, "*/*", "text/html, application/json;q=0.5", "text/x-component", "image/avif,*/*"]) {
    assert.equal((await send("/organizations/1/agent/runs", { headers: { accept } })).text, "a page", accept);
  }
  assert.equal((await send("/nothing")).text, "a page");
});

test("bodies must be JSON: 415, 400 for an invalid one, 413 for one too large, announced or not", async () => {
  const path = `${O}/tokens`;
  const post = (body: string | Uint8Array | undefined, headers: Record<string, string> = asJson()) =>
    send(path, body === undefined ? { method: "POST", headers } : { method: "POST", headers, body });
  const good = JSON.stringify({ name: "x" });
  assert.equal(
    (await post(good, { ...bearer(), "content-type": "application/merge-patch+json; charset=UTF-8" })).status,
    200,
  );
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1", "json"]) {
    assert.equal((await post(good, { ...bearer(), "content-type": type })).status, 415, type);
  }
  assert.equal((await post(good, bearer())).status, 415);
  assert.equal((await post(good, { ...asJson(), "content-encoding": "gzip" })).status, 415);
  const broken = ["{", '{"name":"x"} x', "'x'", '{"name":undefined}', Buffer.from([0x22, 0xff, 0x22]), '{"name":"\n"}'];
  for (const body of broken) {
    const { status, text } = await post(body);
    assert.equal(status, 400, String(body));
    const { detail, errors } = JSON.parse(text);
    assert.deepEqual(errors, [{ loc: ["body"], msg: detail, type: "json_invalid" }]);
  }
  assert.match((await post(`{"name":"x","y":${"[".repeat(65)}${"]".repeat(65)}}`)).text, /nested deeper than 64/);
  const deep = `{"prompt":"x","metadata":{"y":${"[".repeat(62)}${"]".repeat(62)}}}`;
  assert.equal((await send(`${O}/agent/run`, { method: "POST", headers: asJson(), body: deep })).status, 200);
  assert.equal((await post(undefined)).status, 400);
  const large = `{"name":"${"a".repeat(1024 * 1024)}"}`;
  assert.equal((await post(large, { ...asJson(), "content-length": String(large.length) })).status, 413);
  assert.equal((await post(large, { ...asJson(), "transfer-encoding": "chunked" })).status, 413);
});

test("a prompt may be emoji and of the full length; empty, blank, NUL, lone surrogates and 1 MB are refused by field", async () => {
  const create = (prompt: string) =>
    send(`${O}/agent/run`, { method: "POST", headers: asJson(), body: JSON.stringify({ prompt }) });
  for (const prompt of ["😀", "a".repeat(262_144)]) assert.equal((await create(prompt)).status, 200);
  for (const prompt of ["", "  \n", "a\u0000b", "\ud800", "a".repeat(1024 * 1024)]) {
    const got = await create(prompt);
    assert.equal(got.status, 400);
    assert.deepEqual(JSON.parse(got.text).errors[0].loc, ["body", "prompt"]);
  }
});

test("large JSON is compressed for clients that accept it, small JSON and streams never", async () => {
  await emptyQueue();
  const { run, lease } = await api.liveRun(someEntries(40, (index) => `${index} ${"text ".repeat(60)}`));
  await api.finish(lease);
  const path = `${O}/agent/run/${run.id}/logs`;
  const plain = await send(path, { headers: bearer() });
  assert.equal(plain.headers["content-encoding"], undefined);
  assert.equal(plain.headers["content-length"], String(plain.bytes.length));
  assert.equal(plain.headers.vary, "accept-encoding");
  const zstd = await send(path, { headers: { ...bearer(), "accept-encoding": "gzip, zstd" } });
  assert.deepEqual([zstd.headers["content-encoding"], zstd.headers.vary], ["zstd", "accept-encoding"]);
  assert.deepEqual(zstdDecompressSync(zstd.bytes), plain.bytes);
  const gzip = await send(path, { headers: { ...bearer(), "accept-encoding": "gzip" } });
  assert.deepEqual(gunzipSync(gzip.bytes), plain.bytes);
  for (const small of ["/healthz", `${path}/stream`]) {
    const got = await send(small, { headers: { ...bearer(), "accept-encoding": "gzip, zstd" } });
    assert.deepEqual([got.headers["content-encoding"], got.headers.vary], [undefined, undefined], small);
  }
});

test("pages, scripts and styles are sent whole: what is compressed has no ranges of its plain form", async () => {
  page = async (request, response) => void response.end(`range: ${request.headers.range}`);
  assert.equal((await send("/_next/static/a.js", { headers: { range: "bytes=0-9" } })).text, "range: undefined");
});

test("pages get a nonce and a policy", async () => {
  page = async (request, response) => void response.end(`<script nonce="${String(request.headers["x-nonce"])}">`);
  const { headers, text } = await send("/runs");
  const nonce = /nonce="([^"]+)"/.exec(text)?.[1] ?? "none";
  const policy = String(headers["content-security-policy"]);
  assert.ok(policy.includes(`'nonce-${nonce}'`));
  assert.ok(policy.includes("frame-ancestors 'none'") && !policy.includes("unsafe-eval"));
  assert.equal(headers["x-frame-options"], "DENY");
  assert.equal(headers["referrer-policy"], "same-origin");
  assert.equal(headers["cross-origin-opener-policy"], "same-origin");
  assert.equal(headers["cross-origin-resource-policy"], "same-origin");
  assert.equal(headers["x-content-type-options"], "nosniff");
});

test("invalid HTTP, and headers that are too large, get a response in the form of every other error", async () => {
  const garbage = await raw("not http\r\n\r\n");
  assert.match(garbage, /^HTTP\/1\.1 400 [\s\S]*application\/problem\+json/);
  const large = await raw(`GET / HTTP/1.1\r\nhost: localhost\r\nx: ${"a".repeat(20_000)}\r\n\r\n`);
  assert.match(large, /^HTTP\/1\.1 431 [\s\S]*"code":"headers_too_large"/);
  const nameless = await raw("GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n");
  assert.match(nameless, /^HTTP\/1\.1 400 [\s\S]*application\/problem\+json[\s\S]*names no host/);
  for (const second of ["localhost", "evil.example"]) {
    const twofold = await raw(
      `GET /healthz HTTP/1.1\r\nhost: localhost\r\nHost: ${second}\r\nconnection: close\r\n\r\n`,
    );
    assert.match(twofold, /^HTTP\/1\.1 400 [\s\S]*application\/problem\+json[\s\S]*more than one host/);
  }
  const tunnel = await raw("CONNECT example.com:443 HTTP/1.1\r\nhost: example.com:443\r\n\r\n");
  assert.match(tunnel, /^HTTP\/1\.1 400 [\s\S]*application\/problem\+json/);
});

test("an offered upgrade and an unknown expectation are ignored, and the request is served as usual", async () => {
  // Next does this at its first page request: it takes over every upgrade of the server.
  page = async (request, response) => {
    const server: unknown = Reflect.get(request.socket, "server");
    if (server instanceof Server && server.listenerCount("upgrade") === 0) {
      server.on("upgrade", (_request, socket) => socket.destroy());
    }
    response.end("a page");
  };
  await send("/");
  const offers: Record<string, string>[] = [
    { connection: "upgrade, http2-settings", upgrade: "h2c", "http2-settings": "AAMAAABk" },
    { connection: "upgrade", upgrade: "websocket" },
    { expect: "coffee" },
  ];
  for (const offer of offers) {
    const body = JSON.stringify({ name: "x" });
    const headers = { ...asJson(), ...offer, "content-length": String(body.length) };
    const got = await send(`${O}/tokens`, { method: "POST", headers, body });
    assert.equal(got.status, 200, JSON.stringify(offer));
  }
});

test("a stream resumes after Last-Event-ID, and ends when its client leaves", async () => {
  await emptyQueue();
  const { run, lease } = await api.liveRun(5);
  const headers = { ...bearer(), "last-event-id": "3" };
  const path = `${O}/agent/run/${run.id}/logs/stream`;
  const sent = httpRequest({ host: "127.0.0.1", port: front.port, path: `${path}?after=1`, headers });
  sent.end();
  const [response] = await once(sent, "response");
  assert.equal(response.headers["cache-control"], "no-store, no-transform");
  assert.equal(response.headers["x-accel-buffering"], "no");
  let text = "";
  for await (const piece of response) {
    text += String(piece);
    if (text.includes("id: 6\n")) break;
    if (text.includes("id: 5\n")) await api.store.queue.append(lease, someEntries(1));
  }
  assert.deepEqual(
    [...text.matchAll(/^id: (\d+)$/gm)].map((match) => match[1]),
    ["4", "5", "6"],
  );
  await api.finish(lease);
});

test("every response tells browsers to keep to https if the public address is one", async () => {
  page = async (_, response) => void response.end("a page");
  const secured = await api.serve({
    next: (request, response) => page(request, response),
    publicUrl: "https://errand.test",
  });
  for (const path of ["/", "/healthz", "/v1/nothing", "/%zz", "/metrics"]) {
    const { headers } = await sendTo(secured.port, path);
    assert.equal(headers["strict-transport-security"], "max-age=31536000", path);
    assert.equal((await send(path)).headers["strict-transport-security"], undefined);
  }
  for (const path of ["/healthz", "/v1/nothing"]) {
    assert.equal((await send(path)).headers["cross-origin-resource-policy"], "same-origin");
  }
  await secured.close();
});

async function emptyQueue(): Promise<void> {
  for (;;) {
    const claimed = await api.store.queue.claim("engine", 60_000);
    if (claimed === null) return;
    await api.finish(claimed.lease);
  }
}
