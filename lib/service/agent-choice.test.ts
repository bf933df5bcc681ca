import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { listedAgent } from "#lib/contract/runs/agent.fixture.ts";
import type { Agent, OrganizationAgent } from "#lib/contract/runs/agent.ts";
import { plainRun } from "#lib/store/runs/plain-run.fixture.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";

let api: ApiUnderTest;
let token: string;
const O = "/v1/organizations/1";

before(async () => {
  api = await ApiUnderTest.open();
  token = await api.token();
});
after(() => api.close());

const agent = (id: string, ready: boolean, more: Partial<Agent> = {}) =>
  listedAgent(id, { title: id.toUpperCase(), ready, reason: ready ? null : "it is not on the PATH", ...more });
const nothingAnnounced = {
  ...{ models: [], modes: [], options: [], commands: [], images: false, embedded_context: false },
  ...{ mcp_http: false, resumes: false, forks: false, steering: false },
};
/** A prompt that every agent can act on. */
const step = "```sh\ntrue\n```";
const chosen = async (body: object) => {
  const answered = await api.ask("POST", `${O}/agent/run`, { token, body: { prompt: step, ...body } });
  return answered.status === 200 ? answered.json.agent : answered.json.detail;
};

test("the agent of a run is one that is ready, and refusals say which agents exist and why one cannot be used", async () => {
  await api.store.agents.replaceAll([agent("codex", false), agent("gemini", true), agent("steps", true)]);
  assert.equal(await chosen({}), "gemini");
  assert.equal(await chosen({ agent: "steps" }), "steps");
  assert.equal(await chosen({ agent_type: "codegen" }), "gemini");
  assert.equal(await chosen({ agent: "codex" }), "agent: CODEX is not ready: it is not on the PATH");
  assert.equal(
    await chosen({ agent: "claude" }),
    'agent: there is no agent "claude"; choose one of: codex, gemini, steps',
  );
  assert.equal(
    await chosen({ agent_type: "cursor" }),
    'agent_type: there is no agent "cursor"; choose one of: codex, gemini, steps',
  );
  await api.store.agents.replaceAll([agent("claude", true), agent("steps", true, { is_default: true })]);
  assert.equal(await chosen({}), "steps");
  assert.equal(await chosen({ agent_type: "claude_code" }), "claude");
});

test("words without a step are refused if only the agent without a model is left, unless somebody wants it", async () => {
  const steps = agent("steps", true, { has_model: false, is_default: true });
  await api.store.agents.replaceAll([agent("claude", false), steps]);
  const start = (body: object) =>
    api.ask("POST", `${O}/agent/run`, { token, body: { prompt: "Fix the bug", ...body } });
  const total = async () => (await api.ask("GET", `${O}/agent/runs`, { token })).json.total;
  const before = await total();
  const calm = { prompt: "> ```sh\n> rm -rf .\n> ```\n\n```python\nprint(1)\n```" };
  for (const body of [{}, { agent_type: "codegen" }, { agent_type: "claude_code", model: "opus" }, calm]) {
    const refused = await start(body);
    assert.deepEqual([refused.status, refused.json.code], [409, "no_agent_ready"], JSON.stringify(body));
    assert.match(String(refused.json.detail), /Settings → Agents.*fenced code blocks/);
  }
  const tool = { tool_name: "start_run", arguments: { prompt: "Fix the bug" } };
  const called = await api.ask("POST", `${O}/tools/execute`, { token, body: tool });
  assert.deepEqual([called.json.success, /No agent with a model/.test(String(called.json.error))], [false, true]);
  assert.equal(await total(), before);
  assert.equal(await chosen({}), "steps");
  assert.equal((await start({ agent: "steps" })).json.agent, "steps");
  assert.equal((await start({ agent: "external" })).json.agent, "external");
  await api.ask("PATCH", `${O}/settings`, { token, body: { default_agent: "steps" } });
  assert.equal((await start({})).json.agent, "steps");
  await api.ask("PATCH", `${O}/settings`, { token, body: { default_agent: null } });
  await api.store.agents.replaceAll([agent("claude", true), { ...steps, is_default: false }]);
  assert.equal((await start({})).json.agent, "claude");
});

