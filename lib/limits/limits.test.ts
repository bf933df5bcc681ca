import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, beforeEach, test } from "node:test";
import { mintSession } from "#lib/auth/session-cookie.ts";
import { operations } from "#lib/contract/operations.ts";
import { type RateSettings, rateSettingsDefault } from "#lib/contract/rate-limits.ts";
import { addressHeader } from "#lib/http/call.ts";
import { RateLimits } from "#lib/limits/rate-limits.ts";
import { MemoryRateLog } from "#lib/limits/rate-log.ts";
import { SavedRateLog } from "#lib/limits/saved-rate-log.ts";
import { type Answered, ApiUnderTest, type Asked } from "#lib/web/api-under-test.ts";
import { pathTo } from "#lib/web/operation-path.fixture.ts";
import { endedRun, O, read, share } from "#lib/web/shared-run.fixture.ts";

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

const ask = (token: string, path = "/v1/users/me", method = "GET") => api.ask(method, path, { token });
const from = (address: string, asked: Asked = {}): Asked => ({
  ...asked,
  headers: { ...asked.headers, [addressHeader]: address },
});
const countOf = (answers: Answered[], status: number) => answers.filter((answer) => answer.status === status).length;

async function session(): Promise<string> {
  const { secret, hash } = mintSession();
  await api.store.sessions.create({ hash, userId: 1, expiresAt: new Date(Date.now() + 3_600_000).toISOString() });
  return `errand_session=${secret}`;
}

test("of 400 requests at once with one token, 60 are admitted", async () => {
  const token = await api.token();
  const answers = await Promise.all(Array.from({ length: 400 }, () => ask(token)));
  assert.deepEqual([countOf(answers, 200), countOf(answers, 429)], [60, 340]);
  clock.ms += 30_000;
  assert.equal(countOf(await Promise.all(Array.from({ length: 400 }, () => ask(token))), 200), 60);
});

test("a refusal has the reference service's message, names the limit, and the seconds after which the request succeeds", async () => {
  const token = await api.token();
  for (let count = 0; count < 60; count += 1) await ask(token);
  clock.ms += 12_345;
  const { status, headers, json } = await ask(token);
  assert.equal(status, 429);
  assert.equal(headers.get("retry-after"), "18");
  assert.equal(headers.get("ratelimit-policy"), '"standard";q=60;w=30');
  assert.equal(headers.get("ratelimit"), '"standard";r=0;t=18');
  assert.match(headers.get("content-type") ?? "", /^application\/problem\+json/);
  const words = "Rate limit exceeded. Please try again later.";
  assert.deepEqual(
    [json.message, json.detail, json.status_code, json.status, json.code, json.title],
    [
      words,
      "Rate limit exceeded: 60 requests in 30 s (standard). Try again in 18 s.",
      429,
      429,
      "rate_limited",
      "Too many requests",
    ],
  );
  clock.ms += 18_000;
  assert.equal((await ask(token)).status, 200);
});

/** The classes of operations that are not only in `standard`, by the contract's tables. */
const classes: Record<string, string[]> = {
  createRun: ["standard", "create"],
  getLogs: ["standard", "logs"],
  getLogEntry: ["standard", "logs"],
  getLogPosition: ["standard", "logs"],
  getLogTools: ["standard", "logs"],
  getOutline: ["standard", "logs"],
  getTimeline: ["standard", "logs"],
  findInLogs: ["standard", "logs"],
  streamLogs: ["standard", "logs"],
  exportRun: ["standard", "logs"],
  appendLogs: ["ingest"],
  updateRun: ["ingest"],
  openClaudeSession: ["ingest"],
  logClaudeLine: ["ingest"],
  reportClaudeStatus: ["ingest"],
  postTelemetryLogs: ["ingest"],
  postTelemetryMetrics: ["ingest"],
  postTelemetryTraces: ["ingest"],
  getTelemetryHealth: ["ingest"],
};

