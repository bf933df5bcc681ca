import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import {
  attributesOf,
  logsInProtobuf,
  logsRequest,
  metricsInProtobuf,
  metricsRequest,
  nested,
} from "#lib/otlp/otlp-messages.fixture.ts";
import { TelemetryUnderTest } from "./telemetry-under-test.ts";

let telemetry: TelemetryUnderTest;
const O = "/v1/organizations/1";

before(async () => {
  telemetry = await TelemetryUnderTest.open();
});
after(() => telemetry.close());

const protobuf = { "content-type": "application/x-protobuf" };

let sequence = 0;
function requestOf(sessionId: string, cost: number, input: number, output: number) {
  sequence += 1;
  const values = {
    "session.id": sessionId,
    "event.name": "api_request",
    "event.sequence": sequence,
    cost_usd: cost,
    input_tokens: input,
    cache_read_tokens: 100,
    output_tokens: output,
  };
  return { timeUnixNano: "1769860800123000000", attributes: attributesOf(values) };
}

test("cost and tokens of a session's telemetry become its run's, each record counted once", async () => {
  const { sessionId, run, told } = await telemetry.openSession();
  const body = logsRequest([requestOf(sessionId, 0.25, 10, 5), requestOf(sessionId, 0.5, 20, 6)]);
  const answered = await telemetry.post("logs", body);
  assert.deepEqual(answered.json, { success: true, message: "All records were stored.", received_count: 2 });
  const again = await telemetry.post("logs", body);
  const message = "Of 2 records, 2 had been received before and were not counted again.";
  assert.deepEqual([again.status, again.json], [200, { success: true, message, received_count: 2 }]);
  const { cost_usd, tokens, total_logs } = await run();
  assert.deepEqual([cost_usd, tokens, total_logs], [0.75, { input: 230, output: 11, total: 241 }, 0]);
  assert.deepEqual(await told(), {
    records: 2,
    dropped: 0,
    cost_usd: 0.75,
    tokens: { input: 230, output: 11 },
  });
});

test("tokens reported in the session's lines stay; the cost is shown all the same", async () => {
  const { sessionId, run } = await telemetry.openSession();
  await telemetry.post("logs", logsRequest([requestOf(sessionId, 0.25, 10, 5)]));
  const log = { type: "assistant", message: { id: "m", content: [], usage: { input_tokens: 7, output_tokens: 1 } } };
  await telemetry.api.ask("POST", `${O}/claude_code/session/${sessionId}/log`, {
    token: telemetry.token,
    body: { log },
  });
  await telemetry.post("logs", logsRequest([requestOf(sessionId, 0.5, 10, 5)]));
  const { cost_usd, tokens } = await run();
  assert.deepEqual([cost_usd, tokens], [0.75, { input: 7, output: 1, total: 8 }]);
});

test("telemetry that arrives before its session is assigned to it later", async () => {
  const sessionId = randomUUID();
  await telemetry.post("logs", logsRequest([requestOf(sessionId.toUpperCase(), 0.125, 10, 5)]));
  const { run } = await telemetry.openSession(sessionId);
  assert.equal((await run()).cost_usd, 0.125);
});

test("metrics count if there are no events, in sums of either kind", async () => {
  const { sessionId, run } = await telemetry.openSession();
  const point = (values: Record<string, string>, value: number, second: number) => ({
    timeUnixNano: `17698608${String(second).padStart(2, "0")}000000000`,
    asDouble: value,
    attributes: attributesOf({ "session.id": sessionId, ...values }),
  });
  await telemetry.post("metrics", metricsRequest("claude_code.cost.usage", [point({}, 0.5, 1), point({}, 0.25, 2)]));
  const tokens = [
    point({ type: "input" }, 10, 1),
    point({ type: "cacheRead" }, 90, 1),
    point({ type: "output" }, 4, 1),
  ];
  await telemetry.post("metrics", metricsRequest("claude_code.token.usage", tokens));
  assert.deepEqual(await run().then((one) => [one.cost_usd, one.tokens]), [
    0.75,
    { input: 100, output: 4, total: 104 },
  ]);
  const series = (value: number, second: number) =>
    telemetry.post("metrics", metricsRequest("claude_code.cost.usage", [point({ model: "m" }, value, second)], 2));
  for (const [value, second] of [
    [1, 3],
    [1.5, 4],
    [0.25, 5],
  ] as const)
    await series(value, second);
  assert.equal((await run()).cost_usd, 2.5);
  await telemetry.post("logs", logsRequest([requestOf(sessionId, 4, 1, 1)]));
  assert.equal((await run()).cost_usd, 4);
});

