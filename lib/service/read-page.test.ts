import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { clipEntry } from "#lib/entry/clip-entry.ts";
import { ApiUnderTest, someEntries } from "#lib/web/api-under-test.ts";

let api: ApiUnderTest;
before(async () => {
  api = await ApiUnderTest.open();
});
after(() => api.close());

test("entries of any size are cut the same, in order, with and without a filter", async () => {
  const token = await api.token();
  const megabyte = 1024 * 1024;
  const lengths = [10, 9 * megabyte, 500, 700, 10 * megabyte, 9 * megabyte, 20];
  const { run, lease } = await api.liveRun([]);
  for (const length of lengths) {
    await api.store.queue.append(
      lease,
      someEntries(1, () => "é".repeat(length / 2)),
    );
  }
  await api.finish(lease);
  const address = `/v1/organizations/1/agent/run/${run.id}/logs`;
  const whole: string[] = [];
  for (let seq = 1; seq <= lengths.length; seq += 1) {
    const { json } = await api.ask("GET", `${address}/${seq}`, { token });
    whole.push(clipEntry(JSON.stringify(json), 400));
  }
  for (const query of ["", "&reverse=true", "&message_type=PLAN_EVALUATION", "&skip=1&limit=2", "&skip=4&limit=1"]) {
    const { json } = await api.ask("GET", `${address}?clip=400${query}`, { token });
    const { logs } = json as { logs: LogEntry[] };
    const expected = logs.map(({ seq }) => JSON.parse(whole[seq - 1] ?? ""));
    assert.deepEqual(logs, expected, query);
    assert.ok(query.includes("skip") ? logs.length > 0 : logs.length >= lengths.length, query);
  }
});
