// Tier: rest
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Role } from "#lib/contract/people/organization.ts";
import { externalAgent } from "#lib/contract/runs/agent-ids.ts";
import { mayAct, type RunAct, runActs } from "#lib/contract/runs/run-acts.ts";
import { plainRun } from "#lib/store/runs/plain-run.fixture.ts";
import { type Answered, ApiUnderTest, type Asked } from "#lib/web/api-under-test.ts";
import { pushableRun } from "#lib/web/pushable-run.fixture.ts";

let api: ApiUnderTest;
before(async () => {
  api = await ApiUnderTest.open();
});
after(() => api.close());

const O = "/v1/organizations/1";
type Owner = { organizationId: number; userId: number };

/** A new run of the owner's that an engine works on, with one entry. */
async function liveRun(owner: Owner) {
  for (;;) {
    const other = await api.store.queue.claim("engine", 60_000);
    if (other === null) break;
    await api.finish(other.lease);
  }
  const run = await api.run({ access: owner });
  const claimed = await api.store.queue.claim("engine", 60_000);
  assert.equal(claimed?.run.id, run.id);
  return { runId: run.id, lease: claimed.lease };
}

const entries = [{ message_type: "PLAN_EVALUATION", thought: "Think first." }];

/** For each act the requests that do it, on the objects prepared for the owner. */
const requests: Record<RunAct, ((owner: Owner) => Promise<[method: string, path: string, body?: object]>)[]> = {
  read: [
    async (owner) => ["GET", `${O}/agent/run/${(await api.run({ access: owner })).id}`],
    async (owner) => ["GET", `${O}/agent/run/${(await api.run({ access: owner })).id}/logs`],
  ],
  continue: [
    async (owner) => {
      const agent_run_id = (await api.run({ access: owner })).id;
      return ["POST", `${O}/agent/run/resume`, { agent_run_id, prompt: "more" }];
    },
    async (owner) => {
      const { id } = await api.run({ access: owner });
      await api.store.runs.cancel(owner, id);
      return ["POST", `${O}/agent/run/${id}/queue/send`];
    },
  ],
  cancel: [
    async (owner) => ["POST", `${O}/agent/run/${(await api.run({ access: owner })).id}/cancel`],
    async (owner) => ["POST", `${O}/agent/run/ban`, { agent_run_id: (await api.run({ access: owner })).id }],
    async (owner) => ["POST", `${O}/agent/run/unban`, { agent_run_id: (await api.run({ access: owner })).id }],
  ],
  analyze: [
    async (owner) => {
      const { runId, lease } = await liveRun(owner);
      await api.finish(lease);
      await api.store.queue.claim("engine", 60_000);
      const external = await api.store.runs.create(owner, plainRun("Elsewhere", { agent: externalAgent }));
      await api.asked("POST", `${O}/agent/run/${external.id}/logs`, { token: await api.token(), body: { entries } });
      assert.ok(runId < external.id);
      return ["POST", `${O}/agent/run/${external.id}/analyze-logs`];
    },
  ],
  answer: [
    async (owner) => {
      const { runId, lease } = await liveRun(owner);
      await api.store.queue.setQuestion(lease, {
        id: "q",
        title: "Write a file",
        tool_name: null,
        tool_input: null,
        options: [{ id: "allow", name: "Allow", kind: "allow_once" }],
        asked_at: new Date().toISOString(),
        expires_at: new Date(Date.now() + 60_000).toISOString(),
      });
      return ["POST", `${O}/agent/run/${runId}/answer`, { question_id: "q", option_id: "allow" }];
    },
  ],
  edit_message: [
    async (owner) => ["PATCH", `${O}/agent/run/${(await api.run({ access: owner })).id}/queue/1`, { prompt: "Else" }],
    async (owner) => {
      const { id } = await api.run({ access: owner });
      await api.store.runs.cancel(owner, id);
      return ["DELETE", `${O}/agent/run/${id}/queue/1`];
    },
  ],
  push: [async (owner) => ["POST", `${O}/agent/run/${(await pushableRun(api, { owner })).runId}/push`]],
  share: [
    async (owner) => ["POST", `${O}/agent/run/${(await api.run({ access: owner })).id}/shares`, {}],
    async (owner) => ["GET", `${O}/agent/run/${(await api.run({ access: owner })).id}/shares`],
    async (owner) => {
      const { id: runId } = await api.run({ access: owner });
      const hash = crypto.getRandomValues(new Uint8Array(32));
      const whole = { hint: "abcd", fromSeq: 1, toSeq: null, showsOutputs: false, expiresAt: null };
      const share = await api.store.shares.create(owner, { ...whole, runId, hash });
      return ["DELETE", `${O}/shares/${share?.id}`];
    },
  ],
  delete: [
    async (owner) => {
      const { runId, lease } = await liveRun(owner);
      await api.finish(lease);
      return ["DELETE", `${O}/agent/run/${runId}`];
    },
  ],
  report: [
    async (owner) => {
      const { id } = await api.store.runs.create(owner, plainRun("Elsewhere", { agent: externalAgent }));
      return ["POST", `${O}/agent/run/${id}/logs`, { entries }];
    },
    async (owner) => {
      const { id } = await api.store.runs.create(owner, plainRun("Elsewhere", { agent: externalAgent }));
      return ["PATCH", `${O}/agent/run/${id}`, { status: "completed" }];
    },
  ],
};

