import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { plainRun } from "#lib/store/runs/plain-run.fixture.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";

let api: ApiUnderTest;
let repositoryId: number;
before(async () => {
  api = await ApiUnderTest.open();
  repositoryId = await add("/srv/x", "main");
});
after(() => api.close());

const O = "/v1/organizations/1";

async function add(source: string, defaultBranch: string | null): Promise<number> {
  const names = { name: "x", fullName: "o/x", description: null };
  const { repository } = await api.store.repositories.add(api.home, { ...names, source, defaultBranch });
  return repository.id;
}

test("a setup edited from an older version is refused, by tag and by field", async () => {
  const token = await api.token();
  const path = `${O}/repos/${repositoryId}/setup`;
  const first = await api.ask("GET", path, { token });
  const etag = first.headers.get("etag") ?? "";
  const put = (headers: Record<string, string>, body: object) => api.ask("PUT", path, { token, headers, body });
  assert.equal((await put({ "if-match": etag }, { install: ["npm ci"] })).status, 200);
  const refused = await put({ "if-match": etag }, { install: ["make"] });
  assert.deepEqual([refused.status, refused.json.code], [412, "precondition_failed"]);
  assert.match(String(refused.json.detail), /has changed since you read it/);
  assert.equal((await put({}, { install: ["make"], version: 0 })).status, 409);
  assert.equal((await put({ "if-match": '"v1"' }, { install: ["make"], version: 0 })).status, 412);
  assert.equal((await put({ "if-match": '"something"' }, {})).status, 412);
  assert.equal((await api.ask("DELETE", path, { token, headers: { "if-match": etag } })).status, 412);
  const now = await api.ask("GET", path, { token });
  assert.deepEqual([now.json.version, now.json.install], [1, ["npm ci"]]);
  assert.equal((await put({ "if-match": now.headers.get("etag") ?? "" }, { install: ["a\nb"] })).status, 200);
  const list = `"something", ${(await api.ask("GET", path, { token })).headers.get("etag")}`;
  assert.equal((await put({ "if-match": `${etag}, "other"` }, {})).status, 412);
  assert.equal((await put({ "if-match": list }, { install: ["a\nb"] })).status, 200);
  assert.equal((await put({ "if-match": "*" }, { install: ["c"], version: 3 })).status, 200);
  const headers = { "if-none-match": (await api.ask("GET", path, { token })).headers.get("etag") ?? "" };
  assert.equal((await api.ask("GET", path, { token, headers })).status, 304);
  const repository = await api.ask("GET", `${O}/repos/${repositoryId}`, { token });
  assert.equal(repository.json.setup_status, "ready");
});

test("prepared checkouts are listed, and made again on request; a caller who may only read may not request it", async () => {
  const token = await api.token();
  const id = await add("/srv/kept", "main");
  const path = `${O}/repos/${id}/setup`;
  const rebuild = (as: string) => api.ask("POST", `${path}/rebuild`, { token: as });
  const refused = await rebuild(token);
  assert.deepEqual([refused.status, refused.json.code], [409, "conflict"]);
  await api.ask("PUT", path, { token, body: { install: ["npm ci"] } });
  const run = await api.store.runs.create(api.home, plainRun("x", { repositoryId: id }));
  const claimed = await api.store.queue.claim("test", 60_000);
  assert.equal(claimed?.run.id, run.id);
  assert.ok(claimed);
  const name = { repositoryId: id, key: "a".repeat(64) };
  await api.store.prepared.begin(claimed.lease, name);
  assert.equal((await api.ask("GET", path, { token })).json.setup_status, "building");
  await api.store.prepared.finish(claimed.lease, name, { bytes: 5, files: 2, usableMs: 60_000 });
  const kept = (await api.ask("GET", path, { token })).json;
  const [prepared] = kept.prepared as Record<string, unknown>[];
  assert.deepEqual(
    [kept.setup_status, prepared?.state, prepared?.key, prepared?.bytes, prepared?.files, prepared?.agent_run_id],
    ["ready", "ready", name.key, 5, 2, run.id],
  );
  assert.equal((await rebuild(await api.token("viewer"))).status, 403);
  const outdated = await rebuild(token);
  assert.deepEqual([outdated.status, outdated.json.setup_status], [200, "stale"]);
  assert.equal((outdated.json.prepared as { state: string }[])[0]?.state, "stale");
  const read = await api.ask("GET", path, { token });
  assert.equal(outdated.headers.get("etag"), read.headers.get("etag"));
  const { json } = await api.ask("GET", `${O}/audit?limit=1`, { token });
  assert.equal((json.items as { act: string }[])[0]?.act, "setup.rebuilt");
  const discarded = await api.ask("DELETE", `${path}/proposal`, { token });
  assert.deepEqual([discarded.status, discarded.headers.get("etag")], [200, read.headers.get("etag")]);
});