test("a slow agent is never refused, nor is one that needs a sign-in, and the organization's key makes it the default", async () => {
  const slow = agent("codex", true, { state: "slow", reason: "it did not respond within 60 s at the last check" });
  const out = agent("claude", true, {
    state: "needs_sign_in",
    keys: ["ANTHROPIC_API_KEY"],
    sign_in: { state: "needed", detail: null, hint: "Sign in." },
  });
  const steps = agent("steps", true, { has_model: false, is_default: true });
  await api.store.agents.replaceAll([out, slow, steps]);
  assert.equal(await chosen({ agent: "codex" }), "codex");
  assert.equal(await chosen({ agent: "claude" }), "claude");
  assert.equal(await chosen({}), "steps");
  const { id } = await api.store.agentKeys.put(api.home, {
    variable: "ANTHROPIC_API_KEY",
    repositoryId: null,
    sealed: "x",
  });
  assert.equal(await chosen({}), "claude");
  const { json } = await api.ask("GET", `${O}/agents`, { token });
  const listed = (json.items as Agent[]).find((item) => item.id === "claude");
  assert.deepEqual([listed?.state, listed?.sign_in.state, listed?.is_default], ["ready", "signed_in", true]);
  await api.store.agentKeys.remove(api.home, id);
  assert.equal(await chosen({}), "steps");
});

test("an agent that refused a run needs a sign-in in that organization alone, and is not its default, until a key is saved", async () => {
  const claude = agent("claude", true, {
    ...{ version: "1", keys: ["ANTHROPIC_API_KEY"], is_default: true },
    sign_in: { state: "signed_in", detail: "Uses ~/.claude/.credentials.json", hint: null },
  });
  const steps = agent("steps", true, { has_model: false });
  await api.store.agents.replaceAll([claude, agent("gemini", true, { version: "1" }), steps]);
  const { id: runId } = await api.store.runs.create(api.home, plainRun("a", { agent: "claude" }));
  let claimed = await api.store.queue.claim("engine", 60_000);
  while (claimed !== null && claimed.run.id !== runId) claimed = await api.store.queue.claim("engine", 60_000);
  assert.ok(claimed !== null);
  const refused = { words: "Authentication required", hint: "Sign in with `claude`." };
  await api.store.queue.finishTurn(claimed.lease, {
    ...{ status: "failed", result: null, summary: null, entries: [] },
    signIn: { variables: claude.keys, refused },
  });
  const listed = async (organization: number, by: string) => {
    const { json } = await api.ask("GET", `/v1/organizations/${organization}/agents`, { token: by });
    return (json.items as OrganizationAgent[]).find(({ id }) => id === "claude");
  };
  const here = await listed(1, token);
  assert.deepEqual(here?.sign_in, { state: "needed", detail: refused.words, hint: refused.hint });
  assert.deepEqual([here?.state, here?.ready, here?.is_default], ["needs_sign_in", true, false]);
  assert.match(here?.reason ?? "", /was refused \(Authentication required\)\. Sign in with `claude`\./);
  assert.ok(here?.refused_at);
  const there = await listed(2, await api.token("owner", { access: api.other }));
  assert.deepEqual([there?.state, there?.sign_in.state, there?.refused_at], ["ready", "signed_in", null]);
  assert.equal(await chosen({}), "gemini");
  assert.equal(await chosen({ agent: "claude" }), "claude", "a run that names it may try");

  const value = { variable: "ANTHROPIC_API_KEY", value: "sk-of-the-model" };
  const { json: key } = await api.ask("PUT", `${O}/keys`, { token, body: value });
  const renewed = await listed(1, token);
  assert.deepEqual([renewed?.state, renewed?.sign_in.state, renewed?.refused_at], ["ready", "signed_in", null]);
  await api.ask("DELETE", `${O}/keys/${key.id}`, { token });
  assert.equal(await chosen({}), "claude");
});

