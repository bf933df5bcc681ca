import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { plainRun } from "#lib/store/runs/plain-run.fixture.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";

let api: ApiUnderTest;
before(async () => {
  api = await ApiUnderTest.open();
});
after(() => api.close());

const O = "/v1/organizations/1";

async function endedRuns(count: number, repositoryId: number | null): Promise<number[]> {
  const ids: number[] = [];
  for (let each = 0; each < count; each += 1) {
    const run = plainRun("Find the Xylograph", { agent: "external", repositoryId });
    const { id } = await api.store.runs.create(api.home, run);
    await api.store.external.update(api.home, id, { status: "completed" });
    ids.push(id);
  }
  return ids;
}

test("a deleted run is 404 wherever its number is used, and so are its links and a repetition of its start", async () => {
  const token = await api.token();
  const start = { token, headers: { "idempotency-key": "start" }, body: { prompt: "Elsewhere", agent: "external" } };
  const { json } = await api.asked("POST", `${O}/agent/run`, start);
  const run = `${O}/agent/run/${json.id}`;
  await api.asked("PATCH", run, { token, body: { status: "completed" } });
  const shared = await api.asked("POST", `${run}/shares`, { token, body: {} });
  const link = `/v1/shares/${new URL(String(shared.json.url)).pathname.split("/").at(-1)}`;
  assert.equal((await api.ask("GET", link)).status, 200);
  const done = await api.asked("DELETE", run, { token });
  assert.deepEqual(done.json, { agent_run_id: json.id, deleted_run_ids: [json.id] });
  for (const path of [
    run,
    `${run}/logs`,
    `${run}/logs/stream`,
    `${run}/diff`,
    `${run}/export`,
    `${run}/analysis`,
    link,
  ]) {
    assert.equal((await api.ask("GET", path, { token })).status, 404, path);
  }
  assert.equal((await api.ask("DELETE", run, { token })).status, 404);
  const again = await api.ask("POST", `${O}/agent/run`, start);
  assert.deepEqual([again.status, again.json.detail], [404, "Agent run not found."]);
  const other = { ...start, headers: { "idempotency-key": "another" } };
  assert.equal((await api.ask("POST", `${O}/agent/run`, other)).status, 200);
});

test("a response that was stored encrypted, because it shows a webhook's secret, is deleted with its run too", async () => {
  const token = await api.token();
  const body = { prompt: "Elsewhere", agent: "external", webhooks: [{ url: "https://hooks.example/later" }] };
  const create = (key: string) =>
    api.ask("POST", `${O}/agent/run`, { token, headers: { "idempotency-key": key }, body });
  const { json } = await create("sealed");
  const other = await create("sealed too");
  const path = `${O}/agent/run/${json.id}`;
  await api.asked("PATCH", path, { token, body: { status: "completed" } });
  assert.deepEqual((await create("sealed")).json, json);
  await api.asked("DELETE", path, { token });
  const again = await create("sealed");
  assert.deepEqual([again.status, again.json.detail], [404, "Agent run not found."]);
  assert.deepEqual((await create("sealed too")).json, other.json);
});

test("a repository is deleted with more runs than one transaction takes, and the audit log counts them without their words", async () => {
  const token = await api.token();
  const names = { name: "a", fullName: "team/a", description: null, source: "/srv/deleted", defaultBranch: null };
  const repositoryId = (await api.store.repositories.add(api.home, names)).repository.id;
  const runs = await endedRuns(230, repositoryId);
  const [other] = await endedRuns(1, null);
  const [member, path] = [await api.token("member"), `${O}/repos/${repositoryId}`];
  assert.equal((await api.ask("DELETE", path, { token: member })).status, 403);
  const done = await api.asked("DELETE", path, { token });
  assert.deepEqual(done.json, { repo_id: repositoryId, deleted_runs: 230 });
  assert.equal((await api.ask("DELETE", path, { token })).status, 404);
  for (const id of [runs[0], runs.at(-1)])
    assert.equal((await api.ask("GET", `${O}/agent/run/${id}`, { token })).status, 404);
  assert.equal((await api.ask("GET", `${O}/agent/run/${other}`, { token })).status, 200);
  const { items } = await api.store.audit.list(api.home, {}, { skip: 0, limit: 20 });
  assert.deepEqual([items[0]?.act, items[0]?.details], ["repository.removed", { deleted_runs: 230 }]);
  const parts = items.filter(({ act, objectType }) => act === "run.deleted" && objectType === items[0]?.objectType);
  assert.deepEqual(
    parts.map(({ details }) => details.deleted_runs),
    [30, 100, 100],
    "what is deleted has a record, also where the rest is not",
  );
  assert.ok(!JSON.stringify(items).includes("Xylograph"));
});

test("a dry run says what settings would delete, uses those in force for what is left out, and changes nothing", async () => {
  const token = await api.token();
  const [old] = await endedRuns(1, null);
  await api.store.storage.putSizes([
    { kind: "run", id: old ?? 0, bytes: 3 * 2 ** 30 },
    { kind: "files", id: old ?? 0, bytes: 1000 },
  ]);
  const preview = async (body: object) => (await api.asked("POST", `${O}/storage/preview`, { token, body })).json;
  const nothing = { runs: 0, run_bytes: 0, checkouts: 0, checkout_bytes: 0 };
  assert.deepEqual(await preview({}), nothing);
  // The oldest are deleted first, so all that are older than the large one are.
  const runs = Number((await api.asked("GET", `${O}/agent/runs?status=completed`, { token })).json.total);
  assert.deepEqual(await preview({ keep_runs_gb: 2 }), { ...nothing, runs, run_bytes: 3 * 2 ** 30 + 1000 });
  assert.equal((await api.ask("GET", `${O}/agent/run/${old}`, { token })).status, 200);
  await api.asked("PATCH", `${O}/settings`, { token, body: { keep_runs_gb: 2 } });
  assert.equal((await preview({})).runs, runs);
  assert.equal((await preview({ keep_runs_gb: null })).runs, 0);
  const use = (await api.asked("GET", `${O}/storage`, { token })).json;
  assert.equal(use.total_bytes, 3 * 2 ** 30 + 1000);
});
