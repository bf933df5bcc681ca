import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { mcpAuthorization, openMcpServer } from "#lib/host/mcp-server.fixture.ts";
import { mcpServersFor } from "#lib/host/open-mcp-servers.ts";
import { createSeal } from "#lib/secrets/seal.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";

const O = "/v1/organizations/1";
const secret = "Bearer run-secret-4711-of-one-run";
const tracker = { name: "tracker", url: "https://mcp.example.com/mcp", headers: { Authorization: secret } };

let api: ApiUnderTest;
let member: string;
let viewer: string;
const answers: string[] = [];
before(async () => {
  api = await ApiUnderTest.open();
  member = await api.token("member");
  viewer = await api.token("viewer");
});
after(() => api.close());

async function ask(method: string, path: string, body?: unknown, token = member) {
  const answered = await api.ask(method, path, { token, body });
  answers.push(answered.text);
  return answered;
}
const create = (more: object) => ask("POST", `${O}/agent/run`, { prompt: "Look", ...more });
const given = (runId: unknown, repositoryId: number | null = null) =>
  mcpServersFor(api.store, api.runtime.seal)(1, repositoryId, Number(runId));
const ofRun = (server: typeof tracker) => ({ ...server, isOfRun: true });

test("a run has the servers that it names, a resume keeps or replaces them, and no response and no file has their headers", async () => {
  const {
    json: run,
    status,
    text,
  } = await create({ mcp_servers: [tracker, { ...tracker, name: "open", headers: null }] });
  assert.equal(status, 200, text);
  const plain = { ...tracker, name: "open", headers: {} };
  assert.deepEqual(await given(run.id), [ofRun(tracker), ofRun(plain as typeof tracker)]);
  const other = await create({});
  assert.deepEqual(await given(other.json.id), []);
  const resume = (more: object) =>
    ask("POST", `${O}/agent/run/resume`, { agent_run_id: run.id, prompt: "More", ...more });
  await resume({});
  assert.equal((await given(run.id)).length, 2);
  const newer = { ...tracker, headers: { Authorization: `${secret}-newer` } };
  assert.equal((await resume({ mcp_servers: [newer] })).status, 200);
  assert.deepEqual(await given(run.id), [ofRun(newer)]);
  for (const token of [viewer, member]) {
    for (const path of ["", "/logs", "/queue", "/export?format=json"]) {
      await ask("GET", `${O}/agent/run/${run.id}${path}`, undefined, token);
    }
  }
  assert.equal(answers.filter((answer) => answer.includes("4711")).length, 0);
  assert.equal(
    answers.filter((answer) => answer.includes("mcp.example.com")).length,
    0,
    "an address may hold a secret too",
  );
  const files = readdirSync(api.folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  const stored = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name)));
  assert.ok(
    stored.every((bytes) => !bytes.includes("run-secret-4711")),
    "its value is stored encrypted",
  );
  assert.equal((await resume({ mcp_servers: [] })).status, 200);
  assert.deepEqual(await given(run.id), []);
});

test("a viewer starts no run and resumes none, so a viewer gives none their own servers", async () => {
  const { json: run } = await create({});
  const body = { agent_run_id: run.id, prompt: "More", mcp_servers: [tracker] };
  assert.equal((await ask("POST", `${O}/agent/run/resume`, body, viewer)).status, 403);
  assert.equal((await ask("POST", `${O}/agent/run`, { prompt: "x", mcp_servers: [tracker] }, viewer)).status, 403);
  assert.deepEqual(await given(run.id), []);
});

