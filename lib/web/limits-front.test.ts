import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { after, before, test } from "node:test";
import { mintToken } from "#lib/auth/token-secret.ts";
import { rateSettingsDefault } from "#lib/contract/rate-limits.ts";
import { RateLimits } from "#lib/limits/rate-limits.ts";
import { MemoryRateLog } from "#lib/limits/rate-log.ts";
import { countOf } from "#lib/test-counts.fixture.ts";
import { readProxies } from "#lib/trusted-proxies.ts";
import { ApiUnderTest } from "./api-under-test.ts";
import type { Front } from "./front.ts";

let api: ApiUnderTest;
let front: Front;
const agent = new Agent({ keepAlive: true, maxSockets: 50 });

before(async () => {
  api = await ApiUnderTest.open();
  api.runtime.limits = new RateLimits(new MemoryRateLog(() => performance.now()), rateSettingsDefault);
  const read = readProxies("127.0.0.1");
  assert.ok("proxies" in read);
  front = await api.serve({ trustedProxies: read.proxies });
});
after(async () => {
  agent.destroy();
  await front.close();
  await api.close();
});

type Got = { status: number; headers: IncomingHttpHeaders };

async function get(token: string, more: Record<string, string> = {}, method = "GET"): Promise<Got> {
  const headers = { authorization: `Bearer ${token}`, ...more };
  const sent = httpRequest({ host: "127.0.0.1", port: front.port, path: "/v1/users/me", method, headers, agent });
  sent.end();
  const [response] = await once(sent, "response");
  response.resume();
  await once(response, "end");
  return { status: response.statusCode, headers: response.headers };
}

const admitted = (answers: Got[]) => answers.filter(({ status }) => status === 200).length;

test("over HTTP, of 400 requests at once 60 are admitted, and no 30 real seconds see a 61st", async () => {
  const token = await api.token();
  const startedAt = performance.now();
  const answers = await Promise.all(Array.from({ length: 400 }, () => get(token)));
  assert.equal(admitted(answers), 60);
  const retryAfter = Math.max(...answers.map(({ headers }) => Number(headers["retry-after"] ?? 0)));
  // The window begins with the first request; on a busy machine the others come later.
  const passedS = (performance.now() - startedAt) / 1000;
  assert.ok(retryAfter <= 30 && retryAfter >= Math.floor(30 - passedS), `${retryAfter} s after ${passedS} s`);
  // Only the long form waits for the real window, which is half a minute.
  const untilMs = countOf({ short: 0, long: 30_000 });
  let further = 0;
  while (performance.now() - startedAt < untilMs - 100) further += admitted([await get(token)]);
  assert.equal(further, 0);
  if (untilMs === 0) return;
  // Each of the 60 is free again half a minute after its own request, the last ones later than the first.
  const isSecondWindow = () => performance.now() - startedAt < 2 * untilMs;
  while (further < 60 && isSecondWindow()) further += admitted([await get(token)]);
  assert.equal(further, 60);
  further += admitted([await get(token)]);
  if (isSecondWindow()) assert.equal(further, 60);
});

test("HEAD is charged as GET is", async () => {
  const token = await api.token();
  assert.equal((await get(token, {}, "HEAD")).headers.ratelimit, '"standard";r=59;t=30');
  assert.equal((await get(token)).headers.ratelimit, '"standard";r=58;t=30');
});

test("behind a trusted proxy failures count by the client's address, which none of the client's headers can change", async () => {
  const fail = (client: string, more: Record<string, string> = {}) =>
    get(mintToken().secret, { "x-forwarded-for": client, ...more });
  for (let count = 0; count < 30; count += 1) {
    const forged = { "x-errand-address": `198.51.100.${count}` };
    assert.equal((await fail(`10.0.0.${count}, 203.0.113.9`, forged)).status, 401);
  }
  assert.equal((await fail("1.2.3.4, 203.0.113.9", { "x-errand-address": "198.51.100.77" })).status, 429);
  assert.equal((await fail("203.0.113.10")).status, 401);
  const token = await api.token();
  assert.equal((await get(token, { "x-forwarded-for": "203.0.113.9" })).status, 200);
});
