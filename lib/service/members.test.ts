import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Role } from "#lib/contract/people/organization.ts";
import { isAtLeast } from "#lib/contract/people/role-scopes.ts";
import { ApiUnderTest, memberPassword } from "#lib/web/api-under-test.ts";
import { browserOf, inviteTo, signInAs } from "#lib/web/people.fixture.ts";

let api: ApiUnderTest;
before(async () => {
  api = await ApiUnderTest.open();
});
after(() => api.close());

const O = "/v1/organizations/1";
const setRole = (userId: number, role: string, asked: object) =>
  api.ask("PATCH", `${O}/users/${userId}`, { ...asked, body: { role } });

test("nobody changes a person above them, or gives more rights than they have", async () => {
  const askers = [
    { role: "owner" as Role, asked: { token: await api.token("owner") } },
    { role: "admin" as Role, asked: { token: await api.token("admin") } },
    { role: "admin" as Role, asked: { headers: (await api.member("admin")).headers } },
  ];
  for (const { role, asked } of askers) {
    for (const before of Role.options) {
      for (const after of Role.options) {
        const { userId } = await api.member(before);
        const allowed = isAtLeast(role, before) && isAtLeast(role, after);
        const { status, text } = await setRole(userId, after, asked);
        assert.equal(status, allowed ? 200 : 403, `${role} makes ${before} ${after}: ${text}`);
      }
      const { userId } = await api.member(before);
      const removed = await api.ask("DELETE", `${O}/users/${userId}`, asked);
      assert.equal(removed.status, isAtLeast(role, before) ? 200 : 403, `${role} removes ${before}`);
    }
  }
});

test("the last owner can neither be removed nor demoted, not even by two concurrent requests", async () => {
  const token = await api.token();
  const { items } = (await api.asked("GET", `${O}/users`, { token })).json as { items: { id: number; role: string }[] };
  for (const { id, role } of items) if (role === "owner" && id !== 1) await api.changeRole(id, "admin");
  const other = await api.member("owner");
  const [one, two] = await Promise.all([
    setRole(1, "admin", { headers: other.headers }),
    setRole(other.userId, "admin", { token }),
  ]);
  const statuses = [one.status, two.status];
  assert.equal(statuses.filter((status) => status === 200).length, 1, `${one.text} ${two.text}`);
  assert.ok(statuses.some((status) => status === 403 || status === 409));
  if (one.status === 200) await setRole(1, "owner", { headers: other.headers });
  await setRole(other.userId, "admin", { token });
  for (const answered of [await setRole(1, "viewer", { token }), await api.ask("DELETE", `${O}/users/1`, { token })]) {
    assert.equal(answered.status, 409, answered.text);
    assert.match(String(answered.json.detail), /needs an owner/);
  }
  assert.equal((await setRole(1, "owner", { token })).status, 200);
});

test("a removed person has no session, token, invitation or reset link left and cannot sign in; their runs stay and show their name", async () => {
  const leaving = await api.member("admin");
  const helped = await api.member("member");
  const made = await api.asked("POST", `${O}/tokens`, { ...leaving, body: { name: "theirs", role: "admin" } });
  const token = String(made.json.token);
  const run = await api.asked("POST", `${O}/agent/run`, { token, body: { prompt: "Go on" } });
  const invitation = await inviteTo(api, {}, { headers: leaving.headers });
  const reset = await api.asked("POST", `${O}/users/${helped.userId}/reset`, { headers: leaving.headers });
  const owner = await api.token();
  assert.equal((await api.ask("DELETE", `${O}/users/${leaving.userId}`, { token: owner })).status, 200);

  for (const asked of [{ token }, { headers: leaving.headers }]) {
    assert.equal((await api.ask("GET", "/v1/users/me", asked)).status, 401);
  }
  assert.equal((await api.ask("GET", `/v1/invitations/${invitation.code}`)).status, 404);
  assert.equal((await api.ask("GET", `/v1/resets/${reset.json.code}`)).status, 404);
  const signedIn = await signInAs(api, leaving.email, memberPassword);
  assert.deepEqual([signedIn.status, signedIn.headers.get("set-cookie")], [403, null]);
  assert.match(String(signedIn.json.detail), /no longer belongs to any organization/);
  assert.equal((await signInAs(api, leaving.email, "wrong password")).status, 400);
  const kept = await api.asked("GET", `${O}/agent/run/${run.json.id}`, { token: owner });
  assert.deepEqual([kept.json.status, kept.json.user_name], ["cancelled", "A admin"]);
  assert.equal((await api.ask("DELETE", `${O}/users/${leaving.userId}`, { token: owner })).status, 404);
});