test("a run chooses among the organization's servers by name; its own server of that name takes precedence", async (t) => {
  const server = await openMcpServer({ json: true });
  t.after(() => server.close());
  const admin = await api.token("admin");
  const headers = { Authorization: mcpAuthorization };
  const { json: repository } = await api.ask("POST", `${O}/repos`, {
    token: admin,
    body: { source: "/srv/git/owner/of-run.git/" },
  });
  const servers = [
    { name: "tracker", url: server.url, headers },
    { name: "notes", url: server.url, headers, repo_ids: [repository.id] },
  ];
  const put = await api.ask("PUT", `${O}/integrations/mcp`, { token: admin, body: { servers } });
  assert.equal(put.status, 200, put.text);
  const named = async (more: object, repositoryId: number | null = null) => {
    const made = await create({ ...more, ...(repositoryId === null ? {} : { repo_id: repositoryId }) });
    assert.equal(made.status, 200, made.text);
    return (await given(made.json.id, repositoryId)).map(({ name, url }) => [name, url === server.url]);
  };
  const repoId = Number(repository.id);
  assert.deepEqual(await named({}), [["tracker", true]]);
  assert.deepEqual(await named({}, repoId), [
    ["notes", true],
    ["tracker", true],
  ]);
  assert.deepEqual(await named({ mcp_server_names: ["notes"] }, repoId), [["notes", true]]);
  assert.deepEqual(await named({ mcp_server_names: [] }, repoId), []);
  assert.deepEqual(await named({ mcp_servers: [tracker] }, repoId), [
    ["tracker", false],
    ["notes", true],
  ]);
  const { json: kept } = await create({ mcp_server_names: ["tracker"] });
  await api.ask("DELETE", `${O}/integrations/mcp`, { token: admin });
  assert.deepEqual(await given(kept.id), [], "what is disconnected is given to nobody");
  for (const [body, loc, msg] of [
    [{ mcp_server_names: ["notes"] }, ["mcp_server_names", 0], /must be the name of an MCP server/],
  ] as const) {
    const refused = await create(body);
    const { errors } = refused.json as unknown as { errors: { loc: unknown[]; msg: string }[] };
    assert.deepEqual([refused.status, errors[0]?.loc], [400, ["body", ...loc]]);
    assert.match(errors[0]?.msg ?? "", msg);
  }
});

test("servers that cannot be used are refused by their field: no commands, no private addresses, no secrets in addresses", async () => {
  const one = (more: object) => [{ ...tracker, ...more }];
  const cases: [servers: unknown, loc: unknown[], msg: RegExp][] = [
    [one({ command: ["/bin/sh"] }), [0, "command"], /./],
    [one({ url: "file:///bin/sh" }), [0, "url"], /./],
    [one({ url: "http://169.254.169.254/mcp" }), [0, "url"], /./],
    [one({ url: "https://mcp.example.com/mcp?key=1" }), [0, "url"], /no query/],
    [one({ name: "a b" }), [0, "name"], /letters, digits/],
    [one({ headers: { Host: "x" } }), [0, "headers", "Host"], /./],
    [one({ headers: { Authorization: "a\r\nb" } }), [0, "headers", "Authorization"], /visible ASCII/],
    [[tracker, { ...tracker, name: "Tracker" }], [1, "name"], /each server once/],
    [Array.from({ length: 11 }, (_, at) => ({ ...tracker, name: `s${at}` })), [], /at most 10/],
  ];
  for (const [mcp_servers, loc, msg] of cases) {
    for (const answered of [
      await create({ mcp_servers }),
      await ask("POST", `${O}/agent/run/resume`, { agent_run_id: 1, prompt: "More", mcp_servers }),
    ]) {
      const { errors } = answered.json as unknown as { errors: { loc: unknown[]; msg: string }[] };
      assert.equal(answered.status, 400, answered.text);
      assert.deepEqual(errors[0]?.loc, ["body", "mcp_servers", ...loc], answered.text);
      assert.match(errors[0]?.msg ?? "", msg);
      assert.ok(!answered.text.includes("4711"));
    }
  }
});

test("headers that cannot be decrypted are reported in the run, which does not continue without its server", async () => {
  const { json: run } = await create({ mcp_servers: [tracker] });
  const otherKey = createSeal({ key: new Uint8Array(32).fill(7), file: "" });
  await assert.rejects(mcpServersFor(api.store, otherKey)(1, null, Number(run.id)), {
    code: "mcp_server_unusable",
    message: "The MCP server tracker of this run cannot be used: its headers cannot be decrypted.",
  });
  assert.equal((await api.store.sealKeyIds()).length, 1);
});