test("commands announced in an organization's runs are offered there alone, and only while the same program is installed", async () => {
  const command = (name: string) => ({ name, description: "", hint: null });
  const announced = { ...nothingAnnounced, commands: [command("review")] };
  const claude = { ...agent("claude", true, { version: "1", announced }), mark: "here" };
  await api.store.agents.replaceAll([claude]);
  const offered = async (organization: number, by: string) => {
    const { json } = await api.ask("GET", `/v1/organizations/${organization}/agents`, { token: by });
    return (json.items as Agent[])[0]?.announced?.commands.map(({ name }) => name);
  };
  const other = await api.token("owner", { access: api.other });
  await api.store.agentCommands.put(1, { agentId: "claude", mark: "here", commands: [command("deploy")] });
  assert.deepEqual([await offered(1, token), await offered(2, other)], [["deploy"], ["review"]]);
  const checked_at = new Date(Date.now() + 60_000).toISOString();
  await api.store.agents.replaceAll([{ ...claude, checked_at }]);
  assert.deepEqual(await offered(1, token), ["review", "deploy"], "it has answered since");
  await api.store.agents.replaceAll([{ ...claude, mark: "newer" }]);
  assert.deepEqual(await offered(1, token), ["review"]);
});

test("an agents file that is not used is told with the agents and by /readyz, which does not repeat what is in it", async () => {
  await api.store.queue.beat("engine");
  const told = async () => {
    const [agents, ready] = [await api.ask("GET", `${O}/agents`, { token }), await api.ask("GET", "/readyz")];
    assert.equal(ready.status, 200);
    return [agents.json.file_problem, ready.json.problems] as [string | null, string[]];
  };
  assert.deepEqual(await told(), [null, []]);
  await api.store.agents.putFileProblem("agents.json: claude.comand: Unrecognized key");
  const [problem, problems] = await told();
  assert.match(problem ?? "", /claude\.comand/);
  assert.equal(problems.length, 1);
  assert.match(problems[0] ?? "", /^agents\.json is invalid/);
  assert.ok(!problems[0]?.includes("claude"));
  await api.store.agents.putFileProblem(null);
  assert.deepEqual(await told(), [null, []]);
});

test("only the first organization's admins sign in to an agent, which all share, once at a time and on record", async () => {
  const method = { id: "account", name: "Sign in", description: null };
  await api.store.agents.replaceAll([agent("oauth", true, { sign_in_methods: [method] })]);
  const ask = async (by: string, organization = 1, agentId = "oauth") => {
    const path = `/v1/organizations/${organization}/agents/${agentId}/sign-in`;
    return (await api.ask("POST", path, { token: by, body: { method: "account" } })).status;
  };
  const other = await api.token("owner", { access: api.other });
  assert.deepEqual([await ask(await api.token("member")), await ask(other, 2), await ask(other)], [403, 409, 403]);
  assert.equal(await ask(token, 1, "gone"), 404);
  const admin = await api.token("admin");
  assert.deepEqual((await Promise.all([ask(admin), ask(token)])).sort(), [200, 409]);
  const listed = async (organization: number, by: string) => {
    const { json } = await api.ask("GET", `/v1/organizations/${organization}/agents`, { token: by });
    const [found] = json.items as OrganizationAgent[];
    return [found?.sign_in_methods.length, found?.sign_in_attempt?.state ?? null];
  };
  assert.deepEqual(
    [await listed(1, token), await listed(2, other)],
    [
      [1, "waiting"],
      [0, null],
    ],
  );
  const { items } = await api.store.audit.list(api.home, { acts: ["agent.sign_in_asked"] }, { skip: 0, limit: 9 });
  assert.deepEqual(
    items.map(({ details }) => details),
    [{ agent: "oauth", method: "account" }],
  );
});