test("protobuf is accepted with gzip and without, and answered as OTLP says", async () => {
  const { sessionId, run } = await telemetry.openSession();
  const body = logsInProtobuf(logsRequest([requestOf(sessionId, 0.25, 10, 5)]));
  const plain = await telemetry.post("logs", body, { headers: protobuf });
  assert.deepEqual([plain.status, plain.headers.get("content-type"), plain.text], [200, "application/x-protobuf", ""]);
  const more = gzipSync(logsInProtobuf(logsRequest([requestOf(sessionId, 0.5, 10, 5)])));
  assert.equal(
    (await telemetry.post("logs", more, { headers: { ...protobuf, "content-encoding": "gzip" } })).status,
    200,
  );
  const json = gzipSync(JSON.stringify(logsRequest([requestOf(sessionId, 1, 10, 5)])));
  const headers = { "content-type": "application/json", "content-encoding": "gzip" };
  assert.equal((await telemetry.post("logs", json, { headers })).status, 200);
  assert.equal((await run()).cost_usd, 1.75);
  const points = [{ timeUnixNano: "1", asDouble: 1, attributes: attributesOf({ "session.id": sessionId }) }];
  const metrics = metricsInProtobuf(metricsRequest("claude_code.cost.usage", points));
  assert.equal((await telemetry.post("metrics", metrics, { headers: protobuf })).status, 200);
  const nobodys = logsInProtobuf(logsRequest([{ timeUnixNano: "1", attributes: [] }]));
  assert.match((await telemetry.post("logs", nobodys, { headers: protobuf })).text, /1 without session\.id/);
});

test("invalid OTLP is refused, and so is a body that unpacks to more than 4 MB", async () => {
  const broken = await telemetry.post("logs", Buffer.from([0x0a, 0xff]), { headers: protobuf });
  assert.deepEqual([broken.status, /not an OTLP request/.test(String(broken.json.detail))], [400, true]);
  const gzip = { "content-type": "application/json", "content-encoding": "gzip" };
  assert.equal((await telemetry.post("logs", Buffer.from("{}"), { headers: gzip })).status, 400);
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
  assert.equal((await telemetry.post("logs", bomb, { headers: gzip })).status, 413);
  assert.equal((await telemetry.post("logs", "x", { headers: { "content-type": "text/plain" } })).status, 415);
  assert.equal((await telemetry.post("logs", "{}", { headers: { ...gzip, "content-encoding": "br" } })).status, 415);
  // A compressed body is not accepted where only JSON is.
  const packed = gzipSync(JSON.stringify({ session_id: randomUUID() }));
  assert.equal(
    (
      await telemetry.api.ask("POST", `${O}/claude_code/session`, {
        token: telemetry.token,
        body: packed,
        headers: gzip,
      })
    ).status,
    415,
  );
});

test("nobody reports anything about another person's session", async () => {
  const { sessionId, run } = await telemetry.openSession();
  const colleague = await telemetry.api.token("member", { access: (await telemetry.api.member("member")).access });
  const { json } = await telemetry.post("logs", logsRequest([requestOf(sessionId, 99, 1, 1)]), { token: colleague });
  assert.deepEqual(
    [json.received_count, json.message],
    [1, "Of 1 record, 1 without session.id or of another person's session was left out."],
  );
  assert.equal((await run()).cost_usd, null);
  const later = randomUUID();
  await telemetry.post("logs", logsRequest([requestOf(later, 99, 1, 1)]), { token: colleague });
  assert.equal((await (await telemetry.openSession(later)).run()).cost_usd, null);
  assert.equal((await telemetry.post("logs", {}, { token: await telemetry.api.token("viewer") })).status, 403);
});

test("records are read with their run, latest first, page by page, without what names the person", async () => {
  const { sessionId, runId } = await telemetry.openSession();
  const events = [1, 2, 3].map((cost) => requestOf(sessionId, cost, 1, 1));
  events[0]?.attributes.push(...attributesOf({ "user.email": "ada@errand.test" }));
  await telemetry.post("logs", logsRequest(events));
  const at = "1769860801000000000";
  const point = { timeUnixNano: at, asInt: "7", attributes: attributesOf({ "session.id": sessionId, type: "input" }) };
  await telemetry.post("metrics", metricsRequest("claude_code.token.usage", [point]));
  const page = async (query = "") => telemetry.get(`/agent/run/${runId}/telemetry${query}`);
  const whole = await page();
  assert.deepEqual([whole.total, whole.dropped, whole.page, whole.pages], [4, 0, 1, 1]);
  const items = whole.items as Record<string, unknown>[];
  const { id, ...metric } = items[0] ?? {};
  assert.equal(typeof id, "number");
  assert.deepEqual(metric, {
    kind: "metric",
    name: "claude_code.token.usage",
    at: "2026-01-31T12:00:01.000Z",
    value: 7,
    attributes: { type: "input" },
  });
  const costs = items.slice(1).map(({ attributes }) => Object(attributes).cost_usd);
  assert.deepEqual([costs, items.at(-1)?.at], [[3, 2, 1], "2026-01-31T12:00:00.123Z"]);
  assert.ok(!JSON.stringify(items).includes("ada@errand.test"));
  const paged = [...((await page("?limit=3")).items as unknown[]), ...((await page("?skip=3")).items as unknown[])];
  assert.deepEqual(paged, items);
  assert.equal((await page("?page=2&size=3")).pages, 2);
});

