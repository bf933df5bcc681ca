import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";

let api: ApiUnderTest;
let token: string;
before(async () => {
  api = await ApiUnderTest.open();
  token = await api.token("admin");
});
after(() => api.close());

const O = "/v1/organizations/1";
const put = (path: string, body: object, by = token) => api.ask("PUT", `${O}/${path}`, { token: by, body });
const count = (list: unknown) => (Array.isArray(list) ? list.length : 0);
const records = async () => (await api.store.audit.list(api.home, {}, { skip: 0, limit: 100 })).items;

async function repositoryId(source: string): Promise<number> {
  const names = { name: "a", fullName: "o/a", description: null, defaultBranch: null };
  return (await api.store.repositories.add(api.home, { ...names, source, opensHost: true })).repository.id;
}

test("rules are kept in one form, each once, and the log says what changed", async () => {
  const rules = [
    { host: " API.Example.com. " },
    { host: "api.example.com", port: null },
    { host: "*.CDN.test", port: 443 },
  ];
  const set = await put("network", { network: "open", rules });
  assert.equal(set.status, 200, set.text);
  assert.equal(set.json.network, "open");
  const kept = [
    { host: "api.example.com", port: null },
    { host: "*.cdn.test", port: 443 },
  ];
  assert.deepEqual(set.json.rules, kept);
  const [record] = await records();
  assert.deepEqual(record?.details, { network: "open", allowed: "api.example.com, *.cdn.test:443" });

  await put("network", { rules: kept.slice(0, 1) });
  assert.deepEqual((await records())[0]?.details, { no_longer_allowed: "*.cdn.test:443" });
  const noted = (await records()).length;
  await put("network", { network: "open" });
  assert.equal((await records()).length, noted);
  await put("network", { network: "allowed", rules: [] });
});

test("a repository's network settings replace the organization's until they are removed", async () => {
  const id = await repositoryId("git@code.example.com:o/network.git");
  await put(`repos/${id}/network`, { network: "off" });
  const shown = async () => (await api.asked("GET", `${O}/repos/${id}/network`, { token })).json;
  assert.deepEqual(await shown(), { network: "off", in_force: "off", rules: [] });
  await put(`repos/${id}/network`, { rules: [{ host: "a.test" }] });
  assert.deepEqual(await shown(), { network: "off", in_force: "off", rules: [{ host: "a.test", port: null }] });
  await put(`repos/${id}/network`, { network: null });
  assert.deepEqual(await shown(), { network: null, in_force: "allowed", rules: [{ host: "a.test", port: null }] });
  const { json } = await api.asked("GET", `${O}/network`, { token });
  assert.ok(JSON.stringify(json.built_in).includes('{"host":"code.example.com","port":443}'));
});

test("single rules are added and removed, and those of others stay", async () => {
  const patch = (path: string, body: object) => api.ask("PATCH", `${O}/${path}`, { token, body });
  const rule = (host: string, port: number | null = null) => ({ host, port });
  await put("network", { rules: [rule("a.test"), rule("b.test", 8443)] });
  // Two concurrent changes.
  const both = await Promise.all(["c.test", "d.test"].map((host) => patch("network", { add: [{ host }] })));
  assert.deepEqual(
    both.map(({ status }) => status),
    [200, 200],
  );
  const { json } = await patch("network", {
    add: [{ host: "B.test.", port: 8443 }, { host: "e.test" }],
    remove: [{ host: "a.test" }, { host: "b.test" }, { host: "gone.test" }],
  });
  const hosts = (json.rules as { host: string; port: number | null }[]).map(({ host, port }) => `${host}:${port}`);
  assert.deepEqual(hosts.toSorted(), ["b.test:8443", "c.test:null", "d.test:null", "e.test:null"]);
  assert.deepEqual((await records())[0]?.details, { allowed: "e.test", no_longer_allowed: "a.test" });

  const noted = (await records()).length;
  const many = Array.from({ length: 497 }, (_, at) => ({ host: `h${at}.test` }));
  const refused = await patch("network", { network: "open", add: many });
  assert.equal(refused.status, 400);
  assert.match(refused.text, /add: must leave at most 500 rules; this would leave 501/);
  assert.equal((await api.asked("GET", `${O}/network`, { token })).json.network, "allowed");
  assert.equal((await records()).length, noted);

  const id = await repositoryId("/srv/patched");
  await patch(`repos/${id}/network`, { add: [{ host: "own.test" }] });
  const { json: own } = await patch(`repos/${id}/network`, { network: "off" });
  assert.deepEqual(own, { network: "off", in_force: "off", rules: [rule("own.test")] });
  const member = await api.token("member");
  for (const path of ["network", `repos/${id}/network`]) {
    const body = { add: [{ host: "m.test" }] };
    assert.equal((await api.ask("PATCH", `${O}/${path}`, { token: member, body })).status, 403);
  }
  await put("network", { rules: [] });
});

