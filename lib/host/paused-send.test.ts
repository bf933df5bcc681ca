import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { allowedOf } from "#lib/outbound/allowed.fixture.ts";
import { createOutbound } from "#lib/outbound/outbound.ts";
import { HostError } from "./call-host.ts";
import { CodeHost, type Fault, hostToken, secondaryLimit } from "./code-host.fixture.ts";
import { openHost } from "./open-host.ts";
import { pausedSend } from "./paused-send.ts";

const { signal } = new AbortController();

async function open(t: TestContext) {
  const clock = { ms: 1_000_000 };
  const send = pausedSend(createOutbound(allowedOf("127.0.0.0/8")).send, () => clock.ms);
  const server = await CodeHost.open("github");
  t.after(() => server.close());
  const host = (token = hostToken) => {
    return openHost("github", { baseUrl: server.baseUrl, credential: { kind: "token", token }, send });
  };
  return { clock, server, host, send };
}

const left = (ms: number) => (error: unknown) => {
  assert.ok(error instanceof HostError, String(error));
  assert.deepEqual([error.status, error.waitMs], [429, ms]);
  assert.match(
    error.message,
    new RegExp(`limits how often Errand may call it. Try again in ${Math.ceil(ms / 1000)} s`),
  );
  return true;
};

for (const [name, fault] of [
  ["429 with Retry-After", { status: 429, headers: { "retry-after": "60" } }],
  ["a secondary limit", secondaryLimit(60)],
  ["a limit that says no time", { status: 403, message: "You have exceeded a secondary rate limit." }],
  ["503 with Retry-After", { status: 503, headers: { "retry-after": "60" } }],
] satisfies [string, Fault][]) {
  test(`after ${name} no request reaches the host for a minute, whoever calls`, async (t) => {
    const { clock, server, host } = await open(t);
    server.faults.push(fault);
    await assert.rejects(host().identity(signal), HostError);
    assert.equal(server.requests.length, 1);
    for (const ms of [60_000, 59_999, 1]) {
      clock.ms = 1_000_000 + 60_000 - ms;
      await assert.rejects(host().identity(signal), left(ms));
      await assert.rejects(host().pulls.repository("team/app", signal), left(ms));
      await assert.rejects(host().pulls.getPull("team/app", 1, signal), left(ms), "no limit reads as a missing object");
    }
    assert.equal(server.requests.length, 1);
    clock.ms = 1_060_000;
    assert.equal((await host().identity(signal)).login, "errand-bot");
    assert.equal(server.requests.length, 2);
  });
}

test("another credential and another host are not paused, and other refusals pause nothing", async (t) => {
  const { server, host, send } = await open(t);
  const other = await CodeHost.open("forgejo");
  t.after(() => other.close());
  server.faults.push(secondaryLimit(60));
  await assert.rejects(host().identity(signal), HostError);
  await assert.rejects(host("another").identity(signal), /does not accept the secret/);
  const elsewhere = openHost("forgejo", {
    baseUrl: other.baseUrl,
    credential: { kind: "token", token: hostToken },
    send,
  });
  assert.equal((await elsewhere.identity(signal)).kind, "user");
  for (const fault of [403, 404, 500, 503, "lost"] as const) {
    other.faults.push(fault);
    await assert.rejects(elsewhere.identity(signal));
  }
  assert.equal((await elsewhere.identity(signal)).kind, "user");
});
