import assert from "node:assert/strict";
import test from "node:test";
import { QueryClient } from "@tanstack/react-query";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { addLiveEntries, logsQuery, WINDOW_KEPT_MS, windowOf } from "./log-queries.ts";

const entries = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => ({ seq: first + index }) as LogEntry);
const source = { kind: "run", orgId: 1, runId: 2 } as const;
const size = { limit: 50, clip: null };

function cache(shown: Record<number, LogEntry[]>) {
  const client = new QueryClient();
  const key = (skip: number) => logsQuery(source, { skip, ...size }).queryKey;
  for (const [skip, logs] of Object.entries(shown)) {
    client.setQueryData(key(Number(skip)), { logs, totalLogs: logs.at(-1)?.seq ?? 0 });
  }
  return { client, key, seqs: (skip: number) => client.getQueryData(key(skip))?.logs.map(({ seq }) => seq) };
}

test("an entry belongs to one window", () => {
  assert.deepEqual(
    [1, 50, 51, 100, 101].map((seq) => windowOf(seq, 50, null).skip),
    [0, 0, 50, 50, 100],
  );
});

test("live entries continue the shown window and begin the next", () => {
  const { client, seqs } = cache({ 0: entries(1, 48) });
  addLiveEntries(client, source, size, entries(47, 52));
  assert.deepEqual(seqs(0)?.slice(-3), [48, 49, 50]);
  assert.equal(seqs(0)?.length, 50);
  assert.deepEqual(seqs(50), [51, 52]);
  client.clear();
});

test("a window that lacks an earlier entry is read again instead of being given a gap", () => {
  const { client, key, seqs } = cache({ 0: entries(1, 10) });
  addLiveEntries(client, source, size, entries(15, 16));
  assert.equal(seqs(0)?.length, 10);
  assert.equal(client.getQueryState(key(0))?.isInvalidated, true);
  client.clear();
});

test("a window that was not requested is not started in its middle", () => {
  const { client, seqs } = cache({});
  addLiveEntries(client, source, size, entries(70, 71));
  assert.equal(seqs(50), undefined);
  client.clear();
});

test("a late response with fewer entries does not remove any", async () => {
  const { client, seqs } = cache({ 0: entries(1, 3) });
  const window = { skip: 0, ...size };
  const transport = async () => {
    addLiveEntries(client, source, size, entries(4, 5));
    return Response.json({ logs: entries(1, 3), total_logs: 3 });
  };
  await client.fetchQuery({ ...logsQuery(source, window, transport), staleTime: 0 });
  assert.deepEqual(seqs(0), [1, 2, 3, 4, 5]);
  client.clear();
});

test("live windows are kept as long as the others, with one default for all", ({ mock }) => {
  const { client, key } = cache({});
  const { mock: set } = mock.method(client, "setQueryDefaults");
  addLiveEntries(client, source, size, entries(1, 75));
  addLiveEntries(client, source, size, entries(76, 160));
  for (const skip of [0, 50, 100, 150]) {
    assert.equal(client.getQueryCache().find({ queryKey: key(skip) })?.gcTime, WINDOW_KEPT_MS);
  }
  assert.equal(new Set(set.calls.map(({ arguments: [queryKey] }) => JSON.stringify(queryKey))).size, 1);
  client.clear();
});