test("a refused connection says whether it is allowed now, and no rule allows a private address", async () => {
  const id = await repositoryId("/srv/denied");
  const begun = await api.ask("POST", `${O}/agent/run`, { token, body: { prompt: "x", repo_id: id, agent: "steps" } });
  assert.equal(begun.status, 200, begun.text);
  const { run, lease } = (await api.store.queue.claim("engine", 60_000)) ?? assert.fail("no run was queued");
  const rules = {
    "a.test:443": "host_not_allowed",
    "b.test:22": "port_not_allowed",
    "10.0.0.1:443": "private_address",
    "c.test:443": "network_off",
  } as const;
  await api.store.networks.noteDenials(
    lease,
    Object.entries(rules).map(([host, rule]) => ({ host, rule, count: 2 })),
  );
  const path = `${O}/agent/run/${run.id}/denials`;
  type Item = { host: string; allowed: boolean; runs?: number; agent_run_id?: number; repository_id?: number };
  const items = async (at = path) => (await api.asked("GET", at, { token })).json.items as Item[];
  const allowed = async (at = path) =>
    (await items(at))
      .filter((item) => item.allowed)
      .map(({ host }) => host)
      .toSorted();
  assert.deepEqual(await allowed(), []);
  await put(`repos/${id}/network`, { rules: [{ host: "a.test" }, { host: "b.test", port: 22 }] });
  assert.deepEqual(await allowed(), ["a.test:443", "b.test:22"]);
  assert.deepEqual(await allowed(`${O}/network/denials`), ["a.test:443", "b.test:22"]);
  await put(`repos/${id}/network`, { network: "open", rules: [] });
  assert.deepEqual(await allowed(`${O}/network/denials?repo_id=${id}`), ["a.test:443", "c.test:443"]);
  await put(`repos/${id}/network`, { network: "off" });
  assert.deepEqual(await allowed(), []);
  const [first] = await items(`${O}/network/denials`);
  assert.deepEqual([first?.runs, first?.agent_run_id, first?.repository_id], [1, run.id, id]);
  assert.deepEqual(await items(`${O}/network/denials?repo_id=999999`), []);
  const viewer = await api.token("viewer");
  assert.equal((await api.ask("GET", `${O}/network/denials`, { token: viewer })).status, 200);
});

test("a rule's host must be one that can exist, with a whole address, and the answer says what it may be", async () => {
  const label = "a".repeat(63);
  const long = [label, label, label, "a".repeat(61)].join(".");
  for (const host of [
    "a..b",
    "-x.com",
    "x-.com",
    ".a",
    "xn--",
    `${label}a.com`,
    `${long}a`,
    "1.2.3",
    "2130706433",
    "*.a..b",
  ]) {
    const refused = await put("network", { rules: [{ host }] });
    assert.equal(refused.status, 400, host);
    assert.match(refused.text, /rules\.0\.host.*63.*253/, host);
  }
  for (const host of [
    `${label}.com`,
    long,
    "xn--bcher-kva.test",
    "a_b.test",
    "8.8.8.8",
    "2606:4700::1111",
    "[2606:4700::1111]",
  ])
    assert.equal((await put("network", { rules: [{ host }] })).status, 200, host);
  // As an earlier version could keep one: setting the rules replaces it.
  await api.store.networks.putRules(api.home, null, [{ host: "a..b", port: null }]);
  assert.deepEqual((await put("network", { rules: [{ host: "a.test" }] })).json.rules, [
    { host: "a.test", port: null },
  ]);
});

test("500 rules are accepted, and an invalid one among them changes nothing", async () => {
  const many = Array.from({ length: 500 }, (_, at) => ({ host: `h${at}.test`, port: (at % 65_535) + 1 }));
  assert.equal(count((await put("network", { rules: many })).json.rules), 500);
  const refused = await put("network", { network: "open", rules: [...many.slice(1), { host: "fe80::1" }] });
  assert.equal(refused.status, 400);
  const { json } = await api.asked("GET", `${O}/network`, { token });
  assert.deepEqual([json.network, count(json.rules)], ["allowed", 500]);
  await put("network", { rules: [] });
});

test("members read what agents may reach and cannot change it; keys are for admins only", async () => {
  const id = await repositoryId("/srv/of-a-member");
  const member = await api.token("member");
  assert.equal((await api.asked("GET", `${O}/network`, { token: member })).status, 200);
  assert.equal((await put("network", { network: "open" }, member)).status, 403);
  assert.equal((await put(`repos/${id}/network`, { network: "open" }, member)).status, 403);
  assert.equal((await put("keys", { variable: "MODEL_API_KEY", value: "sk-of-the-model" }, member)).status, 403);
  assert.equal((await api.ask("GET", `${O}/keys`, { token: member })).status, 403);
});

test("a kept key is sealed, is never returned, and can be decrypted only in its own place", async () => {
  const variable = "MODEL_API_KEY";
  const value = "sk-3f9a-very-secret";
  assert.equal((await put("keys", { variable, value })).status, 200);
  const listed = await api.asked("GET", `${O}/keys`, { token });
  assert.match(
    listed.text,
    /^\{"items":\[\{"id":\d+,"variable":"MODEL_API_KEY","repository_id":null,"changed_at":"[^"]+","problem":null,"warning":null\}\]\}$/,
  );
  const [row] = await api.store.agentKeys.list(api.home);
  assert.ok(row !== undefined);
  await api.store.agentKeys.put(api.home, {
    variable,
    repositoryId: null,
    sealed: row.sealed.replace(/^e1\.\w+/, "e1.00000000"),
  });
  const [unreadable] = (await api.asked("GET", `${O}/keys`, { token })).json.items as { problem: string }[];
  assert.equal(unreadable?.problem, "It cannot be decrypted. Enter it again.");
  const said = [listed.text, JSON.stringify(row), JSON.stringify(await records())].join();
  assert.ok(!said.includes(value) && !said.includes(Buffer.from(value).toString("base64")));
  assert.equal((await put("keys", { variable, value, repo_id: 999_999 })).status, 404);
  assert.equal((await api.ask("DELETE", `${O}/keys/999999`, { token })).status, 404);
  assert.equal((await api.ask("DELETE", `${O}/keys/${row.id}`, { token })).status, 200);
  assert.deepEqual(await api.store.agentKeys.list(api.home), []);
});
