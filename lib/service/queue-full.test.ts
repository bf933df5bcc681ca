import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";
import { goodRequests } from "#lib/web/good-requests.fixture.ts";
import { PreparedState } from "#lib/web/prepared-state.fixture.ts";

const O = "/v1/organizations/1";
let api: ApiUnderTest;
before(async () => {
  api = await ApiUnderTest.open({ queueMax: 3 });
});
after(() => api.close());

test("a full queue takes no further run of its organization, by create or by resume, until there is room", async () => {
  const token = await api.token();
  const create = (body: object = {}) =>
    api.ask("POST", `${O}/agent/run`, { token, body: { prompt: "Look around", agent: "steps", ...body } });
  const { run: ended, lease } = await api.liveRun();
  await api.finish(lease);
  const resume = () =>
    api.ask("POST", `${O}/agent/run/resume`, { token, body: { agent_run_id: ended.id, prompt: "Go on" } });

  const answers = await Promise.all(Array.from({ length: 8 }, () => create()));
  assert.equal(answers.filter(({ status }) => status === 200).length, 3, answers[0]?.text);
  const refused = answers.find(({ status }) => status === 429);
  assert.deepEqual([refused?.json.code, refused?.headers.get("retry-after")], ["queue_full", "30"]);
  assert.match(String(refused?.json.detail), /^3 runs are already queued/);

  assert.equal((await resume()).json.code, "queue_full");
  const still = await api.ask("GET", `${O}/agent/run/${ended.id}`, { token });
  assert.deepEqual([still.json.status, still.json.turns], ["completed", 1]);

  // A caller whose runs execute elsewhere does not queue here; another organization has its own queue.
  assert.equal((await create({ agent: "external" })).status, 200);
  const stranger = await api.token("owner", { access: api.other });
  const elsewhere = await api.ask("POST", "/v1/organizations/2/agent/run", {
    token: stranger,
    body: { prompt: "Look around", agent: "steps" },
  });
  assert.equal(elsewhere.status, 200, elsewhere.text);

  const claimed = await api.store.queue.claim("engine", 60_000);
  assert.ok(claimed !== null);
  const live = { agent_run_id: claimed.run.id, prompt: "And then" };
  assert.equal((await resume()).status, 200);
  // A turn of a run in progress waits within its run.
  assert.equal((await api.ask("POST", `${O}/agent/run/resume`, { token, body: live })).status, 200);
  assert.equal((await create()).json.code, "queue_full");
});

test("a refused creation under a key has no effect, so the key can be used again", async () => {
  const token = await api.token();
  const asked = {
    token,
    headers: { "idempotency-key": "again" },
    body: { prompt: "Look around", agent: "steps" },
  };
  assert.equal((await api.ask("POST", `${O}/agent/run`, asked)).status, 429);
  for (;;) {
    const claimed = await api.store.queue.claim("engine", 60_000);
    if (claimed === null) break;
    await api.finish(claimed.lease);
  }
  assert.equal((await api.ask("POST", `${O}/agent/run`, asked)).status, 200);
});

test("everything else that would start a run is also refused while the queue is full", async () => {
  const token = await api.token();
  const goods = goodRequests(api);
  const state = new PreparedState(api);
  for (const id of ["sendQueue", "generateSetup", "analyzeLogs", "analyzeSandboxLogs"]) {
    await state.endedRun(0);
    const good = await goods[id]?.();
    assert.ok(good !== undefined, id);
    for (let count = 0; count < 3; count += 1) await api.run();
    const { status, json, headers } = await api.ask("POST", good.path, { token, ...good.asked });
    assert.deepEqual([status, json.code, headers.get("retry-after")], [429, "queue_full", "30"], id);
  }
});
