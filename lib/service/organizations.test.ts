import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { mintSession } from "#lib/auth/session-cookie.ts";
import { type Answered, ApiUnderTest, type Asked, someEntries } from "#lib/web/api-under-test.ts";

let api: ApiUnderTest;
before(async () => {
  api = await ApiUnderTest.open({ queueMax: 2 });
});
after(() => api.close());

/** A browser session of the owner of the instance. */
async function ownersBrowser(): Promise<{ headers: Record<string, string> }> {
  const { secret, hash } = mintSession();
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  await api.store.sessions.create({ hash, userId: api.home.userId, expiresAt });
  return { headers: { cookie: `errand_session=${secret}`, "sec-fetch-site": "same-origin" } };
}

/** A new organization, created through the API. */
async function made(name = "Second", asked?: Asked): Promise<{ organizationId: number; userId: number }> {
  const answered = await api.ask("POST", "/v1/organizations", {
    ...(asked ?? { token: await api.token() }),
    body: { name },
  });
  assert.equal(answered.status, 200, answered.text);
  return { organizationId: Number(answered.json.id), userId: api.home.userId };
}

const shownIn = (answered: Answered) => (answered.json.organization as { id: number } | null)?.id ?? null;
const idsOf = (answered: Answered) => (answered.json.items as { id: number }[]).map(({ id }) => id);

test("the owner of the instance creates organizations, nobody else does", async () => {
  const browser = await ownersBrowser();
  const { organizationId } = await made("By session", browser);
  const listed = await api.ask("GET", "/v1/organizations", browser);
  assert.ok(idsOf(listed).includes(organizationId));
  const audit = await api.store.audit.list({ organizationId, userId: 1 }, {}, { skip: 0, limit: 5 });
  assert.deepEqual(
    audit.items.map(({ act, objectName }) => [act, objectName]),
    [["organization.created", "By session"]],
  );
  const refused: [Asked, RegExp][] = [
    [{ headers: (await api.member("owner")).headers }, /^Only the owner of this installation/],
    [{ token: await api.token("owner", { access: api.other }) }, /^Only the owner of this installation/],
    [{ token: await api.token("admin") }, /^Only a token with the role owner/],
    [{ token: await api.token("owner", { scopes: ["runs:write"] }) }, /^Only a token with the role owner/],
  ];
  for (const [asked, words] of refused) {
    const { status, json } = await api.ask("POST", "/v1/organizations", { ...asked, body: { name: "No" } });
    assert.equal(status, 403);
    assert.match(String(json.detail), words);
  }
});

test("a session shows the organization that it chose last, and another session of the person its own", async () => {
  const [one, other] = [await ownersBrowser(), await ownersBrowser()];
  const { organizationId } = await made();
  assert.equal(shownIn(await api.ask("GET", "/v1/session", one)), 1);
  const chosen = await api.ask("PATCH", "/v1/session", { ...one, body: { organization_id: organizationId } });
  assert.deepEqual([chosen.status, shownIn(chosen)], [200, organizationId]);
  assert.equal(shownIn(await api.ask("GET", "/v1/session", one)), organizationId);
  assert.equal(shownIn(await api.ask("GET", "/v1/session", other)), 1);
});

test("an organization that is foreign, missing or not the token's cannot be chosen", async () => {
  const browser = await ownersBrowser();
  for (const organization_id of [api.other.organizationId, 999_999]) {
    const refused = await api.ask("PATCH", "/v1/session", { ...browser, body: { organization_id } });
    assert.deepEqual([refused.status, refused.json.detail], [403, "You do not have access to this organization."]);
  }
  const { organizationId } = await made();
  const token = await api.token();
  const byToken = { token, body: { organization_id: organizationId } };
  assert.equal((await api.ask("PATCH", "/v1/session", byToken)).status, 403);
  assert.equal(shownIn(await api.ask("GET", "/v1/session", { token })), 1);
  assert.equal((await api.ask("GET", `/v1/organizations/${organizationId}/repos`, { token })).status, 403);
});

