import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { mcpAuthorization, openMcpServer } from "#lib/host/mcp-server.fixture.ts";
import { mcpServersFor } from "#lib/host/open-mcp-servers.ts";
import { createSeal } from "#lib/secrets/seal.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";

const O = "/v1/organizations/1";
type Status = { active: boolean; metadata: { reason: string | null; servers?: Record<string, unknown>[] } };

let api: ApiUnderTest;
let token: string;
const answers: string[] = [];
before(async () => {
  api = await ApiUnderTest.open();
  token = await api.token("admin");
});
after(() => api.close());

async function ask(method: string, path: string, body?: unknown) {
  const answered = await api.ask(method, path, { token, body });
  answers.push(answered.text);
  return { ...answered, json: answered.json as unknown as Status };
}
const put = (...servers: object[]) => ask("PUT", `${O}/integrations/mcp`, { servers });
const headers = { Authorization: mcpAuthorization };
const given = (repositoryId: number | null = null) => mcpServersFor(api.store, api.runtime.seal)(1, repositoryId, 0);

for (const json of [false, true]) {
  test(`a server that answers ${json ? "with JSON" : "with event streams"} is asked for its tools, and its session ends`, async (t) => {
    const server = await openMcpServer({ json });
    t.after(() => server.close());
    const { json: status, text } = await put({ name: "tracker", url: server.url, headers });
    assert.equal(status.active, true, text);
    const [shown] = status.metadata.servers ?? [];
    const { id, checked_at, ...facts } = shown ?? {};
    assert.deepEqual(facts, {
      name: "tracker",
      url: server.url,
      header_names: ["Authorization"],
      repo_ids: null,
      active: true,
      reason: null,
      server: "tracker 2.1",
      tools: 2,
    });
    assert.ok(Date.now() - Date.parse(String(checked_at)) < 60_000);
    assert.deepEqual(server.sessions, { opened: 1, closed: 1 });
    assert.deepEqual(await given(), [{ name: "tracker", url: server.url, headers }]);
    const providers = (await api.ask("GET", "/v1/mcp-providers", { token })).json as unknown as object[];
    assert.deepEqual(providers, [
      {
        id,
        name: "tracker",
        issuer: new URL(server.url).origin,
        authorization_endpoint: "",
        token_endpoint: "",
        default_scopes: null,
        is_mcp: true,
        meta: { url: server.url, active: true },
      },
    ]);
  });
}

test("a server for some repositories is given only to their runs, until somebody changes that", async (t) => {
  const server = await openMcpServer();
  t.after(() => server.close());
  const named = { name: "shop", fullName: "shop", description: null, defaultBranch: "main", source: "/shop" };
  const repository = (await api.store.repositories.add(api.home, named)).repository.id;
  const tracker = { name: "tracker", url: server.url, headers };
  const { json } = await put({ ...tracker, repo_ids: [repository, repository] });
  assert.deepEqual([json.active, json.metadata.servers?.[0]?.repo_ids], [true, [repository]]);
  const names = async (repositoryId: number | null) => (await given(repositoryId)).map(({ name }) => name);
  assert.deepEqual([await names(repository), await names(repository + 1), await names(null)], [["tracker"], [], []]);
  const { name, url } = tracker;
  for (const kept of [{ name, url }, { ...tracker }]) {
    assert.deepEqual((await put(kept)).json.metadata.servers?.[0]?.repo_ids, [repository], "left out: as before");
  }
  const unknown = await put({ name, url, repo_ids: [repository, 4711] });
  assert.deepEqual([unknown.status, (await names(repository)).length], [400, 1]);
  assert.match(unknown.text, /"repo_ids",1\],"msg":"must be the id of a repository of the organization"/);
  assert.equal((await put({ name, url, repo_ids: [] })).status, 400);
  assert.deepEqual((await put({ name, url, repo_ids: null })).json.metadata.servers?.[0]?.repo_ids, null);
  assert.deepEqual(await names(null), ["tracker"]);
});

