import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { Role } from "#lib/contract/people/organization.ts";
import { isAtLeast } from "#lib/contract/people/role-scopes.ts";
import { ApiUnderTest, memberPassword } from "#lib/web/api-under-test.ts";
import { browserOf, inviteTo, signInAs } from "#lib/web/people.fixture.ts";

let api: ApiUnderTest;
let nowMs = Date.now();
before(async () => {
  api = await ApiUnderTest.open({ now: () => new Date(nowMs) });
});
after(() => api.close());

const O = "/v1/organizations/1";
let people = 0;
const newcomer = () => {
  people += 1;
  return { full_name: "Grace Hopper", email: `grace${people}@errand.test`, password: "a long password" };
};
const accept = (code: string, body: object, headers: Record<string, string> = {}) =>
  api.ask("POST", `/v1/invitations/${code}/accept`, { body, headers });

test("a new person accepts, is signed in, and can sign in again with the address in any case", async () => {
  const { code } = await inviteTo(api, { role: "viewer" });
  const grace = newcomer();
  const accepted = await accept(code, grace);
  assert.equal(accepted.status, 200, accepted.text);
  const me = await api.ask("GET", "/v1/users/me", browserOf(accepted));
  assert.deepEqual([me.json.full_name, me.json.email, me.json.role], ["Grace Hopper", grace.email, "viewer"]);
  assert.deepEqual(me.json.sign_in_ways, ["password"]);
  const again = await signInAs(api, ` ${grace.email.toUpperCase()} `, grace.password);
  assert.equal(again.status, 200, again.text);
});

test("an address that looks like another's creates no account, nor does a name with hidden characters", async () => {
  const { code } = await inviteTo(api, {});
  const grace = newcomer();
  assert.equal((await accept(code, grace)).status, 200);
  const next = await inviteTo(api, {});
  const [name, domain] = grace.email.split("@");
  const refusedField = async (body: object) => {
    const { status, json } = await accept(next.code, { ...newcomer(), ...body });
    return [status, (json.errors as { loc: string[] }[] | undefined)?.[0]?.loc.at(-1)];
  };
  const wide = String(name).replace(/[a-z]/g, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0));
  const addresses = [`${grace.email}\u200B`, `${name}\u200D@${domain}`, `${grace.email}.`, `a\uFE6B${grace.email}`];
  for (const email of addresses) {
    assert.deepEqual(await refusedField({ email }), [400, "email"], JSON.stringify(email));
  }
  assert.equal((await accept(next.code, { ...newcomer(), email: `${wide}@${domain}` })).status, 409);
  for (const full_name of ["\u202E\u202E", "Grace\u200B", "Gr\u00ADace", "Grace\nHopper", "\u200D", "\u3164"]) {
    assert.deepEqual(await refusedField({ full_name }), [400, "full_name"], JSON.stringify(full_name));
  }
  assert.equal((await signInAs(api, `${wide}@${domain}`, grace.password)).status, 200, "it is the same address");
  const token = await api.token();
  const named = async (name: string) =>
    (await api.ask("POST", `${O}/tokens`, { token, body: { name, role: "viewer" } })).status;
  assert.deepEqual(
    [await named("a\u202Eb"), await named("نمی\u200Cخواهم"), await named("👩\u200D💻 ❤\uFE0F")],
    [400, 200, 200],
  );
  assert.equal((await accept(next.code, newcomer())).status, 200);
});

test("of many who accept concurrently one gets in", async () => {
  const { code } = await inviteTo(api, {});
  const all = await Promise.all(Array.from({ length: 6 }, () => accept(code, newcomer())));
  assert.deepEqual(all.map(({ status }) => status).toSorted(), [200, 404, 404, 404, 404, 404]);
  const refused = all.find(({ status }) => status === 404);
  assert.equal(refused?.json.detail, "This invitation has already been accepted.");
});

test("an invitation that was withdrawn or has expired says so, and makes nobody a member", async () => {
  const withdrawn = await inviteTo(api, {});
  const token = await api.token();
  assert.equal((await api.ask("DELETE", `${O}/invitations/${withdrawn.id}`, { token })).status, 200);
  assert.equal((await api.ask("DELETE", `${O}/invitations/${withdrawn.id}`, { token })).status, 404);
  const ended = new Date(Date.now() - 1000).toISOString();
  nowMs = Date.parse(ended) - 86_400_000;
  const expired = await inviteTo(api, { days: 1 });
  nowMs = Date.now();
  const before = (await api.ask("GET", `${O}/users`, { token })).json.total;
  for (const [code, words] of [
    [withdrawn.code, "This invitation has been withdrawn."],
    [expired.code, "This invitation has expired."],
    ["nonsense", "Invitation not found."],
  ] as const) {
    for (const answered of [await accept(code, newcomer()), await api.ask("GET", `/v1/invitations/${code}`)]) {
      assert.deepEqual([answered.status, answered.json.detail], [404, words]);
    }
  }
  assert.equal((await api.ask("GET", `${O}/users`, { token })).json.total, before);
  const { items } = (await api.ask("GET", `${O}/invitations`, { token })).json as { items: { id: number }[] };
  assert.ok(!items.some(({ id }) => id === withdrawn.id || id === expired.id));
});

