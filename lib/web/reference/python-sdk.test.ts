// The Python SDK (codegen 0.57 over codegen-api-client 1.0): Agent(token, org_id, base_url).run(prompt), task.refresh().
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Organization, PageOf, SdkRun } from "./client-fields.fixture.ts";
import { type Client, needs, O, ReferenceService, refused, retryAfter } from "./reference-service.fixture.ts";

let service: ReferenceService;
let sdk: Client;
/** As urllib3 under a generated client sends them. */
const sent = {
  accept: "application/json",
  "accept-encoding": "identity",
  "user-agent": "OpenAPI-Generator/1.0.0/python",
};

before(async () => {
  service = await ReferenceService.open();
  sdk = await service.signedIn(sent);
});
after(() => service.close());

const run = (body: object = { prompt: "Look around" }) => sdk("POST", `${O}/agent/run`, body);

test("Agent(token) finds its organization, run(prompt) starts, refresh() reads, until the result is there", async () => {
  const { items } = needs(await sdk("GET", "/v1/organizations"), PageOf(Organization));
  assert.deepEqual(
    items.map(({ id }) => id),
    [1],
  );
  const task = needs(await run(), SdkRun);
  assert.deepEqual([task.status, task.result, task.web_url], ["PENDING", null, `http://errand.test/runs/${task.id}`]);
  const refresh = async () => needs(await sdk("GET", `${O}/agent/run/${task.id}`), SdkRun);
  assert.equal((await refresh()).status, "PENDING");
  const claimed = await service.api.store.queue.claim("engine", 60_000);
  assert.equal((await refresh()).status, "ACTIVE");
  assert.equal(claimed?.run.id, task.id);
  if (claimed !== null) await service.api.finish(claimed.lease);
  const done = await refresh();
  assert.deepEqual([done.status, done.result, done.summary], ["COMPLETE", "done", "done"]);
});

test("a token that asked for the service's own words gives those of the guides: completed, failed", async () => {
  const guide = await service.signedIn(sent, "errand");
  const id = await service.state.endedRun(1);
  assert.equal(needs(await guide("GET", `${O}/agent/run/${id}`), SdkRun).status, "completed");
  assert.equal(needs(await sdk("GET", `${O}/agent/run/${id}`), SdkRun).status, "COMPLETE");
});

test("every refusal is one that the generated client has an exception for, with a body that its models read", async () => {
  const bad = service.client({ ...sent, authorization: "Bearer sk-0" });
  refused(await bad("POST", `${O}/agent/run`, { prompt: "a" }), 401);
  refused(await service.client(sent)("GET", `${O}/agent/run/1`), 401);
  refused(await sdk("POST", "/v1/organizations/2/agent/run", { prompt: "a" }), 403);
  refused(await sdk("POST", "/v1/organizations/999999/agent/run", { prompt: "a" }), 403);
  assert.equal(refused(await sdk("GET", `${O}/agent/run/999999`), 404).message, "Agent run not found.");
  assert.match(refused(await run({}), 400).message, /^prompt: /);
  assert.match(refused(await run({ prompt: 5 }), 400).message, /^prompt: /);
});

test("null for absent fields is accepted, as models with optional fields write it", async () => {
  const nothing = { images: null, metadata: null, repo_id: null, model: null, agent_type: null, webhooks: null };
  needs(await run({ prompt: "a", ...nothing }), SdkRun);
  const { id } = needs(await run(), SdkRun);
  const turn = { agent_run_id: id, prompt: "more", images: null, model: null, webhooks: null };
  assert.equal(needs(await sdk("POST", `${O}/agent/run/resume`, turn), SdkRun).id, id);
});

test("a GET over the limit succeeds after Retry-After; urllib3 waits for that by itself", async () => {
  const { id } = needs(await run(), SdkRun);
  service.limit();
  const get = () => sdk("GET", `${O}/agent/run/${id}`);
  for (let count = 0; count < 60; count += 1) needs(await get(), SdkRun);
  service.pass(10.5);
  const denied = await get();
  refused(denied, 429);
  service.pass(retryAfter(denied));
  needs(await get(), SdkRun);
});
