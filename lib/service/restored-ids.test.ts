import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";

const run = "/v1/organizations/1/agent/run/1";
const places = [`${run}/logs/1`, `${run}/analysis`];

/** Asks a new installation for what its first run, created at a time, has at {@link places}; answers statuses and ETags. */
async function ask(createdAt: string, etags: (string | null)[]) {
  const api = await ApiUnderTest.open({ storeNow: () => new Date(createdAt), now: () => new Date(createdAt) });
  try {
    const live = await api.liveRun(1);
    assert.equal(live.run.id, 1);
    await api.finish(live.lease);
    const token = await api.token();
    const answers = [];
    for (const [index, place] of places.entries()) {
      const etag = etags[index] ?? null;
      answers.push(await api.ask("GET", place, { token, headers: etag === null ? {} : { "if-none-match": etag } }));
    }
    const tags = answers.map(({ headers }) => headers.get("etag"));
    return { statuses: answers.map(({ status }) => status), etags: tags };
  } finally {
    await api.close();
  }
}

test("what a browser keeps of a run is not taken for that of another run, which has its id after a restore", async () => {
  const before = await ask("2026-01-01T00:00:00Z", []);
  assert.deepEqual(before.statuses, [200, 200]);
  for (const etag of before.etags) assert.match(String(etag), /^W\/"[\w-]+"$/);
  assert.deepEqual((await ask("2026-01-01T00:00:00Z", before.etags)).statuses, [304, 304]);
  assert.deepEqual((await ask("2026-01-02T00:00:00Z", before.etags)).statuses, [200, 200]);
});
