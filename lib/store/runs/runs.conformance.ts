import assert from "node:assert/strict";
import { test } from "node:test";
import { leaseMs, messages, type OpenStore, openFixture, parsePage, question } from "#lib/store/conformance.fixture.ts";

const all = { skip: 0, limit: 100 };

const bytes = (text: string) => new TextEncoder().encode(text);

/** Actions of people and clients on runs. */
export function runConformance(open: OpenStore): void {
  test("the flag that no event wakes a run keeps its first time, and belongs to its organization", async (t) => {
    const { store, access, foreign, advance, makeRun } = await openFixture(t, open);
    const run = await makeRun();
    assert.equal(await store.runs.setBanned(foreign, run.id, true), null);
    assert.equal((await store.runs.find(access, run.id))?.bannedAt, null);
    assert.equal((await store.runs.setBanned(access, run.id, true))?.bannedAt, "2026-01-31T12:00:00.000Z");
    advance(1000);
    const again = await store.runs.setBanned(access, run.id, true);
    assert.deepEqual(again, { ...run, bannedAt: "2026-01-31T12:00:00.000Z" });
    assert.deepEqual(await store.runs.setBanned(access, run.id, false), run);
    assert.equal(await store.runs.setBanned(access, run.id + 1, true), null);
  });

  test("a run is queued as requested", async (t) => {
    const { store, access, makeRun } = await openFixture(t, open);
    const { repository } = await store.repositories.add(access, {
      name: "a",
      fullName: "team/a",
      description: null,
      source: "/a",
      defaultBranch: null,
    });
    const prompt = 'Zeile 1\n😀 "quoted" 100% _\\ \u2028';
    const run = await makeRun({
      prompt,
      repositoryId: repository.id,
      metadata: { deep: [{ a: null }], "😀": 1 },
      model: "large",
      baseBranch: "main",
    });
    assert.deepEqual(run, {
      id: run.id,
      organizationId: access.organizationId,
      status: "queued",
      createdAt: "2026-01-31T12:00:00.000Z",
      startedAt: null,
      finishedAt: null,
      workMs: null,
      turnStartedAt: null,
      prompt,
      result: null,
      summary: null,
      resultTurn: null,
      latestTurn: null,
      failedTurns: 0,
      resultSeq: null,
      sourceType: "API",
      metadata: { deep: [{ a: null }], "😀": 1 },
      repositoryId: repository.id,
      repositoryFullName: "team/a",
      baseBranch: "main",
      branch: null,
      agent: "steps",
      model: "large",
      permissionMode: "auto",
      turnTimeoutS: null,
      userId: access.userId,
      userName: "Ada",
      totalLogs: 0,
      turns: 1,
      queuedTurns: 1,
      queuePosition: 1,
      tokens: null,
      costUsd: null,
      question: null,
      changes: null,
      bannedAt: null,
      pushed: null,
      leftOut: 0,
      isSteerable: false,
      mode: null,
      isolation: null,
      pull: null,
    });
    assert.deepEqual(await store.runs.find(access, run.id), run);
  });

  test("a run never names a repository that its organization does not have", async (t) => {
    const { store, access, makeRun } = await openFixture(t, open);
    await assert.rejects(makeRun({ repositoryId: 4711 }), /no repository 4711/);
    assert.equal((await store.runs.list(access, {}, all)).total, 0);
  });

  test("a run that has ended is queued again by one more turn and keeps its result until the next end", async (t) => {
    const { store, access, startRun, finish, claim } = await openFixture(t, open);
    const { lease, run } = await startRun({ prompt: "one" });
    await finish(lease, "failed");
    const resumed = await store.runs.addTurn(access, run.id, { prompt: "two", images: ["data:x"], model: "small" });
    assert.equal(resumed?.status, "queued");
    assert.equal(resumed?.finishedAt, null);
    assert.equal(resumed?.result, "result: failed");
    assert.equal(resumed?.turns, 2);
    assert.equal(resumed?.prompt, "one");
    const again = await claim();
    assert.deepEqual(again.turn, { number: 2, prompt: "two", images: ["data:x"], model: "small" });
    assert.equal(again.lease.runId, run.id);
    await finish(again.lease);
    assert.equal((await store.runs.find(access, run.id))?.result, "result: completed");
  });

  test("a live run keeps its status when a turn is added", async (t) => {
    const { store, access, startRun } = await openFixture(t, open);
    const { run } = await startRun();
    const after = await store.runs.addTurn(access, run.id, { prompt: "two", images: [], model: null });
    assert.deepEqual([after?.status, after?.turns], ["running", 2]);
  });

  test("a queued run is cancelled at once, with a closing entry, and is never claimed", async (t) => {
    const { store, access, makeRun } = await openFixture(t, open);
    const { id } = await makeRun();
    const run = await store.runs.cancel(access, id);
    assert.deepEqual([run?.status, run?.totalLogs, run?.finishedAt], ["cancelled", 1, "2026-01-31T12:00:00.000Z"]);
    const [entry] = parsePage(await store.entries.readPage(access, id, { ...all, reverse: false, totalLogs: 1 }));
    assert.deepEqual(entry?.observation, { kind: "interruption", message: "Cancelled before it started." });
    assert.equal(await store.queue.claim("engine", leaseMs), null);
    assert.deepEqual(await store.runs.cancel(access, id), run);
  });

  test("the cancel of a live run is a request to its engine, and holds the waiting turns", async (t) => {
    const { store, access, startRun, finish } = await openFixture(t, open);
    const { lease, run } = await startRun();
    await store.runs.addTurn(access, run.id, { prompt: "later", images: [], model: null });
    assert.deepEqual(await store.queue.controlRequests(lease), { cancel: false, answer: null, message: false });
    const cancelling = await store.runs.cancel(access, run.id);
    assert.deepEqual([cancelling?.status, cancelling?.turns, cancelling?.queuedTurns], ["running", 2, 1]);
    assert.deepEqual(await store.queue.controlRequests(lease), { cancel: true, answer: null, message: false });
    assert.equal(await finish(lease, "cancelled"), null);
    assert.equal((await store.runs.find(access, run.id))?.status, "cancelled");
    assert.equal(await store.queue.claim("engine", leaseMs), null);
  });

  test("a turn requested after a cancel queues the run again when the cancelled turn has ended", async (t) => {
    for (const status of ["cancelled", "completed"] as const) {
      const { store, access, startRun, finish, claim } = await openFixture(t, open);
      const { lease, run } = await startRun();
      await store.runs.cancel(access, run.id);
      await store.runs.addTurn(access, run.id, { prompt: "instead", images: [], model: null });
      assert.equal(await finish(lease, status), null);
      assert.equal((await store.runs.find(access, run.id))?.status, "queued");
      const next = await claim();
      assert.equal(next.turn.prompt, "instead");
      assert.deepEqual(await store.queue.controlRequests(next.lease), { cancel: false, answer: null, message: false });
    }
  });

  test("an answer counts only for the open question, once, and with one of its options", async (t) => {
    const { store, access, startRun } = await openFixture(t, open);
    const { lease, run } = await startRun();
    assert.equal(await store.runs.answer(access, run.id, "q1", "yes"), false);
    await store.queue.setQuestion(lease, question("q1"));
    const waiting = await store.runs.find(access, run.id);
    assert.equal(waiting?.status, "waiting");
    assert.deepEqual(waiting?.question, { ...question("q1"), answered: false });
    assert.equal(await store.runs.answer(access, run.id, "q0", "yes"), false);
    assert.equal(await store.runs.answer(access, run.id, "q1", "maybe"), false);
    assert.equal(await store.runs.answer(access, run.id, "q1", "no"), true);
    assert.equal(await store.runs.answer(access, run.id, "q1", "yes"), false);
    assert.deepEqual(await store.queue.controlRequests(lease), {
      cancel: false,
      message: false,
      answer: { questionId: "q1", optionId: "no" },
    });
    assert.equal((await store.runs.find(access, run.id))?.question?.answered, true);
    await store.queue.setQuestion(lease, null);
    assert.deepEqual(await store.queue.controlRequests(lease), {
      cancel: false,
      answer: null,
      message: false,
    });
    const running = await store.runs.find(access, run.id);
    assert.deepEqual([running?.status, running?.question], ["running", null]);
    assert.equal(await store.runs.answer(access, run.id, "q1", "yes"), false);
  });

  test("progress and diff are kept as they were last set", async (t) => {
    const { store, access, startRun, finish } = await openFixture(t, open);
    const { lease, run } = await startRun();
    const progress = (text: string) => ({ thought: "", text, tools: [], updated_at: "2026-01-31T12:00:00.000Z" });
    assert.equal(await store.runs.findProgress(access, run.id), null);
    assert.deepEqual(await store.runs.findDiff(access, run.id), bytes(""));
    await store.queue.setProgress(lease, progress("a"));
    await store.queue.setProgress(lease, progress("ab"));
    assert.deepEqual(await store.runs.findProgress(access, run.id), progress("ab"));
    await store.queue.setProgress(lease, null);
    assert.equal(await store.runs.findProgress(access, run.id), null);
    await store.queue.setProgress(lease, progress("abc"));
    const changes = { files: 1, insertions: 2, deletions: 3, truncated: false };
    await store.queue.setDiff(lease, bytes("old"), changes, null);
    await store.queue.setDiff(lease, new Uint8Array([0, 0xe9, 0x0a]), changes, null);
    await finish(lease);
    assert.equal(await store.runs.findProgress(access, run.id), null);
    assert.deepEqual(await store.runs.findDiff(access, run.id), new Uint8Array([0, 0xe9, 0x0a]));
    const unknown = { base_commit: null, head_commit: null, compared_with: null, in_base_branch: false };
    assert.deepEqual((await store.runs.find(access, run.id))?.changes, { ...changes, ...unknown });
  });

  test("changes measured between turns are stored, unless the run was resumed since or is at work", async (t) => {
    const { store, access, startRun, finish } = await openFixture(t, open);
    const { lease, run } = await startRun();
    const figures = (files: number) => ({ files, insertions: 0, deletions: 0, truncated: false });
    const stored = async () => {
      const diff = Buffer.from((await store.runs.findDiff(access, run.id)) ?? []).toString();
      return [(await store.runs.find(access, run.id))?.changes?.files, diff];
    };
    await store.queue.setDiff(lease, bytes("turn"), figures(1), "commit");
    await store.runs.setChanges(run, bytes("at work"), figures(9));
    await store.queue.setDiff(lease, null, null, "later commit");
    assert.deepEqual(await stored(), [1, "turn"]);
    await finish(lease);
    await store.runs.setChanges(run, bytes("between"), { ...figures(2), base_commit: "base", head_commit: "head" });
    assert.deepEqual(await stored(), [2, "between"]);
    const commits = [0, null].map((turn) => store.runs.findWorkCommit(access, run.id, turn));
    assert.deepEqual(await Promise.all(commits), [
      { state: "known", commit: "base" },
      { state: "known", commit: "head" },
    ]);
    await store.runs.addTurn(access, run.id, { prompt: "more", images: [], model: null });
    await store.runs.setChanges(run, bytes("too late"), figures(9));
    await store.runs.cancel(access, run.id);
    await store.runs.setChanges(run, bytes("too late"), figures(9));
    assert.deepEqual(await stored(), [2, "between"]);
    await store.runs.setChanges({ id: 99_999, turns: 1 }, bytes("gone"), figures(9));
  });

  test("another organization sees and changes nothing of a run", async (t) => {
    const { store, access, foreign, startRun, makeRun } = await openFixture(t, open);
    const { lease, run } = await startRun();
    const queued = await makeRun();
    await store.queue.append(lease, messages(3));
    await store.queue.setDiff(lease, bytes("diff"), { files: 1, insertions: 1, deletions: 0, truncated: false }, null);
    await store.queue.setProgress(lease, { thought: "", text: "", tools: [], updated_at: "2026-01-31T12:00:00.000Z" });
    await store.queue.setQuestion(lease, question("q"));
    const before = await store.runs.find(access, run.id);

    assert.equal(await store.runs.find(foreign, run.id), null);
    assert.deepEqual(await store.runs.list(foreign, {}, all), { items: [], total: 0, passed: 0 });
    assert.equal(await store.runs.addTurn(foreign, run.id, { prompt: "x", images: [], model: null }), null);
    assert.equal(await store.runs.cancel(foreign, run.id), null);
    assert.equal(await store.runs.cancel(foreign, queued.id), null);
    assert.equal(await store.runs.answer(foreign, run.id, "q", "yes"), false);
    assert.equal(await store.runs.findProgress(foreign, run.id), null);
    assert.equal(await store.runs.findDiff(foreign, run.id), null);
    assert.equal(await store.entries.find(foreign, run.id, 1), null);
    assert.deepEqual(await store.entries.readAfter(foreign, run.id, 0, 100, 1e6), []);
    for (const reverse of [true, false]) {
      const page = await store.entries.readPage(foreign, run.id, { ...all, reverse, totalLogs: 3 });
      assert.equal(page.length, 0);
    }
    assert.deepEqual(await store.runs.find(access, run.id), before);
    assert.deepEqual(await store.runs.find(access, queued.id), queued);
    assert.deepEqual(await store.queue.controlRequests(lease), { cancel: false, answer: null, message: false });
  });
}
