import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { webhooksMax } from "#lib/contract/bounds.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";

const O = "/v1/organizations/1";
const E = `${O}/webhooks/endpoints`;
let api: ApiUnderTest;
let token: string;
before(async () => {
  api = await ApiUnderTest.open();
  token = await api.token();
});
after(() => api.close());

const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  api.ask(method, path, { token, headers, ...(body !== undefined && { body }) });
const endedRun = async () => {
  const { json } = await ask("POST", `${O}/agent/run`, { prompt: "Look", agent: "external" });
  await ask("PATCH", `${O}/agent/run/${json.id}`, { status: "completed", result: "Done" });
  return Number(json.id);
};
/** What is sent, as "address event". */
const sent = async () => {
  const found: string[] = [];
  for (;;) {
    const claimed = await api.store.deliveries.claim("engine", 60_000, []);
    if (claimed === null) return found;
    found.push(`${claimed.webhook.url} ${claimed.type}`);
    await api.store.deliveries.report(claimed, { kind: "delivered", status: 200, answer: "", error: null });
  }
};

test("several webhooks each get the events that they name, with a secret of their own; one is the default", async () => {
  const made = await ask("POST", E, { url: "https://a.example/x", events: ["run.started"], description: "Dashboards" });
  assert.equal(made.status, 200, made.text);
  assert.match(String(made.json.secret), /^whsec_/);
  assert.deepEqual([made.json.is_default, made.json.description], [false, "Dashboards"]);
  await ask("POST", `${O}/webhooks/agent-run`, { url: "https://b.example/x" });
  const { items } = (await ask("GET", E)).json as { items: Record<string, unknown>[] };
  assert.deepEqual(
    items.map(({ url, is_default, events, secret }) => [url, is_default, events, secret]),
    [
      ["https://a.example/x", false, ["run.started"], undefined],
      ["https://b.example/x", true, ["run.finished"], undefined],
    ],
  );
  await endedRun();
  assert.deepEqual(await sent(), ["https://a.example/x run.started", "https://b.example/x run.finished"]);
  const path = `${E}/${made.json.id}`;
  const ofIt = (await ask("GET", `${O}/webhooks/deliveries?endpoint_id=${made.json.id}`)).json;
  assert.deepEqual([ofIt.total, (ofIt.items as { endpoint_id: number }[])[0]?.endpoint_id], [1, made.json.id]);

  const { headers } = await ask("GET", path);
  const tag = { "if-match": headers.get("etag") ?? "" };
  const off = await ask("PATCH", path, { enabled: false }, tag);
  assert.deepEqual(
    [off.status, off.json.enabled, off.json.secret, off.json.description],
    [200, false, null, "Dashboards"],
  );
  assert.equal((await ask("DELETE", path, undefined, tag)).status, 412);
  const back = await ask("PATCH", path, { description: null, events: ["run.finished"] });
  assert.deepEqual([back.json.enabled, back.json.description, back.json.events], [false, null, ["run.finished"]]);
  const rotated = await ask("PATCH", path, { enabled: true, rotate_secret: true });
  assert.match(String(rotated.json.secret), /^whsec_/);
  assert.notEqual(rotated.json.previous_secret_until, null);
  // The same secret again changes nothing: the one before is still in use.
  const own = { secret: `whsec_${Buffer.alloc(32, 7).toString("base64")}` };
  await ask("PATCH", path, own);
  const kept = async () => (await api.store.webhooks.find(api.home, Number(made.json.id)))?.previousSecret;
  const previous = await kept();
  await ask("PATCH", path, own);
  assert.equal(await kept(), previous);
  // Another organization's, a run's and a deleted one do not exist here.
  const run = await ask("POST", `${O}/agent/run`, {
    ...{ prompt: "Look", agent: "external", webhooks: [{ url: "https://c.example/x" }] },
  });
  assert.equal(run.status, 200);
  assert.equal((await ask("GET", `${E}/${Number(made.json.id) + 2}`)).status, 404);
  assert.equal((await ask("DELETE", path)).json.id, made.json.id);
  assert.equal((await ask("PATCH", path, { enabled: true })).status, 404);
  assert.equal((await ask("GET", `${O}/webhooks/agent-run`)).json.url, "https://b.example/x");
  await ask("DELETE", `${O}/webhooks/agent-run`);
  assert.deepEqual((await ask("GET", E)).json, { items: [] });
});

