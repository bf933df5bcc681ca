import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { mintSession } from "#lib/auth/session-cookie.ts";
import type { Role } from "#lib/contract/people/organization.ts";
import { type Answered, ApiUnderTest } from "./api-under-test.ts";

let api: ApiUnderTest;
before(async () => {
  api = await ApiUnderTest.open();
});
after(() => api.close());

const O = "/v1/organizations/1";
const idsOf = (answered: Answered) => (answered.json.items as { id: number }[]).map((item) => item.id);

test("another organization's object that a body names looks like a missing one; paths are in access-matrix.test.ts", async () => {
  const run = await api.run({ access: api.other });
  const { repository } = await api.store.repositories.add(api.other, {
    name: "secret",
    fullName: "other/secret",
    description: null,
    source: "/srv/secret",
    defaultBranch: null,
  });
  const token = await api.token();
  for (const [path, name, id, more] of [
    ["/agent/run/resume", "agent_run_id", run.id, { prompt: "more" }],
    ["/agent/run", "repo_id", repository.id, { prompt: "a" }],
    ["/agent/runs/cancel", "repo_id", repository.id, {}],
    ["/setup-commands/generate", "repo_id", repository.id, {}],
  ] as const) {
    const [foreign, missing] = await Promise.all(
      [id, 987_654].map((named) => api.ask("POST", O + path, { token, body: { ...more, [name]: named } })),
    );
    assert.deepEqual([foreign?.status, missing?.status], [404, 404], path);
    assert.equal(foreign?.json.detail, missing?.json.detail);
  }
  assert.equal((await api.store.runs.find(api.other, run.id))?.status, "queued");
  for (const list of ["/agent/runs", "/repos"]) {
    assert.deepEqual(idsOf(await api.ask("GET", O + list, { token })), []);
  }
});

test("a token never gives more than its creator has: role, scopes, lifetime", async () => {
  const create = async (token: string, body: object) =>
    (await api.ask("POST", `${O}/tokens`, { token, body: { name: "new", ...body } })).status;
  const made: [Role, Role, number][] = [
    ["viewer", "viewer", 403],
    ["member", "viewer", 403],
    ["admin", "viewer", 200],
    ["admin", "admin", 200],
    ["admin", "owner", 403],
    ["owner", "owner", 200],
  ];
  for (const [by, role, status] of made) {
    assert.equal(await create(await api.token(by), { role }), status, `${by} makes ${role}`);
  }
  const narrow = await api.token("owner", { scopes: ["org:admin", "org:read", "runs:read"] });
  assert.equal(await create(narrow, { role: "member", scopes: ["runs:write"] }), 403);
  const got = await api.ask("POST", `${O}/tokens`, { token: narrow, body: { name: "x", role: "member" } });
  assert.deepEqual((got.json.scopes as string[]).toSorted(), ["org:read", "runs:read"]);
  const adminAlone = await api.token("owner", { scopes: ["org:admin"] });
  for (const role of ["viewer", "member"]) assert.equal(await create(adminAlone, { role }), 403, `nothing for ${role}`);
  const asAdmin = await api.ask("POST", `${O}/tokens`, { token: adminAlone, body: { name: "x", role: "admin" } });
  assert.deepEqual([asAdmin.status, asAdmin.json.scopes], [200, ["org:admin"]]);
  const withoutAdmin = await api.token("owner", { scopes: ["org:read", "runs:read"] });
  assert.equal(await create(withoutAdmin, { role: "viewer" }), 403);
  const short = await api.token("owner", { ends: new Date(Date.now() + 3 * 86_400_000).toISOString() });
  assert.equal(await create(short, {}), 403);
  assert.equal(await create(short, { days: 4 }), 403);
  assert.equal(await create(short, { days: 2 }), 200);
});

test("without org:admin a token lists and revokes only itself, and creates none", async () => {
  const ownerToken = await api.ask("POST", `${O}/tokens`, { token: await api.token(), body: { name: "the owner's" } });
  const viewers = [
    await api.token("viewer"),
    await api.token("member"),
    await api.token("owner", { scopes: ["runs:read"] }),
    await api.token("admin", { scopes: ["org:read", "runs:read", "runs:write"] }),
  ];
  for (const token of viewers) {
    const listed = await api.ask("GET", `${O}/tokens`, { token });
    assert.equal(listed.status, 200, listed.text);
    assert.equal(listed.json.total, 1);
    const [itself] = listed.json.items as { id: number; hint: string }[];
    assert.equal(itself?.hint, token.slice(-4));
    assert.deepEqual(idsOf(await api.ask("GET", `${O}/tokens?skip=1`, { token })), []);

    const minted = await api.ask("POST", `${O}/tokens`, { token, body: { name: "more", role: "viewer" } });
    assert.equal(minted.status, 403);
    assert.match(String(minted.json.detail), /org:admin/);
    const others = await api.ask("DELETE", `${O}/tokens/${ownerToken.json.id}`, { token });
    assert.equal(others.status, 404);
    assert.equal((await api.ask("GET", "/v1/users/me", { token: String(ownerToken.json.token) })).status, 200);

    assert.equal((await api.ask("DELETE", `${O}/tokens/${itself?.id}`, { token })).status, 200);
    assert.equal((await api.ask("GET", "/v1/users/me", { token })).status, 401);
  }
});