test("a run that is no session has no telemetry, and nobody reads that of another organization", async () => {
  const { id } = await telemetry.api.run();
  assert.deepEqual(await telemetry.get(`/agent/run/${id}/telemetry`), {
    ...{ items: [], total: 0, page: 1, size: 100, pages: 0 },
    dropped: 0,
  });
  const { sessionId, runId } = await telemetry.openSession();
  await telemetry.post("logs", logsRequest([requestOf(sessionId, 1, 1, 1)]));
  const stranger = await telemetry.api.token("owner", { access: telemetry.api.other });
  const asked = (token: string, organization: number, run: unknown = runId) =>
    telemetry.api.ask("GET", `/v1/organizations/${organization}/agent/run/${run}/telemetry`, { token });
  assert.deepEqual(
    [
      (await asked(stranger, 1)).status,
      (await asked(stranger, 2)).status,
      (await asked(telemetry.token, 1, 999_999)).status,
    ],
    [403, 404, 404],
  );
  const ingest = await telemetry.api.token("member", { scopes: ["ingest:write"] });
  assert.equal((await asked(ingest, 1)).status, 403);
  assert.equal((await asked(await telemetry.api.token("viewer"), 1)).status, 200);
});

test("a record with an impossible time is kept with its time of arrival", async () => {
  const { sessionId, runId } = await telemetry.openSession();
  const attributes = attributesOf({ "session.id": sessionId });
  const request = JSON.stringify(logsRequest([{ timeUnixNano: "THEN", attributes }]));
  for (const time of ["1e300", "9e24", '"-1"', '"soon"', "-5", "null"]) {
    const headers = { "content-type": "application/json" };
    const answered = await telemetry.post("logs", request.replace('"THEN"', time), { headers });
    assert.equal(answered.status, 200, `${time}: ${answered.text}`);
  }
  const { items } = await telemetry.get(`/agent/run/${runId}/telemetry`);
  const [{ at } = { at: "" }, ...more] = items as { at: string }[];
  assert.ok(Math.abs(Date.parse(at) - Date.now()) < 600_000, at);
  // Without their own times they are all the same record.
  assert.deepEqual(more, []);
});

test("the newest 5,000 records of a session are kept; cost and tokens count them all", async () => {
  const { sessionId, told } = await telemetry.openSession();
  for (let batch = 0; batch < 6; batch += 1) {
    const records = Array.from({ length: 1_000 }, () => requestOf(sessionId, 0.5, 1, 1));
    assert.equal((await telemetry.post("logs", logsRequest(records))).status, 200);
  }
  assert.deepEqual(await told(), {
    records: 6_000,
    dropped: 1_000,
    cost_usd: 3_000,
    tokens: { input: 606_000, output: 6_000 },
  });
});

test("what is left out is said as OTLP says it, in JSON and in protobuf; spans are counted and not stored", async () => {
  const events = await telemetry.post("logs", logsRequest([{ timeUnixNano: "1", attributes: [] }]));
  assert.equal((events.json.partialSuccess as Record<string, string>).rejectedLogRecords, "1");
  const points = await telemetry.post(
    "metrics",
    metricsRequest("m", [{ timeUnixNano: "1", asInt: "1", attributes: [] }]),
  );
  assert.equal((points.json.partialSuccess as Record<string, string>).rejectedDataPoints, "1");
  const spans = { resourceSpans: [{ scopeSpans: [{ spans: [{ name: "chat" }, { name: "execute_tool" }] }] }] };
  const traces = await telemetry.post("traces", spans);
  assert.deepEqual([traces.status, traces.json.received_count], [200, 2]);
  const { rejectedSpans, errorMessage } = traces.json.partialSuccess as Record<string, string>;
  assert.equal(rejectedSpans, "2");
  assert.match(String(errorMessage), /stores no spans/);
  const inProtobuf = nested(1, nested(2, nested(2, Buffer.alloc(0)), nested(2, Buffer.alloc(0))));
  const binary = await telemetry.post("traces", inProtobuf);
  assert.equal(binary.status, 200);
  assert.match(binary.text, /stores no spans/);
});
