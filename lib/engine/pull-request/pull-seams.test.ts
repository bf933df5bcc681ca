// Tier: rest
import assert from "node:assert/strict";
import { test } from "node:test";
import { sh } from "#lib/engine/engine.fixture.ts";
import { hostLogin, hostToken } from "#lib/host/code-host.fixture.ts";
import { mcpSealContextOf } from "#lib/host/open-mcp-servers.ts";
import { agentKeyContext } from "#lib/secrets/agent-key-context.ts";
import { openPulls, writes } from "./pulls.fixture.ts";

type Of = Awaited<ReturnType<typeof openPulls>>;

/** Gives every push one green check. */
function passes({ host, fullName }: Of): void {
  host.onPush = ({ after }) => {
    if (after !== null) host.setCheck(fullName, after, { name: "build", conclusion: "success" });
  };
}

/** A run whose pull request is open and green. */
async function opened(of: Of, text: string) {
  const run = await of.start(writes(text));
  await of.settle(run.id);
  await of.request(run.id);
  const { pull } = await of.settle(run.id);
  assert.deepEqual([pull?.state, pull?.verdict], ["open", "green"], of.log.join("\n"));
  return { id: run.id, number: pull?.number ?? 0 };
}

const commits = (file: string, text: string) =>
  `${text} > ${file}; git add --all; git -c user.name=A -c user.email=a@b commit --quiet --message ${file}`;

test("a key that the agent committed and removed again is not pushed, nor the value of one that it was given", async (t) => {
  const of = await openPulls(t);
  passes(of);
  of.engine.start();
  const key = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
  const history = await of.start(
    sh(commits("key.txt", `echo ${key}`), `git rm --quiet key.txt; ${commits("b", "echo b")}`),
  );
  const given = `given-by-an-admin-4711-${"9fK2mQ7xT4vB8nL1".repeat(6)}`;
  const { organizationId } = of.access;
  const place = { variable: "SERVICE_KEY", repositoryId: null };
  await of.store.agentKeys.put(of.access, {
    ...place,
    sealed: of.parts.seal.seal(given, agentKeyContext(organizationId, place)),
  });
  const encoded =
    Buffer.from(given)
      .toString("base64")
      .match(/.{1,76}/g) ?? [];
  const known = await of.start(writes(`'${encoded.join("\n")}'`));
  for (const { id } of [history, known]) {
    await of.settle(id);
    await of.request(id);
    const { pull } = await of.settle(id);
    assert.deepEqual([pull?.verdict, pull?.error?.code], ["refused", "unfit"]);
    assert.equal(await of.host.git.headOf(of.fullName, `errand/run-${id}`), null);
  }
  assert.match((await of.find(history.id)).pull?.error?.message ?? "", /^key\.txt:1: commit [0-9a-f]{10} contains/);
});

test("a given key in the name of a file is not pushed, nor told by what is said of the file", async (t) => {
  const of = await openPulls(t);
  of.engine.start();
  const key = `given-by-an-admin-4711-${"9fK2mQ7xT4vB8nL1".repeat(2)}`;
  const place = { variable: "SERVICE_KEY", repositoryId: null };
  const sealed = of.parts.seal.seal(key, agentKeyContext(of.access.organizationId, place));
  await of.store.agentKeys.put(of.access, { ...place, sealed });
  const named = `${key}/large.bin`;
  const commit = "git add --all; git -c user.name=A -c user.email=a@b commit --quiet --message large";
  const { id } = await of.start(sh(`mkdir ${key}; head -c 10500000 /dev/zero > ${named}; ${commit}`));
  await of.settle(id);
  await of.request(id);
  const { pull } = await of.settle(id);
  const name = "[secret masked]/large.bin";
  assert.equal(
    pull?.error?.message,
    `${name}: its name contains what looks like a key: rewrite the commits without it; ${name}: 10 MB, more than the 10 MB that a file may have.`,
  );
  const told = (await of.entries(id)).filter(({ message_type }) => /^(?:COMMIT|PR)_EVALUATION$/.test(message_type));
  assert.ok(told.length === 2 && !JSON.stringify([told, pull]).includes(key));
  assert.equal(await of.host.git.headOf(of.fullName, `errand/run-${id}`), null);
});

