// Tier: rest
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { hostToken } from "#lib/host/code-host.fixture.ts";
import type { HostKind } from "#lib/host/host.ts";
import { dispatchOver } from "#lib/web/api.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";
import { ConnectedHost } from "#lib/web/connected-host.fixture.ts";
import { pushableRun } from "#lib/web/pushable-run.fixture.ts";
import { GitRemote } from "#lib/workspace/git-remote.fixture.ts";
import { commitAll, git, writeFiles } from "#lib/workspace/test-repository.ts";

const pathOf = (runId: number, organization = 1) => `/v1/organizations/${organization}/agent/run/${runId}/push`;
const kinds: HostKind[] = ["github", "gitlab", "forgejo"];

for (const kind of kinds) {
  test(`a run's branch is pushed to its repository on ${kind} with the integration's token, and recorded`, async (t) => {
    const connected = await ConnectedHost.open(kind);
    t.after(() => connected.close());
    const { api, host } = connected;
    const run = await pushableRun(api, { address: `${host.baseUrl}/team/app.git` });
    const bare = join(api.folder, "bare.git");
    git(api.folder, "clone", "--quiet", "--bare", run.source, bare);
    host.servePushable("team/app", bare);
    const answered = await api.asked("POST", pathOf(run.runId), { token: await api.token("member") });
    const branch = `errand/run-${run.runId}`;
    assert.deepEqual(answered.json, {
      status: "pushed",
      branch,
      commit: run.commit,
      remote: `${host.baseUrl}/team/app.git`,
      ...{ reason: null, hint: null },
    });
    assert.equal(git(bare, "rev-parse", `refs/heads/${branch}`), run.commit);
    const { items } = await api.store.audit.list(api.home, {}, { skip: 0, limit: 1 });
    const [record] = items;
    assert.deepEqual([record?.act, record?.objectId, record?.objectName], ["run.pushed", run.runId, branch]);
    const { pushed } = (
      await api.asked("GET", `/v1/organizations/1/agent/run/${run.runId}`, { token: await api.token() })
    ).json as { pushed: { commit: string; remote: string; at: string } };
    assert.deepEqual([pushed.commit, pushed.remote], [run.commit, `${host.baseUrl}/team/app.git`]);
    assert.ok(!JSON.stringify([record, connected.logged, api.logged]).includes(hostToken));
  });
}

