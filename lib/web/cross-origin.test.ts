import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { mintSession } from "#lib/auth/session-cookie.ts";
import { ApiUnderTest } from "./api-under-test.ts";
import type { Front } from "./front.ts";
import { sendTo } from "./plain-request.fixture.ts";

let api: ApiUnderTest;
let front: Front;
let closed: Front;
let token: string;
const origin = "https://app.example.com";
const O = "/v1/organizations/1";

before(async () => {
  api = await ApiUnderTest.open();
  token = await api.token();
  front = await api.serve({ corsOrigins: [origin] });
  closed = await api.serve();
});
after(async () => {
  await front.close();
  await closed.close();
  await api.close();
});

const bearer = () => ({ authorization: `Bearer ${token}` });
const corsOf = (headers: Record<string, unknown>) =>
  Object.keys(headers).filter((name) => name.startsWith("access-control-"));

test("a page of an allowed origin reads answers and errors with a token, and their headers", async () => {
  for (const [path, status] of [
    [`${O}/agent/runs`, 200],
    [`${O}/agent/run/999`, 404],
    ["/v1/users/me", 200],
    ["/v1/users/me/", 200],
    ["/v1/openapi.json", 200],
  ] as const) {
    const { headers, status: answered } = await sendTo(front.port, path, { headers: { ...bearer(), origin } });
    assert.equal(answered, status, path);
    assert.equal(headers["access-control-allow-origin"], origin);
    assert.match(String(headers["access-control-expose-headers"]), /\bETag\b.*\bRateLimit\b.*\bX-Request-Id\b/);
    assert.equal(headers["access-control-allow-credentials"], undefined);
    assert.equal(headers["cross-origin-resource-policy"], "cross-origin");
    assert.match(String(headers.vary), /origin/);
  }
  const { headers: first } = await sendTo(front.port, "/v1/openapi.json", { headers: { origin } });
  const known = { origin, "if-none-match": String(first.etag) };
  const again = await sendTo(front.port, "/v1/openapi.json", { headers: known });
  assert.deepEqual([again.status, again.headers.vary], [304, first.vary]);
});

test("a preflight names methods and headers, and counts for nobody", async () => {
  const asked = { origin, "access-control-request-method": "POST", "access-control-request-headers": "authorization" };
  const { status, headers } = await sendTo(front.port, `${O}/agent/run`, { method: "OPTIONS", headers: asked });
  assert.equal(status, 204);
  assert.equal(headers["access-control-allow-methods"], "POST, OPTIONS");
  assert.match(String(headers["access-control-allow-headers"]), /Authorization.*Idempotency-Key.*Last-Event-ID/);
  assert.equal(headers["access-control-allow-origin"], origin);
  assert.equal(headers.ratelimit, undefined);
});

test("no other origin, no other path, and no installation without the setting says anything", async () => {
  for (const other of [
    "https://app.example.com.evil.test",
    "https://app.example.com:8443",
    "http://app.example.com",
    "null",
  ]) {
    const { headers } = await sendTo(front.port, `${O}/agent/runs`, { headers: { ...bearer(), origin: other } });
    assert.deepEqual(corsOf(headers), [], other);
    assert.equal(headers["cross-origin-resource-policy"], "same-origin");
    assert.equal(headers.vary, "origin");
  }
  for (const path of [
    "/v1/session",
    "/v1/invitations/x",
    "/v1/hooks/1",
    "/healthz",
    "/mcp",
    "/git/1/1.git/info/refs",
  ]) {
    const { headers } = await sendTo(front.port, path, { headers: { ...bearer(), origin } });
    assert.deepEqual(corsOf(headers), [], path);
  }
  const { headers } = await sendTo(closed.port, `${O}/agent/runs`, { headers: { ...bearer(), origin } });
  assert.deepEqual([corsOf(headers), headers.vary], [[], undefined]);
});

test("the dashboard's cookie does not count for a page of another origin", async () => {
  const { secret, hash } = mintSession();
  await api.store.sessions.create({ hash, userId: 1, expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
  const cookie = `errand_session=${secret}`;
  const own = await sendTo(front.port, `${O}/agent/runs`, { headers: { cookie } });
  assert.equal(own.status, 200);
  const foreign = await sendTo(front.port, `${O}/agent/runs`, { headers: { cookie, origin } });
  assert.equal(foreign.status, 401);
});
