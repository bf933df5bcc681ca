// One suite, in the order of a pull request's life: every case begins with the runs and the clock of `opened`, at the end.
import assert from "node:assert/strict";
import { test } from "node:test";
import { pullSettingsDefaults } from "#lib/contract/repositories/pull-settings.ts";
import { type Fixture, type OpenStore, openFixture, said } from "#lib/store/conformance.fixture.ts";
import { join } from "#lib/store/people/members.conformance.ts";
import type { PullTask } from "./pulls.ts";

const noOptions = { title: null, body: null, draft: null, baseBranch: null };
const changed = { files: 1, insertions: 2, deletions: 0, truncated: false };
const leaseMs = 60_000;
const again = { kind: "again", waitMs: 5000 } as const;

/** What a store does with pull requests of runs. */
export function pullConformance(open: OpenStore): void {
  test("nothing is done with a run's work unless somebody asks, or the repository says so", async (t) => {
    const of = await opened(t, open);
    const run = await of.worked();
    assert.deepEqual([run.status, run.pull], ["completed", null]);
    assert.equal(await of.store.pulls.claim(leaseMs), null);
    await of.store.pulls.putSettings(of.access, of.repositoryId, { ...pullSettingsDefaults, mode: "automatic" });
    const own = await of.worked();
    assert.deepEqual([own.status, own.pull?.stage, own.finishedAt], ["evaluating", "weighing", null]);
    const task = await of.store.pulls.claim(leaseMs);
    assert.equal(task?.pull.runId, own.id);
    assert.equal(await of.store.pulls.claim(leaseMs), null, "it is leased");
    assert.equal(await of.store.queue.claim("engine", leaseMs), null, "it takes no slot");
    const idle = await of.worked({ changes: { ...changed, files: 0 } });
    assert.deepEqual([idle.status, idle.pull], ["completed", null], "nothing was changed");
    const failed = await of.worked({ status: "failed" });
    assert.deepEqual([failed.status, failed.pull], ["failed", null]);
    await of.store.settings.change(of.access, { enablePrCreation: false });
    const refused = await of.worked();
    assert.deepEqual([refused.status, refused.pull], ["completed", null], "the organization opens none");
  });

  test("an ended run is evaluated on request, once, and ends as its turn did", async (t) => {
    const of = await opened(t, open);
    const { id } = await of.worked({ status: "failed" });
    assert.deepEqual(await of.store.pulls.request(of.foreign, id, noOptions), { refused: "absent" });
    const asked = await of.store.pulls.request(of.access, id, { ...noOptions, title: "Mine", draft: false });
    assert.ok("begun" in asked && asked.begun);
    assert.deepEqual([asked.run.status, asked.pull.title, asked.pull.isDraft], ["evaluating", "Mine", false]);
    const twice = await of.store.pulls.request(of.access, id, noOptions);
    assert.ok("begun" in twice && !twice.begun);
    const task = await of.task();
    const done = { verdict: "green", reason: "All is well.", state: "open", number: 7 } as const;
    const entries = [said("one"), said("two")];
    assert.equal(await of.store.pulls.step(task, { changes: done, entries, next: { kind: "end" } }), true);
    const ended = await of.run(id);
    assert.deepEqual(
      [ended.status, ended.pull?.stage, ended.pull?.verdict, ended.totalLogs],
      ["failed", null, "green", asked.run.totalLogs + 2],
    );
    assert.notEqual(ended.finishedAt, null);
    assert.equal(await of.store.pulls.step(task, { changes: {}, next: { kind: "end" } }), false, "a step is done once");
  });

  test("while it is not yet being opened, another request adds its options; after that it is refused", async (t) => {
    const of = await opened(t, open);
    const { id } = await of.asked();
    const slow = await of.task();
    const mine = { title: "Mine", body: null, draft: false, baseBranch: "release" };
    const added = await of.store.pulls.request(of.access, id, mine);
    assert.ok("begun" in added && !added.begun);
    const { title, isDraft, baseBranch, watch } = added.pull;
    assert.deepEqual([title, isDraft, baseBranch, watch.given], ["Mine", false, "release", ["title", "draft"]]);
    const push = { changes: { stage: "pushing", watch: {} }, next: again } as const;
    assert.equal(await of.store.pulls.step(slow, push), false, "a step that does not know of them is done again");
    await of.store.pulls.request(of.access, id, { ...noOptions, body: "Text" });
    let task = await of.task();
    assert.deepEqual(task.pull.watch.given, ["title", "draft", "body"]);
    for (const stage of ["opening", "checking"] as const) {
      assert.equal(await of.store.pulls.step(task, { changes: { stage }, next: again }), true);
      assert.deepEqual(await of.store.pulls.request(of.access, id, mine), { refused: "under_way" });
      assert.ok("begun" in (await of.store.pulls.request(of.access, id, noOptions)));
      of.advance(5000);
      task = await of.task();
    }
    await of.store.pulls.step(task, { changes: { number: 7, stage: "weighing" }, next: again });
    const moved = { ...noOptions, baseBranch: "main" };
    assert.deepEqual(await of.store.pulls.request(of.access, id, moved), { refused: "base_branch" });
  });

  test("nothing can be asked of a run that is at work, has no work or is external, or whose pull request was closed", async (t) => {
    const of = await opened(t, open);
    const { lease } = await of.startRun({ repositoryId: of.repositoryId });
    const ask = (id: number) => of.store.pulls.request(of.access, id, noOptions);
    assert.deepEqual(await ask(lease.runId), { refused: "at_work" });
    await of.finish(lease);
    assert.deepEqual(await ask(lease.runId), { refused: "no_work" });
    const external = await of.makeRun({ agent: "external" });
    assert.deepEqual(await ask(external.id), { refused: "external" });
    for (const state of ["closed", "merged"] as const) {
      const { id } = await of.asked();
      await of.store.pulls.step(await of.task(), { changes: { state, verdict: state }, next: { kind: "end" } });
      assert.deepEqual(await ask(id), { refused: state });
    }
  });

  test("what failed becomes a turn with which the run continues, and then the work is weighed again", async (t) => {
    const of = await opened(t, open);
    const { id } = await of.asked();
    const task = await of.task();
    assert.equal(await of.store.pulls.step(task, { changes: { stage: "checking" }, next: again }), true);
    assert.equal(await of.store.pulls.claim(leaseMs), null, "it is not due yet");
    of.advance(5000);
    const next = await of.task();
    assert.equal(next.pull.stage, "checking");
    const ask = { changes: { rounds: 1 }, next: { kind: "turn", prompt: "Fix lint" } } as const;
    assert.equal(await of.store.pulls.step(next, ask), true);
    const waiting = await of.run(id);
    assert.deepEqual([waiting.status, waiting.queuedTurns, waiting.pull?.stage], ["evaluating", 1, "fixing"]);
    assert.equal(waiting.turns, 2);
    assert.equal(await of.store.pulls.claim(leaseMs), null);
    const claimed = await of.claim();
    assert.deepEqual([claimed.run.status, claimed.turn.prompt, claimed.turn.number], ["running", "Fix lint", 2]);
    assert.equal((await of.run(id)).pull?.fixTurn, 2);
    await of.finish(claimed.lease);
    const weighed = await of.run(id);
    assert.deepEqual([weighed.status, weighed.pull?.stage, weighed.pull?.rounds], ["evaluating", "weighing", 1]);
    await assert.rejects(of.store.queue.append(claimed.lease, [said("late")]), { name: "LeaseLostError" });
  });

  test("if a turn that was to fix something is withdrawn, the work is ended", async (t) => {
    const of = await opened(t, open);
    const { id } = await of.asked();
    await of.store.pulls.step(await of.task(), { changes: {}, next: { kind: "turn", prompt: "Fix" } });
    assert.ok("run" in (await of.store.turns.withdraw(of.access, id, 2)));
    assert.equal(await of.store.queue.claim("engine", leaseMs), null);
    const task = await of.task();
    assert.deepEqual([task.pull.stage, task.pull.fixTurn], ["weighing", 2]);
    assert.equal(await of.store.pulls.step(task, { changes: {}, next: { kind: "end" } }), true);
    assert.equal((await of.run(id)).status, "completed");
  });

  test("if all that waits after it is the message of a person who is removed, the work is ended too", async (t) => {
    const of = await opened(t, open);
    const { id } = await of.asked();
    await of.store.pulls.step(await of.task(), { changes: {}, next: { kind: "turn", prompt: "Fix" } });
    const userId = await join(of, "member");
    await of.store.runs.addTurn({ ...of.access, userId }, id, { prompt: "Wait", images: [], model: null });
    await of.store.turns.withdraw(of.access, id, 2);
    assert.equal((await of.run(id)).pull?.stage, "fixing");
    const removed = await of.store.members.remove(of.access, "owner", userId);
    assert.ok("ended" in removed && removed.ended.heldMessages === 1);
    assert.equal((await of.task()).pull.stage, "weighing");
  });

  test("a person's message comes first, and a step in progress changes nothing", async (t) => {
    const of = await opened(t, open);
    const { id } = await of.asked();
    const task = await of.task();
    await of.store.runs.addTurn(of.access, id, { prompt: "Wait", images: [], model: null });
    const step = { changes: { verdict: "green" }, entries: [said("done")], next: { kind: "end" } } as const;
    const before = await of.run(id);
    assert.equal(await of.store.pulls.step(task, { ...step, entries: [...step.entries] }), false);
    const claimed = await of.claim();
    assert.equal(claimed.turn.prompt, "Wait");
    assert.equal(await of.store.pulls.step(task, { ...step, entries: [...step.entries] }), false);
    const after = await of.run(id);
    assert.deepEqual([after.pull?.verdict, after.totalLogs], [null, before.totalLogs]);
    await of.finish(claimed.lease);
    assert.equal((await of.run(id)).pull?.stage, "weighing");
  });

  test("a cancel ends an evaluated run at once; a failed or interrupted turn leaves it to be continued", async (t) => {
    const of = await opened(t, open);
    const { id } = await of.asked();
    const task = await of.task();
    const cancelled = await of.store.runs.cancel(of.access, id);
    assert.deepEqual([cancelled?.status, cancelled?.pull?.stage], ["cancelled", null]);
    assert.equal(await of.store.pulls.step(task, { changes: {}, next: again }), false);
    assert.equal(await of.store.pulls.claim(leaseMs), null);
    const other = await of.asked();
    await of.store.pulls.step(await of.task(), { changes: {}, next: { kind: "turn", prompt: "Fix" } });
    await of.finish((await of.claim()).lease, "interrupted");
    assert.equal((await of.run(other.id)).status, "interrupted");
    assert.equal(await of.store.pulls.claim(leaseMs), null);
    await of.store.runs.addTurn(of.access, other.id, { prompt: "Go on", images: [], model: null });
    await of.finish((await of.claim()).lease);
    assert.equal((await of.run(other.id)).status, "evaluating");
  });

  test("a failed fix turn leaves its open pull request watched: a merge on the host is seen, a resume continues", async (t) => {
    const of = await opened(t, open);
    const fix = { changes: { state: "open", number: 7 }, next: { kind: "turn", prompt: "Fix" } } as const;
    const failed = async () => {
      const { id } = await of.asked();
      await of.store.pulls.step(await of.task(), fix);
      await of.finish((await of.claim()).lease, "failed");
      assert.deepEqual([(await of.run(id)).status, (await of.run(id)).pull?.stage], ["failed", "fixing"]);
      of.advance(30 * 60_000);
      return { id, look: await of.task() };
    };
    const { id, look } = await failed();
    const merged = { changes: { state: "merged" }, next: { kind: "end" } } as const;
    assert.equal(await of.store.pulls.step(look, merged), true);
    const after = await of.run(id);
    assert.deepEqual([after.status, after.pull?.state, after.pull?.stage], ["failed", "merged", null]);
    of.advance(30 * 60_000);
    assert.equal(await of.store.pulls.claim(leaseMs), null);

    const other = await failed();
    assert.equal(await of.store.pulls.step(other.look, { changes: { state: "open" }, next: { kind: "end" } }), true);
    assert.equal((await of.run(other.id)).pull?.stage, "fixing", "it stays to be continued");
    await of.store.runs.addTurn(of.access, other.id, { prompt: "Go on", images: [], model: null });
    await of.finish((await of.claim()).lease);
    assert.deepEqual(
      [(await of.run(other.id)).status, (await of.run(other.id)).pull?.stage],
      ["evaluating", "weighing"],
    );
  });

  test("of two engines one takes the step, and one that was too slow changes nothing", async (t) => {
    const of = await opened(t, open);
    await of.asked();
    const slow = await of.task();
    assert.equal(await of.store.pulls.renew(slow, leaseMs), true);
    of.advance(leaseMs + 1);
    const quick = await of.task();
    assert.equal(quick.tries, 2);
    assert.equal(await of.store.pulls.renew(slow, leaseMs), false);
    assert.equal(await of.store.pulls.findRun(slow), null);
    assert.equal(await of.store.pulls.step(slow, { changes: {}, next: again }), false);
    assert.equal(await of.store.pulls.step(quick, { changes: {}, next: again }), true);
    of.advance(5000);
    const left = await of.task();
    await of.store.queue.endLeases();
    assert.equal((await of.task()).epoch, left.epoch + 1, "the dead engine's lease is ended at once");
  });

  test("of two engines one runs the repository's checks; a dead one's begin again, and a turn or a cancel ends them", async (t) => {
    const of = await opened(t, open);
    const { localChecks } = of.store;
    const testing = { changes: { stage: "testing", watch: { toTest: "c0ffee" } }, next: again } as const;
    const begin = async () => {
      const { id } = await of.asked();
      assert.equal(await of.store.pulls.step(await of.task(), testing), true);
      return id;
    };
    const id = await begin();
    const first = await localChecks.claim("one", leaseMs);
    assert.deepEqual([first?.run.id, first?.commit, first?.tries], [id, "c0ffee", 1]);
    assert.equal(await localChecks.claim("two", leaseMs), null, "it is leased");
    assert.equal(await of.store.queue.claim("two", leaseMs), null, "it is no turn");
    if (first === null) return;
    await of.store.queue.renew(first.lease, leaseMs);
    of.advance(leaseMs);
    assert.deepEqual(await of.store.queue.expire(), [], "no run was interrupted");
    assert.equal((await of.run(id)).status, "evaluating");
    await assert.rejects(localChecks.finish(first.lease, { commit: "c0ffee" }), { name: "LeaseLostError" });
    const second = await localChecks.claim("two", leaseMs);
    assert.equal(second?.tries, 2);
    if (second === null) return;
    await localChecks.finish(second.lease, { commit: "c0ffee" });
    assert.equal(await localChecks.claim("two", leaseMs), null, "a result ends it");
    const task = await of.task();
    assert.deepEqual([task.pull.stage, task.pull.watch.tested], ["testing", { commit: "c0ffee" }]);
    await of.store.pulls.step(task, { changes: {}, next: { kind: "end" } });

    const other = await begin();
    const held = await localChecks.claim("one", leaseMs);
    await of.store.runs.addTurn(of.access, other, { prompt: "Wait", images: [], model: null });
    const claimed = await of.claim();
    assert.equal(claimed.turn.prompt, "Wait");
    await assert.rejects(localChecks.release(held?.lease ?? claimed.lease), { name: "LeaseLostError" });
    await of.finish(claimed.lease);
    assert.equal(await of.store.pulls.step(await of.task(), testing), true);
    const last = await localChecks.claim("one", leaseMs);
    assert.equal((await of.run(other)).pull?.state, "opening");
    await of.store.runs.cancel(of.access, other);
    assert.equal((await of.run(other)).pull?.state, "failed", "it is not being opened any more");
    await assert.rejects(localChecks.release(last?.lease ?? claimed.lease), { name: "LeaseLostError" });
    assert.equal(await localChecks.claim("two", leaseMs), null);
  });

  test("a pull request whose integration was removed while the host opened it is known, without the integration", async (t) => {
    const of = await opened(t, open);
    const { id } = await of.asked();
    const { id: integrationId } = await of.store.integrations.put(of.access, "github", {});
    const task = await of.task();
    await of.store.integrations.remove(of.access, "github");
    const made = {
      fullName: "acme/shop",
      number: 4,
      url: "https://github.com/acme/shop/pull/4",
      state: "open",
    } as const;
    const conversation = { integrationId, key: "acme/shop pull 4" };
    const changes = { ...made, integrationId };
    const step = { changes, conversation, next: { kind: "again", waitMs: 0 } } as const;
    assert.equal(await of.store.pulls.step(task, step), true);
    const { pull } = await of.run(id);
    assert.deepEqual([pull?.number, pull?.url, pull?.state], [made.number, made.url, made.state]);
    assert.equal((await of.task()).pull.integrationId, null);
  });

  test("an event on the host makes a pull request due, only for its repository and commit, branch or number", async (t) => {
    const of = await opened(t, open);
    await of.asked();
    const { id: integrationId } = await of.store.integrations.put(of.access, "github", {});
    const changes = { integrationId, fullName: "acme/shop", number: 4, headCommit: "c0ffee" };
    await of.store.pulls.step(await of.task(), { changes, next: { kind: "again", waitMs: 600_000 } });
    const place = { integrationId, fullName: "Acme/Shop" };
    for (const other of [
      { ...place, commit: "beef" },
      { ...place, number: 5 },
      { ...place, integrationId: integrationId + 1, commit: "c0ffee" },
      { ...place, fullName: "acme/shops", commit: "c0ffee" },
      place,
    ]) {
      assert.equal(await of.store.pulls.wake(other), 0, JSON.stringify(other));
    }
    assert.equal(await of.store.pulls.claim(leaseMs), null);
    assert.equal(await of.store.pulls.wake({ ...place, commit: "c0ffee" }), 1);
    const failed = await of.task();
    await of.store.pulls.postpone(failed, 60_000);
    for (let event = 0; event < 200; event += 1) {
      await of.store.pulls.wake({ ...place, commit: "c0ffee" });
      assert.equal(await of.store.pulls.claim(leaseMs), null, "events do not use up the tries");
    }
    of.advance(60_000);
    assert.equal((await of.task()).tries, 2);
  });

  test("a ban ends it with an entry; a pull request of a banned run is not opened by itself", async (t) => {
    const of = await opened(t, open);
    const { id, totalLogs } = await of.asked();
    await of.store.pulls.ban(of.access, id, said("banned"));
    await of.store.runs.cancel(of.access, id);
    await of.store.runs.setBanned(of.access, id, true);
    const banned = await of.run(id);
    assert.deepEqual([banned.status, banned.pull?.verdict, banned.totalLogs], ["cancelled", "banned", totalLogs + 2]);
    await of.store.pulls.putSettings(of.access, of.repositoryId, { ...pullSettingsDefaults, mode: "automatic" });
    await of.store.runs.addTurn(of.access, id, { prompt: "More", images: [], model: null });
    await of.finish((await of.claim()).lease);
    assert.equal((await of.run(id)).status, "completed");
    const { pull } = (await of.store.runs.setBanned(of.access, id, false)) ?? {};
    assert.deepEqual([pull?.verdict, pull?.reason], [null, null], "unbanned, it is not called banned any more");
  });

  test("one that was closed while its checks were watched is open in every word once it is reopened", async (t) => {
    const of = await opened(t, open);
    const { id } = await of.asked();
    const { id: integrationId } = await of.store.integrations.put(of.access, "github", {});
    const place = { integrationId, fullName: "acme/shop" };
    const changes = { ...place, number: 4, headCommit: "c0ffee", state: "closed", verdict: "closed" } as const;
    const closed = { ...changes, reason: "It was closed.", closedAt: "2026-01-31T12:00:00.000Z" };
    await of.store.pulls.step(await of.task(), { changes: closed, next: { kind: "end" } });
    assert.equal(await of.store.pulls.wake({ ...place, commit: "c0ffee" }), 0, "its checks are of no interest");
    assert.equal(await of.store.pulls.wake({ ...place, number: 4 }), 1, "it may have been reopened");
    const reopened = { changes: { state: "open", closedAt: null }, next: { kind: "end" } } as const;
    await of.store.pulls.step(await of.task(), reopened);
    const { pull } = await of.run(id);
    assert.deepEqual([pull?.state, pull?.verdict, pull?.reason], ["open", null, null]);
    assert.ok(pull);
    await of.store.pulls.note(of.access, pull.id, { state: "closed", closedAt: "2026-01-31T12:00:00.000Z" });
    await of.store.pulls.note(of.access, pull.id, { state: "open", closedAt: null });
    assert.equal((await of.run(id)).pull?.state, "open");
  });

  test("an open one is looked at again after half an hour; a deleted run takes its pull request along", async (t) => {
    const of = await opened(t, open);
    const { id } = await of.asked();
    const opening = {
      changes: { state: "open", number: 7 },
      checkNames: ["lint", "test"],
      next: { kind: "end" },
    } as const;
    await of.store.pulls.step(await of.task(), { ...opening, checkNames: [...opening.checkNames] });
    of.advance(30 * 60_000);
    const look = await of.task();
    assert.equal(look.pull.stage, null);
    const merged = { changes: { state: "merged" }, next: { kind: "end" } } as const;
    assert.equal(await of.store.pulls.step(look, merged), true);
    assert.deepEqual([(await of.run(id)).status, (await of.run(id)).pull?.state], ["completed", "merged"]);
    assert.deepEqual(await of.store.pulls.listCheckNames(of.access, of.repositoryId), ["lint", "test"]);
    assert.deepEqual(await of.store.pulls.listCheckNames(of.foreign, of.repositoryId), []);
    await of.asked();
    await of.store.pulls.step(await of.task(), { changes: { number: 8, state: "open" }, next: { kind: "end" } });
    assert.ok("removed" in (await of.store.removals.removeRunsOf(of.access, of.repositoryId, 10)));
    assert.equal(await of.store.pulls.find(of.access, look.pull.id), null);
    of.advance(30 * 60_000);
    assert.equal(await of.store.pulls.claim(leaseMs), null);
    await of.store.pulls.putSettings(of.access, of.repositoryId, pullSettingsDefaults);
    assert.equal(await of.store.removals.removeRepository(of.access, of.repositoryId), true);
    assert.equal(await of.store.pulls.findSettings(of.access, of.repositoryId), null);
  });
}

