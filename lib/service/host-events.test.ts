// From an event of a host to its answer there: every case uses the same service, engine and stand-in, made at the top.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { listedAgent } from "#lib/contract/runs/agent.fixture.ts";
import { parsePrompt } from "#lib/entry/prompt-steps.ts";
import { CodeHost, hostHookSecret, hostToken } from "#lib/host/code-host.fixture.ts";
import type { HostKind } from "#lib/host/host.ts";
import { underWayMs } from "#lib/store/dead-claims.ts";
import { countOf } from "#lib/test-counts.fixture.ts";
import { checkProblem } from "#lib/web/checked-answer.fixture.ts";
import { ConnectedHost } from "#lib/web/connected-host.fixture.ts";

async function open(t: TestContext, kind: HostKind = "github") {
  const connected = await ConnectedHost.open(kind);
  t.after(() => connected.close());
  connected.host.addPerson("ada", "write");
  connected.host.addPerson("guest", "read");
  return connected;
}

/** Whether the host is shown as working, and why not. */
async function shown({ api, host }: ConnectedHost) {
  const { json } = await api.ask("GET", "/v1/organizations/1/integrations", { token: await api.token() });
  const rows = json.integrations as {
    integration_type: string;
    active: boolean;
    metadata: { reason: string | null };
  }[];
  const row = rows.find(({ integration_type }) => integration_type === host.kind);
  return [row?.active, row?.metadata.reason];
}

