import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createSeal } from "#lib/secrets/seal.ts";
import { presentRun } from "#lib/service/present-run.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";
import { webhookSealContext } from "#lib/webhooks/message-body.ts";
import { Target, verifyWithLibrary } from "#lib/webhooks/target.fixture.ts";

const O = "/v1/organizations/1";
const W = `${O}/webhooks/agent-run`;
let api: ApiUnderTest;
let token: string;
before(async () => {
  api = await ApiUnderTest.open();
  token = await api.token();
});
after(() => api.close());

const ask = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  api.ask(method, path, { token, ...(body !== undefined && { body }), ...(headers !== undefined && { headers }) });

/** The next delivery, with its secrets decrypted. */
async function claim() {
  const claimed = await api.store.deliveries.claim("engine", 60_000, []);
  if (claimed === null) return null;
  const { organizationId, webhook } = claimed;
  const opened = webhook.secrets.map((sealed) =>
    api.runtime.seal.unseal(sealed, webhookSealContext(organizationId, webhook.key)),
  );
  return { ...claimed, opened };
}
const finish = (claimed: Awaited<ReturnType<typeof claim>>) =>
  claimed === null
    ? null
    : api.store.deliveries.report(claimed, { kind: "delivered", status: 200, answer: "", error: null });
const external = async (more: object = {}) => {
  const made = await ask("POST", `${O}/agent/run`, { prompt: "Look", agent: "external", ...more });
  assert.equal(made.status, 200, made.text);
  return made;
};
const end = (id: unknown) => ask("PATCH", `${O}/agent/run/${id}`, { status: "completed", result: "Done" });