test("only an admin lets setup commands reach further or gives them a variable; others keep the existing grants", async () => {
  const path = `${O}/repos/${await add("/srv/secrets", "main")}/setup`;
  const [admin, member] = [await api.token(), await api.token("member")];
  const put = (token: string, body: object) => api.ask("PUT", path, { token, body });
  const env = ["NPM_TOKEN"];
  const network = [{ host: "NPM.example.com", port: 8443 }];
  for (const [field, body] of [
    ["env", { env }],
    ["network", { network }],
  ] as const) {
    const refused = await put(member, { install: ["npm ci"], ...body });
    assert.deepEqual([refused.status, refused.json.code], [403, "forbidden"]);
    assert.match(String(refused.json.detail), new RegExp(`^${field}: only an admin`));
  }
  assert.equal((await put(admin, { install: ["npm ci"], env, network })).status, 200);
  const kept = [{ host: "npm.example.com", port: 8443 }];
  const edited = await put(member, { install: ["npm ci"], test: ["npm test"], required: true, env, network: kept });
  assert.deepEqual([edited.status, edited.json.env, edited.json.network], [200, env, kept]);
  assert.equal((await put(member, { network: [{ host: "npm.example.com" }] })).status, 403, "another port");
  assert.equal((await put(member, {})).status, 200, "taking away is open to all");
  for (const [body, loc] of [
    [{ env: ["lower"] }, ["body", "env", 0]],
    [{ network: [{ host: "127.0.0.1" }] }, ["body", "network", 0, "host"]],
    [{ network: [{ host: "a.test", port: 0 }] }, ["body", "network", 0, "port"]],
  ] as const) {
    const refused = await put(admin, body);
    assert.deepEqual([refused.status, (refused.json.errors as { loc: unknown[] }[])[0]?.loc], [400, loc]);
  }
});

test("a grant applies to the commands it was given to: others change them only by giving it up, and cannot take it up again", async () => {
  const path = `${O}/repos/${await add("/srv/granted", "main")}/setup`;
  const [admin, member] = [await api.token(), await api.token("member")];
  const put = (token: string, body: object) => api.ask("PUT", path, { token, body });
  const granted = { install: ["npm ci"], env: ["NPM_TOKEN"] };
  assert.equal((await put(admin, granted)).status, 200);
  for (const [field, change] of [
    ["install", { install: ['printf %s "$NPM_TOKEN" | rev'] }],
    ["install", { install: [] }],
    ["build", { build: ['printf %s "$NPM_TOKEN" | rev'] }],
    ["maintenance", { maintenance: ["env | rev"] }],
  ] as const) {
    const refused = await put(member, { ...granted, ...change });
    assert.deepEqual([refused.status, refused.json.code], [403, "forbidden"], JSON.stringify(change));
    assert.match(String(refused.json.detail), new RegExp(`^${field}: only an admin .*\\(NPM_TOKEN\\)`));
  }
  const { json } = await api.ask("GET", path, { token: member });
  assert.deepEqual([json.install, json.build, json.env], [["npm ci"], [], ["NPM_TOKEN"]], "nothing has changed");
  assert.equal((await put(admin, { ...granted, build: ["npm run build"] })).status, 200);
  assert.equal((await put(member, { install: ["env | rev"] })).status, 200, "without the grant");
  assert.equal((await put(member, { install: ["env | rev"], env: granted.env })).status, 403, "nor with it again");
  const network = [{ host: "npm.example.com", port: null }];
  assert.equal((await put(admin, { install: ["npm ci"], network })).status, 200);
  assert.equal((await put(member, { install: ["curl npm.example.com"], network })).status, 403, "hosts, too");
});