test("a server that stops is not active after the next test, and is no longer given to agents", async (t) => {
  const server = await openMcpServer();
  t.after(() => server.close());
  assert.equal((await put({ name: "tracker", url: server.url, headers })).json.active, true);
  await server.close();
  const { json } = await ask("POST", `${O}/integrations/mcp/test`);
  assert.equal(json.active, false);
  assert.match(String(json.metadata.reason), /^tracker: Nothing answers at "127\.0\.0\.1:\d+"/);
  assert.deepEqual(await given(), []);
});

test("wrong headers and addresses without an MCP server are reported in words", async (t) => {
  const server = await openMcpServer();
  t.after(() => server.close());
  const { json } = await put(
    { name: "wrong", url: server.url, headers: { Authorization: "Bearer x" } },
    { name: "elsewhere", url: server.url.replace("/mcp", "/other"), headers },
  );
  const reasons = json.metadata.servers?.map(({ name, reason }) => [name, reason]);
  assert.deepEqual(reasons, [
    ["elsewhere", "The address responds, but not like an MCP server over streamable HTTP."],
    ["wrong", "The server does not accept the headers (401)."],
  ]);
  assert.equal((await api.ask("GET", `${O}/integrations`, { token })).status, 200);
});

test("headers that are left out are kept, only for this name and address", async (t) => {
  const [one, two] = await Promise.all([openMcpServer(), openMcpServer()]);
  t.after(() => Promise.all([one.close(), two.close()]));
  await put({ name: "one", url: one.url, headers });
  // The same server beside a new one keeps its headers and its state.
  const both = await put({ name: "one", url: one.url }, { name: "two", url: two.url, headers });
  assert.deepEqual(
    both.json.metadata.servers?.map(({ name, active }) => [name, active]),
    [
      ["one", true],
      ["two", true],
    ],
  );
  const moved = await api.ask("PUT", `${O}/integrations/mcp`, {
    token,
    body: { servers: [{ name: "one", url: two.url }] },
  });
  assert.equal(moved.status, 400);
  assert.match(moved.text, /servers\.0\.headers: is required when the url changes/);
  assert.equal((await given()).length, 2, "a refusal changes nothing");
  const renamed = await put({ name: "other", url: one.url });
  assert.deepEqual([renamed.json.active, (await given()).length], [false, 0]);
  const none = await put({ name: "one", url: one.url, headers: null });
  assert.match(String(none.json.metadata.reason), /does not accept the headers/);
});

test("a server that works and stays as it is keeps its state although it does not answer while another one is added", async (t) => {
  const [one, two] = [await openMcpServer(), await openMcpServer()];
  t.after(() => Promise.all([one.close(), two.close()]));
  await put({ name: "one", url: one.url, headers });
  await one.close();
  const { json } = await put({ name: "one", url: one.url, repo_ids: null }, { name: "two", url: two.url, headers });
  assert.deepEqual([json.active, (await given()).map(({ name }) => name)], [true, ["one", "two"]]);
  assert.equal((await ask("POST", `${O}/integrations/mcp/test`)).json.active, false);
  await put({ name: "one", url: one.url }, { name: "two", url: two.url });
  assert.deepEqual(
    (await given()).map(({ name }) => name),
    ["two"],
    "one that does not work is checked again",
  );
});

test("a sealed text moved to another server does not open, and that server is left out", async (t) => {
  const server = await openMcpServer();
  t.after(() => server.close());
  await put({ name: "one", url: server.url, headers });
  const [row] = await api.store.mcpServers.list(api.home);
  assert.ok(row !== undefined);
  const thief = { ...row, name: "thief" };
  const [moved] = await api.store.mcpServers.replace(api.home, [], [thief]);
  assert.ok(moved !== undefined);
  await api.store.mcpServers.noteCheck(moved.id, { active: true, server: "x", tools: 0 });
  assert.deepEqual(await given(), []);
  const { json } = await ask("POST", `${O}/integrations/mcp/test`);
  assert.equal(json.metadata.reason, "thief: Its headers cannot be decrypted. Enter them again.");
  const otherKey = createSeal({ key: new Uint8Array(32), file: "" });
  assert.deepEqual(await mcpServersFor(api.store, otherKey)(1, null, 0), []);
});

