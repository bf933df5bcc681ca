import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { operations } from "#lib/contract/operations.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";

const O = "/v1/organizations/1";
let api: ApiUnderTest;
let token: string;
before(async () => {
  api = await ApiUnderTest.open();
  token = await api.token();
});
after(() => api.close());

const ask = (method: string, path: string, body?: object, tag?: string) =>
  api.ask(method, path, {
    token,
    ...(body === undefined ? {} : { body }),
    ...(tag === undefined ? {} : { headers: { "if-match": tag } }),
  });
const tagOf = async (path: string) => (await ask("GET", path)).headers.get("etag") ?? "";

test("whatever can be changed and read is changed with the tag that was read, and not with an old one", async () => {
  const names = { name: "app", fullName: "app", description: null, defaultBranch: "main" };
  const { repository } = await api.store.repositories.add(api.home, { ...names, source: "https://x.example/app.git" });
  const { json: run } = await ask("POST", `${O}/agent/run`, { prompt: "x", agent: "external" });
  const { userId } = await api.member("member");
  const repo = `${O}/repos/${repository.id}`;
  const checks = `${O}/repos/check-suite-settings?repo_id=${repository.id}`;
  const added = await ask("POST", `${O}/webhooks/endpoints`, { url: "https://x.example/3" });
  const changes: [string, string, object[], string?][] = [
    [repo, "PATCH", [{ description: "one" }, { description: "two" }]],
    [`${repo}/pull-settings`, "PUT", [{ mode: "off" }, { mode: "manual" }]],
    [checks, "PUT", [{ check_retry_count: 1 }, { check_retry_count: 2 }]],
    [`${repo}/network`, "PATCH", [{ add: [{ host: "a.example" }] }, { add: [{ host: "b.example" }] }]],
    [`${repo}/network`, "PUT", [{ rules: [] }, { rules: [{ host: "c.example" }] }]],
    [`${O}/network`, "PATCH", [{ add: [{ host: "a.example" }] }, { add: [{ host: "b.example" }] }]],
    [`${O}/settings`, "PATCH", [{ rules: "One." }, { rules: "Two." }]],
    [`${O}/users/${userId}`, "PATCH", [{ role: "viewer" }, { role: "member" }]],
    [`${O}/agent/run/${run.id}`, "PATCH", [{ summary: "One" }, { summary: "Two" }]],
    [`${O}/webhooks/agent-run`, "POST", [{ url: "https://x.example/1" }, { url: "https://x.example/2" }]],
    [`${O}/webhooks/endpoints/${added.json.id}`, "PATCH", [{ rotate_secret: true, enabled: false }, { enabled: true }]],
  ];
  for (const [path, method, [one = {}, two = {}]] of changes) {
    const first = await tagOf(path);
    assert.match(first, /^W\/".+"$/, path);
    const done = await ask(method, path, one, first);
    assert.equal(done.status, 200, `${path}: ${done.text}`);
    const now = await tagOf(path);
    assert.notEqual(now, first, path);
    assert.equal(done.headers.get("etag"), now, `${path}: the change says the new tag`);
    for (const tag of [first, `"other", ${first}`, "W/", "nope"]) {
      const refused = await ask(method, path, two, tag);
      assert.deepEqual([refused.status, refused.json.code], [412, "precondition_failed"], `${path} ${tag}`);
    }
    assert.equal(await tagOf(path), now, path);
    assert.equal((await ask(method, path, two, `"other", ${now.slice(2)}`)).status, 200, path);
    assert.equal((await ask(method, path, one, "*")).status, 200, path);
  }
  const { headers: session } = await api.member("owner");
  const asPerson = (method: string, more: object, body?: object) =>
    api.ask(method, "/v1/users/me", { headers: { ...session, ...more }, ...(body === undefined ? {} : { body }) });
  const mine = (await asPerson("GET", {})).headers.get("etag") ?? "";
  assert.equal((await asPerson("PATCH", { "if-match": mine }, { full_name: "Ada" })).status, 200);
  assert.equal((await asPerson("PATCH", { "if-match": mine }, { full_name: "Grace" })).status, 412);
  assert.equal((await asPerson("GET", {})).json.full_name, "Ada");
  for (const path of [`${O}/users/${userId}`, `${O}/agent/run/${run.id}`, `${O}/webhooks/agent-run`]) {
    assert.equal((await ask("DELETE", path, undefined, '"old"')).status, 412, path);
    assert.equal((await ask("GET", path)).status, 200, path);
  }
  assert.equal((await ask("PATCH", `${O}/repos/999`, { description: "x" }, '"a"')).status, 404);
});

test("a change of what has no tag refuses every tag, and a list is not sent again to whoever has it", async () => {
  const refused = await ask("POST", `${O}/agent/run`, { prompt: "x", agent: "external" }, '"a"');
  assert.deepEqual([refused.status, refused.json.code], [412, "precondition_failed"]);
  assert.equal((await ask("POST", `${O}/agent/run`, { prompt: "x", agent: "external" }, "*")).status, 200);
  for (const path of ["/agent/runs", "/repos", "/users", "/tokens", "/agents", "/models", "/integrations", "/audit"]) {
    const etag = await tagOf(`${O}${path}`);
    assert.match(etag, /^W\/".+"$/, path);
    const again = await api.ask("GET", `${O}${path}`, { token, headers: { "if-none-match": etag } });
    assert.deepEqual([again.status, again.text], [304, ""], path);
  }
  const changed = await tagOf(`${O}/agent/runs`);
  await ask("POST", `${O}/agent/run`, { prompt: "y", agent: "external" });
  assert.notEqual(await tagOf(`${O}/agent/runs`), changed);
});

test("every operation that changes what another reads at the same address takes If-Match", () => {
  const reads = new Set(
    operations.flatMap(({ method, path, scope }) => (method === "GET" && scope !== null ? [path] : [])),
  );
  const without = operations.filter(
    ({ method, path, ifMatch }) => ["PUT", "PATCH", "DELETE"].includes(method) && reads.has(path) && !ifMatch,
  );
  // A repository goes in parts, a list of keys or links has many, and a session is the caller's own.
  const known = ["chooseOrganization", "deleteRepository", "endOtherSessions", "putKey", "putLink", "signOut"];
  assert.deepEqual(without.map(({ id }) => id).sort(), known);
});