test("a refused setup names the unknown fields", async () => {
  const token = await api.token();
  const refused = await api.ask("PUT", `${O}/repos/${repositoryId}/setup`, {
    token,
    body: { secrets: ["A"], image: 1 },
  });
  assert.equal(refused.status, 400);
  const named = (refused.json.errors as { loc: unknown[] }[]).map(({ loc }) => loc);
  assert.deepEqual(named, [
    ["body", "secrets"],
    ["body", "image"],
  ]);
});

test("generate starts a separate kind of run, which the setup then names", async () => {
  const token = await api.token();
  const body = { repo_id: repositoryId, trigger_source: "nightly" };
  const { json } = await api.ask("POST", `${O}/setup-commands/generate`, { token, body });
  const run = (await api.ask("GET", `${O}/agent/run/${json.agent_run_id}`, { token })).json;
  assert.deepEqual(
    [run.source_type, run.agent, run.repo_id, run.metadata],
    ["SETUP_COMMANDS", "setup", repositoryId, { trigger_source: "nightly" }],
  );
  const setup = await api.ask("GET", `${O}/repos/${repositoryId}/setup`, { token });
  assert.deepEqual(setup.json.generate, { agent_run_id: run.id, status: "queued" });
  const reference = await api.token("owner", { style: "reference" });
  const other = await api.ask("GET", `${O}/repos/${repositoryId}/setup`, { token: reference });
  assert.deepEqual(other.json.generate, { agent_run_id: run.id, status: "PENDING" });
});

test("of concurrent generate requests one starts; the others name its run; a cancelled one blocks nothing", async () => {
  const token = await api.token();
  const repoId = await add("/srv/busy", "main");
  const generate = () => api.ask("POST", `${O}/setup-commands/generate`, { token, body: { repo_id: repoId } });
  const cancel = (id: unknown) => api.ask("POST", `${O}/agent/run/${id}/cancel`, { token });
  const resume = (id: unknown) =>
    api.ask("POST", `${O}/agent/run/resume`, { token, body: { agent_run_id: id, prompt: "Again" } });
  const answers = await Promise.all([generate(), generate(), generate()]);
  const [started] = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 409);
  assert.deepEqual([started?.status, refused.length], [200, 2]);
  const first = started?.json.agent_run_id;
  for (const { json } of refused) assert.deepEqual([json.code, json.agent_run_id], ["conflict", first]);
  assert.match(String(refused[0]?.json.detail), new RegExp(`^Run ${first} is already looking for the setup commands`));
  assert.equal((await cancel(first)).status, 200);
  const second = (await generate()).json.agent_run_id;
  const again = await resume(first);
  assert.deepEqual([again.status, again.json.agent_run_id], [409, second]);
  assert.equal((await resume(second)).status, 200, "a run is not in its own way");
  await cancel(second);
  assert.equal((await resume(first)).status, 200);
  assert.equal((await generate()).json.agent_run_id, first);
});

test("a repository without commits has nothing to set up; one whose source is gone cannot be read", async () => {
  const token = await api.token();
  const generate = (id: number) => api.ask("POST", `${O}/setup-commands/generate`, { token, body: { repo_id: id } });
  const empty = await generate(await add("/srv/empty", null));
  assert.equal(empty.status, 400);
  assert.match(String(empty.json.detail), /has no commits/);
  assert.equal((await generate(await add("/srv/broken", null))).status, 409);
  assert.equal((await generate(await add("/srv/detached", null))).status, 200);
});

test("the agent of generate runs is not listed, and no other run can name it", async () => {
  const token = await api.token();
  for (const body of [{ agent: "setup" }, { agent_type: "setup" }]) {
    const refused = await api.ask("POST", `${O}/agent/run`, { token, body: { prompt: "x", ...body } });
    assert.equal(refused.status, 400);
    assert.match(String(refused.json.detail), /works only in runs that POST …\/setup-commands\/generate starts/);
  }
});
