// Programs written by others for the reference service: scripts of its guides, adapters to other APIs, dashboards.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { AnyObject, PageOf, RunWithLogs, SdkRun } from "./client-fields.fixture.ts";
import { type Client, needs, O, ReferenceService, refused, retryAfter } from "./reference-service.fixture.ts";

let service: ReferenceService;
let adapter: Client;

before(async () => {
  service = await ReferenceService.open();
  adapter = await service.signedIn({ accept: "application/json", "content-type": "application/json" });
});
after(() => service.close());

const O_BETA = "/v1/beta/organizations/1";

test("create and wait: polled until the status, in capitals, is COMPLETE", async () => {
  const { id } = needs(await adapter("POST", `${O}/agent/run`, { prompt: "Look" }), SdkRun);
  const status = async () => String(needs(await adapter("GET", `${O}/agent/run/${id}`), SdkRun).status).toUpperCase();
  const seen = [await status()];
  const claimed = await service.api.store.queue.claim("engine", 60_000);
  seen.push(await status());
  if (claimed !== null) await service.api.finish(claimed.lease);
  seen.push(await status());
  assert.deepEqual(seen, ["PENDING", "ACTIVE", "COMPLETE"]);
  assert.equal(needs(await adapter("GET", `${O}/agent/run/${id}`), SdkRun).result, "done");
});

test("scripts of the guides compare with lower case: a token in the service's own words never leaves them waiting", async () => {
  const script = await service.signedIn({}, "errand");
  const id = await service.state.endedRun(1);
  assert.equal(needs(await script("GET", `${O}/agent/run/${id}`), SdkRun).status, "completed");
  const { items } = needs(await script("GET", `${O}/agent/runs?status=completed`), PageOf(SdkRun));
  assert.ok(items.some((run) => run.id === id));
  // A query in capitals finds the same.
  assert.deepEqual(needs(await script("GET", `${O}/agent/runs?status=COMPLETE`), PageOf(SdkRun)).items, items);
});

test("page and size lead through the list, each run once", async () => {
  for (let count = 0; count < 5; count += 1)
    needs(await adapter("POST", `${O}/agent/run`, { prompt: `${count}` }), SdkRun);
  const all = needs(await adapter("GET", `${O}/agent/runs?limit=100`), PageOf(SdkRun)).items.map(({ id }) => id);
  const paged: number[] = [];
  for (let page = 1; paged.length < all.length; page += 1) {
    const { items, page: told } = needs(await adapter("GET", `${O}/agent/runs?page=${page}&size=2`), PageOf(SdkRun));
    assert.deepEqual([told, items.length > 0], [page, true]);
    paged.push(...items.map(({ id }) => id));
  }
  assert.deepEqual(paged, all);
});

test("stop and resume by the paths under beta, on a live run and on an ended one", async () => {
  const { id } = await service.api.run();
  needs(await adapter("POST", `${O_BETA}/agent/run/stop`, { agent_run_id: id }), AnyObject);
  for (const path of [`${O_BETA}/agent/run/resume`, `${O}/agent/run/resume`]) {
    const resumed = needs(await adapter("POST", path, { agent_run_id: id, prompt: "Go on" }), SdkRun);
    assert.deepEqual([resumed.id, resumed.status], [id, "PENDING"]);
  }
});

test("the log is the same at the path of the guide and at the one of the description", async () => {
  const id = await service.runOfEveryKind();
  const [guide, description] = await Promise.all(
    [`${O}/agent/run/${id}/logs`, `/v1/alpha/organizations/1/agent/run/${id}/logs`].map(async (path) =>
      needs(await adapter("GET", path), RunWithLogs),
    ),
  );
  assert.deepEqual(guide, description);
  const ids = guide?.logs.map(({ agent_run_id }) => agent_run_id) ?? [];
  assert.deepEqual([guide?.total_logs, new Set(ids)], [13, new Set([id])]);
});

test("Retry-After is a whole number for each limit that a client meets", async () => {
  const run = await service.state.endedRun(1);
  for (const [times, method, path, body] of [
    [60, "GET", "/v1/users/me", undefined],
    [10, "POST", `${O}/agent/run`, { prompt: "a" }],
    [60, "GET", `${O}/agent/run/${run}/logs`, undefined],
    [30, "PATCH", `${O}/prs/1`, { state: "open" }],
    [5, "POST", `${O}/sandbox/999999/analyze-logs`, undefined],
    [10, "POST", `${O}/webhooks/agent-run/test`, { url: "http://127.0.0.1:9/hook" }],
  ] as const) {
    service.limit();
    for (let count = 0; count < times; count += 1) {
      assert.notEqual((await adapter(method, path, body)).status, 429, `${method} ${path} ${count}`);
      service.pass(0.1);
    }
    const denied = await adapter(method, path, body);
    refused(denied, 429);
    service.pass(retryAfter(denied));
    assert.notEqual((await adapter(method, path, body)).status, 429, `${method} ${path} after Retry-After`);
  }
});