test("removing a person removes the links they shared, and holds their queued messages until somebody sends them", async () => {
  const leaving = await api.member("member");
  const owner = await api.token();
  const run = async (asked: object) => Number((await api.asked("POST", `${O}/agent/run`, asked)).json.id);
  const theirs = await run({ headers: leaving.headers, body: { prompt: "Go on" } });
  const shared = await api.asked("POST", `${O}/agent/run/${theirs}/shares`, {
    headers: leaving.headers,
    body: { days: null },
  });
  const page = () => api.ask("GET", `/v1/shares/${shared.json.token}/logs`);
  assert.equal((await page()).status, 200);
  const mine = await run({ token: owner, body: { prompt: "Mine" } });
  const resume = (asked: object, prompt: string) =>
    api.asked("POST", `${O}/agent/run/resume`, { ...asked, body: { agent_run_id: mine, prompt } });
  const admin = await api.member("admin");
  await resume({ headers: admin.headers }, "And this");
  await api.asked("DELETE", `${O}/users/${admin.userId}`, { token: owner });
  await api.asked("DELETE", `${O}/users/${leaving.userId}`, { token: owner });

  assert.equal((await page()).status, 404);
  const states = async (runId: number) =>
    ((await api.asked("GET", `${O}/agent/run/${runId}/queue`, { token: owner })).json.items as { state: string }[]).map(
      ({ state }) => state,
    );
  const status = async (runId: number) =>
    (await api.asked("GET", `${O}/agent/run/${runId}`, { token: owner })).json.status;
  assert.deepEqual([await status(theirs), await states(theirs)], ["cancelled", ["held"]]);
  assert.deepEqual([await status(mine), await states(mine)], ["queued", ["waiting", "held"]]);
  const { items } = (await api.asked("GET", `${O}/audit?act=member.removed&limit=1`, { token: owner })).json as {
    items: { details: object }[];
  };
  const ended = { role: "member", share_links_withdrawn: 1, messages_held: 1, runs_cancelled: 1 };
  assert.deepEqual(items[0]?.details, ended);
  await api.asked("POST", `${O}/agent/run/${theirs}/queue/send`, { token: owner });
  assert.deepEqual([await status(theirs), await states(theirs)], ["queued", ["waiting"]]);
});

test("a person removed from one of two organizations stays signed in for the other", async () => {
  const ada = await api.member("member");
  const other = await api.token("owner", { access: api.other });
  const { json } = await api.asked("POST", "/v1/organizations/2/invitations", { token: other, body: {} });
  await api.asked("POST", `/v1/invitations/${json.code}/accept`, { headers: ada.headers, body: {} });
  await api.changeRole(ada.userId, null);
  assert.equal((await api.ask("GET", "/v1/organizations/2/users", { headers: ada.headers })).status, 200);
  assert.equal((await api.ask("GET", `${O}/users`, { headers: ada.headers })).status, 403);
  assert.equal((await signInAs(api, ada.email, memberPassword)).status, 200);
});

test("a reset link sets one password once and ends all sessions, and a newer link ends the older", async () => {
  const ada = await api.member("member");
  const token = await api.token("admin");
  const make = async () => String((await api.asked("POST", `${O}/users/${ada.userId}/reset`, { token })).json.code);
  const [older, code] = [await make(), await make()];
  assert.equal((await api.ask("GET", `/v1/resets/${older}`)).status, 404);
  const use = (password: string) => api.ask("POST", `/v1/resets/${code}`, { body: { password } });
  assert.equal((await use("short")).status, 400);
  const uses = await Promise.all([use("first new password"), use("second new password")]);
  assert.deepEqual(uses.map(({ status }) => status).toSorted(), [200, 404]);
  const [won] = uses.filter(({ status }) => status === 200);
  assert.ok(won !== undefined);
  const chosen = uses[0]?.status === 200 ? "first new password" : "second new password";
  assert.equal((await api.ask("GET", "/v1/users/me", browserOf(won))).json.id, ada.userId);
  assert.equal((await api.ask("GET", "/v1/users/me", { headers: ada.headers })).status, 401);
  assert.equal((await signInAs(api, ada.email, memberPassword)).status, 400);
  assert.equal((await signInAs(api, ada.email, chosen)).status, 200);
});

