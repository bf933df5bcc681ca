// Tier: rest
import assert from "node:assert/strict";
import { test } from "node:test";
import { hostToken } from "#lib/host/code-host.fixture.ts";
import { sealContextOf } from "#lib/host/open-integration.ts";
import { ConnectedHost } from "#lib/web/connected-host.fixture.ts";
import { openedPull } from "#lib/web/opened-pull.fixture.ts";
import { pushableRun } from "#lib/web/pushable-run.fixture.ts";

const O = "/v1/organizations/1";

test("a pull request is closed, reopened and made ready on the host; if that is down nothing is changed", async (t) => {
  const connected = await ConnectedHost.open("github");
  t.after(() => connected.close());
  const { api, host } = connected;
  await host.createRepository("acme/shop");
  await host.pushAs("ada", "acme/shop", "work", { "b.txt": "two\n" });
  const { number } = host.openPull({
    ...{
      repository: "acme/shop",
      branch: "work",
      baseBranch: "main",
      fork: null,
      isOpen: true,
      title: "Fix it",
      draft: true,
    },
  });
  const pull = await openedPull(api, { number, fullName: "acme/shop", headBranch: "work" });
  const token = await api.token();
  const set = (state: string, path = `${O}/prs/${pull.id}`) => api.ask("PATCH", path, { token, body: { state } });
  const stored = async () => (await api.store.pulls.find(api.home, pull.id))?.state;

  const ready = await set("ready_for_review");
  assert.deepEqual([ready.status, ready.json.success, ready.json.state], [200, true, "open"]);
  assert.equal(host.findPull("acme/shop", number)?.draft, false);
  const draft = await set("draft");
  assert.deepEqual([draft.status, draft.json.success, draft.json.state], [200, true, "open"]);
  assert.equal(host.findPull("acme/shop", number)?.draft, true);
  assert.equal((await api.store.pulls.find(api.home, pull.id))?.isDraft, true);
  const closed = await set("closed", `${O}/repos/${pull.repositoryId}/prs/${pull.id}`);
  assert.deepEqual([closed.status, closed.json.success, closed.json.state], [200, true, "closed"]);
  assert.deepEqual([host.findPull("acme/shop", number)?.isOpen, await stored()], [false, "closed"]);
  const shown = await api.ask("GET", `${O}/agent/run/${pull.runId}`, { token });
  assert.deepEqual(
    [Object(shown.json.pull_request).state, Object(shown.json.github_pull_requests).length],
    ["closed", 1],
  );
  host.isGone = true;
  const away = await set("open");
  assert.equal(away.status, 503);
  assert.match(away.headers.get("retry-after") ?? "", /^\d+$/);
  assert.equal(await stored(), "closed");
  host.isGone = false;
  host.faults.push(422);
  const refused = await set("open");
  assert.deepEqual([refused.status, refused.json.success, await stored()], [200, false, "closed"]);
  assert.equal((await set("open")).json.state, "open");
  assert.equal(await stored(), "open");
  assert.ok(!JSON.stringify([ready.json, away.json, refused.json]).includes(hostToken));
  // A person's action there counts, even if the service was not notified.
  await host.actOn("acme/shop", number, "closed", "ada");
  await set("closed");
  const push = () => api.ask("POST", `${O}/agent/run/${pull.runId}/pull-request`, { token, body: {} });
  assert.equal((await push()).status, 409);
  host.isGone = true;
  assert.equal((await push()).status, 409);
  host.isGone = false;
  await host.actOn("acme/shop", number, "reopened", "ada");
  assert.deepEqual([(await push()).json.state, await stored()], ["open", "open"]);
  // In a recreated repository, the number belongs to another pull request.
  host.changePull(number, { branch: "hers" });
  const another = await set("closed");
  assert.deepEqual(
    [another.status, another.json.success, another.json.error],
    [200, false, "It is no longer on the code host."],
  );
  assert.equal(host.findPull("acme/shop", number)?.isOpen, true);
  await api.store.integrations.put(api.home, "github", { secretSealed: "e1.00000000.AAAA.AAAA" });
  const keyless = await set("closed");
  assert.deepEqual(
    [keyless.status, keyless.json.success, keyless.json.error],
    [200, false, "GitHub's secret cannot be decrypted: enter it again."],
  );
  const elsewhere = await connected.addRepository("acme/other");
  assert.equal((await set("closed", `${O}/repos/${elsewhere}/prs/${pull.id}`)).status, 404);
  assert.equal((await set("closed", `${O}/prs/${pull.id + 1}`)).status, 404);
});