test("who may do what to whose run follows the table, by session and by token, and a refusal changes nothing", async (t) => {
  const wrong: string[] = [];
  let cells = 0;
  const other = (await api.member("owner")).access;
  for (const role of Role.options) {
    const person = await api.member(role);
    const askers: [string, Asked][] = [
      ["session", { headers: person.headers }],
      ["token", { token: await api.token(role, { access: person.access }) }],
    ];
    for (const act of Object.keys(runActs) as RunAct[]) {
      for (const prepare of requests[act]) {
        for (const [kind, asked] of askers) {
          for (const isOwn of [true, false]) {
            const [method, path, body] = await prepare(isOwn ? person.access : other);
            const answered: Answered = await api.ask(method, path, { ...asked, body });
            const expected = mayAct(role, act, isOwn) ? 200 : 403;
            cells += 1;
            if (answered.status === expected) continue;
            wrong.push(`${method} ${path} by a ${kind} of ${role}, ${isOwn ? "own" : "another's"}: ${answered.text}`);
          }
        }
      }
    }
  }
  assert.deepEqual(wrong, [], `${wrong.length} of ${cells} cells are wrong`);
  assert.equal(cells, 4 * 2 * 2 * Object.values(requests).flat().length);
  t.diagnostic(`${cells} cells of roles, acts and owners, 0 wrong`);
});

test("a question of another person's run may be answered by the author of the message that the agent works on", async () => {
  const [owner, helper, third] = [await api.member("member"), await api.member("member"), await api.member("member")];
  const { runId, lease } = await liveRun(owner.access);
  await api.finish(lease);
  const body = { agent_run_id: runId, prompt: "more" };
  await api.asked("POST", `${O}/agent/run/resume`, { headers: helper.headers, body });
  const claimed = await api.store.queue.claim("engine", 60_000);
  assert.equal(claimed?.run.id, runId);
  await api.store.queue.setQuestion(claimed.lease, {
    id: "q",
    title: "Write a file",
    tool_name: null,
    tool_input: null,
    options: [{ id: "allow", name: "Allow", kind: "allow_once" }],
    asked_at: new Date().toISOString(),
    expires_at: new Date(Date.now() + 60_000).toISOString(),
  });
  const answer = (headers: Record<string, string>) =>
    api.ask("POST", `${O}/agent/run/${runId}/answer`, { headers, body: { question_id: "q", option_id: "allow" } });
  const refused = await answer(third.headers);
  assert.equal(refused.status, 403);
  assert.equal(
    refused.json.detail,
    "The run is someone else's, so you need the role admin to do this: answer the agent's questions.",
  );
  assert.equal((await answer(helper.headers)).status, 200);
});