test("every operation counts in its class, on every path, whatever its result", async () => {
  const token = await api.token();
  const link = await share(api, await endedRun(api, 1));
  for (const operation of operations) {
    for (const path of [operation.path, ...operation.aliases]) {
      limit(rateSettingsDefault);
      const target = pathTo(path, { share_token: link.token });
      const { status, headers } = await api.ask(operation.method, target, { token });
      const named = headers.get("ratelimit-policy")?.match(/(?<=")\w+(?=")/g) ?? [];
      const expected =
        operation.rateClass === "none"
          ? []
          : operation.bearsSecret
            ? ["share"]
            : (classes[operation.id] ??
              (operation.rateClass === "standard" ? ["standard"] : ["standard", operation.rateClass]));
      assert.deepEqual(named, expected, `${operation.method} ${path} answers ${status}`);
      assert.equal(headers.has("ratelimit"), expected.length > 0, operation.id);
    }
  }
});

test("each operation is refused with 429 when its token's windows are full", async () => {
  const quotas = { ...rateSettingsDefault.quotas, ingest: 70 };
  limit({ ...rateSettingsDefault, quotas });
  for (const operation of operations) {
    if (operation.rateClass === "none" || operation.bearsSecret) continue;
    const token = await api.token();
    const quota = quotas[operation.rateClass];
    const target = pathTo(operation.path);
    const answers: Answered[] = [];
    for (let count = 0; count <= quota; count += 1) answers.push(await api.ask(operation.method, target, { token }));
    assert.equal(countOf(answers.slice(0, -1), 429), 0, operation.id);
    assert.equal(answers.at(-1)?.status, 429, operation.id);
  }
});

test("a known token's request is charged whether it is allowed or not; unauthenticated and unknown ones are not", async () => {
  const viewer = await api.token("viewer");
  const left = async () => Number(/r=(\d+)/.exec((await ask(viewer)).headers.get("ratelimit") ?? "")?.[1]);
  assert.equal(await left(), 59);
  const charged: [method: string, path: string, status: number][] = [
    ["POST", `${O}/agent/run/resume`, 403],
    ["GET", "/v1/organizations/2/agents", 403],
    ["GET", `${O}/agent/run/999999`, 404],
    ["GET", "/v1/organizations/none/agents", 400],
  ];
  for (const [method, path, status] of charged) {
    const before = await left();
    const { headers, ...answered } = await ask(viewer, path, method);
    assert.equal(answered.status, status, path);
    assert.ok(headers.has("ratelimit-policy") && headers.has("ratelimit"), path);
    assert.equal(await left(), before - 2, path);
  }
  for (const [method, path, status] of [
    ["GET", "/v1/nowhere", 404],
    ["OPTIONS", "/v1/users/me", 204],
    ["PUT", "/v1/users/me", 405],
    ["GET", "/v1/openapi.json", 200],
  ] as const) {
    const before = await left();
    const answered = await ask(viewer, path, method);
    assert.deepEqual([answered.status, answered.headers.has("ratelimit")], [status, false], path);
    assert.equal(await left(), before - 1, path);
  }
});

test("a response that the client already has and a repeated key are requests like any other", async () => {
  const token = await api.token();
  const path = `${O}/agent/run/${await endedRun(api, 1)}`;
  const etag = (await ask(token, path)).headers.get("etag") ?? "";
  const kept = await api.ask("GET", path, { token, headers: { "if-none-match": etag } });
  assert.deepEqual([kept.status, kept.headers.get("ratelimit")], [304, '"standard";r=58;t=30']);
  const headers = { "idempotency-key": "once" };
  const body = { prompt: "Look around", agent: "external" };
  for (const [status, ratelimit] of [
    [200, '"standard";r=57;t=30, "create";r=9;t=60'],
    [200, '"standard";r=56;t=30, "create";r=8;t=60'],
  ]) {
    const answered = await api.ask("POST", `${O}/agent/run`, { token, headers, body });
    assert.deepEqual([answered.status, answered.headers.get("ratelimit")], [status, ratelimit]);
  }
});

