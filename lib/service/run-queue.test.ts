import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ApiUnderTest, type Asked } from "#lib/web/api-under-test.ts";

let api: ApiUnderTest;
let token: string;
const O = "/v1/organizations/1";

before(async () => {
  api = await ApiUnderTest.open();
  token = await api.token();
});
after(() => api.close());

const ask = (method: string, path: string, asked: Asked = {}) =>
  api.ask(method, `${O}/agent/run${path}`, { token, ...asked });
const resume = (id: number, prompt: string, more: object = {}) =>
  ask("POST", "/resume", { body: { agent_run_id: id, prompt, ...more } });
const conflict = (answered: { status: number; json: Record<string, unknown> }, detail: string) =>
  assert.deepEqual([answered.status, answered.json.detail], [409, detail]);

/** A run whose first turn is at work while two more wait. */
async function busyRun() {
  const { run, lease } = await api.liveRun();
  for (const prompt of ["two", "three"]) await resume(run.id, prompt);
  const queue = async () => {
    const { json } = await ask("GET", `/${run.id}/queue`);
    return (json.items as { number: number; state: string; prompt: string }[]).map(
      ({ number, state, prompt }) => `${number} ${state}: ${prompt}`,
    );
  };
  const cancel = async () => {
    await ask("POST", `/${run.id}/cancel`);
    await api.store.queue.finishTurn(lease, { status: "cancelled", result: null, summary: null, entries: [] });
  };
  return { id: run.id, lease, queue, cancel };
}

test("turns waiting at a cancel are held, counted and listed; a resume leaves them, or takes them along if asked to", async () => {
  const { id, queue, cancel } = await busyRun();
  assert.deepEqual(await queue(), ["2 waiting: two", "3 waiting: three"]);
  await cancel();
  const { json: cancelled } = await ask("GET", `/${id}`);
  assert.deepEqual([cancelled.status, cancelled.turns, cancelled.queued_turns], ["cancelled", 3, 2]);
  assert.deepEqual(await queue(), ["2 held: two", "3 held: three"]);
  const { json: resumed } = await resume(id, "four");
  assert.deepEqual([resumed.status, resumed.turns, resumed.queued_turns], ["queued", 4, 3]);
  assert.deepEqual(await queue(), ["2 held: two", "3 held: three", "4 waiting: four"]);
  await resume(id, "five", { with_queue: true });
  assert.deepEqual(await queue(), ["2 waiting: two", "3 waiting: three", "4 waiting: four", "5 waiting: five"]);
  await ask("POST", `/${id}/cancel`);
});

test("a turn that has begun can be neither edited nor withdrawn, and of two editors the second is told", async () => {
  const { id, queue, cancel } = await busyRun();
  conflict(await ask("PATCH", `/${id}/queue/1`, { body: { prompt: "x" } }), "Turn 1 has already begun.");
  conflict(await ask("DELETE", `/${id}/queue/1`), "Turn 1 has already begun.");
  assert.equal((await ask("PATCH", `/${id}/queue/2`, { body: { prompt: "mine", revision: 0 } })).status, 200);
  conflict(
    await ask("PATCH", `/${id}/queue/2`, { body: { prompt: "yours", revision: 0 } }),
    "Turn 2 was edited since that revision. Read it again.",
  );
  assert.equal((await ask("DELETE", `/${id}/queue/2`)).status, 200);
  assert.equal((await ask("DELETE", `/${id}/queue/2`)).status, 404);
  assert.equal((await ask("PATCH", `/${id}/queue/2`, { body: { prompt: "back" } })).status, 404);
  assert.deepEqual(await queue(), ["3 waiting: three"]);
  await cancel();
});

test("a queued turn gets a model, and the run's again", async () => {
  const { id, cancel } = await busyRun();
  await api.store.turns.edit(api.home, id, 2, { model: "large" }, null);
  const kept = await ask("PATCH", `/${id}/queue/2`, { body: { prompt: "other" } });
  assert.deepEqual([kept.status, kept.json.model], [200, "large"]);
  const reset = await ask("PATCH", `/${id}/queue/2`, { body: { model: null } });
  assert.deepEqual([reset.status, reset.json.model, reset.json.prompt], [200, null, "other"]);
  await cancel();
});