test("a test can be signed by the secret of one webhook, and there are at most 20", async () => {
  const url = "http://127.0.0.1:9/hook";
  const { json } = await ask("POST", E, { url });
  const tested = async (body: object) => (await ask("POST", `${O}/webhooks/agent-run/test`, { url, ...body })).json;
  assert.equal((await tested({})).signed, false);
  assert.equal((await tested({ endpoint_id: json.id })).signed, true);
  assert.equal((await ask("POST", `${O}/webhooks/agent-run/test`, { url, endpoint_id: 99 })).status, 404);
  const answers = [];
  for (let count = 0; count < webhooksMax; count += 1) answers.push((await ask("POST", E, { url })).status);
  assert.deepEqual(answers, [...Array(webhooksMax - 1).fill(200), 409]);
  for (const { id } of await api.store.webhooks.list(api.home)) await ask("DELETE", `${E}/${id}`);
});

test("a client that was away reads on from its cursor, with the status names of its token, without any webhook", async () => {
  type Listed = { items: { data: { id: number; status: string }; type: string }[]; cursor: string; has_more: boolean };
  const read = async (query: string, by = token) =>
    (await api.ask("GET", `${O}/events?${query}`, { token: by })).json as unknown as Listed;
  let { cursor } = await read("limit=100");
  assert.deepEqual(await read(`after=${cursor}`), { items: [], cursor, has_more: false, missed: false });
  const ids = [await endedRun(), await endedRun(), await endedRun()];
  const seen: string[] = [];
  for (let hasMore = true; hasMore; ) {
    const page = await read(`after=${cursor}&limit=2`);
    seen.push(...page.items.map(({ type, data }) => `${data.id} ${type} ${data.status}`));
    hasMore = page.has_more;
    cursor = page.cursor;
  }
  assert.deepEqual(
    seen,
    ids.flatMap((id) => [`${id} run.started running`, `${id} run.finished completed`]),
  );
  assert.deepEqual((await read(`type=run.finished&agent_run_id=${ids[1]}`)).items.length, 1);
  const reference = await api.token("owner", { style: "reference" });
  assert.equal((await read(`agent_run_id=${ids[0]}&limit=1`, reference)).items[0]?.data.status, "ACTIVE");
  await ask("DELETE", `${O}/agent/run/${ids[2]}`);
  assert.deepEqual((await read(`agent_run_id=${ids[2]}`)).items, []);
});

test("runs are listed by metadata, order and fields, page by page", async () => {
  const made: number[] = [];
  for (const team of ["shop", "shop", "pay", "shop"]) {
    const { json } = await ask("POST", `${O}/agent/run`, { prompt: "Look", agent: "external", metadata: { team } });
    made.push(Number(json.id));
  }
  const list = async (query: string) => await ask("GET", `${O}/agent/runs?${query}`);
  const [first, second, , fourth] = made;
  const shop = await list("metadata=team%3Dshop&fields=status&limit=2&sort=created_at");
  assert.deepEqual(shop.json.items, [
    { id: first, status: "running" },
    { id: second, status: "running" },
  ]);
  const next = /[?]([^>]*)>; rel="next"/.exec(shop.headers.get("link") ?? "")?.[1] ?? "";
  assert.deepEqual((await list(next)).json.items, [{ id: fourth, status: "running" }]);
  const cancelled = await ask("POST", `${O}/agent/runs/cancel`, { metadata: { team: "shop" }, agent: "external" });
  assert.deepEqual(cancelled.json, { cancelled_run_ids: [fourth, second, first], remaining: 0 });
  const again = await ask("POST", `${O}/agent/runs/cancel`, { metadata: { team: "shop" } });
  assert.deepEqual(again.json, { cancelled_run_ids: [], remaining: 0 });
  assert.equal((await list(`fields=status&limit=1`)).json.total, (await list("")).json.total);
});
