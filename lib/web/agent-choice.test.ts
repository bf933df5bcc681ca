import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ApiUnderTest } from "./api-under-test.ts";

let api: ApiUnderTest;
let token: string;
const O = "/v1/organizations/1";

before(async () => {
  api = await ApiUnderTest.open();
  token = await api.token();
});
after(() => api.close());

const agent = (id: string, ready: boolean, more: object = {}) => ({
  id,
  title: id.toUpperCase(),
  ready,
  reason: ready ? null : "it is not on the PATH",
  version: null,
  has_model: true,
  models: [],
  is_default: false,
  checked_at: "2026-01-31T23:59:59.000Z",
  ...more,
});
const chosen = async (body: object) => {
  const answered = await api.ask("POST", `${O}/agent/run`, { token, body: { prompt: "a", ...body } });
  return answered.status === 200 ? answered.json.agent : answered.json.detail;
};

test("the agent of a run follows what is ready, and refusals say what is there and why", async () => {
  await api.store.agents.replaceAll([agent("codex", false), agent("gemini", true), agent("steps", true)]);
  assert.equal(await chosen({}), "gemini");
  assert.equal(await chosen({ agent: "steps" }), "steps");
  assert.equal(await chosen({ agent_type: "codegen" }), "gemini");
  assert.equal(await chosen({ agent: "codex" }), "agent: CODEX is not ready: it is not on the PATH");
  assert.equal(
    await chosen({ agent_type: "claude_code" }),
    'agent_type: no agent has the name "claude"; there are: codex, gemini, steps',
  );
  await api.store.agents.replaceAll([agent("claude", true), agent("steps", true, { is_default: true })]);
  assert.equal(await chosen({}), "steps");
  assert.equal(await chosen({ agent_type: "claude_code" }), "claude");
});

test("a model named for an agent that takes none is 400 at model, at create and at resume", async () => {
  const steps = agent("steps", true, { title: "Built-in steps", has_model: false });
  const refusal = "model: the run's agent is Built-in steps, which takes no model; leave the model out";
  await api.store.agents.replaceAll([agent("claude", true), steps]);
  assert.equal(await chosen({ agent: "steps", model: "a-model" }), refusal);
  assert.equal(await chosen({ agent: "claude", model: "a-model" }), "claude");
  await api.store.agents.replaceAll([agent("claude", false), steps]);
  assert.equal(await chosen({ model: "a-model" }), refusal);

  const { id } = (await api.ask("POST", `${O}/agent/run`, { token, body: { prompt: "a" } })).json;
  const resume = { agent_run_id: id, prompt: "b", model: "a-model" };
  const refused = await api.ask("POST", `${O}/agent/run/resume`, { token, body: resume });
  assert.deepEqual([refused.status, refused.json.detail], [400, refusal]);
  const again = await api.ask("POST", `${O}/agent/run/resume`, { token, body: { ...resume, model: null } });
  assert.equal(again.status, 200);
});

test("before an engine has looked around, the built-in agent is there and takes no model", async () => {
  await api.store.agents.replaceAll([]);
  assert.equal(await chosen({}), "steps");
  assert.match(String(await chosen({ model: "a-model" })), /^model: /);
});
