import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { mintSignInCode } from "#lib/auth/sign-in-code.ts";
import { mintToken } from "#lib/auth/token-secret.ts";
import { type RateSettings, rateSettingsDefault } from "#lib/contract/rate-limits.ts";
import { addressHeader } from "#lib/http/call.ts";
import { RateLimits } from "#lib/limits/rate-limits.ts";
import { MemoryRateLog } from "#lib/limits/rate-log.ts";
import { dispatchOver } from "#lib/web/api.ts";
import { type Answered, ApiUnderTest, type Asked } from "#lib/web/api-under-test.ts";
import { endedRun, eventsOf, share } from "#lib/web/shared-run.fixture.ts";

let api: ApiUnderTest;
/** Starts at the store's own clock, so that links and sessions are valid. */
const clock = { ms: Date.now() };

before(async () => {
  api = await ApiUnderTest.open({ now: () => new Date(clock.ms) });
});
after(() => api.close());
beforeEach(() => limit(rateSettingsDefault));

/** Resets the counts. */
function limit(settings: RateSettings): void {
  api.runtime.limits = new RateLimits(new MemoryRateLog(() => clock.ms), settings);
}

const from = (address: string, asked: Asked = {}): Asked => ({
  ...asked,
  headers: { ...asked.headers, [addressHeader]: address },
});
const countOf = (answers: Answered[], status: number) => answers.filter((answer) => answer.status === status).length;

test("wrong tokens count by address, and a correct one is never refused because of them", async () => {
  const good = await api.token();
  const wrong = () => mintToken().secret;
  const answers: Answered[] = [];
  for (let count = 0; count < 40; count += 1) {
    answers.push(
      await api.ask("GET", "/v1/users/me", from("192.0.2.1", { token: count % 2 === 0 ? wrong() : "nonsense" })),
    );
  }
  assert.deepEqual([countOf(answers, 401), countOf(answers, 429)], [30, 10]);
  const refused = answers.at(-1);
  assert.deepEqual([refused?.json.code, refused?.headers.get("retry-after")], ["rate_limited", "60"]);
  assert.equal((await api.ask("GET", "/v1/users/me", from("192.0.2.1", { token: good }))).status, 200);
  assert.equal((await api.ask("GET", "/v1/users/me", from("192.0.2.2", { token: wrong() }))).status, 401);
  // A request without a token is not an attempt.
  for (let count = 0; count < 40; count += 1) {
    assert.equal((await api.ask("GET", "/v1/users/me", from("192.0.2.3"))).status, 401);
  }
  clock.ms += 60_000;
  assert.equal((await api.ask("GET", "/v1/users/me", from("192.0.2.1", { token: wrong() }))).status, 401);
});

test("invalid sign-in codes and share links count with wrong tokens; correct ones still work", async () => {
  const { code, hash } = mintSignInCode();
  await api.store.sessions.createLink({ hash, userId: 1, expiresAt: new Date(Date.now() + 60_000).toISOString() });
  const link = await share(api, await endedRun(api, 1));
  const signIn = (given: string) => api.ask("POST", "/v1/session", from("192.0.2.1", { body: { code: given } }));
  const open = (token: string) => api.ask("GET", `/v1/shares/${token}`, from("192.0.2.1"));
  for (let count = 0; count < 15; count += 1) {
    assert.equal((await signIn("x".repeat(32))).status, 400);
    assert.equal((await open("y".repeat(32))).status, 404);
  }
  const refused = [await signIn("x".repeat(32)), await open("y".repeat(32))];
  for (const { status, json, headers } of refused) {
    assert.deepEqual([status, json.code, headers.get("retry-after")], [429, "rate_limited", "60"]);
    assert.equal(json.detail, "Too many failed sign-ins from this IP address. Please try again later.");
  }
  assert.equal((await open(link.token)).status, 200);
  assert.equal((await signIn(code)).status, 200);
});

test("a caller has at most 100 streams open, and another one as soon as one of them is closed", async () => {
  const { run, lease } = await api.liveRun(1);
  const link = await share(api, run.id);
  const token = await api.token();
  limit({ ...rateSettingsDefault, quotas: { ...rateSettingsDefault.quotas, standard: 0, logs: 0 } });
  const open = async (path: string, headers: Record<string, string>) => {
    const gone = new AbortController();
    const request = new Request(`http://errand.test${path}`, { signal: gone.signal, headers });
    const response = await dispatchOver(api.api)(request);
    return { response, close: () => gone.abort() };
  };
  const shared = (address: string) => open(`/v1/shares/${link.token}/logs/stream`, { [addressHeader]: address });
  const own = () => open(`/v1/organizations/1/agent/run/${run.id}/logs/stream`, { authorization: `Bearer ${token}` });
  for (const follow of [() => shared("192.0.2.1"), own]) {
    const opened = await Promise.all(Array.from({ length: 103 }, follow));
    const refused = opened.filter(({ response }) => response.status === 429);
    assert.deepEqual([refused.length, refused[0]?.response.headers.get("retry-after")], [3, "5"]);
    const [first, ...others] = opened.filter(({ response }) => response.status === 200);
    first?.close();
    others.push(await follow());
    assert.deepEqual([others.at(-1)?.response.status, (await follow()).response.status], [200, 429]);
    const other = await shared("192.0.2.2");
    assert.equal(other.response.status, 200);
    for (const { close } of [...others, other]) close();
    const last = await follow();
    assert.equal(last.response.status, 200);
    last.close();
  }
  await api.finish(lease);
});

test("an address has at most 50 MB of unproved events under way, and others are not affected", async () => {
  const { id } = await api.store.integrations.put(api.home, "github", {});
  const send = (address: string) => {
    let controller: ReadableStreamDefaultController | null = null;
    const body = new ReadableStream({
      start: (given) => {
        controller = given;
      },
    });
    const headers = { "content-type": "application/json", [addressHeader]: address };
    const request = { method: "POST", headers, body, duplex: "half" } as const;
    const answering = dispatchOver(api.api)(new Request(`http://errand.test/v1/hooks/${id}`, request));
    return { answering, end: () => controller?.close() };
  };
  const held = [send("192.0.2.1"), send("192.0.2.1")];
  await new Promise(setImmediate);
  const refused = await send("192.0.2.1").answering;
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [429, "5"]);
  const other = send("192.0.2.2");
  other.end();
  assert.equal((await other.answering).status, 401);
  for (const { end } of held) end();
  for (const { answering } of held) assert.equal((await answering).status, 401);
  const last = send("192.0.2.1");
  last.end();
  assert.equal((await last.answering).status, 401);
});

test("readers of a link have 600 requests in 30 s for each address, and an open stream continues", async () => {
  const { run, lease } = await api.liveRun(1);
  const link = await share(api, run.id);
  const get = (address: string) => api.ask("GET", `/v1/shares/${link.token}/logs/tools`, from(address));
  const streamed = eventsOf(api, link.token, () => false);
  const answers = await Promise.all(Array.from({ length: 650 }, () => get("192.0.2.1")));
  assert.deepEqual([countOf(answers, 200), countOf(answers, 429)], [600, 50]);
  const refused = answers.at(-1);
  assert.equal(refused?.headers.get("ratelimit-policy"), '"share";q=600;w=30');
  assert.equal(refused?.headers.get("cache-control"), "no-store");
  assert.equal((await get("192.0.2.2")).status, 200);
  await api.finish(lease);
  assert.equal((await streamed).at(-1)?.event, "end");
  clock.ms += 30_000;
  assert.equal((await get("192.0.2.1")).status, 200);
});
