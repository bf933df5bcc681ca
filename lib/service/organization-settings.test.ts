import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { ChangeSettings } from "#lib/contract/people/organization-settings.ts";
import { listedAgent } from "#lib/contract/runs/agent.fixture.ts";
import { type Agent, Announced, type OrganizationAgent } from "#lib/contract/runs/agent.ts";
import { defaultsForRun } from "#lib/service/run-defaults.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";

const O = "/v1/organizations/1";
const cleared = {
  rules: null,
  default_agent: null,
  default_model: null,
  default_models: { claude: null, codex: null },
  default_modes: { claude: null },
  default_permission_mode: null,
  default_turn_timeout_s: null,
  keep_runs_days: null,
  keep_runs_gb: null,
  keep_checkouts_days: 30,
};

let api: ApiUnderTest;
let owner: { token: string };
before(async () => {
  api = await ApiUnderTest.open();
  owner = { token: await api.token() };
});
after(() => api.close());
beforeEach(async () => {
  await api.store.agents.replaceAll([agent("claude", true), agent("codex", true), agent("steps", true, false)]);
  await change(cleared);
});

const agent = (id: string, ready: boolean, hasModel = true): Agent =>
  listedAgent(id, {
    ready,
    reason: ready ? null : "not installed",
    has_model: hasModel,
    is_default: id === "claude",
  });

const change = (body: ChangeSettings) => api.ask("PATCH", `${O}/settings`, { ...owner, body });

async function started(body: object = {}) {
  const { status, json, text } = await api.ask("POST", `${O}/agent/run`, {
    ...owner,
    body: { prompt: "```sh\ntrue\n```", ...body },
  });
  assert.equal(status, 200, text);
  return [json.agent, json.model, json.permission_mode, json.turn_timeout_s];
}