test("a given key as the name or email of a commit's author or committer is not pushed", async (t) => {
  const of = await openPulls(t);
  of.engine.start();
  const key = `given-by-an-admin-4711-${"9fK2mQ7xT4vB8nL1".repeat(2)}`;
  const place = { variable: "SERVICE_KEY", repositoryId: null };
  const sealed = of.parts.seal.seal(key, agentKeyContext(of.access.organizationId, place));
  await of.store.agentKeys.put(of.access, { ...place, sealed });
  const commit = (setting: string) =>
    `git -c user.name=A -c user.email=a@b -c ${setting} commit --quiet --allow-empty --message one`;
  const fields = ["author.name", "author.email", "committer.name", "committer.email"];
  const made = [commit("a.b=c"), ...fields.map((field) => commit(`${field}=${key}`))].join("; ");
  const { id } = await of.start(sh(`echo one > a.txt; git add --all; ${made}`));
  await of.settle(id);
  await of.request(id);
  const { pull } = await of.settle(id);
  const words = "[0-9a-f]{10}: the commit's message, author or committer contains what looks like a key: [a-z ]+; ";
  assert.match(pull?.error?.message ?? "", new RegExp(`^(?:${words}){3}and 1 more\\.$`));
  assert.ok(!JSON.stringify([pull, (await of.entries(id)).slice(-2)]).includes(key));
  assert.equal(await of.host.git.headOf(of.fullName, `errand/run-${id}`), null);
});

test("nothing is pushed that holds a secret of an MCP server's headers or of an agent's variables", async (t) => {
  const given = { header: "9f1c2d7e8a0b4c5d", ofRun: "own-secret-of-run-1", variable: "tracker-login-4711" };
  const variables = { TRACKER_TOKEN: given.variable, API_KEY: "production", OTHER: "no-secret-0815" };
  const of = await openPulls(t, "github", { variablesOf: () => [variables] });
  passes(of);
  of.engine.start();
  const { organizationId } = of.access;
  const server = (name: string, headers: object) => {
    const place = { organizationId, name, url: `https://${name}.example/mcp` };
    return { ...place, headersSealed: of.parts.seal.seal(JSON.stringify(headers), mcpSealContextOf(place)) };
  };
  const headers = {
    Authorization: `Bearer ${given.header}`,
    Accept: "text/event-stream; q=0.5",
    "X-Workspace": "our-own-workspace",
  };
  await of.store.mcpServers.replace(
    of.access,
    [],
    [{ ...server("tracker", headers), headerNames: Object.keys(headers), repositoryIds: null }],
  );
  const own = [server("own", { "X-Login": given.ofRun })];
  const verdictOf = async (text: string) => {
    const { id } = await of.create(writes(text), { repositoryId: of.repository.id, mcpServers: { names: null, own } });
    await of.settle(id);
    await of.request(id);
    const { pull } = await of.settle(id);
    return [pull?.verdict, pull?.error?.code ?? null];
  };
  for (const value of Object.values(given)) assert.deepEqual(await verdictOf(value), ["refused", "unfit"], value);
  assert.deepEqual(await verdictOf("production no-secret-0815 text/event-stream our-own-workspace"), ["green", null]);
});

test("a recreated repository counts from 1 again: nobody else's pull request is touched, and new ones are opened", async (t) => {
  const of = await openPulls(t);
  const { host, fullName, store, access } = of;
  passes(of);
  of.engine.start();
  const first = await opened(of, "two");
  const second = await opened(of, "three");
  host.pulls.clear();
  await host.pushAs("ada", fullName, "feature", { "b.txt": "hers\n" });
  const hers = { branch: "feature", baseBranch: "main", fork: null, isOpen: true, repository: fullName, title: "Hers" };
  assert.equal(host.openPull(hers).number, first.number);
  await store.runs.addTurn(access, first.id, { prompt: writes("four"), images: [], model: null });
  await of.settle(first.id, ({ status, turns }) => turns === 2 && status === "completed");
  await store.pulls.request(access, first.id, { title: "Mine", body: null, draft: null, baseBranch: null });
  const again = await of.settle(first.id);
  assert.deepEqual([again.pull?.verdict, again.pull?.number], ["green", 2], of.log.join("\n"));
  assert.deepEqual(
    host.pullsOf(fullName).map(({ number, title }) => [number, title]),
    [
      [2, "Mine"],
      [1, "Hers"],
    ],
  );
  assert.equal((await of.find(second.id)).pull?.number, 2, "as it was, until somebody looks");
});

test("nothing more is pushed to a pull request that is merged while its run continues", async (t) => {
  const of = await openPulls(t);
  const { host, fullName } = of;
  passes(of);
  await of.putSettings({ mode: "automatic" });
  of.engine.start();
  const run = await of.start(writes("two"));
  const { pull } = await of.settle(run.id);
  await host.actOn(fullName, pull?.number ?? 0, "merged", "ada");
  await host.git.deleteBranch(fullName, `errand/run-${run.id}`);
  await of.store.runs.addTurn(of.access, run.id, { prompt: writes("three"), images: [], model: null });
  const ended = await of.settle(run.id, ({ status, turns }) => turns === 2 && status === "completed");
  assert.deepEqual([ended.pull?.state, ended.pull?.verdict], ["merged", "merged"]);
  assert.equal(await host.git.headOf(fullName, `errand/run-${run.id}`), null);
});

