import assert from "node:assert/strict";
import { test } from "node:test";
import { fewPages, fillDisk } from "#lib/store/storage/full-disk.fixture.ts";
import { ApiUnderTest } from "./api-under-test.ts";

test("on a full disk changes are 507 with Retry-After, reads continue and /readyz says why, until there is space", async (t) => {
  const api = await ApiUnderTest.open({ pagesMax: fewPages });
  t.after(() => api.close());
  const [token, unused] = [await api.token(), await api.token()];
  await api.store.queue.beat("engine");
  const runs = "/v1/organizations/1/agent/runs";
  const create = (headers = {}) =>
    api.ask("POST", "/v1/organizations/1/agent/run", { token, headers, body: { prompt: "x".repeat(100_000) } });
  assert.equal((await create()).status, 200);
  assert.equal((await api.ask("GET", "/readyz")).status, 200);

  const makeRoom = fillDisk(api.folder);
  for (const headers of [{}, { "idempotency-key": "one" }]) {
    const refused = await create(headers);
    assert.deepEqual([refused.status, refused.json.code], [507, "disk_full"]);
    assert.equal(refused.headers.get("retry-after"), "30");
  }
  for (const reader of [token, unused]) {
    const listed = await api.ask("GET", runs, { token: reader });
    assert.deepEqual([listed.status, listed.json.total], [200, 1]);
  }
  const { status, json } = await api.ask("GET", "/readyz");
  assert.deepEqual([status, json.code], [503, "unavailable"]);
  assert.match(String(json.detail), /Errand's disk is full/);

  makeRoom();
  assert.equal((await create({ "idempotency-key": "one" })).status, 200);
  await api.store.queue.beat("engine");
  assert.equal((await api.ask("GET", "/readyz")).status, 200);
  assert.equal((await api.ask("GET", runs, { token })).json.total, 2);
});

test("a run is analyzed on a full disk too; its analysis is kept once there is space", async (t) => {
  const api = await ApiUnderTest.open({ pagesMax: fewPages });
  t.after(() => api.close());
  const token = await api.token();
  const runs = "/v1/organizations/1/agent/run";
  const { json } = await api.ask("POST", runs, { token, body: { prompt: "Told", agent: "external" } });
  const id = Number(json.id);
  // So many tools that their table is longer than a page.
  const entries = Array.from({ length: 90 }, (_, place) => ({
    message_type: "ACTION",
    tool_name: `${place} ${"x".repeat(150)}`,
    tool_input: {},
    tool_output: { text: "Done" },
  }));
  assert.equal((await api.ask("POST", `${runs}/${id}/logs`, { token, body: { entries } })).status, 200);
  assert.equal((await api.ask("PATCH", `${runs}/${id}`, { token, body: { status: "completed" } })).status, 200);
  const analyse = () => api.ask("GET", `${runs}/${id}/analysis`, { token });
  const makeRoom = fillDisk(api.folder);
  const found = await analyse();
  assert.equal(found.status, 200, found.text);
  assert.equal(await api.store.analyses.find(api.home, id), null);
  makeRoom();
  while ((await analyse()).json.analysed !== entries.length);
  assert.notEqual(await api.store.analyses.find(api.home, id), null);
});
