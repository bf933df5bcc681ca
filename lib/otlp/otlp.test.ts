import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeLogs, decodeMetrics, encodeAnswer } from "./decode-protobuf.ts";
import {
  attributesOf,
  logsInProtobuf,
  logsRequest,
  metricsInProtobuf,
  metricsRequest,
  nested,
} from "./otlp-messages.fixture.ts";
import { logRecords, metricRecords } from "./read-records.ts";

const at = "1769860800123000000";
const request = {
  "session.id": "ABC",
  "event.name": "api_request",
  "event.sequence": 4,
  below: -5,
  far_below: -(2 ** 52),
  model: "claude-opus-4-6",
  cost_usd: 0.125,
  input_tokens: 3,
  output_tokens: 2 ** 40,
  cached: true,
  "user.email": "ada@example.com",
};
const logs = logsRequest([
  { timeUnixNano: at, body: { stringValue: "claude_code.api_request" }, attributes: attributesOf(request) },
  { timeUnixNano: "0", body: { stringValue: "claude_code.user_prompt" }, attributes: [] },
]);
const points = [
  { timeUnixNano: at, asDouble: 0.5, attributes: attributesOf({ "session.id": "abc", model: "m" }) },
  { timeUnixNano: at, asInt: "-7", attributes: attributesOf({ "session.id": "abc", type: "input" }) },
];
const metrics = metricsRequest("claude_code.cost.usage", points, 2);

test("events have a name, a time, a session and their attributes except those that name the person", () => {
  const [first, second] = logRecords(logs);
  const { "session.id": _, "user.email": _email, ...attributes } = request;
  assert.deepEqual(first, {
    kind: "event",
    name: "api_request",
    atMs: 1769860800123,
    atNs: at,
    startedMs: null,
    sessionId: "abc",
    attributes,
    value: null,
    isCumulative: false,
  });
  assert.deepEqual([second?.name, second?.atMs, second?.sessionId], ["claude_code.user_prompt", null, null]);
  const ofResource = logsRequest([{ timeUnixNano: at, attributes: [] }], attributesOf({ "session.id": "r" }));
  assert.equal(logRecords(ofResource)[0]?.sessionId, "r");
});

test("points of sums and gauges have their value, and whether it is cumulative", () => {
  const read = metricRecords(metrics).map(({ name, value, isCumulative }) => [name, value, isCumulative]);
  assert.deepEqual(read, [
    ["claude_code.cost.usage", 0.5, true],
    ["claude_code.cost.usage", -7, true],
  ]);
  const gauge = { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: "g", gauge: { dataPoints: points } }] }] }] };
  assert.deepEqual(
    metricRecords(gauge).map(({ value, isCumulative }) => [value, isCumulative]),
    [
      [0.5, false],
      [-7, false],
    ],
  );
});

test("protobuf and JSON give the same records", () => {
  assert.deepEqual(logRecords(decodeLogs(logsInProtobuf(logs))), logRecords(logs));
  assert.deepEqual(metricRecords(decodeMetrics(metricsInProtobuf(metrics))), metricRecords(metrics));
  assert.deepEqual(decodeLogs(new Uint8Array()), {});
});

test("bytes that are no request throw or give nothing; none of them hangs", () => {
  const whole = logsInProtobuf(logs);
  for (let end = 1; end < whole.length; end += 1) {
    try {
      logRecords(decodeLogs(whole.subarray(0, end)));
    } catch (error) {
      assert.ok(error instanceof Error);
    }
  }
  let seed = 1;
  const nextByte = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed & 0xff;
  };
  for (let round = 0; round < 500; round += 1) {
    try {
      logRecords(decodeLogs(Uint8Array.from({ length: 60 }, nextByte)));
    } catch (error) {
      assert.ok(error instanceof Error);
    }
  }
  assert.throws(() => decodeLogs(whole.subarray(0, -1)), /middle of a field/);
  // A value in a list in a value …
  const nest = (levels: number): Buffer => (levels === 0 ? Buffer.alloc(0) : nested(5, nested(1, nest(levels - 1))));
  const deepened = (levels: number) => nested(1, nested(2, nested(2, nested(5, nest(levels)))));
  assert.equal(logRecords(decodeLogs(deepened(3))).length, 1);
  assert.throws(() => decodeLogs(deepened(500)), /nested deeper/);
  // … and two million empty messages, which make 4 KB when zipped.
  const empty = Buffer.alloc(4 * 1024 * 1024, Buffer.from([0x0a, 0]));
  assert.throws(() => decodeLogs(empty), /more than 250000 messages/);
  assert.throws(() => decodeMetrics(nested(1, empty)), /more than 250000 messages/);
});

test("JSON of another shape is ignored", () => {
  for (const odd of [
    null,
    5,
    [],
    { resourceLogs: 5 },
    { resourceLogs: [null, { scopeLogs: [{ logRecords: [5] }] }] },
  ]) {
    assert.ok(logRecords(odd).every(({ sessionId }) => sessionId === null));
    assert.deepEqual(metricRecords(odd), []);
  }
});

test("a response in protobuf is empty, or says how many records were left out", () => {
  assert.deepEqual(encodeAnswer(0, "x"), new Uint8Array());
  assert.deepEqual([...encodeAnswer(300, "no")], [0x0a, 7, 0x08, 0xac, 0x02, 0x12, 2, 0x6e, 0x6f]);
});