test("only a person who may open the whole account creates a reset link for it", async () => {
  const [owner, admin] = [await api.member("owner"), await api.member("admin")];
  const reset = (userId: number, asked: object) => api.ask("POST", `${O}/users/${userId}/reset`, asked);
  assert.equal((await reset(owner.userId, { headers: admin.headers })).status, 403);
  assert.equal((await reset(owner.userId, { token: await api.token("admin") })).status, 403);
  assert.equal((await reset(admin.userId, { headers: admin.headers })).status, 200);
  assert.equal((await reset(owner.userId, { token: await api.token() })).status, 200);
  // An owner of another organization is beyond the admins of this one.
  const other = await api.token("owner", { access: api.other });
  const { json } = await api.asked("POST", "/v1/organizations/2/invitations", {
    token: other,
    body: { role: "viewer" },
  });
  const both = await api.member("member");
  await api.asked("POST", `/v1/invitations/${json.code}/accept`, { headers: both.headers, body: {} });
  for (const asked of [{ headers: admin.headers }, { headers: owner.headers }, { token: await api.token() }]) {
    const refused = await reset(both.userId, asked);
    assert.equal(refused.status, 403);
    assert.match(String(refused.json.detail), /another organization/);
  }
});

test("a reset link ends with its creator's right to create it", async () => {
  const link = async (makerHeaders: Record<string, string>, userId: number) =>
    String((await api.asked("POST", `${O}/users/${userId}/reset`, { headers: makerHeaders })).json.code);
  const statuses = async (code: string) => [
    (await api.ask("GET", `/v1/resets/${code}`)).status,
    (await api.ask("POST", `/v1/resets/${code}`, { body: { password: "a taken account" } })).status,
  ];
  const raised = await api.member("member");
  const above = await link((await api.member("admin")).headers, raised.userId);
  await api.changeRole(raised.userId, "owner");
  assert.deepEqual(await statuses(above), [404, 404], "the person is above the maker now");

  const [maker, person] = [await api.member("admin"), await api.member("member")];
  const demoted = await link(maker.headers, person.userId);
  await api.changeRole(maker.userId, "viewer");
  assert.deepEqual(await statuses(demoted), [404, 404], "the maker is no admin any more");
  await api.changeRole(maker.userId, "admin");
  assert.equal((await api.ask("GET", `/v1/resets/${demoted}`)).status, 200);

  const both = await api.member("member");
  const elsewhere = await link(maker.headers, both.userId);
  const foreign = await api.token("owner", { access: api.other });
  const invited = await api.asked("POST", "/v1/organizations/2/invitations", {
    token: foreign,
    body: { role: "viewer" },
  });
  await api.asked("POST", `/v1/invitations/${invited.json.code}/accept`, { headers: both.headers, body: {} });
  assert.deepEqual(await statuses(elsewhere), [404, 404], "the person joined an organization that is not the maker's");
  for (const { email } of [raised, person, both]) {
    assert.equal((await signInAs(api, email, memberPassword)).status, 200, "the password is the old one");
  }
});

test("no admin of an organization resets the password of the installation's owner", async () => {
  const token = await api.token();
  const other = await api.member("owner");
  assert.equal((await setRole(1, "member", { headers: other.headers })).status, 200);
  try {
    const refused = await api.ask("POST", `${O}/users/1/reset`, { headers: other.headers });
    assert.equal(refused.status, 403, refused.text);
    assert.match(String(refused.json.detail), /own this installation/);
  } finally {
    assert.equal((await setRole(1, "owner", { headers: other.headers })).status, 200);
  }
  assert.equal((await api.ask("POST", `${O}/users/1/reset`, { token })).status, 200, "they themselves may");
});

test("roles are reported in the vocabulary that a token asked for", async () => {
  const token = await api.token("owner", { style: "reference" });
  const { items } = (await api.asked("GET", `${O}/users`, { token })).json as { items: { id: number; role: string }[] };
  assert.ok(items.every(({ role }) => ["ADMIN", "MEMBER"].includes(role)));
  for (const [role, word] of [
    ["owner", "ADMIN"],
    ["admin", "ADMIN"],
    ["member", "MEMBER"],
    ["viewer", "MEMBER"],
  ] as const) {
    const { userId } = await api.member(role);
    const { json } = await api.asked("GET", `${O}/users/${userId}`, { token });
    assert.deepEqual([json.role, json.is_admin], [word, word === "ADMIN"]);
  }
  assert.equal((await api.asked("GET", "/v1/users/me", { token })).json.role, "ADMIN");
  assert.equal((await api.asked("GET", "/v1/users/me", { token: await api.token() })).json.role, "owner");
});
