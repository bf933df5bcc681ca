import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { openidProvider } from "#lib/oidc/openid-provider.ts";
import { type Account, ProviderUnderTest } from "#lib/oidc/provider-under-test.fixture.ts";
import type { OidcSettings } from "#lib/oidc/settings.ts";
import { type Answered, ApiUnderTest } from "#lib/web/api-under-test.ts";
import { inviteTo } from "#lib/web/people.fixture.ts";

const redirectUri = "http://errand.test/login/oidc";
let api: ApiUnderTest;
let provider: ProviderUnderTest;
before(async () => {
  provider = await ProviderUnderTest.start(redirectUri);
});
after(() => provider.stop());
beforeEach(async (t) => {
  api = await ApiUnderTest.open();
  const opened = api;
  if ("after" in t) t.after(() => opened.close());
  trust({});
});

/** Lets the API sign people in by the real provider. */
function trust(changes: Partial<OidcSettings>): void {
  const settings = provider.settings({ defaultRole: "member", ...changes });
  api.runtime.oidc = { provider: openidProvider(settings), rules: settings };
}

async function begin(): Promise<{ url: string; browser_secret: string }> {
  const { json } = await api.asked("POST", "/v1/session/oidc/start");
  return { url: String(json.url), browser_secret: String(json.browser_secret) };
}

const finish = (query: string, browser_secret: string, invitation_code: string | null = null) =>
  api.ask("POST", "/v1/session/oidc", { body: { query, browser_secret, invitation_code } });

/** Signs somebody in, as their browser would; with a code, from the page of that invitation. */
async function signIn(account: Account, invitationCode: string | null = null): Promise<Answered> {
  provider.account = account;
  const { url, browser_secret } = await begin();
  return await finish(await provider.visit(url), browser_secret, invitationCode);
}

/** What a session shows of its person. */
async function seen(signedIn: Answered) {
  assert.equal(signedIn.status, 200, signedIn.text);
  const cookie = String(signedIn.headers.get("set-cookie")).split(";")[0] ?? "";
  return { cookie, answered: await api.ask("GET", "/v1/session", { headers: { cookie } }) };
}

const personOf = (answered: Answered) =>
  answered.json.user as { id: number; role: string; email: string; full_name: string };
const acts = async () => (await api.store.audit.list(api.home, {}, { skip: 0, limit: 20 })).items.map(({ act }) => act);

test("a new person comes in with the default role, and is the same person the next time", async () => {
  const ada: Account = { sub: "ada", name: "Ada L", email: "Ada@Example.com", email_verified: true };
  const { answered } = await seen(await signIn(ada));
  const person = personOf(answered);
  assert.deepEqual([person.role, person.email, person.full_name], ["member", "ada@example.com", "Ada L"]);
  assert.deepEqual(await acts(), ["session.signed_in", "member.added"]);
  const again = await seen(await signIn({ ...ada, email: "changed@example.com" }));
  assert.equal(personOf(again.answered).id, person.id);
});

test("a state works once, in the browser that began, and in time", async () => {
  provider.account = { sub: "ada" };
  const { url, browser_secret } = await begin();
  const query = await provider.visit(url);
  const other = await begin();
  assert.match(String((await finish(query, other.browser_secret)).json.detail), /was not begun in this browser/);
  assert.equal((await finish(query, browser_secret)).status, 200);
  assert.equal((await finish(query, browser_secret)).status, 400);
  // The state of one sign-in with the code of another.
  const forged = new URLSearchParams(query);
  forged.set("state", new URL(other.url).searchParams.get("state") ?? "");
  assert.equal((await finish(forged.toString(), other.browser_secret)).status, 400);
});

test("a code whose token has another nonce, another verifier or another issuer is refused", async () => {
  const real = openidProvider(provider.settings());
  const proof = { state: "s".repeat(32), nonce: "n".repeat(32), verifier: "v".repeat(43) };
  const codeFor = async () => await provider.visit(await real.begin(redirectUri, proof));
  await assert.rejects(real.finish(redirectUri, await codeFor(), { ...proof, nonce: "m".repeat(32) }), {
    reason: "unverified",
  });
  await assert.rejects(real.finish(redirectUri, await codeFor(), { ...proof, verifier: "w".repeat(43) }), {
    reason: "refused",
  });
  const foreign = new URLSearchParams(await codeFor());
  foreign.set("iss", "http://evil.example");
  await assert.rejects(real.finish(redirectUri, foreign.toString(), proof), { reason: "unverified" });
  assert.equal((await real.finish(redirectUri, await codeFor(), proof)).subject, provider.account.sub);
});

test("an account is linked by its verified address once, and its password and sessions end", async () => {
  const { userId, email, headers } = await api.member("viewer");
  const unverified = await signIn({ sub: "eve", email, email_verified: false });
  assert.equal(unverified.status, 403);
  assert.match(String(unverified.json.detail), /has not verified that the address is yours/);
  const { answered } = await seen(await signIn({ sub: "v", email: email.toUpperCase(), email_verified: true }));
  // A role given by hand stays, whatever the groups say.
  assert.deepEqual([personOf(answered).id, personOf(answered).role], [userId, "viewer"]);
  assert.equal((await api.ask("GET", "/v1/session", { headers })).status, 401);
  assert.equal(await api.store.accounts.findPassword(userId), null);
  const shown = await api.asked("GET", `/v1/organizations/1/users/${userId}`, { token: await api.token() });
  assert.deepEqual(shown.json.sign_in_ways, ["openid_connect"]);
  const second = await signIn({ sub: "other", email, email_verified: true });
  assert.match(String(second.json.detail), /belongs to another user of your sign-in provider/);
  assert.ok((await acts()).includes("identity.linked"));
});

