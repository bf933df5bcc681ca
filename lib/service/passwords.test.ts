import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { mintSignInCode } from "#lib/auth/sign-in-code.ts";
import { rateSettingsDefault } from "#lib/contract/rate-limits.ts";
import { addressHeader } from "#lib/http/call.ts";
import { ApiUnderTest, memberPassword } from "#lib/web/api-under-test.ts";
import { browserOf, signInAs } from "#lib/web/people.fixture.ts";

let api: ApiUnderTest;
let nowMs = Date.now();
before(async () => {
  api = await ApiUnderTest.open({ now: () => new Date(nowMs) });
});
after(() => api.close());

test("a wrong password and an unknown address get the same answer, after one check each", async () => {
  const { email } = await api.member("member");
  const { verify } = api.runtime.passwords;
  const asked: (string | null)[] = [];
  api.runtime.passwords = {
    ...api.runtime.passwords,
    verify: (password, kept) => {
      asked.push(kept);
      return verify(password, kept);
    },
  };
  const answers = [
    await signInAs(api, email, "wrong password"),
    await signInAs(api, "nobody@errand.test", "wrong password"),
  ];
  const [known, unknown] = answers.map(({ status, json }) => ({ status, errors: json.errors, detail: json.detail }));
  assert.deepEqual(known, unknown);
  assert.equal(known?.status, 400);
  assert.deepEqual([asked.length, asked[1]], [2, null]);
});

test("guesses are limited by address, and then the right one is refused too; another address is not", async () => {
  const limited = await ApiUnderTest.open({ rates: rateSettingsDefault });
  try {
    const { email } = await limited.member("member");
    const guess = (password: string, address: string) =>
      limited.ask("POST", "/v1/session/password", { body: { email, password }, headers: { [addressHeader]: address } });
    for (let tried = 0; tried < 30; tried += 1) {
      assert.equal((await guess("wrong password", "192.0.2.1")).status, 400);
    }
    const refused = await guess(memberPassword, "192.0.2.1");
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers.get("retry-after")) >= 1);
    assert.equal((await guess(memberPassword, "192.0.2.2")).status, 200);
  } finally {
    await limited.close();
  }
  // It has replaced the runtime of this process.
  await api.close();
  api = await ApiUnderTest.open({ now: () => new Date(nowMs) });
});

test("a person who knows the password changes it, and every other session ends", async () => {
  const ada = await api.member("member");
  const elsewhere = browserOf(await signInAs(api, ada.email, memberPassword));
  const change = (body: object) =>
    api.ask("PUT", "/v1/users/me/password", {
      headers: ada.headers,
      body: { password: "a new long password", ...body },
    });
  for (const [body, field] of [
    [{}, "current_password"],
    [{ current_password: "wrong password" }, "current_password"],
    [{ current_password: memberPassword, password: "short" }, "password"],
  ] as const) {
    const refused = await change(body);
    assert.equal(refused.status, 400);
    assert.match(String(refused.json.detail), new RegExp(`^${field}: `));
  }
  assert.equal((await api.ask("GET", "/v1/users/me", elsewhere)).status, 200);
  assert.equal((await change({ current_password: memberPassword })).status, 200);
  assert.equal((await api.ask("GET", "/v1/users/me", elsewhere)).status, 401);
  assert.equal((await api.ask("GET", "/v1/users/me", { headers: ada.headers })).status, 200);
  assert.equal((await signInAs(api, ada.email, memberPassword)).status, 400);
  assert.equal((await signInAs(api, ada.email, "a new long password")).status, 200);
});

test("of two concurrent changes with the same current password, one wins", async () => {
  const ada = await api.member("member");
  const change = (password: string) =>
    api.ask("PUT", "/v1/users/me/password", {
      headers: ada.headers,
      body: { password, current_password: memberPassword },
    });
  const both = await Promise.all([change("first new password"), change("second new password")]);
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 400]);
});