test("a session has ten times as much, each session for itself", async () => {
  const [one, two] = [await session(), await session()];
  const get = (cookie: string) => api.ask("GET", "/v1/users/me", { headers: { cookie } });
  const answers = await Promise.all(Array.from({ length: 700 }, () => get(one)));
  assert.deepEqual([countOf(answers, 200), countOf(answers, 429)], [600, 100]);
  assert.equal(answers[0]?.headers.get("ratelimit-policy"), '"standard";q=600;w=30');
  assert.equal((await get(two)).status, 200);
});

test("a stream is charged when it begins, not while it lasts", async () => {
  const token = await api.token();
  const { run, lease } = await api.liveRun(3);
  const answer = await api.api({
    method: "GET",
    target: `${O}/agent/run/${run.id}/logs/stream`,
    header: (name) => (name === "authorization" ? `Bearer ${token}` : null),
    body: () => null,
    hasArrived: true,
    address: null,
    signal: AbortSignal.timeout(10_000),
  });
  assert.equal(answer.headers.ratelimit, '"standard";r=59;t=30, "logs";r=59;t=60');
  const texts: string[] = [];
  await api.finish(lease);
  for await (const text of answer.body ?? []) texts.push(String(text));
  assert.ok(texts.some((text) => text.includes("event: end")));
  assert.equal((await ask(token)).headers.get("ratelimit"), '"standard";r=58;t=30');
});

test("a token has one log wherever it is used, and a revoked one leaves none to its successor", async () => {
  const token = await api.token();
  for (let count = 0; count < 30; count += 1) {
    await api.ask("GET", "/v1/users/me", from("192.0.2.1", { token }));
    await api.ask("GET", "/v1/users/me", from("192.0.2.2", { token }));
  }
  assert.equal((await api.ask("GET", "/v1/users/me", from("192.0.2.3", { token }))).status, 429);
  const [own] = ((await ask(await api.token(), `${O}/tokens`)).json.items as { id: number; hint: string }[]).filter(
    ({ hint }) => hint === token.slice(-4),
  );
  assert.equal((await api.ask("DELETE", `${O}/tokens/${own?.id}`, { token: await api.token() })).status, 200);
  const revoked = await ask(token);
  assert.deepEqual([revoked.status, revoked.headers.has("ratelimit")], [401, false]);
  assert.equal((await ask(await api.token())).status, 200);
});

test("a restart in the middle of a window changes nothing for a token", async () => {
  const token = await api.token();
  const file = `${api.folder}/rate-limits.json`;
  const open = async () => {
    const clocks = { now: () => clock.ms, wall: () => clock.ms };
    const log = await SavedRateLog.open(file, rateSettingsDefault, clocks, assert.fail);
    api.runtime.limits = new RateLimits(log, rateSettingsDefault);
    return log;
  };
  const before = await open();
  for (let count = 0; count < 45; count += 1) assert.equal((await ask(token)).status, 200);
  await before.close();
  assert.ok(!(await readFile(file, "utf8")).includes(token));
  clock.ms += 20_000;
  const later = await open();
  const answers = await Promise.all(Array.from({ length: 100 }, () => ask(token)));
  assert.equal(countOf(answers, 200), 15);
  assert.equal(answers.at(-1)?.headers.get("retry-after"), "10");
  await later.close();
});

test("0 turns a limit off", async () => {
  const off = Object.fromEntries(Object.keys(rateSettingsDefault.quotas).map((name) => [name, 0]));
  limit({ quotas: { ...rateSettingsDefault.quotas, ...off }, sessionFactor: 10 });
  const token = await api.token();
  const answers = await Promise.all(Array.from({ length: 300 }, () => ask(token)));
  assert.equal(countOf(answers, 200), 300);
  assert.equal(answers[0]?.headers.has("ratelimit"), false);
  const wrong = Array.from({ length: 50 }, () =>
    api.ask("GET", "/v1/users/me", from("192.0.2.1", { token: "nonsense" })),
  );
  assert.equal(countOf(await Promise.all(wrong), 401), 50);
  const link = await share(api, await endedRun(api, 1));
  assert.equal((await read(api, link.token)).headers.has("ratelimit"), false);
});