test("roles follow the groups at each sign-in, and a person who has none any more loses everything at once", async () => {
  const groupRoles = [
    { group: "devs", organizationId: null, role: "member" as const },
    { group: "ops", organizationId: 1, role: "admin" as const },
    { group: "devs", organizationId: 2, role: "viewer" as const },
    { group: "devs", organizationId: 77, role: "owner" as const },
  ];
  trust({ groupRoles, defaultRole: null });
  const first = await seen(await signIn({ sub: "bo", groups: ["devs", "ops"] }));
  const { id } = personOf(first.answered);
  const roles = async () => [
    await api.store.organizations.findRole(1, id),
    await api.store.organizations.findRole(2, id),
  ];
  assert.deepEqual(await roles(), ["admin", "viewer"]);
  await seen(await signIn({ sub: "bo", groups: ["devs"] }));
  assert.deepEqual(await roles(), ["member", "viewer"]);
  const token = await api.token("member", { access: { organizationId: 1, userId: id } });
  const refused = await signIn({ sub: "bo", groups: [] });
  assert.deepEqual([refused.status, await roles()], [403, [null, null]]);
  assert.match(String(refused.json.detail), /^None of your groups gives you access/);
  assert.equal((await api.ask("GET", "/v1/session", { headers: { cookie: first.cookie } })).status, 401);
  assert.equal((await api.ask("GET", "/v1/users/me", { token })).status, 401);
  assert.deepEqual((await acts()).slice(0, 1), ["member.removed"]);
});

test("a stranger without a group is not stored, and an owner is never locked out by groups", async () => {
  trust({ defaultRole: null });
  assert.equal((await signIn({ sub: "stranger", groups: ["x"] })).status, 403);
  assert.equal(await api.store.identities.find(provider.issuer, "stranger"), null);
  trust({ defaultRole: null, groupRoles: [{ group: "own", organizationId: 2, role: "owner" }] });
  await seen(await signIn({ sub: "boss", groups: ["own"] }));
  const id = (await api.store.identities.find(provider.issuer, "boss")) ?? 0;
  const token = await api.token("owner", { access: { organizationId: 2, userId: id } });
  await api.asked("DELETE", "/v1/organizations/2/users/2", { token });
  await seen(await signIn({ sub: "boss", groups: [] }));
  assert.equal(await api.store.organizations.findRole(2, id), "owner");
});

test("a person removed by an admin does not come back by their groups", async () => {
  const { answered } = await seen(await signIn({ sub: "gone" }));
  await api.changeRole(personOf(answered).id, null);
  const refused = await signIn({ sub: "gone" });
  assert.deepEqual([refused.status, /^You were removed/.test(String(refused.json.detail))], [403, true]);
});

test("a person without a group who has an open invitation is signed in, and belongs here once they accept it", async () => {
  const { answered } = await seen(await signIn({ sub: "gone" }));
  const { id } = personOf(answered);
  await api.changeRole(id, null);
  const { code } = await inviteTo(api, { role: "viewer" });
  assert.equal((await signIn({ sub: "gone" }, "nonsense")).status, 403);
  const { cookie } = await seen(await signIn({ sub: "gone" }, code));
  assert.equal(await api.store.organizations.findRole(1, id), null);
  const accept = () => api.ask("POST", `/v1/invitations/${code}/accept`, { headers: { cookie }, body: {} });
  assert.equal((await accept()).status, 200);
  assert.equal((await signIn({ sub: "gone" })).status, 200);
  assert.equal(await api.store.organizations.findRole(1, id), "viewer");
  trust({ defaultRole: null });
  const next = await inviteTo(api, {});
  assert.equal((await signIn({ sub: "new" }, code)).status, 403, "it was used up");
  assert.equal((await signIn({ sub: "new" }, next.code)).status, 200);
});

test("with a list of domains, only their verified addresses come in", async () => {
  trust({ allowedDomains: ["example.com"] });
  const of = async (email: string | undefined, email_verified: boolean) =>
    (await signIn({ sub: `of ${email}`, ...(email === undefined ? {} : { email, email_verified }) })).status;
  assert.equal(await of("a@example.com", false), 403);
  assert.equal(await of("a@evil-example.com", true), 403);
  assert.equal(await of("a@example.com@evil.com", true), 403);
  assert.equal(await of(undefined, false), 403);
  assert.equal(await of("a@EXAMPLE.com", true), 200);
});

test("a provider that is down or refuses is reported in words, and never counts as a defect", async () => {
  const down = await ProviderUnderTest.start(redirectUri);
  const settings = down.settings();
  await down.stop();
  api.runtime.oidc = { provider: openidProvider(settings), rules: settings };
  const unreachable = await api.ask("POST", "/v1/session/oidc/start");
  assert.deepEqual([unreachable.status, unreachable.json.code], [503, "unavailable"]);
  assert.match(String(unreachable.json.detail), /^The sign-in provider does not answer/);
  trust({});
  const { url, browser_secret } = await begin();
  const state = new URL(url).searchParams.get("state") ?? "";
  const denied = await finish(
    `error=access_denied&state=${state}&iss=${encodeURIComponent(provider.issuer)}`,
    browser_secret,
  );
  assert.deepEqual([denied.status, denied.json.detail], [400, "query: The sign-in provider refused: access_denied."]);
  api.runtime.oidc = null;
  assert.deepEqual((await api.ask("GET", "/v1/session/oidc")).json, { enabled: false, name: null });
  assert.equal((await api.ask("POST", "/v1/session/oidc/start")).status, 409);
});