test("agent_type is a preference: if that agent is not ready the default works, and the first entry says why", async () => {
  const steps = agent("steps", true, { title: "Built-in steps", has_model: false });
  const start = async (body: object) => {
    const { status, json } = await api.ask("POST", `${O}/agent/run`, { token, body: { prompt: step, ...body } });
    assert.equal(status, 200);
    const { json: log } = await api.ask("GET", `${O}/agent/run/${json.id}/logs`, { token });
    const logs = log.logs as { message_type: string; tool_name: string; tool_input: unknown; tool_output: unknown }[];
    return { agent: json.agent, model: json.model, totalLogs: json.total_logs, logs };
  };
  await api.store.agents.replaceAll([agent("claude", false), steps]);
  const missed = await start({ agent_type: "claude_code", model: "claude-opus-4-6" });
  assert.deepEqual([missed.agent, missed.model, missed.totalLogs], ["steps", null, 1]);
  const [notice] = missed.logs;
  assert.deepEqual(
    [notice?.message_type, notice?.tool_name, notice?.tool_input, notice?.tool_output],
    [
      "ACTION",
      "errand",
      { notice: "A different agent is used" },
      {
        text: "CLAUDE was asked for (agent_type claude_code) but is not ready: it is not on the PATH. Built-in steps is used instead. The model claude-opus-4-6 was left out: it was named for that agent.",
      },
    ],
  );
  assert.equal(await chosen({ agent: "claude" }), "agent: CLAUDE is not ready: it is not on the PATH");
  // A strict name counts, whatever preference accompanies it.
  assert.deepEqual((await start({ agent: "steps", agent_type: "claude_code" })).logs, []);
  assert.deepEqual((await start({ agent_type: "codegen" })).logs, []);

  await api.store.agents.replaceAll([]);
  const early = await start({ agent_type: "claude_code" });
  assert.equal(early.agent, "steps");
  assert.match(JSON.stringify(early.logs[0]?.tool_output), /agent claude was asked for .* but is not available here/);

  await api.store.agents.replaceAll([agent("claude", true), steps]);
  const met = await start({ agent_type: "claude_code", model: "claude-opus-4-6" });
  assert.deepEqual([met.agent, met.logs], ["claude", []]);
});

test("a model named for an agent that takes none is 400 at model, at create and at resume", async () => {
  const steps = agent("steps", true, { title: "Built-in steps", has_model: false });
  const refusal = "model: the run's agent is Built-in steps, which takes no model; leave the model out";
  await api.store.agents.replaceAll([agent("claude", true), steps]);
  assert.equal(await chosen({ agent: "steps", model: "a-model" }), refusal);
  assert.equal(await chosen({ agent: "claude", model: "a-model" }), "claude");
  await api.store.agents.replaceAll([agent("claude", false), steps]);
  assert.equal(await chosen({ model: "a-model" }), refusal);

  const { id } = (await api.ask("POST", `${O}/agent/run`, { token, body: { prompt: step } })).json;
  const resume = { agent_run_id: id, prompt: "b", model: "a-model" };
  const refused = await api.ask("POST", `${O}/agent/run/resume`, { token, body: resume });
  assert.deepEqual([refused.status, refused.json.detail], [400, refusal]);
  const again = await api.ask("POST", `${O}/agent/run/resume`, { token, body: { ...resume, model: null } });
  assert.equal(again.status, 200);
});

test("before an engine has checked, the built-in agent exists and takes no model", async () => {
  await api.store.agents.replaceAll([]);
  assert.equal(await chosen({}), "steps");
  assert.match(String(await chosen({ model: "a-model" })), /^model: /);
});

test("a run names one of the modes that its agent announced, and no other", async () => {
  const mode = (id: string) => ({ id, name: id, description: null });
  const told = listedAgent("told", { announced: { ...nothingAnnounced, modes: [mode("plan"), mode("act")] } });
  const silent = listedAgent("silent", { announced: null });
  const steps = agent("steps", true, { has_model: false, announced: null });
  await api.store.agents.replaceAll([told, silent, steps]);
  const made = await api.ask("POST", `${O}/agent/run`, { token, body: { prompt: "a", agent: "told", mode: "plan" } });
  assert.deepEqual([made.status, made.json.mode], [200, "plan"]);
  assert.equal(await chosen({ agent: "told", mode: "fly" }), 'mode: told has no mode "fly"; there are: plan, act');
  assert.equal(await chosen({ agent: "steps", mode: "fly" }), 'mode: STEPS has no mode "fly"; it announces none');
  // An agent that has announced nothing yet may have the mode: the run finds out.
  assert.equal(await chosen({ agent: "silent", mode: "fly" }), "silent");
  for (const permission_mode of ["ask", "read-only"]) {
    const refused = await chosen({ agent: "told", mode: "plan", permission_mode });
    assert.equal(refused, `mode: needs permission_mode auto; ${permission_mode} chooses the agent's mode itself`);
  }
});