async function opened(t: Parameters<typeof openFixture>[0], open: OpenStore) {
  const fixture: Fixture = await openFixture(t, open);
  const { store, access } = fixture;
  const named = { name: "shop", fullName: "acme/shop", description: null, defaultBranch: "main" };
  const { repository } = await store.repositories.add(access, { ...named, source: "https://github.com/acme/shop" });
  const run = async (id: number) => {
    const found = await store.runs.find(access, id);
    if (found === null) throw new Error(`run ${id} is gone`);
    return found;
  };
  const worked = async ({ changes = changed, status = "completed" as "completed" | "failed" } = {}) => {
    const { lease } = await fixture.startRun({ repositoryId: repository.id });
    await store.queue.setFigures(lease, { branch: `errand/run-${lease.runId}`, baseBranch: "main" });
    await store.queue.setDiff(lease, Buffer.from("diff"), changes, null);
    await fixture.finish(lease, status);
    return run(lease.runId);
  };
  return {
    ...fixture,
    repositoryId: repository.id,
    run,
    worked,
    asked: async () => {
      const { id } = await worked();
      const asked = await store.pulls.request(access, id, noOptions);
      if ("refused" in asked) throw new Error(asked.refused);
      return asked.run;
    },
    task: async (): Promise<PullTask> => {
      const task = await store.pulls.claim(leaseMs);
      if (task === null) throw new Error("nothing is due");
      return task;
    },
  };
}
