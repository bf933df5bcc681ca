import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  attributesOf,
  logsInProtobuf,
  logsRequest,
  metricsInProtobuf,
  metricsRequest,
} from "#lib/otlp/otlp-messages.fixture.ts";
import { TelemetryUnderTest } from "./telemetry-under-test.ts";

let telemetry: TelemetryUnderTest;

before(async () => {
  telemetry = await TelemetryUnderTest.open();
});
after(() => telemetry.close());

async function post(signal: "logs" | "metrics", body: unknown) {
  const { status, text } = await telemetry.post(signal, body);
  assert.equal(status, 200, text);
}

const nanoseconds = (ms: number) => `${ms}000000`;
const beginMs = 1_769_860_800_000;

/** A point of a cumulative cost, at a second; `started` is the second at which its series began. */
function costAt(sessionId: string, second: number, value: number, started?: number) {
  const point = {
    timeUnixNano: nanoseconds(beginMs + second * 1_000),
    ...(started === undefined ? {} : { startTimeUnixNano: nanoseconds(beginMs + started * 1_000) }),
    asDouble: value,
    attributes: attributesOf({ "session.id": sessionId }),
  };
  return metricsRequest("claude_code.cost.usage", [point], 2);
}

for (const encode of [(request: ReturnType<typeof costAt>) => request, metricsInProtobuf]) {
  test(`${encode.name}: a cumulative point that arrives late is already counted by the newer ones`, async () => {
    const { sessionId, told } = await telemetry.openSession();
    const points = [
      [60, 10],
      [0, 9],
      [120, 11],
      // Without a start, a later lower value is a restart.
      [180, 2],
    ] as const;
    for (const [second, value] of points) await post("metrics", encode(costAt(sessionId, second, value)));
    assert.equal((await told()).cost_usd, 13);
  });

  test(`${encode.name}: a later start is a restart, whatever the value, and late points before it add nothing`, async () => {
    const { sessionId, told } = await telemetry.openSession();
    const points = [
      [60, 3, 0],
      [120, 5, 90],
      [70, 3, 0],
      [150, 6, 90],
    ] as const;
    for (const [second, value, started] of points) {
      await post("metrics", encode(costAt(sessionId, second, value, started)));
    }
    assert.equal((await told()).cost_usd, 9);
  });
}

test("a cumulative series continues after its records were dropped for newer ones", async () => {
  const { sessionId, told } = await telemetry.openSession();
  await post("metrics", costAt(sessionId, 0, 10));
  const events = Array.from({ length: 5_000 }, (_, index) => ({
    timeUnixNano: nanoseconds(beginMs + index),
    attributes: attributesOf({ "session.id": sessionId, "event.name": "tool_result" }),
  }));
  for (let from = 0; from < events.length; from += 1_000) {
    await post("logs", logsRequest(events.slice(from, from + 1_000)));
  }
  await post("metrics", costAt(sessionId, 60, 10.5));
  assert.deepEqual(await told(), { records: 5_002, dropped: 2, cost_usd: 10.5, tokens: null });
});

test("events that differ by a millisecond, or less, are different ones", async () => {
  for (const encode of [(request: ReturnType<typeof logsRequest>) => request, logsInProtobuf]) {
    const { sessionId, told } = await telemetry.openSession();
    const times = [
      ...Array.from({ length: 64 }, (_, index) => nanoseconds(beginMs + index)),
      `${beginMs}000001`,
      `${beginMs}000002`,
    ];
    const attributes = attributesOf({ "session.id": sessionId, "event.name": "api_request", cost_usd: 1 });
    const request = logsRequest(times.map((timeUnixNano) => ({ timeUnixNano, attributes })));
    await post("logs", encode(request));
    await post("logs", encode(request));
    const { records, cost_usd } = await told();
    assert.deepEqual([records, cost_usd], [66, 66]);
  }
});
