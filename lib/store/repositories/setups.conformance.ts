import assert from "node:assert/strict";
import { test } from "node:test";
import { type Proposal, SetupCommands } from "#lib/contract/repositories/setup.ts";
import { type Fixture, type OpenStore, openFixture } from "#lib/store/conformance.fixture.ts";
import { plainRun } from "#lib/store/runs/plain-run.fixture.ts";
import { LeaseLostError } from "#lib/store/runs/queue-store.ts";

const names = { name: "x", fullName: "o/x", description: null, defaultBranch: "main" };
const commands = SetupCommands.parse({ install: ["npm ci"], required: true });

const proposalOf = (...outcomes: ("worked" | "failed" | "not_tried")[]): Proposal => ({
  commit: "abc",
  inputs: [],
  left_out: ["the lint command in a:1 is too long"],
  commands: outcomes.map((outcome, at) => ({
    kind: "install",
    command: `step ${at}`,
    outcome,
    exit_code: outcome === "worked" ? 0 : null,
    duration_ms: 12,
    note: null,
    confidence: "high",
    evidence: [{ path: "package.json", line: 3 }],
  })),
});

/** Setups of repositories. */
export function setupConformance(open: OpenStore): void {
  test("a setup is kept with its version, who accepted it and when", async (t) => {
    const { store, access, foreign, repositoryId, advance } = await openWithRepository(t, open);
    assert.deepEqual(await store.setups.find(access, repositoryId), {
      repositoryId,
      status: "none",
      version: 0,
      accepted: null,
      lastUse: null,
      generate: null,
      proposal: null,
    });
    assert.equal(await store.setups.findAccepted(repositoryId), null);
    advance(1000);
    await store.setups.change(access, repositoryId, commands, 0);
    const kept = await store.setups.find(access, repositoryId);
    assert.deepEqual([kept && "version" in kept && kept.version, kept?.status], [1, "ready"]);
    assert.deepEqual(kept?.accepted, {
      commands,
      acceptedBy: { id: access.userId, name: "Ada" },
      acceptedAt: "2026-01-31T12:00:01.000Z",
    });
    assert.deepEqual(await store.setups.findAccepted(repositoryId), { version: 1, commands });
    assert.equal(await store.setups.find(foreign, repositoryId), null);
    assert.equal(await store.setups.change({ ...foreign, userId: 1 }, repositoryId, commands, null), null);
    assert.equal(await store.setups.discardProposal(foreign, repositoryId), null);
  });

  test("a change based on another version changes nothing, and removing counts as a change", async (t) => {
    const { store, access, repositoryId } = await openWithRepository(t, open);
    await store.setups.change(access, repositoryId, commands, null);
    const other = SetupCommands.parse({ install: ["make"] });
    assert.deepEqual(await store.setups.change(access, repositoryId, other, 0), { conflict: 1 });
    assert.deepEqual(await store.setups.change(access, repositoryId, null, 2), { conflict: 1 });
    assert.deepEqual(await store.setups.findAccepted(repositoryId), { version: 1, commands });
    await store.setups.change(access, repositoryId, null, 1);
    const removed = await store.setups.find(access, repositoryId);
    assert.deepEqual([removed?.version, removed?.accepted, removed?.status], [2, null, "none"]);
    assert.equal(await store.setups.findAccepted(repositoryId), null);
  });

  test("of two concurrent changes of one version one is made", async (t) => {
    const { store, access, repositoryId } = await openWithRepository(t, open);
    const changes = await Promise.all([1, 2, 3].map(() => store.setups.change(access, repositoryId, commands, 0)));
    assert.deepEqual(changes.filter((change) => change !== null && "conflict" in change).length, 2);
  });

  test("the status follows the proposal, the decision on it and the use of the accepted setup", async (t) => {
    const fixture = await openWithRepository(t, open);
    const { store, access, repositoryId, generate, status } = fixture;
    await generate(proposalOf("worked", "failed"));
    assert.equal(await status(), "proposed");
    const proposed = await store.setups.find(access, repositoryId);
    assert.deepEqual([proposed?.proposal?.open, proposed?.proposal?.proposal], [true, proposalOf("worked", "failed")]);
    await store.setups.change(access, repositoryId, commands, null);
    assert.equal(await status(), "ready");
    assert.equal((await store.setups.find(access, repositoryId))?.proposal?.open, false);

    const using = await fixture.startRun({ repositoryId });
    await store.setups.noteUse(using.lease, repositoryId, 1, false);
    assert.equal(await status(), "failed");
    await store.setups.noteUse(using.lease, repositoryId, 1, true);
    assert.equal(await status(), "ready");
    await store.setups.noteUse(using.lease, repositoryId, 7, false);
    assert.equal(await status(), "ready");
    await fixture.finish(using.lease);

    await generate(proposalOf("worked"));
    assert.equal(await status(), "proposed");
    await store.setups.discardProposal(access, repositoryId);
    assert.equal(await status(), "ready");
    assert.equal((await store.setups.find(access, repositoryId))?.proposal, null);
    await generate(proposalOf("failed"));
    assert.equal(await status(), "failed");
  });

  test("a proposal is deleted with its run, and with no other; accepted commands stay", async (t) => {
    const fixture = await openWithRepository(t, open);
    const { store, access, repositoryId, generate, status } = fixture;
    await generate(null, "cancelled");
    const other = (await store.setups.find(access, repositoryId))?.generate?.runId ?? 0;
    await generate(proposalOf("worked"));
    await store.removals.removeRun(access, other);
    const proposed = await store.setups.find(access, repositoryId);
    assert.deepEqual(proposed?.proposal?.proposal, proposalOf("worked"));
    await store.removals.removeRun(access, proposed?.proposal?.runId ?? 0);
    assert.deepEqual([(await store.setups.find(access, repositoryId))?.proposal, await status()], [null, "none"]);

    await generate(proposalOf("worked"));
    const accepted = await store.setups.change(access, repositoryId, commands, null);
    assert.ok(accepted !== null && "proposal" in accepted);
    await store.removals.removeRun(access, accepted.proposal?.runId ?? 0);
    const kept = await store.setups.find(access, repositoryId);
    assert.deepEqual([kept?.proposal, kept?.accepted?.commands, kept?.status], [null, commands, "ready"]);
  });

  test("a generate run that fails makes the status failed until somebody decides; a cancelled one changes nothing", async (t) => {
    const fixture = await openWithRepository(t, open);
    const { store, access, repositoryId, generate, status } = fixture;
    await generate(null, "cancelled");
    assert.equal(await status(), "none");
    await generate(null, "interrupted");
    assert.equal(await status(), "failed");
    assert.equal((await store.setups.find(access, repositoryId))?.generate?.status, "interrupted");
    await store.setups.discardProposal(access, repositoryId);
    assert.equal(await status(), "none");
    await generate(proposalOf("worked"));
    await generate(null, "failed");
    assert.equal(await status(), "failed");
    await store.setups.change(access, repositoryId, commands, null);
    assert.equal(await status(), "ready");
    await generate(proposalOf());
    assert.equal(await status(), "ready", "an empty proposal leaves nothing to decide on");
  });

  test("a repository has one generate run at work at a time, and its id is returned; one that ended or was cancelled blocks none", async (t) => {
    const fixture = await openWithRepository(t, open);
    const { store, access, foreign, repositoryId } = fixture;
    const wanted = { ...plainRun("Find"), sourceType: "SETUP_COMMANDS", agent: "setup", repositoryId } as const;
    const create = () => store.generateRuns.create(access, wanted);
    const started = async () => {
      const done = await create();
      assert.ok("run" in done);
      return done.run.id;
    };
    const three = await Promise.all([create(), create(), create()]);
    const [first] = three.flatMap((done) => ("run" in done ? [done.run.id] : []));
    assert.ok(first !== undefined);
    const busy = { refused: "busy", runId: first };
    assert.deepEqual(
      three.filter((done) => "refused" in done),
      [busy, busy],
    );
    const other = await store.repositories.add(access, { ...names, source: "/srv/other" });
    const elsewhere = await store.generateRuns.create(access, { ...wanted, repositoryId: other.repository.id });
    assert.ok("run" in elsewhere);
    const plain = await store.runs.create(access, plainRun("Work", { repositoryId }));
    assert.deepEqual(await create(), busy);
    await store.runs.cancel(access, first);
    const second = await started();
    assert.deepEqual(await create(), { refused: "busy", runId: second });
    assert.equal(await store.generateRuns.findRival(access, first), second);
    assert.equal(await store.generateRuns.findRival(access, second), null);
    assert.equal(await store.generateRuns.findRival(access, plain.id), null);
    assert.equal(await store.generateRuns.findRival(foreign, first), null);
    for (const id of [second, plain.id, elsewhere.run.id]) await store.runs.cancel(access, id);
    await fixture.generate(null, "failed");
    const { lease } = await fixture.startRun({ repositoryId, sourceType: "SETUP_COMMANDS", agent: "setup" });
    assert.deepEqual(await create(), { refused: "busy", runId: lease.runId });
    await fixture.finish(lease);
    await started();
  });

  test("what a run proposes or uses under a lost lease is not kept", async (t) => {
    const { store, access, repositoryId, startRun, finish } = await openWithRepository(t, open);
    const { lease } = await startRun({ repositoryId, sourceType: "SETUP_COMMANDS" });
    await finish(lease);
    await assert.rejects(store.setups.keepProposal(lease, repositoryId, proposalOf("worked")), LeaseLostError);
    await assert.rejects(store.setups.noteUse(lease, repositoryId, 0, false), LeaseLostError);
    assert.equal((await store.setups.find(access, repositoryId))?.proposal, null);
  });
}

async function openWithRepository(t: Parameters<typeof openFixture>[0], open: OpenStore) {
  const fixture: Fixture = await openFixture(t, open);
  const { store, access } = fixture;
  const { repository } = await store.repositories.add(access, { ...names, source: "/srv/x" });
  const repositoryId = repository.id;
  /** A generate run from its start to its end. */
  const generate = async (proposal: Proposal | null, end: Parameters<Fixture["finish"]>[1] = "completed") => {
    const { lease } = await fixture.startRun({ repositoryId, sourceType: "SETUP_COMMANDS", agent: "setup" });
    if (proposal !== null) await store.setups.keepProposal(lease, repositoryId, proposal);
    await fixture.finish(lease, end);
  };
  /** The status in the repository, the list of repositories and the setup itself, which must be the same. */
  const status = async () => {
    const one = await store.repositories.find(access, repositoryId);
    const { items } = await store.repositories.list(access, {}, { skip: 0, limit: 10 });
    const setup = await store.setups.find(access, repositoryId);
    assert.equal(items[0]?.setupStatus, one?.setupStatus);
    assert.equal(setup?.status, one?.setupStatus);
    return one?.setupStatus;
  };
  return { ...fixture, repositoryId, generate, status };
}
