import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { plainRun } from "#lib/store/runs/plain-run.fixture.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";
import { openedPull } from "#lib/web/opened-pull.fixture.ts";

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

/** A run at work that a message started, by its number. */
async function runOfComment(number: number) {
  const { store, home } = api;
  const integration = await store.integrations.put(home, "github", {});
  const said = { deliveryId: `d-${number}`, kind: "comment", saidKey: null, body: "{}", note: "" };
  await store.conversations.keep(integration.id, said);
  const event = (await store.conversations.claimEvent(60_000)) ?? assert.fail();
  const conversation = { integrationId: integration.id, key: `acme/shop/pull/${number}` };
  const asked = { conversation: conversation.key, place: "{}", userId: null, run: plainRun("Look"), entry: null };
  const { runId } = (await store.conversations.begin(event, asked)) ?? assert.fail();
  for (;;) {
    const claimed = (await store.queue.claim("engine", 60_000)) ?? assert.fail();
    if (claimed.run.id === runId) return { id: runId, lease: claimed.lease, conversation };
    await api.finish(claimed.lease);
  }
}

for (const named of ["opener", "mentioned"] as const) {
  test(`ban and unban concern all runs of a pull request, and no others: naming the ${named}`, async () => {
    const { store, home } = api;
    const opener = (await openedPull(api)).runId;
    // A message about the pull request came before it was stored, and started a run of its own.
    const [mentioned, other] = [await runOfComment(opener), await runOfComment(opener + 1000)];
    await store.pulls.request(home, opener, { title: null, body: null, draft: null, baseBranch: null });
    const task = (await store.pulls.claim(60_000)) ?? assert.fail();
    assert.equal(task.pull.runId, opener);
    const { conversation } = mentioned;
    const changes = { stage: "checking" } as const;
    assert.ok(await store.pulls.step(task, { changes, conversation, next: { kind: "again", waitMs: 60_000 } }));
    const [one, mate] = named === "opener" ? [opener, mentioned.id] : [mentioned.id, opener];
    const { message } = (await steer("ban", one)).json;
    assert.match(String(message), new RegExp(`The same goes for run ${mate}, which works on it too\\.$`));
    const stopped = await shown(opener);
    assert.equal(stopped.status, "cancelled");
    assert.equal(Object(await store.pulls.find(home, task.pull.id)).verdict, "banned");
    assert.equal((await store.queue.controlRequests(mentioned.lease)).cancel, true);
    assert.equal((await store.queue.controlRequests(other.lease)).cancel, false);
    const flags = async () =>
      (await Promise.all([opener, mentioned.id, other.id].map(shown))).map(({ banned_at }) => banned_at !== null);
    assert.deepEqual(await flags(), [true, true, false]);
    await steer("ban", other.id);
    assert.equal((await steer("unban", mate)).status, 200);
    assert.deepEqual(await flags(), [false, false, true]);
    await api.finish(mentioned.lease);
    await api.finish(other.lease);
  });
}

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