test("with org:admin a token manages everybody's; by session people manage their own, admins everybody's", async () => {
  const viewer = await api.member("viewer");
  const admin = await api.member("admin");
  const body = { name: "mine", role: "viewer" };
  const made = await api.ask("POST", `${O}/tokens`, { headers: viewer.headers, body });
  assert.equal(made.status, 200, made.text);
  assert.equal(made.json.user_id, viewer.userId);
  assert.deepEqual(idsOf(await api.ask("GET", `${O}/tokens`, { headers: viewer.headers })), [made.json.id]);
  const stronger = await api.ask("POST", `${O}/tokens`, { headers: viewer.headers, body: { ...body, role: "member" } });
  assert.equal(stronger.status, 403);

  const ofAdmin = await api.ask("POST", `${O}/tokens`, { headers: admin.headers, body: { name: "a", role: "admin" } });
  assert.equal(ofAdmin.status, 200);
  const byViewer = await api.ask("DELETE", `${O}/tokens/${ofAdmin.json.id}`, { headers: viewer.headers });
  assert.equal(byViewer.status, 404);
  for (const as of [{ headers: admin.headers }, { token: String(ofAdmin.json.token) }]) {
    const all = idsOf(await api.ask("GET", `${O}/tokens`, as));
    assert.ok(all.includes(Number(made.json.id)) && all.includes(Number(ofAdmin.json.id)));
  }
  const token = String(ofAdmin.json.token);
  assert.equal((await api.ask("DELETE", `${O}/tokens/${made.json.id}`, { token })).status, 200);
  assert.equal((await api.ask("GET", "/v1/users/me", { token: String(made.json.token) })).status, 401);
});

test("a revoked token is refused at once, an expired one too; the scheme's case does not matter", async () => {
  const admin = await api.token("admin");
  const { json } = await api.ask("POST", `${O}/tokens`, { token: admin, body: { name: "old" } });
  const token = String(json.token);
  assert.equal((await api.ask("GET", "/v1/users/me", { headers: { authorization: `bEaReR  ${token}` } })).status, 200);
  assert.equal((await api.ask("DELETE", `${O}/tokens/${json.id}`, { token: admin })).status, 200);
  assert.equal((await api.ask("GET", "/v1/users/me", { token })).status, 401);
  assert.equal((await api.ask("DELETE", `${O}/tokens/${json.id}`, { token: admin })).status, 404);
  const expired = await api.token("owner", { ends: new Date(Date.now() - 1000).toISOString() });
  assert.equal((await api.ask("GET", "/v1/users/me", { token: expired })).status, 401);
});

test("a secret is shown once: lists contain its hint and when it was last used", async () => {
  const token = await api.token("admin");
  const { json } = await api.ask("POST", `${O}/tokens`, { token, body: { name: "hinted", role: "viewer" } });
  await api.ask("GET", "/v1/users/me", { token: String(json.token) });
  const listed = await api.ask("GET", `${O}/tokens?limit=1`, { token });
  assert.ok(!listed.text.includes("errand_"));
  const [first] = listed.json.items as { hint: string; last_used_at: string | null }[];
  assert.equal(first?.hint, String(json.token).slice(-4));
  assert.match(String(first?.last_used_at), /^\d{4}-.*Z$/);
});

test("a browser signs in with a code that works once, and signs out", async () => {
  const { mintSignInCode } = await import("#lib/auth/sign-in-code.ts");
  const { code, hash } = mintSignInCode();
  await api.store.sessions.createLink({ hash, userId: 1, expiresAt: new Date(Date.now() + 60_000).toISOString() });
  const signedIn = await api.ask("POST", "/v1/session", { body: { code } });
  assert.equal(signedIn.status, 200);
  assert.equal((await api.ask("POST", "/v1/session", { body: { code } })).status, 400);
  const cookie = String(signedIn.headers.get("set-cookie")).split(";")[0] ?? "";
  const headers = { cookie, "sec-fetch-site": "same-origin" };
  assert.equal((await api.ask("GET", "/v1/users/me", { headers: { cookie } })).json.id, 1);

  const body = { prompt: "From the dashboard" };
  const created = await api.ask("POST", `${O}/agent/run`, { headers, body });
  assert.equal(created.json.source_type, "CHAT");
  const foreign: Record<string, string>[] = [
    {},
    { "sec-fetch-site": "cross-site" },
    { origin: "http://evil.example", host: "errand.test" },
  ];
  for (const site of foreign) {
    const refused = await api.ask("POST", `${O}/agent/run`, { headers: { cookie, ...site }, body });
    assert.equal(refused.status, 403, JSON.stringify(site));
  }
  assert.equal((await api.ask("GET", "/v1/organizations/2/users", { headers })).status, 403);

  assert.equal(
    (await api.ask("DELETE", "/v1/session", { headers: { cookie, "sec-fetch-site": "cross-site" } })).status,
    403,
  );
  assert.equal((await api.ask("DELETE", "/v1/session", { headers })).status, 200);
  assert.equal((await api.ask("GET", "/v1/users/me", { headers })).status, 401);
});

test("a session that was never created, or has ended, is refused", async () => {
  const { secret, hash } = mintSession();
  const ask = () => api.ask("GET", "/v1/users/me", { headers: { cookie: `errand_session=${secret}` } });
  assert.equal((await ask()).status, 401);
  await api.store.sessions.create({ hash, userId: 1, expiresAt: new Date(Date.now() - 1000).toISOString() });
  assert.equal((await ask()).status, 401);
});

test("an internal failure gives the caller an id, and the log its cause", async () => {
  const token = await api.token();
  const { now } = api.runtime;
  api.runtime.now = () => {
    throw new Error("the clock is broken");
  };
  const failed = await api.ask("POST", `${O}/tokens`, { token, body: { name: "x", days: 1 } });
  api.runtime.now = now;
  assert.equal(failed.status, 500);
  assert.equal(failed.json.code, "internal");
  assert.ok(!failed.text.includes("clock"));
  const [line] = api.logged as { err: Error; requestId: string }[];
  assert.equal(line?.err.message, "the clock is broken");
  assert.equal(line?.requestId, failed.headers.get("x-request-id"));
});