test("a pull request that cannot be opened is refused at once: turned off, not connected, closed before", async (t) => {
  const connected = await ConnectedHost.open("github");
  t.after(() => connected.close());
  const { api, host } = connected;
  const token = await api.token();
  const { runId, repoId } = await pushableRun(api);
  const ask = (id = runId) => api.ask("POST", `${O}/agent/run/${id}/pull-request`, { token, body: {} });
  const put = (body: object, id = repoId) => api.ask("PUT", `${O}/repos/${id}/pull-settings`, { token, body });
  assert.equal((await put({ mode: "off" })).status, 200);
  const off = await ask();
  assert.deepEqual([off.status, off.json.message], [409, "Pull requests are turned off for this repository."]);
  await put({ mode: "manual" });
  const own = await pushableRun(api);
  const refusedMode = await put({ mode: "automatic", draft: false }, own.repoId);
  assert.equal(refusedMode.status, 400);
  assert.match(String(refusedMode.json.message), /^mode: must be off or manual/);
  const kept = await api.ask("GET", `${O}/repos/${own.repoId}/pull-settings`, { token });
  assert.deepEqual([kept.json.mode, kept.json.draft], ["manual", true], "nothing is half saved");
  const organization = (body: object) => api.ask("PATCH", `${O}/settings`, { token, body });
  assert.equal((await organization({ enable_pr_creation: false })).status, 200);
  const none = await ask();
  assert.deepEqual([none.status, none.json.message], [409, "Pull requests are turned off for this organization."]);
  await organization({ enable_pr_creation: true });
  const [one, two] = await Promise.all([ask(), ask()]);
  assert.deepEqual([one.status, two.status, one.json.id], [200, 200, two.json.id]);
  const shown = await api.ask("GET", `${O}/agent/run/${runId}`, { token });
  assert.deepEqual([shown.json.status, Object(shown.json.pull_request).stage], ["evaluating", "weighing"]);
  const banned = await api.ask("POST", `${O}/agent/run/ban`, { token, body: { agent_run_id: runId } });
  assert.match(String(banned.json.message), /The run is stopped/);
  const after = await api.ask("GET", `${O}/agent/run/${runId}`, { token });
  assert.deepEqual([after.json.status, Object(after.json.pull_request).verdict], ["cancelled", "banned"]);

  await host.createRepository("acme/shop");
  const elsewhere = await pushableRun(api, { address: `${host.baseUrl}/acme/shop.git` });
  const target = async () =>
    (await api.ask("GET", `${O}/repos/${elsewhere.repoId}/pull-settings`, { token })).json.target;
  const account = { account: "errand-bot", account_kind: "user" };
  assert.deepEqual(await target(), { kind: "host", type: "github", connected: true, ...account });
  await api.ask("DELETE", `${O}/integrations/github`, { token });
  assert.deepEqual(await target(), { kind: "remote", type: null, connected: false, account: null, account_kind: null });
  const known = await pushableRun(api, { address: "https://github.com/acme/shop" });
  const refused = await ask(known.runId);
  assert.deepEqual([refused.status, /GitHub is not connected/.test(String(refused.json.message))], [409, true]);
  const place = { organizationId: api.home.organizationId, type: "github" } as const;
  const secretSealed = api.runtime.seal.seal(JSON.stringify({ token: "t" }), sealContextOf(place, "secret"));
  await api.store.integrations.put(api.home, "github", { secretSealed });
  assert.equal((await ask(known.runId)).status, 200);

  for (const [type, port] of [
    ["gitlab", 8081],
    ["forgejo", 8082],
  ] as const) {
    const here = { organizationId: api.home.organizationId, type };
    const sealed = api.runtime.seal.seal(JSON.stringify({ token: "t" }), sealContextOf(here, "secret"));
    await api.store.integrations.put(api.home, type, { baseUrl: `http://git.corp:${port}`, secretSealed: sealed });
  }
  const either = await pushableRun(api, { address: "git@git.corp:acme/shop.git" });
  const unclear = await ask(either.runId);
  assert.deepEqual(
    [unclear.status, unclear.json.message],
    [
      409,
      "GitLab and Forgejo are connected, and the repository's address may be on each of them. Add the repository again with its http address.",
    ],
  );
  const settings = await api.ask("GET", `${O}/repos/${either.repoId}/pull-settings`, { token });
  assert.deepEqual([Object(settings.json.target).kind, Object(settings.json.target).type], ["unclear", null]);
});