test("what the credential cannot see for a while is not taken for closed", async (t) => {
  const of = await openPulls(t);
  const { host, fullName } = of;
  passes(of);
  of.engine.start();
  const { id, number } = await opened(of, "two");
  await of.request(id);
  await of.settle(id, ({ pull }) => pull?.stage === "checking");
  host.setRules(fullName, { hidden: true });
  const hidden = await of.settle(id);
  assert.deepEqual([hidden.status, hidden.pull?.state, hidden.pull?.verdict], ["completed", "open", "no_checks"]);
  assert.match(hidden.pull?.reason ?? "", /can no longer see/);
  host.setRules(fullName, { hidden: false });
  await of.request(id);
  const { pull } = await of.settle(id);
  assert.deepEqual([pull?.state, pull?.verdict, pull?.number], ["open", "green", number]);
});

test("a pull request that a person closes and reopens belongs to its run as before", async (t) => {
  const of = await openPulls(t);
  const { host, fullName, store, integration, pulls } = of;
  passes(of);
  of.engine.start();
  const { id, number } = await opened(of, "two");
  for (const [act, state] of [
    ["closed", "closed"],
    ["reopened", "open"],
  ] as const) {
    await host.actOn(fullName, number, act, "ada");
    assert.equal(await store.pulls.wake({ integrationId: integration.id, fullName, number }), 1);
    await pulls.processDue();
    assert.equal((await of.find(id)).pull?.state, state);
  }
  await of.request(id);
  assert.equal((await of.settle(id)).pull?.verdict, "green");
});

test("a host that is disconnected and connected again has its pull requests again, and their conversations", async (t) => {
  const of = await openPulls(t);
  const { store, access, fullName } = of;
  passes(of);
  of.engine.start();
  const { id, number } = await opened(of, "two");
  await store.integrations.remove(access, "github");
  assert.equal((await of.find(id)).pull?.integrationId, null);
  const elsewhere = await store.integrations.put(access, "github", { baseUrl: "https://elsewhere.test" });
  assert.equal((await of.find(id)).pull?.integrationId, null, "another host has others");
  assert.equal(await store.conversations.findRun(elsewhere.id, `${fullName}/pull/${number}`), null);
  await store.integrations.remove(access, "github");
  const again = await of.connect(hostToken);
  const check = { active: true, account: hostLogin, accountKind: "user" } as const;
  await store.integrations.noteCheck(again.id, again.revision, check);
  assert.equal((await of.find(id)).pull?.integrationId, again.id);
  assert.equal(await store.conversations.findRun(again.id, `${fullName}/pull/${number}`), id);
  assert.equal(await store.pulls.wake({ integrationId: again.id, fullName, number }), 1);
});

test("hundreds of checks and their events do not use up a host's rate limit", async (t) => {
  const of = await openPulls(t);
  const { host, fullName, store, integration, pulls } = of;
  const failed = [{ path: "a.txt", line: 1, level: "failure", message: "no" }] as const;
  host.onPush = ({ after }) => {
    if (after === null) return;
    host.setCheck(fullName, after, { name: "slow", conclusion: null });
    for (let at = 0; at < 150; at += 1) {
      host.setCheck(fullName, after, { name: `job ${at}`, conclusion: "failure", annotations: failed });
    }
  };
  of.engine.start();
  const run = await of.start(writes("two"));
  await of.settle(run.id);
  await of.request(run.id);
  await of.settle(run.id, ({ pull }) => pull?.stage === "checking");
  of.advance(15_000);
  await pulls.processDue();
  const { pull } = await of.find(run.id);
  assert.deepEqual([pull?.checks?.failed, pull?.checks?.pending], [150, 1]);
  const annotated = host.requests.filter(({ path }) => path.endsWith("/annotations")).length;
  assert.equal(annotated, 20);
  const before = host.requests.length;
  for (let event = 0; event < 300; event += 1) {
    const commit = pull?.headCommit ?? "";
    assert.equal(await store.pulls.wake({ integrationId: integration.id, fullName, commit }), 1);
    await pulls.processDue();
  }
  assert.equal(host.requests.length, before, "it was looked at a moment ago");
  of.advance(10_000);
  await pulls.processDue();
  assert.ok(host.requests.length > before, "sooner than without events");
});

test("a host that shows an older commit forever is not waited for forever", async (t) => {
  const of = await openPulls(t);
  const { host } = of;
  passes(of);
  of.engine.start();
  const run = await of.start(writes("two"));
  await of.settle(run.id);
  host.headOf = async () => "1".repeat(40);
  await of.request(run.id);
  const { status, pull } = await of.settle(run.id, ({ status }) => status !== "evaluating");
  assert.deepEqual([status, pull?.verdict], ["completed", "green"]);
});