test("a server that stays and whose headers can no longer be decrypted is not active, and says why", async (t) => {
  const server = await openMcpServer();
  t.after(() => server.close());
  const tracker = { name: "tracker", url: server.url };
  await put({ ...tracker, headers });
  const [row] = await api.store.mcpServers.list(api.home);
  assert.ok(row !== undefined);
  const lost = { ...row, headersSealed: "e1.00000000.AAAA.AAAA" };
  const [replaced] = await api.store.mcpServers.replace(api.home, [], [lost]);
  await api.store.mcpServers.noteCheck(Number(replaced?.id), { active: true, server: "tracker 2.1", tools: 2 });
  const { json } = await put(tracker);
  assert.deepEqual([json.active, json.metadata.servers?.[0]?.active], [false, false]);
  assert.equal(json.metadata.reason, "tracker: Its headers cannot be decrypted. Enter them again.");
});

test("once disconnected, there is nothing to test, list or give", async (t) => {
  const server = await openMcpServer();
  t.after(() => server.close());
  await put({ name: "one", url: server.url, headers });
  assert.equal((await ask("DELETE", `${O}/integrations/mcp`)).status, 200);
  for (const [method, path] of [
    ["DELETE", ""],
    ["POST", "/test"],
  ] as const) {
    assert.equal((await ask(method, `${O}/integrations/mcp${path}`)).status, 404);
  }
  assert.deepEqual(await given(), []);
  assert.equal((await api.ask("GET", "/v1/mcp-providers", { token })).text, "[]");
});

test("another organization, and a token that may not read this one, see no server", async (t) => {
  const server = await openMcpServer();
  t.after(() => server.close());
  await put({ name: "one", url: server.url, headers });
  const list = async (seen: string) => (await api.ask("GET", "/v1/mcp-providers", { token: seen })).text;
  assert.equal(await list(await api.token("viewer", { access: api.other })), "[]");
  assert.equal(await list(await api.token("owner", { scopes: ["runs:read"] })), "[]");
  assert.match(await list(await api.token("viewer")), /"one"/);
});

test("the value of a header is in no response, record, log or file", async () => {
  answers.push((await api.ask("GET", `${O}/audit?limit=100`, { token })).text, JSON.stringify(api.logged));
  const files = readdirSync(api.folder, { recursive: true, encoding: "utf8" }).map((name) => join(api.folder, name));
  const kept = files.filter((file) => /errand\.db/.test(file)).map((file) => readFileSync(file, "latin1"));
  assert.ok(answers.join("").includes("tracker") && kept.join("").includes("tracker"), "the right places are searched");
  const secret = "mcp-s3cret-1f9b";
  const forms = [
    secret,
    Buffer.from(mcpAuthorization).toString("base64").slice(0, 20),
    Buffer.from(secret).toString("hex"),
  ];
  for (const form of forms) assert.ok(![...answers, ...kept].some((text) => text.includes(form)), form);
});

test("a server's own description is shown on one line, and is no header", async (t) => {
  const said = { protocolVersion: "2025-06-18", name: "bad\u202e\u0000\n\tname" };
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const piece of request) text += piece;
    const { id, method } = JSON.parse(text || "{}") as { id?: number; method?: string };
    const { protocolVersion, name } = said;
    const result = method === "initialize" ? { protocolVersion, capabilities: {}, serverInfo: { name } } : {};
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const shown = async () => (await put({ name: "odd", url, headers: null })).json.metadata.servers?.[0];
  assert.equal((await shown())?.server, "bad name");
  for (const version of ["2025\r\nx-forged: 1", "ü", "", "1".repeat(41)]) {
    said.protocolVersion = version;
    const { active, reason } = (await shown()) ?? {};
    assert.deepEqual([active, /not like an MCP server/.test(String(reason))], [false, true], version);
  }
});
