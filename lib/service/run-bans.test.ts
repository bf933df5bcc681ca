import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";

let api: ApiUnderTest;
let token: string;
before(async () => {
  api = await ApiUnderTest.open();
  token = await api.token();
});
after(() => api.close());

const O = "/v1/organizations/1";
const steer = (verb: "ban" | "unban" | "remove-from-pr" | "resume", runId: number, more: object = {}) =>
  api.ask("POST", `${O}/agent/run/${verb}`, { token, body: { agent_run_id: runId, ...more } });
const shown = async (runId: number) => (await api.asked("GET", `${O}/agent/run/${runId}`, { token })).json;

test("ban stops a run at work and flags it at once; a second one changes nothing", async () => {
  const { run, lease } = await api.liveRun(1);
  const banned = await steer("ban", run.id, { before_card_order_id: "a0" });
  assert.deepEqual(banned.json, {
    message: "The run is being stopped. Events on its pull request no longer resume it.",
    agent_run_id: run.id,
  });
  assert.equal((await api.store.queue.controlRequests(lease)).cancel, true);
  const since = (await shown(run.id)).banned_at;
  assert.match(String(since), /^\d{4}-.*Z$/);
  assert.equal((await steer("remove-from-pr", run.id)).status, 200);
  assert.equal((await shown(run.id)).banned_at, since);
  await api.finish(lease);
  assert.match(String((await steer("ban", run.id)).json.message), /^The run had ended\./);
});

test("ban stops a queued run and holds its messages; unban clears the flag and starts nothing", async () => {
  const { id } = await api.run();
  await steer("ban", id);
  const stopped = await shown(id);
  assert.deepEqual([stopped.status, stopped.queued_turns], ["cancelled", 1]);
  assert.equal((await steer("unban", id)).json.agent_run_id, id);
  assert.deepEqual(await shown(id), { ...stopped, banned_at: null });
  assert.equal((await steer("unban", id)).status, 200);
});

test("a person can resume a banned run, which leaves the flag", async () => {
  const { id } = await api.run();
  await steer("ban", id);
  const resumed = await steer("resume", id, { prompt: "Go on" });
  assert.deepEqual([resumed.status, resumed.json.status], [200, "queued"]);
  assert.notEqual(resumed.json.banned_at, null);
});

test("a run of another organization is neither stopped nor flagged", async () => {
  const { id } = await api.run({ access: api.other });
  for (const verb of ["ban", "unban", "remove-from-pr"] as const) {
    assert.deepEqual(
      [(await steer(verb, id)).status, (await steer(verb, id)).json.message],
      [404, "Agent run not found."],
    );
  }
  const run = await api.store.runs.find(api.other, id);
  assert.deepEqual([run?.status, run?.bannedAt], ["queued", null]);
});
