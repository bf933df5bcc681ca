import assert from "node:assert/strict";
import { test } from "node:test";
import { getLogEntry, getLogs, getRun } from "#lib/contract/run-operations.ts";
import { callTrace, type TraceSource, traceKey, tracePath } from "./trace-source.ts";

const own: TraceSource = { kind: "run", orgId: 3, runId: 7 };
const shared: TraceSource = { kind: "share", shareToken: "abc" };

test("a run is read below its organization, a shared one below its link", () => {
  assert.equal(tracePath(own, getRun), "/v1/organizations/3/agent/run/7");
  assert.equal(tracePath(shared, getRun), "/v1/shares/abc");
  assert.equal(tracePath(shared, getLogEntry, { params: { seq: 9 } }), "/v1/shares/abc/logs/9");
  assert.equal(tracePath(shared, getLogs, { query: { skip: 50, limit: 10 } }), "/v1/shares/abc/logs?skip=50&limit=10");
});

test("a request goes where the source has the run", async () => {
  const asked: string[] = [];
  const transport = async (path: string) => {
    asked.push(path);
    return Response.json({ total_logs: 0, logs: [] });
  };
  await callTrace(own, getLogs, { query: { skip: 0 } }, transport);
  await callTrace(shared, getLogs, { query: { skip: 0 } }, transport);
  assert.deepEqual(asked, ["/v1/organizations/3/agent/run/7/logs?skip=0", "/v1/shares/abc/logs?skip=0"]);
});

test("what is kept of two sources of one run stays apart", () => {
  assert.notDeepEqual(traceKey(own), traceKey(shared));
});