test("a message reaches an agent that takes it at its next step, once per key, even if its token is revoked", async () => {
  const { id, lease, cancel } = await busyRun();
  const deliveries = async () => {
    const { json } = await ask("GET", `/${id}/queue`);
    return (json.items as { number: number; delivery: string }[]).map(
      ({ number, delivery }) => `${number} ${delivery}`,
    );
  };
  await resume(id, "four", { delivery: "next_step" });
  assert.deepEqual(await deliveries(), ["2 next_turn", "3 next_turn", "4 next_turn"]);
  await api.store.queue.setFigures(lease, { isSteerable: true });
  assert.equal((await ask("GET", `/${id}`)).json.steerable, true);
  const made = await api.ask("POST", `${O}/tokens`, {
    token,
    body: { name: "one", scopes: ["runs:write", "runs:read"] },
  });
  const once = {
    token: String(made.json.token),
    headers: { "idempotency-key": "say-once" },
    body: { agent_run_id: id, prompt: "five", delivery: "next_step" },
  };
  for (let time = 0; time < 2; time += 1) {
    assert.equal((await api.ask("POST", `${O}/agent/run/resume`, once)).status, 200);
  }
  await api.ask("DELETE", `${O}/tokens/${made.json.id}`, { token });
  assert.deepEqual((await deliveries()).slice(3), ["5 next_step"]);
  assert.equal((await api.store.queue.takeMessage(lease))?.prompt, "five");
  assert.deepEqual((await deliveries()).slice(3), ["5 on_its_way"]);
  conflict(await ask("DELETE", `/${id}/queue/5`), "Turn 5 has already begun.");
  await api.store.queue.settleMessage(lease, 5, []);
  const { json } = await ask("GET", `/${id}`);
  assert.deepEqual([json.turns, json.queued_turns, json.steerable], [4, 3, true]);
  const wrong = await resume(id, "six", { delivery: "now" });
  assert.equal(wrong.status, 400);
  await cancel();
});

test("a queued run's only turn can be edited but not withdrawn", async () => {
  const { id } = await api.run();
  const edited = await ask("PATCH", `/${id}/queue/1`, { body: { prompt: "Look twice" } });
  assert.equal(edited.status, 200);
  assert.equal((await ask("GET", `/${id}`)).json.prompt, "Look twice");
  conflict(
    await ask("DELETE", `/${id}/queue/1`),
    "Turn 1 is the only one that this run is queued for. Cancel the run, then remove the turn.",
  );
  await ask("POST", `/${id}/cancel`);
  assert.equal((await ask("DELETE", `/${id}/queue/1`)).status, 200);
});

test("held turns are sent once per key, and if none is held nothing is sent", async () => {
  const { id, queue, cancel } = await busyRun();
  conflict(await ask("POST", `/${id}/queue/send`), "No turn of this run is held.");
  await cancel();
  const headers = { "idempotency-key": "send-once" };
  const first = await ask("POST", `/${id}/queue/send`, { headers });
  assert.deepEqual([first.status, first.json.status, first.json.queued_turns], [200, "queued", 2]);
  await ask("POST", `/${id}/cancel`);
  const again = await ask("POST", `/${id}/queue/send`, { headers });
  assert.deepEqual([again.status, again.headers.get("idempotency-replayed")], [200, "true"]);
  assert.equal(again.text, first.text);
  assert.deepEqual(await queue(), ["2 held: two", "3 held: three"]);
});

test("a model that the agent does not take is refused in an edit as in a resume", async () => {
  const { id, cancel } = await busyRun();
  const edited = await ask("PATCH", `/${id}/queue/2`, { body: { model: "large" } });
  const resumed = await resume(id, "x", { model: "large" });
  assert.deepEqual([edited.status, edited.json.errors], [resumed.status, resumed.json.errors]);
  assert.equal(edited.status, 400);
  await cancel();
});

test("a follower of a run is told when its queue grows and shrinks", async () => {
  const { id, cancel } = await busyRun();
  const following = ask("GET", `/${id}/logs/stream`);
  await ask("DELETE", `/${id}/queue/3`);
  await cancel();
  const { text } = await following;
  const counts = [...text.matchAll(/"turns":(\d+),"latest_turn":\d+,"failed_turns":\d+,"queued_turns":(\d+)/g)].map(
    ([, turns, queued]) => `${turns} ${queued}`,
  );
  assert.deepEqual(counts.at(-1), "2 1");
});

test("a shared run shows nothing of turns that have not begun", async () => {
  const { id, cancel } = await busyRun();
  await cancel();
  const made = await api.ask("POST", `${O}/agent/run/${id}/shares`, { token, body: {} });
  const shared = await api.ask("GET", `/v1/shares/${made.json.token}`);
  assert.deepEqual([shared.json.turns, shared.json.queued_turns], [1, 0]);
  assert.ok(!shared.text.includes("three"));
  assert.equal((await api.ask("GET", `/v1/shares/${made.json.token}/queue`)).status, 404);
});
