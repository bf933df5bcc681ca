import assert from "node:assert/strict";
import { request } from "node:http";
import { after, before, test } from "node:test";
import { rateSettingsDefault } from "#lib/contract/rate-limits.ts";
import { RateLimits } from "#lib/limits/rate-limits.ts";
import { MemoryRateLog } from "#lib/limits/rate-log.ts";
import { openSearchIndex } from "#lib/search/index-writer.ts";
import { readProxies } from "#lib/trusted-proxies.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";
import { isFromThisMachine } from "#lib/web/client-address.ts";
import type { Front } from "#lib/web/front.ts";

let api: ApiUnderTest;
let front: Front;
let nowMs = Date.now();

before(async () => {
  api = await ApiUnderTest.open({ now: () => new Date(nowMs) });
  const read = readProxies("127.0.0.1");
  assert.ok("proxies" in read);
  front = await api.serve({ trustedProxies: read.proxies });
});
after(async () => {
  await front.close();
  await api.close();
});

const get = (headers: Record<string, string> = {}, method = "GET") =>
  fetch(`${front.url}/metrics`, { headers, method });
const elsewhere = { "x-forwarded-for": "203.0.113.7" };

type Sample = { name: string; labels: Record<string, string>; value: number };

/** Reads text format 0.0.4 as strictly as Prometheus does: every sample below the type of its name, no series twice. */
function parse(text: string): Sample[] {
  assert.ok(text.endsWith("\n"));
  const types = new Map<string, string>();
  const seen = new Set<string>();
  let current = "";
  return text
    .trimEnd()
    .split("\n")
    .flatMap((line): Sample[] => {
      const [, kind, name = "", rest = ""] = /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.+)$/.exec(line) ?? [];
      if (kind === "TYPE") {
        assert.ok(!types.has(name) && /^(?:counter|gauge|histogram)$/.test(rest), line);
        types.set(name, rest);
        current = name;
      }
      if (kind !== undefined) return [];
      const sample =
        /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*",?)*)\})? (NaN|[+-]Inf|-?[\d.e+-]+)$/.exec(
          line,
        );
      assert.ok(sample !== null, line);
      const [, full = "", labelText = "", value = ""] = sample;
      assert.ok(full === current || full.replace(/_(?:bucket|sum|count)$/, "") === current, line);
      assert.ok(!seen.has(`${full}{${labelText}}`), line);
      seen.add(`${full}{${labelText}}`);
      const pairs = [...labelText.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g)];
      return [
        { name: full, labels: Object.fromEntries(pairs.map(([, key, text]) => [key, text])), value: Number(value) },
      ];
    });
}

/** Fresh figures: a reading of the store is reused for two seconds. */
async function scrape() {
  nowMs += 10_000;
  const answer = await get();
  assert.equal(answer.status, 200);
  const samples = parse(await answer.text());
  return (name: string, labels: Record<string, string> = {}) =>
    samples.find(
      (one) => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value),
    )?.value;
}