test("a person who joins an organization sees it, with their role there, and their first one again after leaving", async () => {
  const { organizationId } = await made();
  const owner = await ownersBrowser();
  const { userId, headers } = await api.member("viewer");
  const seen = async () => {
    const answered = await api.asked("GET", "/v1/session", { headers });
    return [shownIn(answered), (answered.json.user as { role: unknown }).role];
  };
  assert.deepEqual(await seen(), [1, "viewer"]);
  const body = { role: "admin" };
  const { json } = await api.asked("POST", `/v1/organizations/${organizationId}/invitations`, { ...owner, body });
  await api.asked("POST", `/v1/invitations/${json.code}/accept`, { headers, body: {} });
  assert.deepEqual(await seen(), [organizationId, "admin"]);
  assert.equal((await api.asked("GET", "/v1/users/me", { headers })).json.role, "admin");
  await api.asked("DELETE", `/v1/organizations/${organizationId}/users/${userId}`, owner);
  assert.deepEqual(await seen(), [1, "viewer"]);
  const back = await api.ask("PATCH", "/v1/session", { headers, body: { organization_id: organizationId } });
  assert.equal(back.status, 403);
});

test("a run is found in any organization of the caller's, and in no other", async () => {
  const access = await made();
  const [own, foreign] = [await api.run({ access }), await api.run({ access: api.other })];
  const browser = await ownersBrowser();
  const find = (id: number, asked: Asked) => api.ask("GET", `/v1/agent/run/${id}/organization`, asked);
  assert.equal((await find(own.id, browser)).json.id, access.organizationId);
  const hidden = await find(foreign.id, browser);
  const missing = await find(999_999, browser);
  assert.deepEqual([hidden.status, missing.status], [404, 404]);
  assert.equal(hidden.json.detail, missing.json.detail);
  // A token belongs to one organization, whoever created it.
  assert.equal((await find(own.id, { token: await api.token() })).status, 404);
  for (const run of [own, foreign]) await api.store.runs.cancel(run === own ? access : api.other, run.id);
});

test("two organizations of one person share nothing: lists, search, find, keys, queue", async () => {
  const second = await made();
  const browser = await ownersBrowser();
  const [A, B] = ["/v1/organizations/1", `/v1/organizations/${second.organizationId}`];
  const run = await api.run({ access: second, prompt: "A needle" });
  const claimed = await api.store.queue.claim("engine", 60_000);
  assert.equal(claimed?.run.id, run.id);
  await api.store.queue.append(
    claimed.lease,
    someEntries(2, () => "the needle is here"),
  );
  assert.deepEqual(idsOf(await api.ask("GET", `${A}/agent/runs?q=needle`, browser)), []);
  assert.deepEqual(idsOf(await api.ask("GET", `${B}/agent/runs?q=needle`, browser)), [run.id]);
  const found = async (O: string) => (await api.ask("GET", `${O}/search?q=needle`, browser)).json.total;
  assert.deepEqual([await found(A), await found(B)], [0, 1]);
  for (const path of ["", "/logs", "/logs/search?q=needle", "/logs/outline", "/diff", "/shares", "/analysis"]) {
    assert.equal((await api.ask("GET", `${A}/agent/run/${run.id}${path}`, browser)).status, 404, path);
    assert.equal((await api.ask("GET", `${B}/agent/run/${run.id}${path}`, browser)).status, 200, path);
  }
  const source = { source: "/srv/of-second" };
  const { json: repository } = await api.ask("POST", `${B}/repos`, { ...browser, body: source });
  assert.equal((await api.ask("GET", `${A}/repos/${repository.id}`, browser)).status, 404);
  assert.deepEqual(idsOf(await api.ask("GET", `${A}/repos?q=of-second`, browser)), []);

  // The same key in both is two requests, and one's full queue does not affect the other.
  const headers = { ...browser.headers, "idempotency-key": "same" };
  const create = (O: string, more: Record<string, string> = {}) =>
    api.ask("POST", `${O}/agent/run`, { headers: { ...headers, ...more }, body: { prompt: "x" } });
  const [first, other] = [await create(A), await create(B)];
  assert.notEqual(first.json.id, other.json.id);
  assert.equal(other.headers.get("idempotency-replayed"), "false");
  assert.equal((await create(B, { "idempotency-key": "b" })).status, 200);
  assert.equal((await create(B, { "idempotency-key": "c" })).status, 429);
  assert.equal((await create(A, { "idempotency-key": "d" })).status, 200);
});
