// The command line (codegen login, agent, agents, integrations, profile, org, repo) and the terminal interface around it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { z } from "zod";
import { Integrations, Organization, PageOf, Person, Repository, ShownRun } from "./client-fields.fixture.ts";
import { type Client, needs, O, ReferenceService, refused } from "./reference-service.fixture.ts";

let service: ReferenceService;
let cli: Client;
/** As the requests library sends them. */
const sent = { accept: "*/*", "accept-encoding": "gzip, deflate", "user-agent": "python-requests/2.32.3" };

before(async () => {
  service = await ReferenceService.open();
  cli = await service.signedIn(sent);
});
after(() => service.close());

/** Words for which the command line has a sign; any other is shown as it is. */
const shownWords = ["COMPLETE", "ACTIVE", "RUNNING", "CANCELLED", "ERROR", "FAILED", "STOPPED", "PENDING"];

test("login: the token is tried with users/me, and its organizations are stored", async () => {
  const me = needs(await cli("GET", "/v1/users/me"), Person);
  assert.deepEqual([me.id, me.full_name, me.role], [1, "Owner", "ADMIN"]);
  const { items } = needs(await cli("GET", "/v1/organizations"), PageOf(Organization));
  assert.deepEqual(
    items.map(({ id, name }) => [id, name]),
    [[1, "Home"]],
  );
  refused(await service.client({ ...sent, authorization: "Bearer wrong" })("GET", "/v1/users/me"), 401);
});

test("profile and org: the person with a role, the organizations by name", async () => {
  const { role } = needs(await cli("GET", "/v1/users/me"), Person.extend({ role: z.string() }));
  assert.ok(["ADMIN", "MANAGER", "MEMBER"].includes(role));
  needs(await cli("GET", "/v1/organizations"), PageOf(Organization));
});

test("agent --prompt: a run with a model and a repository, or the reason for a refusal, in `detail`", async () => {
  await service.haveClaude();
  const repositoryId = await service.state.repository();
  const create = (body: object) => cli("POST", `${O}/agent/run`, body);
  const plain = needs(await create({ prompt: "Fix it" }), ShownRun);
  assert.ok(shownWords.includes(plain.status));
  const chosen = { prompt: "Fix it", model: "opus", repo_id: repositoryId };
  assert.equal(needs(await create(chosen), ShownRun.extend({ repo_id: z.int() })).repo_id, repositoryId);
  assert.equal(refused(await create({ prompt: "Fix it", repo_id: 999_999 }), 404).message, "Repository not found.");
});

test("agents list: the person's own runs by API, newest first, each with text for status, time and address", async () => {
  const me = needs(await cli("GET", "/v1/users/me"), Person);
  const first = needs(await cli("POST", `${O}/agent/run`, { prompt: "one" }), ShownRun);
  const second = needs(await cli("POST", `${O}/agent/run`, { prompt: "two" }), ShownRun);
  const list = needs(await cli("GET", `${O}/agent/runs?source_type=API&user_id=${me.id}`), PageOf(ShownRun));
  assert.deepEqual(
    list.items.slice(0, 2).map(({ id }) => id),
    [second.id, first.id],
  );
  assert.ok(list.items.every(({ source_type }) => source_type === "API"));
  assert.equal(needs(await cli("GET", `${O}/agent/runs?source_type=API&user_id=999999`), PageOf(ShownRun)).total, 0);
});

test("agent --id, --json and pull: one run; without a pull request the list is empty, so pull says so", async () => {
  const id = await service.state.endedRun(2);
  const run = needs(await cli("GET", `${O}/agent/run/${id}`), ShownRun);
  assert.deepEqual([run.id, run.status, run.result, run.github_pull_requests], [id, "COMPLETE", "done", []]);
  refused(await cli("GET", `${O}/agent/run/999999`), 404);
});

test("integrations list: every one with its type and state, and another person's organization is refused", async () => {
  await service.state.integration();
  const told = needs(await cli("GET", `${O}/integrations`), Integrations);
  assert.equal(told.organization_name, "Home");
  assert.equal(told.total_active_integrations, told.integrations.filter(({ active }) => active).length);
  const types = told.integrations.map(({ integration_type }) => integration_type);
  for (const type of ["github", "slack", "linear", "notion", "figma", "clickup", "jira", "sentry", "monday"]) {
    assert.ok(types.includes(type), type);
  }
  const kept = told.integrations.find(({ integration_type }) => integration_type === "forgejo");
  assert.equal(typeof kept?.token_id, "number");
  assert.ok(!JSON.stringify(told).includes("kept"), "a secret is in the answer");
  // An earlier version always asks for organization 11.
  refused(await cli("GET", "/v1/organizations/11/integrations"), 403);
});

test("repo --list-repos: real ones, because for anything but 200 it shows made-up repositories", async () => {
  await service.state.repository();
  const { items } = needs(await cli("GET", `${O}/repositories`), PageOf(Repository));
  assert.ok(items.some(({ full_name }) => full_name === "o/errand"));
  assert.deepEqual(needs(await cli("GET", `${O}/repos`), PageOf(Repository)).items, items);
});

test("the terminal interface: polls every 10 seconds, and creates with its own header", async () => {
  const me = needs(await cli("GET", "/v1/users/me"), Person);
  const own = { "x-codegen-client": "codegen__claude_code" };
  const created = needs(await cli("POST", `${O}/agent/run`, { prompt: "From the terminal" }, own), ShownRun);
  const list = await cli("GET", `${O}/agent/runs?source_type=API&limit=10&user_id=${me.id}`);
  const { items, size } = needs(list, PageOf(ShownRun));
  assert.deepEqual([items[0]?.id, size], [created.id, 10]);
});

test("tools: their list, and one call", async () => {
  const Tools = z.object({
    tools: z.array(z.object({ name: z.string(), description: z.string(), parameters: z.object({ type: z.string() }) })),
    total_count: z.int(),
  });
  const { tools, total_count } = needs(await cli("GET", `${O}/tools`), Tools);
  assert.equal(total_count, tools.length);
  const call = (body: object) => cli("POST", `${O}/tools/execute`, body);
  const Called = z.object({
    success: z.boolean(),
    result: z.unknown(),
    error: z.string().nullable(),
    tool_name: z.string(),
    execution_time_ms: z.number(),
  });
  const id = await service.state.endedRun(1);
  const done = needs(await call({ tool_name: "get_run", arguments: { agent_run_id: id }, repo_id: null }), Called);
  assert.deepEqual([done.success, done.error, Object(done.result).id], [true, null, id]);
  const failed = needs(await call({ tool_name: "get_run", arguments: { agent_run_id: 999_999 } }), Called);
  assert.deepEqual([failed.success, failed.error], [false, "Agent run not found."]);
});
