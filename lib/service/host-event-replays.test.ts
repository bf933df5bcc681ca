import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type TestContext, test } from "node:test";
import type { HostKind } from "#lib/host/host.ts";
import { checkProblem } from "#lib/web/checked-answer.fixture.ts";
import { ConnectedHost } from "#lib/web/connected-host.fixture.ts";

async function open(t: TestContext, kind: HostKind = "github") {
  const connected = await ConnectedHost.open(kind);
  t.after(() => connected.close());
  connected.host.addPerson("ada", "write");
  await connected.addRepository();
  return connected;
}

test("unsigned, cut, swapped and replayed events are refused", async (t) => {
  const connected = await open(t);
  const { api, host, hookPath } = connected;
  const good = host.commentEvent({ login: "ada", body: "@errand go" });
  const refusals = [
    { ...good, headers: { ...good.headers, "x-hub-signature-256": `sha256=${"0".repeat(64)}` } },
    { ...good, headers: { ...good.headers, "x-hub-signature-256": "" } },
    { ...good, headers: { ...good.headers, "x-hub-signature-256": "sha1=abc" } },
    { ...good, body: good.body.slice(0, -1) },
    { ...good, body: good.body.replace("go", "no") },
    { ...good, headers: { ...host.commentEvent({ login: "ada", body: "@errand x" }).headers } },
  ];
  for (const refused of refusals) {
    const answered = await connected.send(refused);
    checkProblem(answered, 401);
    assert.equal(answered.json.detail, "The event is not signed with the secret of this integration.");
  }
  checkProblem(await api.ask("POST", "/v1/hooks/999999", good), 404);
  const first = await connected.send(good);
  assert.deepEqual([first.status, first.json], [202, { accepted: true, duplicate: false }]);
  const again = await connected.send(good);
  assert.deepEqual([again.status, again.json], [200, { accepted: false, duplicate: true }]);
  const replayed = { ...good, headers: { ...good.headers, "x-github-delivery": randomUUID() } };
  assert.deepEqual((await connected.send(replayed)).json, { accepted: false, duplicate: true });
  const push = host.signed("push", { ref: "refs/heads/main" });
  const ignored = await connected.send(push);
  assert.deepEqual([ignored.status, ignored.json], [202, { accepted: false, duplicate: false }]);
  const integration = await api.store.integrations.find(api.home, "github");
  await connected.conversations.processDue();
  assert.equal((await connected.runs()).length, 1);
  assert.equal(hookPath, `/v1/hooks/${integration?.id}`);
  const token = await api.token();
  await api.ask("DELETE", "/v1/organizations/1/integrations/github", { token });
  checkProblem(await connected.send(host.commentEvent({ login: "ada", body: "@errand late" })), 404);
});

for (const kind of ["github", "gitlab", "forgejo"] as const) {
  test(`${kind}: a recorded event does nothing once it is no longer known here`, async (t) => {
    const connected = await open(t, kind);
    const { host, conversations } = connected;
    const hour = 3_600_000;
    const day = 24 * hour;
    const kept = host.commentEvent({ login: "ada", body: "@errand go" });
    assert.equal((await connected.send(kept)).json.accepted, true);
    await conversations.processDue();
    connected.advance(hour);
    await connected.reconnect();
    const again = await connected.send(kept);
    assert.deepEqual([again.status, again.json], [202, { accepted: false, duplicate: false }]);
    const before = host.commentEvent({ login: "ada", body: "@errand go", at: new Date(Date.now() + hour - 301_000) });
    assert.equal((await connected.send(before)).json.accepted, false);
    // The host's clock is slow.
    const slow = host.commentEvent({ login: "ada", body: "@errand go on", at: new Date(Date.now() + hour - 240_000) });
    assert.equal((await connected.send(slow)).json.accepted, true);

    connected.advance(29 * day);
    const late = host.commentEvent({ login: "ada", body: "@errand and that", at: new Date(Date.now() + 2 * hour) });
    assert.equal((await connected.send(late)).json.accepted, true, "29 days late");
    connected.advance(70 * day);
    await conversations.processDue();
    const counted = (await connected.runs()).map(({ turns }) => turns);
    await connected.api.store.conversations.forget(90 * day);
    for (const old of [slow, late]) assert.equal((await connected.send(old)).json.accepted, false);
    const { headers } = host.commentEvent({ login: "ada", body: "@errand go" });
    const stripped = JSON.parse(kept.body.replace(/"created_at":"[^"]+"/, '"created_at":null'));
    const name = headers["x-github-event"] ?? headers["x-gitlab-event"] ?? headers["x-forgejo-event"] ?? "";
    assert.equal((await connected.send(host.signed(name, stripped))).json.accepted, false);
    await conversations.processDue();
    assert.deepEqual(
      (await connected.runs()).map(({ turns }) => turns),
      counted,
    );
  });
}