test("withdrawing and accepting at once: one of the two wins", async () => {
  const token = await api.token();
  for (let round = 0; round < 5; round += 1) {
    const { id, code } = await inviteTo(api, {});
    const [accepted, withdrawn] = await Promise.all([
      accept(code, newcomer()),
      api.ask("DELETE", `${O}/invitations/${id}`, { token }),
    ]);
    assert.deepEqual([accepted.status, withdrawn.status].toSorted(), [200, 404]);
  }
});

test("nobody invites to a higher role than their own, and a token no further than its own role", async () => {
  const admin = await api.member("admin");
  const askers = [
    { role: "owner" as Role, asked: { token: await api.token("owner") } },
    { role: "admin" as Role, asked: { token: await api.token("admin") } },
    { role: "admin" as Role, asked: { headers: admin.headers } },
  ];
  for (const { role, asked } of askers) {
    for (const invited of Role.options) {
      const { status } = await api.ask("POST", `${O}/invitations`, { ...asked, body: { role: invited } });
      assert.equal(status, isAtLeast(role, invited) ? 200 : 403, `${role} invites ${invited}`);
    }
  }
});

test("invitations stop working when their creator may no longer invite, whether demoted or removed", async () => {
  const lowered = await api.member("admin");
  const removed = await api.member("admin");
  const owner = await api.member("owner");
  const codes = [
    await inviteTo(api, {}, { headers: lowered.headers }),
    await inviteTo(api, {}, { headers: removed.headers }),
    await inviteTo(api, { role: "owner" }, { headers: owner.headers }),
  ];
  const lower = await inviteTo(api, { role: "member" }, { headers: owner.headers });
  await api.changeRole(lowered.userId, "member");
  await api.changeRole(removed.userId, null);
  await api.changeRole(owner.userId, "admin");
  for (const { code } of codes) {
    assert.equal((await accept(code, newcomer())).json.detail, "This invitation has been withdrawn.");
  }
  assert.equal((await accept(lower.code, newcomer())).status, 200);
});

test("a person with an account joins with it: signed in, or by its password and no other, which is recorded", async () => {
  const ada = await api.member("member");
  await api.changeRole(ada.userId, null);
  const { code } = await inviteTo(api, { role: "admin" });
  const wrong = await accept(code, { ...newcomer(), email: ada.email });
  assert.equal(wrong.status, 400);
  assert.match(String(wrong.json.detail), /^password: is not the password of the account/);
  const owner = await api.member("owner");
  await accept(code, { ...newcomer(), email: owner.email });
  const failed = async () => {
    const { items } = await api.store.audit.list(api.home, { userId: owner.userId }, { skip: 0, limit: 10 });
    return items.filter(({ act }) => act === "session.failed").map(({ details }) => details);
  };
  for (let looks = 0; looks < 1000 && (await failed()).length === 0; looks += 1) await setImmediate();
  assert.deepEqual(await failed(), [{ how: "invitation" }]);
  assert.equal((await accept(code, {})).json.detail, "email: is required if nobody is signed in");
  const joined = await accept(code, { email: ada.email.toUpperCase(), password: memberPassword });
  assert.equal(joined.status, 200, joined.text);
  assert.equal(Object(joined.json.user).id, ada.userId);
  const again = await inviteTo(api, {});
  const browser = browserOf(joined);
  const conflict = await accept(again.code, {}, browser.headers);
  assert.deepEqual([conflict.status, conflict.json.detail], [409, "You already belong to Home."]);
  // It is still open for the person it was meant for.
  const bob = await stranger();
  const welcome = await accept(again.code, {}, bob.headers);
  assert.equal(welcome.status, 200, welcome.text);
  assert.equal(welcome.headers.get("set-cookie"), null);
  assert.equal((await api.ask("GET", "/v1/users/me", bob)).json.role, "member");
});

/** A signed-in person who belongs only to the other organization. */
async function stranger() {
  const token = await api.token("owner", { access: api.other });
  const { json } = await api.asked("POST", "/v1/organizations/2/invitations", { token, body: { role: "member" } });
  return browserOf(await accept(String(json.code), newcomer()));
}

test("a new person's details are checked before anything is written, so the invitation stays open", async () => {
  const { code } = await inviteTo(api, {});
  const bad: [object, string][] = [
    [{ full_name: "" }, "full_name"],
    [{ full_name: null }, "full_name"],
    [{ email: "no address" }, "email"],
    [{ email: "a@b c" }, "email"],
    [{ password: "too short" }, "password"],
    [{ password: null }, "password"],
    [{ password: "x".repeat(201) }, "password"],
  ];
  for (const [changes, field] of bad) {
    const answered = await accept(code, { ...newcomer(), ...changes });
    assert.equal(answered.status, 400, JSON.stringify(changes));
    assert.match(String(answered.json.detail), new RegExp(`^${field}: `));
  }
  assert.equal((await accept(code, { ...newcomer(), admin: true })).status, 400);
  assert.equal((await accept(code, newcomer(), { "sec-fetch-site": "cross-site" })).status, 403);
  assert.equal((await accept(code, newcomer())).status, 200);
});

test("the code is kept nowhere: neither listed nor logged", async () => {
  const { code } = await inviteTo(api, { note: "For Grace" });
  const token = await api.token();
  for (const path of ["invitations", "audit"]) {
    const listed = await api.asked("GET", `${O}/${path}`, { token });
    assert.ok(listed.text.includes("For Grace") && !listed.text.includes(code), path);
  }
  const open = await api.asked("GET", `/v1/invitations/${code}`);
  assert.equal(open.headers.get("referrer-policy"), "no-referrer");
});
