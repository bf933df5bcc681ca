import assert from "node:assert/strict";
import { test } from "node:test";
import { type OpenStore, openFixture, said } from "#lib/store/conformance.fixture.ts";
import type { Access } from "#lib/store/runs/access.ts";
import { LeaseLostError } from "#lib/store/runs/queue-store.ts";
import type { Store } from "#lib/store/store.ts";

async function repositoryIn(store: Store, access: { organizationId: number; userId: number | null }): Promise<number> {
  const names = {
    name: "a",
    fullName: "team/a",
    description: null,
    source: "https://git.test/a",
    defaultBranch: "main",
    opensHost: true,
  };
  return (await store.repositories.add(access, names)).repository.id;
}

/** What a store must do with networks and the keys of agents. */
export function networkConformance(open: OpenStore): void {
  test("runs have the rules of the organization and of their repository; a repository's mode wins", async (t) => {
    const { store, access, foreign } = await openFixture(t, open);
    const { networks } = store;
    const { organizationId } = access;
    const id = await repositoryIn(store, access);
    assert.deepEqual(await networks.find(access, null), { mode: "allowed", rules: [] });
    assert.deepEqual(await networks.find(access, id), { mode: null, rules: [] });
    assert.equal(await networks.find(foreign, id), null);

    await networks.putRules(access, null, [
      { host: "a.test", port: null },
      { host: "*.b.test", port: 443 },
    ]);
    await networks.putRules(access, id, [{ host: "c.test", port: 80 }]);
    await store.settings.change(access, { network: "off" });
    const all = [
      { host: "a.test", port: null },
      { host: "*.b.test", port: 443 },
      { host: "c.test", port: 80 },
    ];
    assert.deepEqual(await networks.findForRun({ organizationId, repositoryId: id }), { mode: "off", rules: all });
    assert.deepEqual(await networks.findForRun({ organizationId, repositoryId: null }), {
      mode: "off",
      rules: all.slice(0, 2),
    });

    await networks.setMode(foreign, id, "open");
    assert.equal((await networks.find(access, id))?.mode, null);
    await networks.setMode(access, id, "open");
    assert.equal((await networks.findForRun({ organizationId, repositoryId: id })).mode, "open");
    await networks.putRules(access, id, []);
    assert.deepEqual(await networks.find(access, id), { mode: "open", rules: [] });
    assert.deepEqual((await networks.find(access, null))?.rules, all.slice(0, 2));
    assert.deepEqual(await networks.listSources(organizationId), ["https://git.test/a"]);
    assert.deepEqual(await networks.listSources(foreign.organizationId), []);

    const ofMember = { name: "b", fullName: "b", description: null, source: "https://b.test/b", defaultBranch: null };
    await store.repositories.add(access, ofMember);
    assert.deepEqual(await networks.listSources(organizationId), ["https://git.test/a"], "only an admin opens a host");
    assert.equal((await store.repositories.add(access, { ...ofMember, opensHost: true })).created, false);
    await store.repositories.add(access, ofMember);
    assert.deepEqual((await networks.listSources(organizationId)).sort(), ["https://b.test/b", "https://git.test/a"]);
  });

  test("refused connections are counted by host and reason, at most 200, under the run's lease", async (t) => {
    const { store, access, foreign, advance, startRun, finish } = await openFixture(t, open);
    const { networks } = store;
    const { lease, run } = await startRun();
    const denied = (host: string, count = 1) => ({ host, rule: "host_not_allowed" as const, count });
    await networks.noteDenials(lease, [denied("a.test:443", 2), { ...denied("a.test:443"), rule: "private_address" }]);
    advance(1000);
    await networks.noteDenials(lease, [denied("a.test:443", 3)]);
    const listed = await networks.listDenials(access, run.id);
    assert.deepEqual(
      listed?.map(({ host, rule, count }) => [host, rule, count]),
      [
        ["a.test:443", "host_not_allowed", 5],
        ["a.test:443", "private_address", 1],
      ],
    );
    assert.ok(Date.parse(listed?.[0]?.at ?? "") - Date.parse(listed?.[1]?.at ?? "") === 1000);
    assert.equal(await networks.listDenials(foreign, run.id), null);

    await networks.noteDenials(
      lease,
      Array.from({ length: 300 }, (_, at) => denied(`h${at}.test:443`)),
    );
    await networks.noteDenials(lease, [denied("more.test:443"), denied("a.test:443")]);
    const kept = (await networks.listDenials(access, run.id)) ?? [];
    assert.equal(kept.length, 200);
    assert.equal(kept.find(({ host, rule }) => host === "a.test:443" && rule === "host_not_allowed")?.count, 6);
    await finish(lease);
    await assert.rejects(networks.noteDenials(lease, [denied("late.test:443")]), LeaseLostError);
  });

  test("recent refused connections are listed across runs, and by repository", async (t) => {
    const { store, access, foreign, advance, startRun, finish } = await openFixture(t, open);
    const { networks } = store;
    const repositoryId = await repositoryIn(store, access);
    const deny = async (of: number | null, host: string, count: number) => {
      const { lease, run } = await startRun(of === null ? {} : { repositoryId: of });
      await networks.noteDenials(lease, [{ host, rule: "host_not_allowed", count }]);
      await finish(lease);
      advance(1000);
      return run.id;
    };
    const told = async (wanted: { repositoryId?: number; since?: number; limit?: number }, by: Access = access) => {
      const rows = await networks.listRecentDenials(by, { repositoryId: null, since: 0, limit: 200, ...wanted });
      return rows.map((row) => [row.host, row.count, row.runs, row.agent_run_id, row.repo_full_name]);
    };
    await deny(repositoryId, "a.test:443", 2);
    const second = await deny(repositoryId, "a.test:443", 3);
    const third = await deny(null, "a.test:443", 1);
    const last = await deny(null, "b.test:443", 1);
    const [ofRepository, ofNone] = [
      ["a.test:443", 5, 2, second, "team/a"],
      ["a.test:443", 1, 1, third, null],
    ];
    assert.deepEqual(await told({}), [["b.test:443", 1, 1, last, null], ofNone, ofRepository]);
    assert.deepEqual(await told({ limit: 1 }), [["b.test:443", 1, 1, last, null]]);
    assert.deepEqual(await told({ repositoryId }), [ofRepository]);
    assert.deepEqual(await told({}, foreign), []);
    assert.deepEqual(await told({ repositoryId }, foreign), []);
    const [latest] = await networks.listRecentDenials(access, { repositoryId: null, since: 0, limit: 1 });
    assert.deepEqual(await told({ since: Date.parse(latest?.at ?? "") }), [["b.test:443", 1, 1, last, null]]);
  });

  test("a key is kept for an organization or a repository, and a new value replaces it", async (t) => {
    const { store, access, foreign, advance } = await openFixture(t, open);
    const { agentKeys } = store;
    const id = await repositoryIn(store, access);
    const key = { variable: "MODEL_API_KEY", repositoryId: null };
    const first = await agentKeys.put(access, { ...key, sealed: "one" });
    await agentKeys.put(access, { ...key, repositoryId: id, sealed: "two" });
    advance(1000);
    const again = await agentKeys.put(access, { ...key, sealed: "three" });
    assert.notEqual(again.changedAt, first.changedAt);
    assert.equal(again.id, first.id);
    assert.deepEqual(
      (await agentKeys.list(access)).map(({ repositoryId, sealed }) => [repositoryId, sealed]),
      [
        [null, "three"],
        [id, "two"],
      ],
    );
    assert.deepEqual(await agentKeys.list(foreign), []);
    assert.equal(await agentKeys.remove(foreign, first.id), null);
    assert.equal((await agentKeys.remove(access, first.id))?.sealed, "three");
    assert.equal(await agentKeys.remove(access, first.id), null);
    assert.equal((await agentKeys.list(access)).length, 1);
  });

  test("an agent that refused a run for want of a sign-in is kept for its organization, until a turn works or it is cleared", async (t) => {
    const { store, access, foreign, advance, startRun, makeRun, claim } = await openFixture(t, open);
    const { queue, agentRefusals: refusals, agentKeys } = store;
    const variables = ["MODEL_API_KEY"];
    const end = { status: "failed" as const, result: null, summary: null, entries: [said("end")] };
    const refused = { words: "no key", hint: "Sign in." };
    const listed = async ({ organizationId }: Access = access) =>
      (await refusals.list(organizationId)).map(({ agentId, words, hint }) => [agentId, words, hint]);
    const first = await startRun({ agent: "claude" });
    await queue.finishTurn(first.lease, { ...end, signIn: { variables, refused } });
    assert.deepEqual(await listed(), [["claude", "no key", "Sign in."]]);
    assert.deepEqual(await listed(foreign), []);
    const [since] = await refusals.list(access.organizationId);
    advance(1000);
    const again = await startRun({ agent: "claude" });
    const long = { ...refused, words: `${"x".repeat(199)}😀 expired` };
    await queue.finishTurn(again.lease, { ...end, signIn: { variables, refused: long } });
    assert.deepEqual(await listed(), [["claude", "x".repeat(199), "Sign in."]]);
    assert.equal((await refusals.list(access.organizationId))[0]?.since, since?.since);
    const well = await startRun({ agent: "claude" });
    await queue.finishTurn(well.lease, { ...end, status: "completed", signIn: { variables, refused: null } });
    assert.deepEqual(await listed(), []);

    const late = await startRun({ agent: "claude" });
    advance(1000);
    await agentKeys.put(access, { variable: "MODEL_API_KEY", repositoryId: null, sealed: "new" });
    await queue.finishTurn(late.lease, { ...end, signIn: { variables, refused } });
    assert.deepEqual(await listed(), [], "it was refused with a key that has been replaced since");

    const repositoryId = await repositoryIn(store, access);
    await agentKeys.put(access, { variable: "MODEL_API_KEY", repositoryId, sealed: "own" });
    advance(1000);
    await makeRun({ agent: "claude", repositoryId });
    const own = await claim();
    await queue.finishTurn(own.lease, { ...end, signIn: { variables, refused } });
    assert.deepEqual(await listed(), [], "the repository has a key of its own");

    const last = await startRun({ agent: "claude" });
    await queue.finishTurn(last.lease, { ...end, signIn: { variables, refused } });
    await refusals.clear(foreign.organizationId, ["claude"]);
    await refusals.clear(access.organizationId, ["codex"]);
    assert.equal((await listed()).length, 1);
    await refusals.clear(access.organizationId, ["codex", "claude"]);
    assert.deepEqual(await listed(), []);
  });

  test("the commands that an agent announced last in an organization's runs are kept, with the mark of its program", async (t) => {
    const { store, access, foreign, advance } = await openFixture(t, open);
    const { organizationId } = access;
    const named = (name: string) => [{ name, description: "", hint: null }];
    const told = async (of = organizationId) =>
      (await store.agentCommands.list(of)).map(({ agentId, mark, commands }) => [agentId, mark, commands]);
    await store.agentCommands.put(organizationId, { agentId: "claude", mark: "1", commands: named("a") });
    const [first] = await store.agentCommands.list(organizationId);
    advance(1000);
    await store.agentCommands.put(organizationId, { agentId: "claude", mark: "1", commands: named("a") });
    assert.deepEqual(await store.agentCommands.list(organizationId), [first]);
    await store.agentCommands.put(organizationId, { agentId: "claude", mark: "2", commands: named("b") });
    assert.deepEqual(await told(), [["claude", "2", named("b")]]);
    assert.deepEqual(await told(foreign.organizationId), []);
  });

  test("a sign-in to an agent is asked for once at a time, and by the first organization", async (t) => {
    const { store, access, foreign, advance } = await openFixture(t, open);
    const { agentSignIns: signIns } = store;
    const { organizationId } = access;
    assert.deepEqual(
      [await signIns.isAllowed(organizationId), await signIns.isAllowed(foreign.organizationId)],
      [true, false],
    );
    const asked = { agentId: "claude", organizationId, method: "account" };
    assert.equal((await signIns.ask(asked))?.state, "waiting");
    assert.equal(await signIns.ask(asked), null);
    assert.equal((await signIns.claim())?.method, "account");
    assert.equal(await signIns.claim(), null);
    await signIns.end("claude", "no license");
    const [row] = await signIns.list(organizationId);
    assert.deepEqual([row?.state, row?.error], ["failed", "no license"]);
    assert.deepEqual(await signIns.list(foreign.organizationId), []);
    assert.ok((await signIns.ask(asked)) !== null);
    await signIns.claim();
    await store.queue.endLeases();
    assert.match((await signIns.list(organizationId))[0]?.error ?? "", /^Errand was restarted/);
    await signIns.ask(asked);
    advance(11 * 60_000);
    assert.ok((await signIns.ask(asked)) !== null, "no engine has taken it");
    await signIns.claim();
    await signIns.end("claude", null);
    assert.equal((await signIns.list(organizationId))[0]?.state, "signed_in");
  });
}