test("a person who signed in by a sign-in link sets a password without the old one, for an hour", async () => {
  const { userId, email } = await api.member("owner");
  const { code, hash } = mintSignInCode();
  await api.store.sessions.createLink({ hash, userId, expiresAt: new Date(Date.now() + 60_000).toISOString() });
  const browser = browserOf(await api.asked("POST", "/v1/session", { body: { code } }));
  const change = (password: string) => api.ask("PUT", "/v1/users/me/password", { ...browser, body: { password } });
  nowMs = Date.now() + 3_600_000;
  assert.equal((await change("a third long password")).status, 400);
  nowMs = Date.now();
  assert.equal((await change("a third long password")).status, 200);
  assert.equal((await signInAs(api, email, "a third long password")).status, 200);
});

test("a person changes name and address; an address belongs to one account, and changing it requires the password", async () => {
  const [ada, bob] = [await api.member("member"), await api.member("member")];
  const update = (body: object) => api.ask("PATCH", "/v1/users/me", { headers: ada.headers, body });
  const named = await update({ full_name: "  Ada Lovelace " });
  assert.deepEqual([named.status, named.json.full_name, named.json.email], [200, "Ada Lovelace", ada.email]);
  assert.equal((await update({ email: "ada@new.test" })).status, 400);
  const current_password = memberPassword;
  assert.equal((await update({ email: bob.email.toUpperCase(), current_password })).status, 409);
  assert.equal((await update({ email: "ADA@new.test", current_password })).json.email, "ada@new.test");
  assert.equal((await update({ email: "ada@new.test", full_name: "Ada" })).status, 200);
  assert.equal((await signInAs(api, "ada@new.test", memberPassword)).status, 200);
  assert.equal((await update({ full_name: " " })).status, 400);
});

test("sessions are listed with this one marked, and the others end together; a token sees none of it", async () => {
  const ada = await api.member("member");
  const firefox = { "user-agent": "Firefox" };
  const other = browserOf(
    await api.asked("POST", "/v1/session/password", {
      body: { email: ada.email, password: memberPassword },
      headers: firefox,
    }),
  );
  const list = async () =>
    (await api.asked("GET", "/v1/users/me/sessions", { headers: ada.headers })).json.items as {
      current: boolean;
      user_agent: string | null;
      way: string;
      last_seen_at: string | null;
    }[];
  const before = await list();
  assert.deepEqual(before.map(({ current }) => current).toSorted(), [false, true]);
  assert.deepEqual(before.find(({ current }) => !current)?.user_agent, "Firefox");
  assert.ok(before.find(({ current }) => current)?.last_seen_at !== null);
  const ended = await api.ask("DELETE", "/v1/users/me/sessions", { headers: ada.headers });
  assert.equal(ended.json.ended, 1);
  assert.equal((await api.ask("GET", "/v1/users/me", other)).status, 401);
  assert.equal((await list()).length, 1);
  const { json } = await api.asked("POST", "/v1/organizations/1/tokens", { ...ada, body: { name: "ci" } });
  const token = String(json.token);
  for (const [method, path] of [
    ["GET", "/v1/users/me/sessions"],
    ["DELETE", "/v1/users/me/sessions"],
    ["PATCH", "/v1/users/me"],
    ["PUT", "/v1/users/me/password"],
  ] as const) {
    assert.equal((await api.ask(method, path, { token, body: method === "GET" ? undefined : {} })).status, 403, path);
  }
});

test("a password is stored and shown nowhere", async () => {
  const { email, headers } = await api.member("owner");
  await signInAs(api, email, "a wrong password here");
  const token = await api.token();
  const told = await Promise.all(
    ["users", "audit", "invitations"].map((path) => api.asked("GET", `/v1/organizations/1/${path}`, { token })),
  );
  const me = await api.asked("GET", "/v1/users/me", { headers });
  for (const { text } of [...told, me]) {
    assert.ok(!text.includes("scrypt$") && !text.includes(memberPassword) && !text.includes("a wrong password here"));
  }
});
