import assert from "node:assert/strict";
import { test } from "node:test";
import { damageEntries } from "#lib/store/storage/damaged-store.fixture.ts";
import { ApiUnderTest } from "./api-under-test.ts";

test("what a damaged store cannot read is 500 store_damaged, after which /readyz says so; other reads go on", async (t) => {
  const api = await ApiUnderTest.open();
  t.after(() => api.close());
  const token = await api.token();
  const { run } = await api.liveRun(300);
  await api.store.queue.beat("engine");
  assert.equal((await api.ask("GET", "/readyz")).status, 200);

  damageEntries(api.folder);
  const logs = `/v1/organizations/1/agent/run/${run.id}/logs?skip=0&limit=100`;
  const refused = await api.ask("GET", logs, { token });
  assert.deepEqual([refused.status, refused.json.code], [500, "store_damaged"]);
  assert.match(String(refused.json.detail), /^The store is damaged: /);

  const { status, json } = await api.ask("GET", "/readyz");
  assert.deepEqual([status, json.code], [503, "unavailable"]);
  assert.match(String(json.detail), /^store_damaged: .* Restore a backup; `npm run --silent errand -- doctor`/);
  assert.equal((await api.asked("GET", "/v1/organizations/1/agent/runs", { token })).json.total, 1);
});