test("a push that the host refuses says what the host said and what to do, without the token, and nothing is recorded", async (t) => {
  const connected = await ConnectedHost.open("github");
  t.after(() => connected.close());
  const { api, host } = connected;
  const source = await host.createRepository("team/app");
  const run = await pushableRun(api, { address: source });
  const branch = `errand/run-${run.runId}`;
  const push = async () => (await api.asked("POST", pathOf(run.runId), { token: await api.token() })).json;
  host.protect("team/app", { branches: [branch] });
  const ruled = await push();
  assert.equal(ruled.status, "refused");
  assert.match(
    String(ruled.reason),
    /: GH006: Protected branch update failed for refs\/heads\/errand\/run-\d+\. Changes must/,
  );
  assert.match(String(ruled.hint), /^A rule on the code host, such as branch protection, refused it\./);
  host.protect("team/app", { refusal: `no: ${hostToken} ${"x".repeat(600)}\n` });
  const { reason } = await push();
  assert.ok(
    String(reason).length <= 500 &&
      /rejected the push: no: \S+/.test(String(reason)) &&
      !String(reason).includes(hostToken),
  );
  host.setRules("team/app", { readOnly: true });
  const unable = await push();
  assert.match(String(unable.reason), /^The remote does not let Errand push: Permission to team\/app\.git denied/);
  assert.match(String(unable.hint), /^The integration's token or App needs permission to write/);
  assert.equal(await host.git.headOf("team/app", branch), null);
  const { items } = await api.store.audit.list(api.home, {}, { skip: 0, limit: 1 });
  assert.notEqual(items[0]?.act, "run.pushed");
});

test("a push whose client goes away is finished and recorded", async (t) => {
  const connected = await ConnectedHost.open("github");
  t.after(() => connected.close());
  const { api, host } = connected;
  const run = await pushableRun(api, { address: await host.createRepository("team/app") });
  const gone = new AbortController();
  host.onPush = () => gone.abort();
  const headers = { authorization: `Bearer ${await api.token()}` };
  const request = new Request(`http://errand.test${pathOf(run.runId)}`, {
    method: "POST",
    headers,
    signal: gone.signal,
  });
  await dispatchOver(api.api)(request);
  assert.equal((await api.store.runs.find(api.home, run.runId))?.pushed?.commit, run.commit);
  const { items } = await api.store.audit.list(api.home, {}, { skip: 0, limit: 1 });
  assert.deepEqual([items[0]?.act, items[0]?.objectId], ["run.pushed", run.runId]);
});

test("of several pushes of a run at once, only the one that moved the branch is recorded", async (t) => {
  const api = await ApiUnderTest.open();
  t.after(() => api.close());
  const run = await pushableRun(api);
  const token = await api.token();
  const push = async () => (await api.asked("POST", pathOf(run.runId), { token })).json.status;
  const statuses = await Promise.all([push(), push(), push(), push()]);
  assert.deepEqual(statuses.sort(), ["pushed", "up_to_date", "up_to_date", "up_to_date"]);
  const { items } = await api.store.audit.list(api.home, {}, { skip: 0, limit: 10 });
  assert.equal(items.filter(({ act }) => act === "run.pushed").length, 1);
});

test("a GitHub App pushes with a token of its installation", async (t) => {
  const connected = await ConnectedHost.open("github");
  t.after(() => connected.close());
  const { api, host } = connected;
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  host.appKey = publicKey.export({ type: "spki", format: "pem" }).toString();
  const token = await api.token();
  await api.asked("PUT", "/v1/organizations/1/integrations/github", {
    token,
    body: {
      base_url: host.baseUrl,
      app_id: 1,
      installation_id: 2,
      private_key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    },
  });
  const run = await pushableRun(api, { address: `${host.baseUrl}/team/app.git` });
  const bare = join(api.folder, "bare.git");
  git(api.folder, "clone", "--quiet", "--bare", run.source, bare);
  host.servePushable("team/app", bare);
  assert.equal((await api.asked("POST", pathOf(run.runId), { token })).json.status, "pushed");
  host.faults.push(500);
  const refused = await api.ask("POST", pathOf(run.runId), { token });
  assert.equal(refused.status, 409, refused.text);
  assert.match(String(refused.json.detail), /GitHub answered with status 500/);
});

test("an integration's token goes only to its own host, and never replaces what an address contains", async (t) => {
  const connected = await ConnectedHost.open("forgejo");
  t.after(() => connected.close());
  const { api } = connected;
  const token = await api.token();
  const bare = join(api.folder, "bare.git");
  git(api.folder, "init", "--quiet", "--bare", bare);
  const remote = await GitRemote.open(bare, "ada:own");
  t.after(() => remote.close());
  const elsewhere = await pushableRun(api, { address: remote.url });
  const refused = await api.ask("POST", pathOf(elsewhere.runId), { token });
  assert.equal(refused.status, 409, refused.text);
  assert.deepEqual(new Set(remote.authorizations), new Set([undefined]));

  const address = remote.url.replace("://", "://ada:own@");
  const { json } = await api.asked("POST", pathOf((await pushableRun(api, { address })).runId), { token });
  assert.deepEqual([json.status, json.remote], ["pushed", remote.url.replace("://", "://***@")]);
});

test("a push measures the run's changes against the source as it is now, masked, and succeeds if that cannot be done", async (t) => {
  const api = await ApiUnderTest.open();
  t.after(() => api.close());
  const { runId, source, mirror } = await pushableRun(api);
  const branch = `errand/run-${runId}`;
  const clone = join(api.folder, "clone");
  git(api.folder, "clone", "--quiet", "--branch", branch, mirror, clone);
  writeFiles(clone, { "own.txt": "DEPLOY=hidden-4711-login\n" });
  commitAll(clone, "own");
  writeFiles(source, { "theirs.txt": "theirs\n" });
  const theirs = commitAll(source, "theirs");
  git(clone, "pull", "--quiet", "--no-rebase", "--no-edit", source, "main");
  git(clone, "push", "--quiet", mirror, branch);
  const agentsFile = join(api.dataDir, "agents.json");
  const pushed = async () => {
    const { json } = await api.asked("POST", pathOf(runId), { token: await api.token() });
    const { changes } = (await api.store.runs.find(api.home, runId)) ?? {};
    const { base_commit, head_commit, files } = changes ?? {};
    return [json.status, base_commit, head_commit, files];
  };
  writeFileSync(agentsFile, "{");
  const [status, , head] = await pushed();
  assert.deepEqual([status, head, api.logged.length], ["pushed", null, 1]);
  writeFileSync(agentsFile, JSON.stringify({ steps: { env: { DEPLOY_TOKEN: "hidden-4711-login" } } }));
  assert.deepEqual(await pushed(), ["up_to_date", theirs, git(clone, "rev-parse", "HEAD"), 2]);
  const diff = new TextDecoder().decode((await api.store.runs.findDiff(api.home, runId)) ?? undefined);
  assert.ok(diff.includes("DEPLOY=") && !/4711|theirs/.test(diff), diff);
});

test("a push with a secret that cannot be decrypted is refused in words that name no key and no file", async (t) => {
  const connected = await ConnectedHost.open("github");
  t.after(() => connected.close());
  const { api, host } = connected;
  const run = await pushableRun(api, { address: `${host.baseUrl}/team/app.git` });
  await api.store.integrations.put(api.home, "github", { secretSealed: "e1.00000000.AAAA.AAAA" });
  const refused = await api.ask("POST", pathOf(run.runId), { token: await api.token() });
  assert.deepEqual(
    [refused.status, refused.json.detail],
    [409, "GitHub's secret cannot be decrypted: enter it again."],
  );
});

test("a caller who may not push, and work that cannot be pushed, is refused in words", async (t) => {
  const api = await ApiUnderTest.open();
  t.after(() => api.close());
  const token = await api.token();
  const run = await pushableRun(api);
  const statusAs = async (asked: { token: string }, path = pathOf(run.runId)) =>
    (await api.ask("POST", path, asked)).status;
  assert.equal(await statusAs({ token: await api.token("viewer") }), 403);
  assert.equal(await statusAs({ token: await api.token("owner", { scopes: ["runs:write", "runs:read"] }) }), 403);
  const stranger = await api.token("owner", { access: api.other });
  assert.equal(await statusAs({ token: stranger }), 403);
  assert.equal(await statusAs({ token: stranger }, pathOf(run.runId, 2)), 404);
  assert.equal(git(run.source, "for-each-ref", "refs/heads/errand"), "");

  const alone = await api.ask("POST", pathOf((await api.run()).id), { token });
  assert.deepEqual([alone.status, alone.json.detail], [409, "The run has no repository to push to."]);
  git(run.mirror, "update-ref", `refs/heads/errand/run-${run.runId}`, `refs/errand/base/run-${run.runId}`);
  const empty = await api.ask("POST", pathOf(run.runId), { token });
  assert.deepEqual([empty.status, empty.json.detail], [409, "The run has made no commits yet."]);
});
