import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { after, afterEach, before, test } from "node:test";
import { setImmediate, setTimeout as wait } from "node:timers/promises";
import type { Lease } from "#lib/store/store.ts";
import { ApiUnderTest, type Asked, someEntries } from "#lib/web/api-under-test.ts";
import { NodeCall } from "#lib/web/node-call.ts";
import { writeAnswer } from "#lib/web/write-answer.ts";

let api: ApiUnderTest;
let lease: Lease;
let path: string;
let origin: string;
const server = createServer((request, response) => {
  api
    .api(new NodeCall(request, response, new AbortController().signal))
    .then((answer) => writeAnswer(response, answer, "GET"))
    // As the front does: a stream still reading while the store closes has nobody to report to.
    .catch(() => response.destroy());
});
before(async () => {
  api = await ApiUnderTest.open();
  const live = await api.liveRun(1);
  lease = live.lease;
  path = `${O}/agent/run/${live.run.id}/logs/stream`;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(async () => {
  server.closeAllConnections();
  server.close();
  await api.close();
});
const open = new Set<IncomingMessage>();
afterEach(() => {
  for (const response of open) response.destroy();
  open.clear();
});

const O = "/v1/organizations/1";
const inAWhile = () => new Date(Date.now() + 700).toISOString();

/** A connected stream: its events so far, and its end, which must come within 5 s of being requested. */
async function connect({ token, headers }: Asked, query = "") {
  const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const request = get(`${origin}${path}${query}`, { headers: { ...headers, ...authorization } });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  assert.equal(response.statusCode, 200);
  open.add(response);
  const closed = new Promise<void>((resolve) => response.once("close", resolve));
  let text = "";
  response.setEncoding("utf8").on("data", (piece: string) => {
    text += piece;
  });
  response.on("error", () => {});
  return {
    response,
    events: () => [...text.matchAll(/^event: (\w+)/gm)].map(([, name]) => name),
    seen: async (event: string) => {
      while (!text.includes(`event: ${event}`)) await once(response, "data");
    },
    async closes() {
      const late = new AbortController();
      const end = await Promise.race([closed, wait(5000, "still open", { signal: late.signal })]);
      late.abort();
      assert.equal(end, undefined);
    },
  };
}

async function tokenWithId(more: object = {}): Promise<{ id: number; token: string }> {
  const body = { name: "follows", ...more };
  const { json } = await api.ask("POST", `${O}/tokens`, { token: await api.token(), body });
  return { id: Number(json.id), token: String(json.token) };
}

const revoke = async (id: number) => {
  const { status } = await api.ask("DELETE", `${O}/tokens/${id}`, { token: await api.token() });
  assert.equal(status, 200);
};

test("a quiet stream closes when its token is revoked, without the run's end, and connecting again is 401", async () => {
  const { id, token } = await tokenWithId();
  const stream = await connect({ token });
  await stream.seen("entry");
  await revoke(id);
  await stream.closes();
  assert.deepEqual(stream.events(), ["run", "entry"]);
  assert.equal((await api.ask("GET", path, { token })).status, 401);
});

test("a quiet stream closes when its token expires", async () => {
  const stream = await connect({ token: await api.token("viewer", { ends: inAWhile() }) });
  await stream.closes();
  assert.ok(!stream.events().includes("end"));
});

test("a quiet stream closes when its person signs out, and when their session expires", async () => {
  const leaving = await api.member("viewer");
  const expiring = await api.member("viewer", inAWhile());
  const streams = [await connect(leaving), await connect(expiring)];
  const signedOut = await api.ask("DELETE", "/v1/session", { headers: leaving.headers });
  assert.equal(signedOut.status, 200);
  for (const stream of streams) {
    await stream.closes();
    assert.ok(!stream.events().includes("end"));
  }
});

test("a stream closes when its person's membership ends, by session and by token; another role that may read keeps it", async () => {
  const leaving = await api.member("member");
  const staying = await api.member("member");
  const streams = [
    await connect({ headers: leaving.headers }),
    await connect({ token: await api.token("viewer", { access: leaving.access }) }),
  ];
  const kept = await connect({ headers: staying.headers });
  await api.changeRole(staying.userId, "viewer");
  await api.changeRole(leaving.userId, null);
  for (const stream of streams) await stream.closes();
  assert.equal(kept.response.closed, false);
  await api.store.queue.append(lease, someEntries(1));
  const { length } = kept.events();
  while (kept.events().length === length) await once(kept.response, "data");
});

test("a busy stream closes when its token is revoked, and checks its token once a second, not for each entry", async () => {
  const { id, token } = await tokenWithId();
  const { findByHash } = api.store.tokens;
  let asked = 0;
  api.store.tokens.findByHash = (hash) => {
    asked += 1;
    return findByHash(hash);
  };
  const stream = await connect({ token });
  let closed = false;
  const closing = stream.closes().finally(() => {
    closed = true;
  });
  closing.catch(() => {});
  const since = performance.now();
  for (let batch = 0; !closed; batch += 1) {
    await api.store.queue.append(lease, someEntries(50));
    if (batch === 10) await revoke(id);
    // The store's writes end before the event loop turns; in reality the writer, an engine, is another process.
    await setImmediate();
  }
  await closing;
  api.store.tokens.findByHash = findByHash;
  const entries = stream.events().filter((name) => name === "entry").length;
  assert.ok(entries > 500, `${entries} entries`);
  // Two of them belong to connecting and to the request that revokes.
  assert.ok(asked - 2 <= (performance.now() - since) / 1000 + 1, `${asked} questions`);
});

test("a stream whose client has stopped reading closes too", async () => {
  const { id, token } = await tokenWithId();
  await api.store.queue.append(
    lease,
    someEntries(40, () => "x".repeat(500_000)),
  );
  const accepted = once(server, "connection");
  // A connection of its own: those of other tests, kept for a next request, close at some moment too.
  const request = get(`${origin}${path}`, { agent: false, headers: { authorization: `Bearer ${token}` } });
  const [socket] = (await accepted) as [Socket];
  const [response] = (await once(request, "response")) as [IncomingMessage];
  open.add(response);
  response.pause();
  assert.equal(socket.destroyed, false);
  const closed = once(socket, "close", { signal: AbortSignal.timeout(60_000) });
  await revoke(id);
  await closed;
});
