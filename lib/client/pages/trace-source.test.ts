import assert from "node:assert/strict";
import { test } from "node:test";
import { callTrace, type TraceSource, traceKey, tracePath } from "./trace-source.ts";

const own: TraceSource = { kind: "run", orgId: 3, runId: 7 };
const shared: TraceSource = { kind: "share", shareToken: "abc", firstSeq: 1 };
const part: TraceSource = { kind: "share", shareToken: "abc", firstSeq: 41 };

test("a run is read below its organization, a shared one below its link", () => {
  assert.equal(tracePath(own, "getRun"), "/v1/organizations/3/agent/run/7");
  assert.equal(tracePath(shared, "getRun"), "/v1/shares/abc");
  assert.equal(tracePath(shared, "getLogEntry", { params: { seq: 9 } }), "/v1/shares/abc/logs/9");
  assert.equal(
    tracePath(shared, "getLogs", { query: { skip: 50, limit: 10 } }),
    "/v1/shares/abc/logs?skip=50&limit=10",
  );
});

test("a request goes to where the source has the run", async () => {
  const asked: string[] = [];
  const transport = async (path: string) => {
    asked.push(path);
    return Response.json({ total_logs: 0, logs: [] });
  };
  await callTrace(own, "getLogs", { query: { skip: 0 } }, transport);
  await callTrace(shared, "getLogs", { query: { skip: 0 } }, transport);
  assert.deepEqual(asked, ["/v1/organizations/3/agent/run/7/logs?skip=0", "/v1/shares/abc/logs?skip=0"]);
});

test("cached data of two sources of one run stays separate", () => {
  assert.notDeepEqual(traceKey(own), traceKey(shared));
});

test("the viewer counts the entries of a shared part from 1, the API as the run does", async () => {
  const entry = { seq: 50, tool_input: { seq: 3, from_seq: 1 } };
  const asked: string[] = [];
  const transport = async (path: string, init: RequestInit) => {
    asked.push(`${path} ${init.credentials}`);
    if (path.includes("outline")) return Response.json({ total_logs: 60, buckets: [{ from_seq: 42, to_seq: 50 }] });
    return Response.json(path.includes("?") ? { total_logs: 60, logs: [entry], share: { from_seq: 41 } } : entry);
  };
  const found = await callTrace(part, "getLogs", { query: { skip: 9, limit: 1 } }, transport);
  assert.deepEqual(found.logs, [{ ...entry, seq: 10 }]);
  assert.deepEqual(Reflect.get(found, "share"), { from_seq: 41 });
  assert.equal((await callTrace(part, "getLogEntry", { params: { seq: 10 } }, transport)).seq, 10);
  const { buckets } = await callTrace(part, "getOutline", { query: { from_seq: 2, buckets: 1 } }, transport);
  assert.deepEqual([buckets[0]?.from_seq, buckets[0]?.to_seq], [2, 10]);
  assert.deepEqual(asked, [
    "/v1/shares/abc/logs?skip=9&limit=1 omit",
    "/v1/shares/abc/logs/50 omit",
    "/v1/shares/abc/logs/outline?from_seq=42&buckets=1 omit",
  ]);
});