test("the text is Prometheus' format 0.0.4, with every promised metric", async () => {
  await api.asked("GET", "/v1/users/me", { token: await api.token() });
  await fetch(`${front.url}/v1/users/me`, { headers: { authorization: `Bearer ${await api.token()}` } });
  const answer = await get();
  assert.equal(answer.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  const figure = await scrape();
  assert.equal(figure("errand_build_info", { node: process.versions.node }), 1);
  assert.equal(figure("errand_http_requests_total", { class: "standard", status: "200" }), 1);
  assert.equal(figure("errand_http_request_duration_seconds_count", { class: "standard" }), 1);
  assert.equal(figure("errand_http_request_duration_seconds_bucket", { class: "standard", le: "+Inf" }), 1);
  for (const name of ["process_resident_memory_bytes", "process_cpu_seconds_total", "process_start_time_seconds"]) {
    assert.ok(Number(figure(name)) > 0, name);
  }
  assert.ok(Number(figure("nodejs_eventloop_lag_max_seconds")) >= 0);
});

test("figures change as a run waits, works and ends", async () => {
  // An empty index: every entry waits for it.
  openSearchIndex(`${api.folder}/search.db`).close();
  const before = await scrape();
  assert.deepEqual([before("errand_queue_depth"), before("errand_queue_oldest_seconds")], [0, 0]);
  const queued = await api.run();
  // The store's clock is the real one, and what came before may have taken seconds. Never back: a reading is reused.
  nowMs = Math.max(nowMs, Date.now()) + 10_000;
  const waiting = await scrape();
  assert.deepEqual([waiting("errand_queue_depth"), waiting("errand_runs", { status: "queued" })], [1, 1]);
  const oldest = Number(waiting("errand_queue_oldest_seconds"));
  assert.ok(oldest >= 10 && oldest < 1000, String(oldest));
  const claimed = await api.store.queue.claim("engine", 60_000);
  assert.equal(claimed?.run.id, queued.id);
  if (claimed === null) return;
  const working = await scrape();
  assert.deepEqual([working("errand_queue_depth"), working("errand_engine_slots_used")], [0, 1]);
  await api.finish(claimed.lease);
  const { lease } = await api.liveRun(5);
  await api.finish(lease);
  const ended = await scrape();
  assert.deepEqual(
    [
      ended("errand_runs", { status: "completed" }),
      ended("errand_engine_slots_used"),
      ended("errand_log_entries_total"),
    ],
    [2, 0, 5],
  );
  assert.equal(ended("errand_search_index_lag_entries"), 5);
});

test("refusals by a rate limit and open event streams are counted", async (t) => {
  const wide = api.runtime.limits;
  t.after(() => {
    api.runtime.limits = wide;
  });
  const run = await api.store.runs.create(api.home, { ...(await api.run()), agent: "external", images: [] });
  const authorization = `Bearer ${await api.token()}`;
  const leaving = new AbortController();
  const path = `/v1/organizations/1/agent/run/${run.id}/logs/stream`;
  const stream = await fetch(front.url + path, { headers: { authorization }, signal: leaving.signal });
  assert.equal(stream.status, 200);
  assert.equal((await scrape())("errand_event_streams_open"), 1);
  leaving.abort();
  while ((await scrape())("errand_event_streams_open") !== 0) await new Promise(setImmediate);
  api.runtime.limits = new RateLimits(new MemoryRateLog(() => 0), rateSettingsDefault);
  const ask = () => fetch(`${front.url}/v1/users/me`, { headers: { authorization } });
  for (let count = 0; count < 62; count += 1) await (await ask()).arrayBuffer();
  const figure = await scrape();
  assert.equal(figure("errand_rate_limited_total", { class: "standard" }), 2);
  assert.equal(figure("errand_http_requests_total", { class: "standard", status: "429" }), 2);
});

test("from elsewhere only a token with org:admin reads them; no header makes a request local", async () => {
  const bare = await get(elsewhere);
  assert.deepEqual([bare.status, bare.headers.get("www-authenticate")], [401, "Bearer"]);
  for (const forwarded of ["127.0.0.1", "::1", ""]) {
    assert.equal((await get({ "x-forwarded-for": forwarded })).status, 401);
  }
  assert.equal((await get({ "x-real-ip": "127.0.0.1" })).status, 401);
  const ask = async (token: string) => (await get({ ...elsewhere, authorization: `Bearer ${token}` })).status;
  assert.equal(await ask(await api.token("owner")), 200);
  const refused = await get({ ...elsewhere, authorization: `Bearer ${await api.token("member")}` });
  assert.deepEqual([refused.status, refused.headers.has("ratelimit")], [403, true], "it was charged");
  assert.equal(await ask(await api.token("owner", { scopes: ["runs:read"] })), 403);
  const { headers } = await api.member("admin");
  assert.equal((await get({ ...elsewhere, ...headers })).status, 401);
  const posted = await get({}, "POST");
  assert.deepEqual([posted.status, posted.headers.get("allow")], [405, "GET, HEAD"]);
  const socket = request({ host: "127.0.0.1", port: front.port, path: "/metrics", headers: { host: "evil.test" } });
  const status = await new Promise((resolve) => {
    socket.on("response", (response) => resolve(response.resume().statusCode)).end();
  });
  assert.equal(status, 421);
});

test("a request is local only by the address of its connection", () => {
  const from = (remoteAddress: string | undefined, headers = {}) => {
    const asked = { socket: { remoteAddress }, headers } as Parameters<typeof isFromThisMachine>[0];
    return isFromThisMachine(asked);
  };
  for (const address of ["127.0.0.1", "127.8.0.1", "::1", "::ffff:127.0.0.1"]) assert.equal(from(address), true);
  for (const address of ["10.0.0.1", "::2", "::ffff:10.0.0.1", "1.127.0.0", undefined])
    assert.equal(from(address), false);
  assert.equal(from("127.0.0.1", { forwarded: "for=127.0.0.1" }), false);
});