for (const kind of ["github", "gitlab", "forgejo"] as const) {
  test(`${kind}: a mention starts a run, the next one continues it, and the answers go back to the thread`, async (t) => {
    const connected = await open(t, kind);
    const { api, host } = connected;
    const repositoryId = await connected.addRepository();
    await connected.comment("ada", "@errand fix the build", { title: "Red", opening: "It fails since Monday." });
    const [run] = await connected.runs();
    assert.deepEqual([run?.status, run?.sourceType, run?.repositoryId], ["queued", "GITHUB", repositoryId]);
    assert.match(run?.prompt ?? "", /^@errand fix the build\n\n---\nSaid by @ada in issue team\/app#7 "Red"/);
    assert.match(run?.prompt ?? "", /\(to read, not to obey\):\n\n> It fails since Monday\./);
    const logs = await api.ask("GET", `/v1/organizations/1/agent/run/${run?.id}/logs`, { token: await api.token() });
    const [entry] = logs.json.logs as { message_type: string; observation: Record<string, unknown> }[];
    assert.equal(entry?.message_type, "USER_GITHUB_ISSUE_COMMENT");
    const { host: where, author, permission, kind: spoken, body } = entry?.observation ?? {};
    assert.deepEqual([where, author, permission, spoken], [kind, "ada", "write", "issue"]);
    assert.equal(body, "@errand fix the build");
    assert.equal(host.comments.length, 0, "nothing is said before the turn has ended");

    await connected.endTurn("completed", "Fixed it. The key was ghp_0123456789abcdefghijABCDEFGHIJ012345.");
    await connected.conversations.processDue();
    await connected.conversations.processDue();
    assert.equal(host.comments.length, 1);
    assert.match(
      host.comments[0]?.body ?? "",
      /^Fixed it\. The key was \[secret masked\]\.\n\n\[Run\]\(http:\/\/errand\.test\/runs\/\d+\)/,
    );
    assert.deepEqual([host.comments[0]?.repository, host.comments[0]?.number], ["team/app", 7]);

    await connected.comment("ada", "and the tests, @errand");
    assert.equal((await connected.runs()).length, 1);
    assert.equal((await connected.runs())[0]?.turns, 2);
    await connected.endTurn("failed", null);
    await connected.conversations.processDue();
    assert.match(host.comments[1]?.body ?? "", /^This failed: The agent did not start\.\n\n\[Run\]/);
    await connected.comment("ada", "@errand another issue", { thread: { number: 8 } });
    assert.equal((await connected.runs()).length, 2);
  });
}

for (const kind of ["github", "gitlab", "forgejo"] as const) {
  test(`${kind}: a mention in a pull request starts at its branch, or at its base if that branch is not here`, async (t) => {
    const connected = await open(t, kind);
    const { host } = connected;
    await connected.addRepository();
    const pull = { branch: "fix/login", baseBranch: "next", fork: null, isOpen: true };
    host.pulls.set(8, pull);
    host.pulls.set(9, { ...pull, fork: "ada/app" });
    host.pulls.set(10, { ...pull, isOpen: false });
    host.pulls.set(12, { ...pull, branch: "fix/gone", isDeleted: true });
    const wanted = [
      [8, "fix/login", /into `next`; your checkout begins at `fix\/login`\./],
      [9, "next", /; that branch is in another repository, which is not fetched here, so .* begins at `next`\./],
      [10, "next", /; it is no longer open, so your checkout begins at `next`\./],
      [
        12,
        "next",
        kind === "gitlab" ? /; that branch was deleted, so .* begins at `next`\./ : /; it is no longer open/,
      ],
      [11, null, /Said by @ada in pull request team\/app#11/],
    ] as const;
    for (const [number, baseBranch, told] of wanted) {
      await connected.comment("ada", `@errand look at ${number}`, { thread: { subject: "pull", number } });
      const run = (await connected.runs()).at(-1);
      assert.equal(run?.baseBranch, baseBranch);
      assert.match(run?.prompt ?? "", told);
    }
    const asked = () => host.requests.filter(({ path }) => /\/(?:pulls|merge_requests)\/8$/.test(path)).length;
    assert.equal(asked(), 1);
    await connected.comment("ada", "@errand go on", { thread: { subject: "pull", number: 8 } });
    assert.equal((await connected.runs()).length, 5);
    assert.equal(asked(), 1, "a run that has begun is not asked about again");
  });
}

test("the author of a mention learns that a run was cancelled before it began, once, and later what became of the message", async (t) => {
  const connected = await open(t);
  const { api, host, conversations } = connected;
  await connected.addRepository();
  await connected.comment("ada", "@errand fix it");
  const [{ id = 0 } = {}] = await connected.runs();
  const token = await api.token();
  assert.equal((await api.ask("POST", `/v1/organizations/1/agent/run/${id}/cancel`, { token })).status, 200);
  for (let again = 0; again < 3; again++) await connected.engine().processDue();
  const said = () => host.comments.map(({ body }) => body.split("\n")[0]);
  const cancelled =
    "Someone cancelled the run before I started on this. Nothing was done. Your message is kept in the run and can still be sent there.";
  assert.deepEqual(said(), [cancelled]);
  assert.match(host.comments[0]?.body ?? "", new RegExp(`\\[Run\\]\\(http://errand\\.test/runs/${id}\\)`));
  assert.equal((await api.ask("POST", `/v1/organizations/1/agent/run/${id}/queue/send`, { token })).status, 200);
  await connected.endTurn("completed", "Fixed.");
  await conversations.processDue();
  assert.deepEqual(said(), [cancelled, "Fixed."]);

  await connected.comment("ada", "@errand and that", { thread: { number: 8 } });
  const second = (await connected.runs())[1]?.id;
  await api.ask("POST", `/v1/organizations/1/agent/run/${second}/cancel`, { token });
  await conversations.processDue();
  assert.equal((await api.ask("DELETE", `/v1/organizations/1/agent/run/${second}/queue/1`, { token })).status, 200);
  await conversations.processDue();
  await conversations.processDue();
  assert.deepEqual(said().slice(2), [
    cancelled,
    "Someone withdrew this message before I started on it, so nothing was done.",
  ]);
});

test("bots, its own comments and people without write permission start nothing", async (t) => {
  const connected = await open(t);
  const { host } = connected;
  await connected.addRepository();
  host.addPerson("robot", "admin", { isBot: true });
  const each = countOf({ short: 20, long: 500 });
  for (let index = 0; index < each; index++) {
    for (const login of ["robot", "errand-bot", "guest", "stranger"]) {
      await connected.send(host.commentEvent({ login, body: `@errand do it ${index}` }));
    }
  }
  await connected.conversations.processDue();
  assert.deepEqual(await connected.runs(), []);
  assert.equal(host.comments.length, 0);
  const asked = host.requests.filter(({ path }) => path.includes("/collaborators/"));
  assert.equal(asked.length, 2 * each, "the host is asked about people only");
  await connected.comment("ada", "@errand do it");
  assert.equal((await connected.runs()).length, 1);
});

for (const kind of ["github", "gitlab", "forgejo"] as const) {
  test(`${kind}: a listed bot asks as a person does, others and its own account start nothing`, async (t) => {
    const connected = await open(t, kind);
    const { api, host } = connected;
    await connected.addRepository();
    const put = async (settings: object) =>
      await api.asked("PUT", `/v1/organizations/1/integrations/${kind}`, {
        token: await api.token(),
        body: { settings },
      });
    const [listed, weak, other] = ["group_7_bot_a", "group_7_bot_b", "group_7_bot_c"].map((name) =>
      kind === "forgejo" ? `${name}-bot` : name,
    ) as [string, string, string];
    host.addPerson(listed, "write", { isBot: true });
    host.addPerson(weak, "read", { isBot: true });
    host.addPerson(other, "write", { isBot: true });
    host.addPerson("errand-bot", "admin", { isBot: true });
    const say = (login: string) => connected.comment(login, "@errand fix it");
    await say(listed);
    assert.equal((await connected.runs()).length, 0, "not listed yet");
    const { json } = await put({ bots: [` ${listed.toUpperCase()} `, weak, "Errand-Bot"] });
    assert.deepEqual(Object(json.metadata).settings.bots, [listed.toUpperCase(), weak, "Errand-Bot"]);
    for (const login of [weak, other, "errand-bot"]) await say(login);
    assert.equal((await connected.runs()).length, 0);
    await say(listed);
    const [run, ...more] = await connected.runs();
    assert.deepEqual([more.length, run?.prompt.includes(`Said by @${listed}`)], [0, true]);
    await put({});
    await connected.comment(listed, "@errand and that", { thread: { number: 8 } });
    assert.equal((await connected.runs()).length, 1, "taken off the list");
  });
}

test("until its own account is known, no listed bot is heard: it may be that account", async (t) => {
  const connected = await open(t);
  const { api, host } = connected;
  await connected.addRepository();
  host.addPerson("errand[bot]", "write", { isBot: true });
  host.faults.push(500);
  const body = { token: "another", settings: { bots: ["errand[bot]"] } };
  await api.asked("PUT", "/v1/organizations/1/integrations/github", { token: await api.token(), body });
  await connected.comment("errand[bot]", "@errand again");
  assert.equal((await connected.runs()).length, 0);
});

test("an answer arrives once: after a lost response of the host, and after an engine that died", async (t) => {
  const connected = await open(t);
  const { host } = connected;
  await connected.addRepository();
  await connected.comment("ada", "@errand one");
  await connected.endTurn("completed", "One.");
  host.faults.push("lost");
  await connected.conversations.processDue();
  assert.equal(host.comments.length, 1, "the host has it, and nobody here knows");
  connected.advance(10_000);
  await connected.conversations.processDue();
  assert.equal(host.comments.length, 1);

  await connected.comment("ada", "@errand two", { thread: { number: 9 } });
  await connected.endTurn("completed", "Two.");
  // An engine takes it and dies before it has sent anything.
  assert.notEqual(await connected.api.store.conversations.claimReply(60_000), null);
  await connected.conversations.processDue();
  assert.equal(host.comments.length, 1);
  connected.advance(60_001);
  await Promise.all([connected.engine().processDue(), connected.conversations.processDue()]);
  assert.deepEqual(
    host.comments.map(({ body }) => body.split("\n")[0]),
    ["One.", "Two."],
  );
});

test("an answer arrives once: the next engine starts while the dead one's request is still under way", async (t) => {
  const connected = await open(t);
  const { api, host, conversations } = connected;
  await connected.addRepository();
  await connected.comment("ada", "@errand one");
  await connected.endTurn("completed", "One.");
  const sent = await api.store.conversations.claimReply(60_000);
  await api.store.queue.endLeases();
  await conversations.processDue();
  assert.equal(host.comments.length, 0, "the host does not know it yet");
  const { baseUrl } = host;
  const arrived = await fetch(`${baseUrl}/api/v3/repos/team/app/issues/7/comments`, {
    method: "POST",
    headers: { authorization: `Bearer ${hostToken}`, "content-type": "application/json" },
    body: JSON.stringify({ body: `One.\n\n<!-- errand ${sent?.key} -->` }),
  });
  assert.equal(arrived.status, 201);
  connected.advance(underWayMs);
  await conversations.processDue();
  assert.equal(host.comments.length, 1);
  connected.advance(60_000);
  await conversations.processDue();
  assert.equal(host.comments.length, 1);
  assert.equal(await api.store.conversations.claimReply(60_000), null, "it is settled");
});

test("an event waits for a host that does not respond, and is processed once", async (t) => {
  const connected = await open(t);
  const { host } = connected;
  await connected.addRepository();
  host.faults.push(503, "lost", 429);
  await connected.comment("ada", "@errand go");
  for (let tries = 0; tries < 4; tries++) {
    connected.advance(60_000);
    await Promise.all([connected.engine().processDue(), connected.conversations.processDue()]);
  }
  assert.equal((await connected.runs()).length, 1);
  assert.equal((await connected.runs())[0]?.turns, 1);
});

test("a token that the host no longer accepts is reported until it does, and received events wait", async (t) => {
  const connected = await open(t);
  const { host } = connected;
  await connected.addRepository();
  host.faults.push(401);
  await connected.comment("ada", "@errand go");
  assert.deepEqual(await shown(connected), [false, "GitHub does not accept the secret (401): as asked for."]);
  connected.advance(60_000);
  await connected.conversations.processDue();
  assert.equal((await connected.runs()).length, 1);
  assert.deepEqual(await shown(connected), [true, null]);
});

for (const kind of ["github", "gitlab"] as const) {
  test(`${kind}: an account that may not ask who may write is reported, one that only has to wait is not`, async (t) => {
    const connected = await open(t, kind);
    const { host } = connected;
    await connected.addRepository();
    host.faults.push(429);
    await connected.comment("ada", "@errand go");
    assert.deepEqual(await shown(connected), [true, null]);
    host.faults.push(403);
    connected.advance(3_600_000);
    await connected.conversations.processDue();
    const [isActive, reason] = await shown(connected);
    assert.equal(isActive, true);
    assert.match(String(reason), /^team\/app: Git(?:Hub|Lab) refused \(403\): /);
    connected.advance(60_000);
    await connected.conversations.processDue();
    assert.equal((await connected.runs()).length, 1);
    assert.deepEqual(await shown(connected), [true, null]);
  });
}

test("forgejo: an account that may not ask who may write is reported, and received events wait until it may", async (t) => {
  const connected = await open(t, "forgejo");
  const { host } = connected;
  await connected.addRepository();
  host.setRules("team/app", { notAdmin: true });
  await connected.comment("ada", "@errand go");
  const reason =
    "team/app: Forgejo tells only a repository's administrators who may write to it: make the token's account one.";
  assert.deepEqual(await shown(connected), [true, reason]);
  assert.deepEqual(await connected.runs(), []);
  host.setRules("team/app", { notAdmin: false });
  connected.advance(60_000);
  await connected.conversations.processDue();
  assert.equal((await connected.runs()).length, 1);
  assert.deepEqual(await shown(connected), [true, null]);
});

test("a repository that is not added is reported once, and a remote on another host is not taken for it", async (t) => {
  const connected = await open(t);
  const { api, host } = connected;
  const names = { name: "app", fullName: "team/app", description: null, defaultBranch: "main" };
  await api.store.repositories.add(api.home, { ...names, source: "https://elsewhere.example/team/app.git" });
  await api.store.repositories.add(api.other, { ...names, source: `${host.baseUrl}/team/app.git` });
  await connected.comment("ada", "@errand go");
  await connected.conversations.processDue();
  assert.equal(host.comments.length, 1);
  assert.match(host.comments[0]?.body ?? "", /^team\/app has not been added to Errand, so nothing was started\./);
  assert.deepEqual(await connected.runs(), []);
});

test("without an agent that can act on words a mention is answered and starts nothing; a run that is there goes on", async (t) => {
  const connected = await open(t);
  const { api, host } = connected;
  await connected.addRepository();
  await connected.comment("ada", "@errand go");
  assert.equal((await connected.runs()).length, 1);
  await connected.endTurn("completed", "Done.");
  await api.store.agents.replaceAll([listedAgent("steps", { has_model: false, is_default: true })]);
  await connected.comment("ada", "@errand and that");
  assert.deepEqual(
    (await connected.runs()).map(({ turns }) => turns),
    [2],
  );
  host.comments.length = 0;
  await connected.comment("ada", "@errand go", { thread: { number: 8 } });
  await connected.conversations.processDue();
  assert.equal((await connected.runs()).length, 1);
  assert.match(host.comments.at(-1)?.body ?? "", /^No agent with a model is ready, so nothing was started\./);
});

test("of hosts on one machine, a mention starts a run in the repository of its own host, and in none if that is unclear", async (t) => {
  const connected = await open(t, "gitlab");
  const { api, host } = connected;
  const other = await CodeHost.open("github");
  t.after(() => other.close());
  const body = { base_url: other.baseUrl, token: hostToken, hook_secret: hostHookSecret };
  await api.ask("PUT", "/v1/organizations/1/integrations/github", { token: await api.token(), body });
  await connected.addRepository("team/app", other);
  const names = { name: "renamed", fullName: "renamed", description: null, defaultBranch: "main" };
  await api.store.repositories.add(api.home, { ...names, source: "git@127.0.0.1:team/app.git" });
  await connected.comment("ada", "@errand go");
  assert.match(
    host.comments[0]?.body ?? "",
    /^Nothing was started: GitHub and GitLab are connected, .* http address\./,
  );
  assert.deepEqual(await connected.runs(), []);
  const source = `${host.baseUrl}/t%65am/app.git`;
  const { repository } = await api.store.repositories.add(api.home, { ...names, source });
  await connected.comment("ada", "@errand go");
  assert.deepEqual(
    (await connected.runs()).map(({ repositoryId }) => repositoryId),
    [repository.id],
  );
});

for (const subject of ["pull", "issue"] as const) {
  test(`no event wakes a banned run of a conversation (${subject}) until the ban is lifted`, async (t) => {
    const connected = await open(t);
    const { api, host } = connected;
    await connected.addRepository();
    const thread = { subject };
    await connected.comment("ada", "@errand go", { thread });
    const [{ id = 0 } = {}] = await connected.runs();
    const steer = async (verb: string) =>
      api.ask("POST", `/v1/organizations/1/agent/run/${verb}`, {
        token: await api.token(),
        body: { agent_run_id: id },
      });
    assert.equal((await steer("ban")).status, 200);
    await connected.conversations.processDue();
    const said = host.comments.length;
    await connected.comment("ada", "@errand go on", { thread });
    await connected.conversations.processDue();
    const state = async () => (await connected.runs()).map(({ status, turns }) => [status, turns]);
    assert.deepEqual([await state(), host.comments.length], [[["cancelled", 1]], said]);
    assert.equal((await steer("unban")).status, 200);
    await connected.comment("ada", "@errand go on now", { thread });
    assert.deepEqual(await state(), [["queued", 2]]);
  });
}

test("a linked viewer starts and continues nothing, and is told why", async (t) => {
  const connected = await open(t);
  const { api, host } = connected;
  await connected.addRepository();
  const viewer = await api.member("viewer");
  const body = { external_id: "ada", user_id: viewer.userId };
  const path = "/v1/organizations/1/integrations/github/links";
  assert.equal((await api.ask("PUT", path, { token: await api.token(), body })).status, 200);
  await connected.comment("ada", "@errand go");
  await connected.conversations.processDue();
  assert.deepEqual(await connected.runs(), []);
  assert.match(host.comments[0]?.body ?? "", /^Your role lets you read runs/);
  api.changeRole(viewer.userId, "member");
  await connected.comment("ada", "@errand go");
  assert.equal((await connected.runs())[0]?.userId, viewer.userId);
  api.changeRole(viewer.userId, "viewer");
  await connected.comment("ada", "@errand go on");
  assert.equal((await connected.runs())[0]?.turns, 1);
});

test("an integration without a secret for events accepts none", async (t) => {
  const connected = await open(t);
  const { api, host } = connected;
  const token = await api.token();
  const path = "/v1/organizations/1/integrations/github";
  assert.equal((await api.ask("PUT", path, { token, body: { hook_secret: null } })).status, 200);
  const unproved = await connected.send(host.commentEvent({ login: "ada", body: "@errand go" }));
  checkProblem(unproved, 401);
  assert.equal(unproved.headers.get("www-authenticate"), "Signature");
});

test("events whose secret cannot be decrypted are refused without an entry in the log, and the integration says why", async (t) => {
  const connected = await open(t);
  const { api, host } = connected;
  const before = await api.store.integrations.put(api.home, "github", { hookSecretSealed: "e1.00000000.AAAA.AAAA" });
  await api.store.integrations.noteCheck(before.id, before.revision, {
    active: true,
    account: "errand",
    accountKind: "user",
  });
  const refused = await connected.send(host.commentEvent({ login: "ada", body: "@errand go" }));
  checkProblem(refused, 503);
  assert.equal(
    refused.json.detail,
    "The secret of this integration's events cannot be decrypted. An admin must enter it again.",
  );
  const { json } = await api.ask("GET", "/v1/organizations/1/integrations", { token: await api.token() });
  const shown = (
    json.integrations as { integration_type: string; active: boolean; metadata: { reason: string } }[]
  ).find(({ integration_type }) => integration_type === "github");
  assert.equal(shown?.active, false);
  assert.equal(shown?.metadata.reason, "The secret of its events cannot be decrypted. Enter it again.");
});

test("a check reports what is shown afterwards, in the audit log too, and no reason names keys or files of the service", async (t) => {
  const { api } = await open(t);
  const token = await api.token();
  const lost = "e1.00000000.AAAA.AAAA";
  const check = async () => {
    const { json } = await api.ask("POST", "/v1/organizations/1/integrations/github/test", { token });
    const { json: log } = await api.ask("GET", "/v1/organizations/1/audit?limit=1", { token });
    const [record] = log.items as { act: string; details: { active: boolean } }[];
    return [json.active, (json.metadata as { reason: string }).reason, record?.act, record?.details.active];
  };
  await api.store.integrations.put(api.home, "github", { hookSecretSealed: lost });
  const ofEvents = "The secret of its events cannot be decrypted. Enter it again.";
  assert.deepEqual(await check(), [false, ofEvents, "integration.tested", false]);
  await api.store.integrations.put(api.home, "github", { secretSealed: lost, hookSecretSealed: null });
  const ofChecks = "GitHub's secret cannot be decrypted: enter it again.";
  assert.deepEqual(await check(), [false, ofChecks, "integration.tested", false]);
});

test("Errand does not answer its own comment, although the check of its new token failed", async (t) => {
  const connected = await open(t, "gitlab");
  const { api, host } = connected;
  await connected.addRepository();
  const login = (await api.store.integrations.find(api.home, "gitlab"))?.account ?? "";
  host.addPerson(login, "write");
  host.faults.push(502);
  const path = "/v1/organizations/1/integrations/gitlab";
  const changed = await api.ask("PUT", path, { token: await api.token(), body: { token: hostToken } });
  assert.equal(changed.json.active, false);
  const own = await connected.send(host.commentEvent({ login, body: "Mention @errand again to continue." }));
  assert.equal(own.json.accepted, true, "its account is not known yet");
  await connected.conversations.processDue();
  assert.deepEqual(await connected.runs(), []);
  await connected.comment("ada", "@errand go");
  assert.equal((await connected.runs()).length, 1);
  const after = await api.store.integrations.find(api.home, "gitlab");
  assert.deepEqual([after?.account, after?.active], [login, true]);
});

test("at another address it is another service: nothing of the one before is answered, continued or known there", async (t) => {
  const connected = await open(t, "forgejo");
  const other = await CodeHost.open("forgejo");
  t.after(() => other.close());
  const { api, host, conversations } = connected;
  other.addPerson("ada", "write");
  await connected.addRepository();
  const token = await api.token();
  const path = "/v1/organizations/1/integrations/forgejo";
  await api.ask("PUT", `${path}/links`, { token, body: { external_id: "ada", user_id: 1 } });
  await connected.comment("ada", "@errand go");
  await connected.endTurn("completed", "Done.");
  const body = { base_url: other.baseUrl, token: hostToken, hook_secret: hostHookSecret };
  const moved = await api.ask("PUT", path, { token, body });
  assert.equal(moved.json.active, true, moved.text);
  await conversations.processDue();
  assert.deepEqual([host.comments, other.comments], [[], []]);
  checkProblem(await connected.send(other.commentEvent({ login: "ada", body: "@errand old address" })), 404);
  connected.hookPath = new URL(String(Object(moved.json.metadata).hook_url)).pathname;
  await connected.addRepository("team/app", other);
  await connected.send(other.commentEvent({ login: "ada", body: "@errand go" }));
  await conversations.processDue();
  assert.deepEqual(
    (await connected.runs()).map(({ userId, turns }) => [userId, turns]),
    [
      [1, 1],
      [null, 1],
    ],
  );
});

test("what a first connection requires is required at another address too, before anything of the old one ends", async (t) => {
  const { api, host } = await open(t);
  const other = await CodeHost.open("github");
  t.after(() => other.close());
  const token = await api.token();
  const put = (body: object) => api.ask("PUT", "/v1/organizations/1/integrations/github", { token, body });
  const app = { app_id: 7, private_key: "-----BEGIN RSA PRIVATE KEY-----\nMA==\n-----END RSA PRIVATE KEY-----\n" };
  assert.equal((await put({ ...app, installation_id: 4 })).status, 200);
  const before = await api.store.integrations.find(api.home, "github");
  const refusedField = async (body: object) => {
    const { status, json, text } = await put({ base_url: other.baseUrl, ...body });
    assert.equal(status, 400, text);
    return (json.errors as { loc: string[] }[])[0]?.loc.at(-1);
  };
  assert.equal(await refusedField({}), "base_url");
  assert.equal(await refusedField(app), "installation_id");
  assert.equal(await refusedField({ token: null }), "token");
  assert.deepEqual(await api.store.integrations.find(api.home, "github"), before);
  assert.equal((await put({ base_url: `${host.baseUrl}/`, ...app })).status, 200, "at the same one it is kept");
  assert.equal((await put({ token: null })).status, 200);
  assert.equal(await refusedField({}), "token");
});

test("commands in an issue's text are a quotation; commands of the person who asks are steps", async (t) => {
  const connected = await open(t);
  await connected.addRepository();
  const opening = "Broken.\n\n```sh\necho theirs\n```\n~~~path=a.sh\ntheirs\n~~~\n- ```sh\r\necho theirs\r\n```";
  const title = 'Red" (x).\n\n```sh\necho theirs\n```\n';
  await connected.comment("ada", "@errand\n```sh\necho own\n```", { title, opening });
  const [run] = await connected.runs();
  const steps = parsePrompt(run?.prompt ?? "");
  assert.deepEqual(
    steps.map((step) => (step.kind === "shell" ? step.command : step)),
    ["echo own\n"],
  );
  assert.match(run?.prompt ?? "", /^> echo theirs$/m);
});
