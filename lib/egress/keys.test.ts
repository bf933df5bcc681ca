import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer as createSecureServer } from "node:https";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { countOf } from "#lib/test-counts.fixture.ts";
import { temporaryFolder } from "#lib/workspace/test-repository.ts";
import { keyAddress, newSentinel, type RunKey, readKeyHost, withKey } from "./keys.ts";
import { ask, listening, namesOf, proxyUnderTest, serving } from "./proxy-under-test.fixture.ts";

const value = "sk-real-0123456789abcdef";
const find = namesOf({ "models.test": () => ["127.0.0.3"] });

async function modelServer(t: TestContext) {
  const seen: { url: string; headers: Record<string, unknown> }[] = [];
  const port = await serving(t, "127.0.0.3", (request, response) => {
    seen.push({ url: request.url ?? "", headers: request.headers });
    // A service that echoes its request must not reveal the key.
    response.statusMessage = `Key ${request.headers["x-api-key"]}`;
    response.setHeader("x-echo", String(request.headers["x-api-key"] ?? "none"));
    response.write(`{"key":"${value.slice(0, 9)}`);
    setImmediate(() => response.end(`${value.slice(9)}","after":1}`));
  });
  return { seen, port };
}

const keyOf = (port: number): RunKey => ({
  variable: "MODEL_API_KEY",
  header: "x-api-key",
  sentinel: newSentinel(),
  value,
  target: { host: "models.test", port },
  secure: false,
});

const request = (path: string, headers: Record<string, string>) =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:3128\r\nConnection: close\r\nContent-Length: 2\r\n${Object.entries(headers)
    .map(([name, text]) => `${name}: ${text}\r\n`)
    .join("")}\r\n{}`;

test("the proxy replaces the sentinel by the key, and no answer shows it", async (t) => {
  const { seen, port } = await modelServer(t);
  const key = keyOf(port);
  const { socket, denials } = await proxyUnderTest(t, { find, keys: [key], permitted: `models.test:${port}` });
  const headers = { "X-Api-Key": key.sentinel, Authorization: `Bearer ${key.sentinel}`, "Accept-Encoding": "gzip" };
  const answer = await ask(socket, request("/k/MODEL_API_KEY/v1/messages?beta=true", headers));
  assert.equal(answer.status, 200);
  assert.equal(seen[0]?.url, "/v1/messages?beta=true");
  assert.equal(seen[0]?.headers["x-api-key"], value);
  assert.equal(seen[0]?.headers.host, `models.test:${port}`);
  assert.equal(seen[0]?.headers["accept-encoding"], "identity");
  // The key is not sent in other places, where the sentinel has no use.
  assert.ok(!("authorization" in (seen[0]?.headers ?? {})));
  assert.ok(!`${answer.head}${answer.body}`.includes(value), answer.head);
  assert.match(answer.body, /\*{5}/);
  assert.match(answer.head, new RegExp(`x-echo: \\*{${value.length}}`));
  assert.deepEqual(denials, []);
});

test("a key is put in as it is, whatever characters it has", () => {
  const key = { ...keyOf(1), value: "a$$b$&c$`d$'e$1" };
  assert.deepEqual(withKey(["x-api-key", `Bearer ${key.sentinel}`], key), ["x-api-key", `Bearer ${key.value}`]);
});

test("a client that sends all requests to the proxy reaches the key's path too", async (t) => {
  const { seen, port } = await modelServer(t);
  const key = keyOf(port);
  const { socket } = await proxyUnderTest(t, { find, keys: [key], permitted: `models.test:${port}` });
  const answer = await ask(socket, request(keyAddress("MODEL_API_KEY"), { "x-api-key": key.sentinel }));
  assert.equal(answer.status, 200);
  assert.equal(seen[0]?.url, "/");
});

test("a run without a network still reaches the service of its key, and only that", async (t) => {
  const { port } = await modelServer(t);
  const key = keyOf(port);
  const rules = { mode: "off" as const };
  const { socket } = await proxyUnderTest(t, { find, keys: [key], permitted: `models.test:${port}`, rules });
  assert.equal((await ask(socket, request("/k/MODEL_API_KEY/", { "x-api-key": key.sentinel }))).status, 200);
  const host = `models.test:${port}`;
  const answer = await ask(socket, `GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  assert.equal(answer.status, 403);
  assert.match(answer.body, /network_off/);
});

test("two runs side by side cannot use each other's sentinel", async (t) => {
  const { seen, port } = await modelServer(t);
  const permitted = `models.test:${port}`;
  const [one, other] = [keyOf(port), keyOf(port)];
  const first = await proxyUnderTest(t, { find, keys: [one], permitted });
  await proxyUnderTest(t, { find, keys: [other], permitted });
  const wrong = [other.sentinel, "", value, newSentinel(), `Bearer ${other.sentinel}`, one.sentinel.slice(0, -1)];
  const tries = countOf({ short: 100, long: 1000 });
  for (let at = 0; at < tries; at++) {
    const answer = await ask(
      first.socket,
      request("/k/MODEL_API_KEY/", { "x-api-key": wrong[at % wrong.length] ?? "" }),
    );
    assert.equal(answer.status, 403);
    assert.match(answer.body, /key_unknown/);
  }
  for (const path of ["/k/OTHER_KEY/", "/k/", "/", "/k/MODEL_API_KEY.x/"]) {
    assert.equal((await ask(first.socket, request(path, { "x-api-key": one.sentinel }))).status, 403, path);
  }
  assert.equal(seen.length, 0);
  assert.equal(first.denials.length, tries + 4);
});

test("the key is sent to the service over TLS, never with an untrusted certificate", async (t) => {
  const folder = temporaryFolder(t);
  const [keyFile, certificateFile] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const subject = ["-subj", "/CN=models.test", "-addext", "subjectAltName=DNS:models.test", "-days", "2"];
  execFileSync(
    "openssl",
    ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...subject, "-keyout", keyFile, "-out", certificateFile],
    { stdio: "ignore" },
  );
  const seen: unknown[] = [];
  const server = createSecureServer(
    { key: readFileSync(keyFile), cert: readFileSync(certificateFile) },
    (request, response) => {
      seen.push(request.headers["x-api-key"]);
      response.end();
    },
  );
  const port = await listening(t, server, "127.0.0.3");
  const key = { ...keyOf(port), secure: true };
  const { socket } = await proxyUnderTest(t, { find, keys: [key], permitted: `models.test:${port}` });
  const answer = await ask(socket, request("/k/MODEL_API_KEY/", { "x-api-key": key.sentinel }));
  assert.equal(answer.status, 502);
  assert.match(answer.body, /certificate/);
  assert.deepEqual(seen, []);
});

test("a key's host is reached over TLS, except one that the owner permits in a private network", () => {
  const permitted = new Set(["models.corp:8000"]);
  assert.deepEqual(readKeyHost("api.example.com", permitted), {
    target: { host: "api.example.com", port: 443 },
    secure: true,
  });
  assert.equal(readKeyHost("http://models.corp:8000", permitted)?.secure, false);
  assert.equal(readKeyHost("http://api.example.com", permitted), null);
  assert.equal(readKeyHost("https://api.example.com", permitted), null);
});