test("without a webhook GET says so; a secret is generated once, shown once, kept, changed and rotated", async () => {
  const none = {
    url: null,
    enabled: false,
    has_secret: false,
    events: ["run.finished"],
    disabled_reason: null,
    disabled_at: null,
    previous_secret_until: null,
  };
  assert.deepEqual((await ask("GET", W)).json, none);
  assert.deepEqual((await ask("DELETE", W)).json, none);
  const url = "https://hooks.example/a?token=1";
  const made = await ask("POST", W, { url });
  assert.match(String(made.json.secret), /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.equal(made.headers.get("cache-control"), "no-store");
  const { secret, ...shown } = made.json;
  assert.deepEqual(shown, { ...none, url, enabled: true, has_secret: true });
  assert.deepEqual((await ask("GET", W)).json, shown);
  // Saved again by a client of the reference service: events and secret stay.
  await ask("POST", W, { url, events: ["run.started", "run.finished"] });
  const again = await ask("POST", W, { url: "https://hooks.example/b", enabled: true, secret: null });
  assert.deepEqual([again.json.secret, again.json.events], [null, ["run.started", "run.finished"]]);
  const started = await external();
  const claimed = await claim();
  assert.deepEqual([claimed?.opened, claimed?.run.id], [[secret], started.json.id]);
  await finish(claimed);
  const rotated = await ask("POST", W, { url, rotate_secret: true });
  assert.notEqual(rotated.json.secret, secret);
  const until = Date.parse(String(rotated.json.previous_secret_until));
  assert.ok(Math.abs(until - Date.now() - 24 * 3_600_000) < 60_000);
  await end(started.json.id);
  const next = await claim();
  assert.deepEqual(next?.opened, [rotated.json.secret, secret]);
  await finish(next);
  const mine = await ask("POST", W, { url, secret: "of-my-own", enabled: false });
  assert.deepEqual([mine.json.secret, mine.json.enabled], [null, false]);
  assert.deepEqual((await ask("DELETE", W)).json, none);
});

test("a run's webhooks are given with it, and their secrets are shown once and replayed to the same key", async () => {
  await ask("POST", W, { url: "https://hooks.example/organization" });
  const webhooks = [
    { url: "https://hooks.example/made" },
    { url: "https://hooks.example/given", secret: "mine", events: ["run.started", "run.finished"] },
  ];
  const body = { prompt: "Look", agent: "external", webhooks };
  const key = { "idempotency-key": "one" };
  const made = await ask("POST", `${O}/agent/run`, body, key);
  const shown = made.json.webhooks as { url: string; events: string[]; secret: string | null }[];
  assert.deepEqual(
    shown.map(({ url, events }) => [url, events]),
    [
      ["https://hooks.example/made", ["run.finished"]],
      ["https://hooks.example/given", ["run.started", "run.finished"]],
    ],
  );
  const secret = String(shown[0]?.secret);
  assert.match(secret, /^whsec_/);
  assert.equal(shown[1]?.secret, null);
  const replayed = await ask("POST", `${O}/agent/run`, body, key);
  assert.deepEqual([replayed.text, replayed.headers.get("idempotency-replayed")], [made.text, "true"]);
  const { webhooks: _, ...run } = made.json;
  assert.deepEqual((await ask("GET", `${O}/agent/run/${made.json.id}`)).json, run);
  await end(made.json.id);
  const events: string[] = [];
  for (let claimed = await claim(); claimed !== null; claimed = await claim()) {
    events.push(
      `${claimed.webhook.url.split("/").at(-1)} ${claimed.type} ${claimed.opened.map((one) => one === secret)}`,
    );
    await finish(claimed);
  }
  assert.deepEqual(events.toSorted(), [
    "given run.finished false",
    "given run.started false",
    "made run.finished true",
  ]);
  // Neither shown nor given secrets are anywhere in the store as plain text.
  const bytes = Buffer.concat(
    await Promise.all(
      ["errand.db", "errand.db-wal"].map((name) => readFile(join(api.folder, name)).catch(() => Buffer.of())),
    ),
  );
  const raw = Buffer.from(secret.slice(6), "base64");
  for (const form of [
    secret,
    encodeURIComponent(secret),
    raw,
    raw.toString("hex"),
    Buffer.from(secret).toString("base64"),
  ]) {
    assert.equal(bytes.includes(form), false);
  }
  const resumed = await ask("POST", `${O}/agent/run/resume`, {
    agent_run_id: made.json.id,
    prompt: "more",
    webhooks: [{ url: "https://hooks.example/later", events: ["run.started"] }],
  });
  assert.equal((resumed.json.webhooks as unknown[]).length, 1);
  const later = await claim();
  assert.deepEqual(
    [later?.webhook.url, later?.type, later?.run.turns],
    ["https://hooks.example/later", "run.started", 2],
  );
  await finish(later);
  await end(made.json.id);
  assert.equal(await claim(), null);
});

test("webhooks of a run are checked, and a refused run is not created", async () => {
  const before = (await ask("GET", `${O}/agent/runs`)).json.total;
  const refused: [object[], (string | number)[]][] = [
    [[{}], ["webhooks", 0, "url"]],
    [
      [{ url: "https://a.example" }, { url: "http://192.168.0.1/" }],
      ["webhooks", 1, "url"],
    ],
    [[{ url: "https://a.example", secret: "" }], ["webhooks", 0, "secret"]],
    [[{ url: "https://a.example", events: ["run.finished", "x"] }], ["webhooks", 0, "events", 1]],
    [[{ url: "https://a.example", retries: 3 }], ["webhooks", 0, "retries"]],
    [[{ url: "https://a.example" }, { url: "https://a.example" }], ["webhooks"]],
    [Array.from({ length: 11 }, (_, index) => ({ url: `https://a.example/${index}` })), ["webhooks"]],
  ];
  for (const [webhooks, loc] of refused) {
    const answered = await ask("POST", `${O}/agent/run`, { prompt: "Look", webhooks });
    assert.equal(answered.status, 400, answered.text);
    assert.deepEqual((answered.json.errors as { loc: unknown }[])[0]?.loc, ["body", ...loc]);
  }
  assert.equal((await ask("GET", `${O}/agent/runs`)).json.total, before);
});

test("a test is sent once, signed with the webhook's secret or the given one, and reports the response", async (t) => {
  const target = await Target.open(t);
  await ask("POST", W, { url: "https://hooks.example/a", secret: "ours" });
  const sent = await ask("POST", `${W}/test`, { url: target.url });
  const { duration_ms, ...result } = sent.json;
  assert.deepEqual(result, { delivered: true, signed: true, status: 200, answer: "answer 200", error: null });
  assert.ok(Number(duration_ms) >= 0);
  const [received] = target.received;
  assert.ok(received !== undefined);
  const event = (await verifyWithLibrary("ours", received)) as { type: string; data: { organization_id: number } };
  assert.deepEqual([event.type, event.data.organization_id], ["webhook.test", 1]);
  target.answer = () => 404;
  const refused = await ask("POST", `${W}/test`, { url: target.url, secret: "theirs" });
  assert.deepEqual(
    [refused.status, refused.json.delivered, refused.json.error],
    [200, false, "The target answered 404."],
  );
  const last = target.received.at(-1);
  assert.ok(last !== undefined);
  await verifyWithLibrary("theirs", last);
  // Restored without its key: reported as in the list of deliveries, and nothing is sent.
  const receivedBefore = target.received.length;
  const { seal } = api.runtime;
  api.runtime.seal = createSeal({ key: randomBytes(32), file: "" });
  const unreadable = await ask("POST", `${W}/test`, { url: target.url });
  api.runtime.seal = seal;
  assert.deepEqual([unreadable.status, unreadable.json.delivered, unreadable.json.signed], [200, false, false]);
  assert.equal(unreadable.json.error, "Not sent: its secret cannot be decrypted. Enter it again.");
  assert.equal(target.received.length, receivedBefore);
  await ask("DELETE", W);
  assert.equal((await ask("POST", `${W}/test`, { url: target.url })).json.signed, false);
  // A test is no delivery, and turns nothing off.
  target.answer = () => 410;
  await ask("POST", W, { url: target.url });
  await ask("POST", `${W}/test`, { url: target.url });
  assert.equal((await ask("GET", W)).json.enabled, true);
});

test("deliveries are listed with their responses, and can be sent again", async () => {
  await ask("POST", W, { url: "https://hooks.example/a" });
  const { json } = await external();
  await end(json.id);
  const claimed = await claim();
  assert.ok(claimed !== null);
  const run = await api.store.runs.find(api.home, Number(json.id));
  assert.ok(run !== null);
  const view = { publicUrl: "http://errand.test", statusStyle: "errand" } as const;
  assert.deepEqual(presentRun(claimed.run, view), presentRun(run, view));
  await api.store.deliveries.report(claimed, {
    kind: "failed",
    status: 500,
    answer: "no",
    error: "500.",
    retryAt: null,
  });
  const list = async (query: string) => (await ask("GET", `${O}/webhooks/deliveries?${query}`)).json;
  const listed = await list(`agent_run_id=${json.id}`);
  assert.equal(listed.total, 1);
  const [delivery] = listed.items as Record<string, unknown>[];
  assert.deepEqual(delivery, {
    id: claimed.id,
    webhook_id: claimed.messageId,
    event: "run.finished",
    agent_run_id: json.id,
    url: "https://hooks.example/a",
    endpoint_id: delivery?.endpoint_id,
    of_run: false,
    state: "failed",
    late: false,
    attempts: 1,
    created_at: claimed.createdAt,
    attempted_at: delivery?.attempted_at,
    next_attempt_at: null,
    status: 500,
    answer: "no",
    error: "500.",
  });
  assert.equal((await list(`agent_run_id=${json.id}&state=delivered`)).total, 0);
  const resend = `${O}/webhooks/deliveries/${claimed.id}/resend`;
  const again = await ask("POST", resend);
  assert.deepEqual([again.json.state, again.json.webhook_id], ["pending", claimed.messageId]);
  const second = await claim();
  assert.equal(second?.messageId, claimed.messageId);
  assert.equal((await ask("POST", resend)).status, 409);
  await finish(second);
  await ask("POST", W, { url: "https://hooks.example/a", enabled: false });
  assert.equal((await ask("POST", resend)).status, 409);
});

test("changes to webhooks are in the audit log, and no secret is", async () => {
  const { json } = await ask("GET", `${O}/audit?limit=100`);
  const acts = (json.items as { act: string }[]).map(({ act }) => act);
  for (const act of ["webhook.changed", "webhook.removed", "webhook.tested", "webhook.resent"])
    assert.ok(acts.includes(act));
  assert.doesNotMatch(JSON.stringify(json), /whsec_|"ours"|token=1/);
});
