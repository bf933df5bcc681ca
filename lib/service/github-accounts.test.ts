import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { CodeHost, hostToken } from "#lib/host/code-host.fixture.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";

const O = "/v1/organizations/1";
let api: ApiUnderTest;
let host: CodeHost;
let token: string;
before(async () => {
  api = await ApiUnderTest.open();
  token = await api.token();
  host = await CodeHost.open("github");
  host.addPerson("AdaL", "read");
  host.addPerson("grace", "read");
});
after(async () => {
  await host.close();
  await api.close();
});

async function newMember() {
  const { userId, headers } = await api.member("member");
  const set = (github_username: unknown) => api.ask("PATCH", "/v1/users/me", { headers, body: { github_username } });
  const shown = async () => {
    const { json } = await api.ask("GET", `${O}/users/${userId}`, { token });
    return [json.github_username, json.github_user_id];
  };
  return { userId, set, shown };
}
const connect = (secret: string) =>
  api.ask("PUT", `${O}/integrations/github`, { token, body: { base_url: host.baseUrl, token: secret } });
const idOf = (login: string) => String(host.people.get(login)?.id);

test("without a GitHub to ask, a username stays as given, without an id", async () => {
  const { set, shown } = await newMember();
  assert.deepEqual(await shown(), ["", ""]);
  const { json } = await set("no-such-person");
  assert.deepEqual([json.github_username, json.github_user_id], ["no-such-person", ""]);
  assert.deepEqual(await shown(), ["no-such-person", ""]);
});

test("to clients of the reference service, which leave out people without them, both are never empty", async () => {
  const reference = await api.token("owner", { style: "reference" });
  const { userId, set } = await newMember();
  const listed = async () => {
    const { json } = await api.ask("GET", `${O}/users`, { token: reference });
    const people = json.items as { id: number; github_username: string; github_user_id: string; full_name: string }[];
    assert.ok(people.every((one) => one.github_username !== "" && one.github_user_id !== ""));
    return people.find(({ id }) => id === userId);
  };
  const before = await listed();
  assert.deepEqual([before?.github_user_id, before?.github_username], [String(userId), before?.full_name]);
  await set("ada-l");
  assert.equal((await listed())?.github_username, "ada-l");
});

test("a name that GitHub cannot have is refused by its field", async () => {
  const { set, shown } = await newMember();
  for (const wrong of ["-ada", "a--b", "a".repeat(40), "ada lovelace", "", 7]) {
    const { status, json } = await set(wrong);
    assert.deepEqual([status, (json.errors as { loc: unknown }[])[0]?.loc], [400, ["body", "github_username"]]);
  }
  assert.deepEqual(await shown(), ["", ""]);
});

test("a connected GitHub gives the id and the spelling of the name, and refuses a name that nobody has", async () => {
  assert.equal((await connect(hostToken)).json.active, true);
  const { set, shown } = await newMember();
  assert.equal((await set("adal")).status, 200);
  assert.deepEqual(await shown(), ["AdaL", idOf("AdaL")]);
  const unknown = await set("no-such-person");
  assert.deepEqual([unknown.status, unknown.json.detail], [400, "github_username: is not known to GitHub"]);
  assert.deepEqual(await shown(), ["AdaL", idOf("AdaL")]);
  await set(null);
  assert.deepEqual(await shown(), ["", ""]);
  // A host that fails at this moment prevents nobody from saving.
  host.faults.push(502);
  assert.equal((await set("grace")).status, 200);
  assert.deepEqual(await shown(), ["grace", ""]);
});

test("a GitHub whose last check failed is asked again, because it may work by now", async () => {
  assert.equal((await connect(hostToken)).json.active, true);
  host.faults.push(502);
  assert.equal((await api.ask("POST", `${O}/integrations/github/test`, { token })).json.active, false);
  const { set, shown } = await newMember();
  assert.equal((await set("no-such-person")).status, 400);
  assert.equal((await set("adal")).status, 200);
  assert.deepEqual(await shown(), ["AdaL", idOf("AdaL")]);
});

test("linking a member in GitHub fills in what they have not set, and nothing else", async () => {
  assert.equal((await connect(hostToken)).json.active, true);
  const link = (external_id: string, user_id: number) =>
    api.ask("PUT", `${O}/integrations/github/links`, { token, body: { external_id, user_id } });
  const linked = await newMember();
  assert.equal((await link("@adal", linked.userId)).status, 200);
  assert.deepEqual(await linked.shown(), ["AdaL", idOf("AdaL")]);
  assert.equal((await link("grace", linked.userId)).status, 200);
  assert.deepEqual(await linked.shown(), ["AdaL", idOf("AdaL")]);
  const stranger = await newMember();
  assert.equal((await link("renamed-since", stranger.userId)).status, 200);
  assert.deepEqual(await stranger.shown(), ["", ""]);
});
