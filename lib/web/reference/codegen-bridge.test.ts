// codegen-bridge 0.7: nearly the whole description, by httpx, with an id for each request and its own retries.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import * as fields from "./client-fields.fixture.ts";
import { referenceOperations } from "./operations.fixture.ts";
import { type Client, needs, O, ReferenceService, refused } from "./reference-service.fixture.ts";

let service: ReferenceService;
let bridge: Client;
/** Twelve hexadecimal digits. */
const requestId = "0123456789ab";
const sent = {
  accept: "*/*",
  "accept-encoding": "gzip, deflate, br, zstd",
  "user-agent": "python-httpx/0.28.1",
  "x-request-id": requestId,
};

before(async () => {
  service = await ReferenceService.open();
  bridge = await service.signedIn(sent);
});
after(() => service.close());

/** The part of an error that it reads: the first of detail, error and message that is text, or the first message of a list. */
function told(body: unknown): string | undefined {
  const { detail, error, message } = Object(body);
  return [detail, error, message].find((text) => typeof text === "string");
}

test("every operation returns its request id, success or not", async () => {
  for (const { method, path, request, fields: read } of referenceOperations) {
    const { path: target, body, refusal } = await request(service);
    const reply = await bridge(method, target, body);
    assert.equal(reply.headers.get("x-request-id"), requestId, path);
    if (refusal === undefined) needs(reply, read);
    else assert.equal(told(reply.body), refused(reply, refusal).message);
  }
});

test("runs always request claude_code: if that is not ready another agent is used, and the first entry says why", async () => {
  const agents = await service.api.store.agents.list();
  await service.api.store.agents.replaceAll(agents.filter(({ id }) => id === "steps"));
  const asked = { prompt: "Look\n```sh\ntrue\n```", agent_type: "claude_code", metadata: { source: "bridge" } };
  const refused = await bridge("POST", `${O}/agent/run`, { ...asked, prompt: "Look" });
  assert.deepEqual(
    [refused.status, Object(refused.body).code],
    [409, "no_agent_ready"],
    "nothing there could act on words",
  );
  const run = needs(await bridge("POST", `${O}/agent/run`, asked), fields.SdkRun);
  assert.deepEqual([run.metadata, run.status], [asked.metadata, "PENDING"]);
  const logs = `/v1/alpha/organizations/1/agent/run/${run.id}/logs?skip=0&limit=50&reverse=true`;
  const [first] = needs(await bridge("GET", logs), fields.RunWithLogs).logs;
  assert.deepEqual([first?.message_type, first?.tool_name], ["ACTION", "errand"]);
  await service.haveClaude();
  needs(await bridge("POST", `${O}/agent/run`, { ...asked, model: "opus" }), fields.SdkRun);
});

test("logs: newest first, page by page, with the names that its parser looks at", async () => {
  const id = await service.runOfEveryKind();
  const page = async (skip: number, limit: number, reverse: string) =>
    needs(
      await bridge(
        "GET",
        `/v1/alpha/organizations/1/agent/run/${id}/logs?skip=${skip}&limit=${limit}&reverse=${reverse}`,
      ),
      fields.RunWithLogs,
    );
  const newest = await page(0, 5, "true");
  assert.deepEqual([newest.logs.length, newest.total_logs, newest.page, newest.pages], [5, 13, 1, 3]);
  const oldest = await page(0, 100, "false");
  assert.deepEqual(oldest.logs.toReversed().slice(0, 5), newest.logs);
  assert.deepEqual(await page(0, 5, "True"), newest);
  const action = oldest.logs.find(({ message_type }) => message_type === "ACTION");
  assert.deepEqual([action?.tool_input?.command, action?.tool_output?.output], ["make", "built"]);
  assert.ok(oldest.logs.every(({ agent_run_id }) => agent_run_id === id));
  assert.deepEqual((await page(20, 5, "true")).logs, []);
});

test("ban stops a run, and so does remove-from-pr; unban starts nothing", async () => {
  for (const way of ["ban", "remove-from-pr"]) {
    const { id } = await service.api.run();
    needs(await bridge("POST", `${O}/agent/run/${way}`, { agent_run_id: id }), fields.Banned);
    const status = async () => needs(await bridge("GET", `${O}/agent/run/${id}`), fields.SdkRun).status;
    assert.equal(await status(), "CANCELLED");
    needs(await bridge("POST", `${O}/agent/run/unban`, { agent_run_id: id }), fields.Banned);
    assert.equal(await status(), "CANCELLED");
    refused(await bridge("POST", `${O}/agent/run/${way}`, { agent_run_id: 999_999 }), 404);
  }
});

test("settings exist, so that it need not look for them among the organizations, which have the same", async () => {
  const settings = needs(await bridge("GET", `${O}/settings`), fields.Switches);
  const { items } = needs(await bridge("GET", "/v1/organizations"), fields.PageOf(fields.Organization));
  assert.deepEqual(items[0]?.settings, settings);
});

test("a webhook is set, read without its secret, tested and deleted", async () => {
  const path = `${O}/webhooks/agent-run`;
  const config = { url: "https://hooks.example/errand", enabled: true, secret: "whispered" };
  needs(await bridge("POST", path, config), fields.AnyObject);
  const read = needs(await bridge("GET", path), fields.Webhook);
  assert.deepEqual(read, { url: config.url, enabled: true, has_secret: true });
  assert.ok(!(await bridge("GET", path)).text.includes(config.secret));
  needs(await bridge("POST", `${path}/test`, { url: "http://127.0.0.1:9/hook" }), fields.AnyObject);
  needs(await bridge("DELETE", path), fields.AnyObject);
  assert.deepEqual(needs(await bridge("GET", path), fields.Webhook), { url: null, enabled: false, has_secret: false });
  refused(await bridge("POST", path, { url: "http://10.0.0.1/hook", enabled: true }), 400);
});

test("check settings are stored as they were put, field by field", async () => {
  const path = `${O}/repos/check-suite-settings?repo_id=${await service.state.repository()}`;
  needs(await bridge("PUT", path, { ignored_checks: ["lint"], custom_prompts: { test: "Run it." } }), fields.AnyObject);
  needs(await bridge("PUT", path, { check_retry_count: 0 }), fields.AnyObject);
  const kept = needs(await bridge("GET", path), fields.Checks);
  assert.deepEqual(
    [kept.ignored_checks, kept.custom_prompts, kept.check_retry_count],
    [["lint"], { test: "Run it." }, 0],
  );
  refused(await bridge("PUT", path, { check_retry_count: 11 }), 400);
});

test("Slack that is not connected is refused with what is missing", async () => {
  await service.state.slack(false);
  const reply = await bridge("POST", "/v1/slack-connect/generate-token", { org_id: 1 });
  assert.match(refused(reply, 409).message, /Slack is not connected/);
  const token = await service.api.token("member");
  const asked = { token, body: { org_id: 1 } };
  assert.equal((await service.api.ask("POST", "/v1/slack-connect/generate-token", asked)).status, 403);
});

test("429 is retried after Retry-After, read as a number of seconds", async () => {
  const { id } = await service.api.run();
  service.limit();
  const analyze = () => bridge("POST", `${O}/setup-commands/generate`, { repo_id: id + 100_000 });
  for (let count = 0; count < 5; count += 1) refused(await analyze(), 404);
  const denied = await analyze();
  refused(denied, 429);
  const seconds = Number.parseFloat(denied.headers.get("retry-after") ?? "");
  assert.ok(seconds > 0 && seconds <= 60, String(seconds));
  service.pass(seconds);
  refused(await analyze(), 404);
});