test("a change with If-Match is refused once the settings are others; without it none is", async () => {
  const path = `${O}/settings`;
  const first = (await api.ask("GET", path, owner)).headers.get("etag") ?? "";
  assert.match(first, /^W\/"/);
  const patch = (ifMatch: string | null, rules: string) =>
    api.ask("PATCH", path, { ...owner, headers: ifMatch === null ? {} : { "if-match": ifMatch }, body: { rules } });
  const changed = await patch(first, "one");
  assert.equal(changed.status, 200);
  const refused = await patch(first, "two");
  assert.deepEqual([refused.status, refused.json.code], [412, "precondition_failed"]);
  assert.match(String(refused.json.detail), /has changed since you read it/);
  assert.equal((await patch('"other"', "two")).status, 412);
  const now = await api.ask("GET", path, owner);
  assert.deepEqual([now.json.rules, now.headers.get("etag")], ["one", changed.headers.get("etag")]);
  for (const ifMatch of [`"other", ${now.headers.get("etag")}`, "*", null]) {
    assert.equal((await patch(ifMatch, "three")).status, 200);
  }
  const again = (await api.ask("GET", path, owner)).headers.get("etag") ?? "";
  const unchanged = await api.ask("GET", path, { ...owner, headers: { "if-none-match": again } });
  assert.equal(unchanged.status, 304);
});

test("a new run takes fields missing from the body from the settings", async () => {
  assert.deepEqual(await started(), ["claude", null, "auto", null]);
  const defaults = { default_agent: "codex", default_model: "large", default_permission_mode: "ask" as const };
  assert.equal((await change({ ...defaults, default_turn_timeout_s: 900 })).status, 200);
  assert.deepEqual(await started(), ["codex", "large", "ask", 900]);
  assert.deepEqual(await started({ model: "small", permission_mode: "auto" }), ["codex", "small", "auto", 900]);
  assert.deepEqual(await started({ agent: "claude", turn_timeout_s: 60 }), ["claude", null, "ask", 60]);
  assert.deepEqual(await started({ agent: "codex" }), ["codex", "large", "ask", 900]);
  assert.deepEqual(await started({ agent_type: "codegen" }), ["codex", "large", "ask", 900]);
  const { json } = await api.ask("GET", `${O}/agents`, owner);
  assert.deepEqual(
    (json.items as Agent[]).filter(({ is_default }) => is_default).map(({ id }) => id),
    ["codex"],
  );
});

test("each agent can have a default model of its own, also if it is not the default agent", async () => {
  assert.equal((await change({ default_models: { claude: "opus", codex: "large" } })).status, 200);
  assert.deepEqual(await started(), ["claude", "opus", "auto", null]);
  assert.deepEqual(await started({ agent: "codex" }), ["codex", "large", "auto", null]);
  assert.deepEqual(await started({ agent: "codex", model: "small" }), ["codex", "small", "auto", null]);
  assert.deepEqual(await started({ agent: "steps" }), ["steps", null, "auto", null]);
  await change({ default_agent: "codex", default_model: "huge" });
  assert.deepEqual(await started(), ["codex", "huge", "auto", null], "default_model comes first");
  const { json } = await api.ask("GET", `${O}/agents`, owner);
  const models = (json.items as OrganizationAgent[]).map(({ id, default_model }) => [id, default_model]);
  assert.deepEqual(Object.fromEntries(models), { claude: "opus", codex: "huge", steps: null });
  const there = await api.ask("GET", "/v1/organizations/2/agents", {
    token: await api.token("owner", { access: api.other }),
  });
  assert.ok((there.json.items as OrganizationAgent[]).every(({ default_model }) => default_model === null));

  const { json: changed } = await change({ default_models: { claude: null } });
  assert.deepEqual(changed.default_models, { codex: "large" });
  assert.equal((await change({ default_models: { steps: "large" } })).status, 400);
  await api.store.agents.replaceAll([agent("claude", true)]);
  assert.equal((await change({ default_models: { codex: "small" } })).status, 400, "it is gone");
  assert.deepEqual((await change({ default_models: { codex: null } })).json.default_models, {});
});

test("each agent can have a default mode, which a run without its own takes if it approves by itself", async () => {
  const modes = ["plan", "code"].map((id) => ({ id, name: id, description: null }));
  const announce = (announced: typeof modes) => {
    const none = { models: [], options: [], commands: [], images: false, embedded_context: false };
    const others = { mcp_http: false, resumes: false, forks: false, steering: false };
    const claude = { ...agent("claude", true), announced: Announced.parse({ ...none, ...others, modes: announced }) };
    return api.store.agents.replaceAll([claude, agent("steps", true, false)]);
  };
  await announce(modes);
  assert.equal((await change({ default_modes: { claude: "fly" } })).status, 400);
  assert.equal((await change({ default_modes: { claude: "plan" } })).status, 200);
  const modeOf = async (body: object) => {
    const { json } = await api.ask("POST", `${O}/agent/run`, { ...owner, body: { prompt: "x", ...body } });
    return (await api.store.runs.find(api.home, Number(json.id)))?.mode;
  };
  assert.equal(await modeOf({}), "plan");
  assert.equal(await modeOf({ mode: "code" }), "code");
  assert.equal(await modeOf({ permission_mode: "read-only" }), null);
  assert.equal(await modeOf({ agent: "steps" }), null);
  const { json } = await api.ask("GET", `${O}/agents`, owner);
  const shown = (json.items as OrganizationAgent[]).map(({ id, default_mode }) => [id, default_mode]);
  assert.deepEqual(Object.fromEntries(shown), { claude: "plan", steps: null });
  await announce(modes.slice(1));
  assert.equal(await modeOf({}), null, "a mode that it no longer has");
});

test("a default agent that is not ready is passed over, with its model", async () => {
  await change({ default_agent: "codex", default_model: "large" });
  await api.store.agents.replaceAll([agent("claude", true), agent("codex", false)]);
  assert.deepEqual(await started(), ["claude", null, "auto", null]);
});

test("if the preferred agent is not ready, the organization's default works, with its model", async () => {
  await change({ default_agent: "codex", default_model: "large" });
  await api.store.agents.replaceAll([agent("claude", false), agent("codex", true), agent("steps", true, false)]);
  const preferred = { agent_type: "claude_code", model: "opus" };
  assert.deepEqual(await started(preferred), ["codex", "large", "auto", null]);
  await api.store.agents.replaceAll([agent("claude", true), agent("codex", true), agent("steps", true, false)]);
  assert.deepEqual(await started(preferred), ["claude", "opus", "auto", null], "a preference that can be met is met");
  await api.store.agents.replaceAll([agent("claude", false), agent("codex", false), agent("steps", true, false)]);
  assert.deepEqual(await started({ agent_type: "claude_code" }), ["steps", null, "auto", null]);
});

test("the wall can be required, which the audit log records", async () => {
  assert.equal((await api.ask("GET", `${O}/settings`, owner)).json.require_wall, false);
  assert.equal((await change({ require_wall: true })).json.require_wall, true);
  assert.equal((await change({ rules: "Use tabs." })).json.require_wall, true);
  assert.equal((await change({ require_wall: false })).json.require_wall, false);
  const { json } = await api.ask("GET", `${O}/audit?act=organization.changed&limit=1`, owner);
  assert.deepEqual((json.items as { details: object }[])[0]?.details, { require_wall: false });
});

test("if the wall is required, agents are listed behind it or as not ready", async () => {
  const problem = "It is set to `isolation: leash` of codex in agents.json.";
  const [leash, bound] = [agent("claude", true), { ...agent("codex", true), wall_problem: problem }];
  await api.store.agents.replaceAll([leash, bound, agent("steps", false, false)]);
  const listed = async () => {
    const { items } = (await api.ask("GET", `${O}/agents`, owner)).json as { items: Agent[] };
    return items.map(({ id, ready, reason, isolation }) => [id, ready, reason, isolation]);
  };
  assert.deepEqual((await listed()).slice(0, 2), [
    ["claude", true, null, "leash"],
    ["codex", true, null, "leash"],
  ]);
  await change({ require_wall: true });
  const [first, ...others] = await listed();
  assert.deepEqual(first, ["claude", true, null, "wall"]);
  assert.deepEqual(
    others.find(([id]) => id === "codex"),
    ["codex", false, `This organization requires the wall. ${problem}`, "wall"],
  );
  await change({ require_wall: false });
});

test("defaults that no run could use are refused, and nothing of the request is kept", async () => {
  const wrong: [ChangeSettings, RegExp][] = [
    [{ rules: "kept?", default_agent: "nobody" }, /^default_agent: there is no agent "/],
    [{ rules: "kept?", default_model: "large" }, /^default_model: needs a default_agent/],
    [{ rules: "kept?", default_agent: "steps", default_model: "large" }, /^default_model: .* takes no model/],
  ];
  for (const [body, detail] of wrong) {
    const refused = await change(body);
    assert.equal(refused.status, 400);
    assert.match(String(refused.json.detail), detail);
  }
  assert.equal((await api.ask("GET", `${O}/settings`, owner)).json.rules, null);
  await change({ default_agent: "codex", default_model: "large" });
  const withoutAgent = await change({ default_agent: null });
  assert.match(String(withoutAgent.json.detail), /^default_model: needs a default_agent/);
  // A default agent that has since disappeared does not block other changes.
  await api.store.agents.replaceAll([agent("claude", true)]);
  assert.equal((await change({ rules: "Use tabs." })).status, 200);
});

test("members read the settings and the rules, only admins change them, and another organization has its own", async () => {
  await change({ rules: "Use tabs." });
  const viewer = await api.member("viewer");
  const rules = await api.ask("GET", `${O}/cli/rules`, viewer);
  assert.deepEqual(rules.json, { organization_rules: "Use tabs.", user_custom_prompt: null });
  assert.equal((await api.ask("GET", `${O}/settings`, viewer)).status, 200);
  const member = await api.member("member");
  assert.equal((await api.ask("PATCH", `${O}/settings`, { ...member, body: { rules: null } })).status, 403);
  const token = await api.token("owner", { access: api.other });
  assert.equal((await api.ask("GET", "/v1/organizations/2/cli/rules", { token })).json.organization_rules, null);
});

test("a person's rules are readable only by them, also with a token, and refused when they are too long", async () => {
  const viewer = await api.member("viewer");
  const { headers } = viewer;
  const put = (rules: string | null) => api.ask("PATCH", "/v1/users/me", { headers, body: { rules } });
  assert.equal((await put("Answer in French.")).status, 200);
  const read = async (who: object) => (await api.ask("GET", `${O}/cli/rules`, who)).json.user_custom_prompt;
  assert.equal(await read({ token: await api.token("viewer", { access: viewer.access }) }), "Answer in French.");
  assert.equal(await read(owner), null);
  const long = await put("x".repeat(20_001));
  assert.equal(long.status, 400);
  assert.match(String(long.json.detail), /^rules: .*20,?000/);
  assert.equal(await read(viewer), "Answer in French.");
  assert.equal((await put(" \n")).status, 200);
  assert.equal(await read(viewer), null);
});

test("a change is recorded with what changed, the rules by their length; one that changes nothing is not", async () => {
  await change({ rules: "A secret recipe.", enable_rules_detection: false });
  const newest = async () => {
    const { json } = await api.ask("GET", `${O}/audit?act=organization.changed&limit=1`, owner);
    return { total: json.total, record: (json.items as { details: object; object_name: string }[])[0] };
  };
  const { total, record } = await newest();
  assert.deepEqual(record?.details, { rules_characters: 16, enable_rules_detection: false });
  await change({ rules: "A secret recipe." });
  assert.equal((await newest()).total, total);
  await change({ enable_rules_detection: true });
});

test("two concurrent changes both take effect", async () => {
  await Promise.all([
    change({ default_permission_mode: "ask" }),
    change({ rules: "Both." }),
    change({ name: "Renamed" }),
  ]);
  const { json } = await api.ask("GET", `${O}/settings`, owner);
  assert.deepEqual([json.default_permission_mode, json.rules, json.name], ["ask", "Both.", "Renamed"]);
  const listed = await api.ask("GET", "/v1/organizations", owner);
  assert.equal((listed.json.items as { name: string }[])[0]?.name, "Renamed");
});

test("runs started elsewhere, where nobody names anything, use the defaults too", async () => {
  await change({ default_agent: "codex", default_model: "large", default_permission_mode: "read-only" });
  assert.deepEqual(await defaultsForRun(1, null, api.store), {
    agent: "codex",
    model: "large",
    mode: null,
    permissionMode: "read-only",
    turnTimeoutS: null,
  });
});
