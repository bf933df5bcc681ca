import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { endStatuses } from "#lib/contract/runs/run-status.ts";
import { leaseMs, type OpenStore, openFixture } from "#lib/store/conformance.fixture.ts";

const all = { skip: 0, limit: 100 };

/** Turns that have not started: waiting, held, sent, edited, withdrawn. */
export function turnConformance(open: OpenStore): void {
  async function openQueue(t: TestContext) {
    const fixture = await openFixture(t, open);
    const { store, access } = fixture;
    const queue = async (runId: number) => {
      const listed = await store.turns.listQueued(access, runId, all);
      return listed?.items.map(({ number, state, prompt }) => `${number} ${state}: ${prompt}`);
    };
    const add = (runId: number, prompt: string, withHeld = false) =>
      store.runs.addTurn(access, runId, { prompt, images: [], model: null }, { withHeld });
    const counts = async (runId: number) => {
      const run = await store.runs.find(access, runId);
      return [run?.status, run?.turns, run?.queuedTurns];
    };
    /** A run that was cancelled while its first turn was running and two more waited. */
    const cancelled = async () => {
      const { run, lease } = await fixture.startRun({ prompt: "one" });
      await add(run.id, "two");
      await add(run.id, "three");
      await store.runs.cancel(access, run.id);
      await fixture.finish(lease, "cancelled");
      return run.id;
    };
    return { ...fixture, queue, add, counts, cancelled };
  }

  test("turns that have not begun are listed with their author, by window, and begun ones are not", async (t) => {
    const { store, access, foreign, makeRun, claim, advance, add } = await openQueue(t);
    const { id } = await makeRun({ prompt: "one", model: "large" });
    advance(1000);
    await store.runs.addTurn(access, id, { prompt: "two", images: ["data:a", "data:b"], model: "small" });
    await add(id, "three");
    const of = (number: number, prompt: string, more: object) => ({
      ...{ number, state: "waiting", prompt, imageCount: 0, attachments: [], steering: "no", revision: 0 },
      ...{ createdAt: "2026-01-31T12:00:01.000Z", userId: access.userId, userName: "Ada", model: "small" },
      ...more,
    });
    const [one, two, three] = [
      of(1, "one", { model: "large", createdAt: "2026-01-31T12:00:00.000Z" }),
      of(2, "two", { imageCount: 2 }),
      of(3, "three", {}),
    ];
    assert.deepEqual(await store.turns.listQueued(access, id, all), { items: [one, two, three], total: 3 });
    assert.deepEqual(await store.turns.listQueued(access, id, { skip: 1, limit: 1 }), { items: [two], total: 3 });
    await claim();
    assert.deepEqual(await store.turns.listQueued(access, id, all), { items: [two, three], total: 2 });
    assert.equal(await store.turns.listQueued(foreign, id, all), null);
    assert.equal(await store.turns.listQueued(access, 4711, all), null);
  });

  test("a cancel holds the waiting turns, and a resume runs only its own", async (t) => {
    const { store, claim, finish, queue, add, counts, cancelled } = await openQueue(t);
    const id = await cancelled();
    assert.deepEqual(await counts(id), ["cancelled", 3, 2]);
    assert.deepEqual(await queue(id), ["2 held: two", "3 held: three"]);
    assert.equal(await store.queue.claim("engine", leaseMs), null);

    await add(id, "four");
    assert.deepEqual(await queue(id), ["2 held: two", "3 held: three", "4 waiting: four"]);
    const { turn, lease } = await claim();
    assert.deepEqual([turn.number, turn.prompt], [4, "four"]);
    assert.equal(await finish(lease), null);
    assert.deepEqual(await counts(id), ["completed", 4, 2]);
    assert.deepEqual(await queue(id), ["2 held: two", "3 held: three"]);
  });

  test("a resume with the queue runs the held turns first, then its own", async (t) => {
    const { claim, finish, add, counts, cancelled } = await openQueue(t);
    const id = await cancelled();
    await add(id, "four", true);
    const { turn, lease } = await claim();
    const later = [await finish(lease), await finish(lease), await finish(lease)];
    assert.deepEqual(
      [turn, ...later].map((next) => (next as { number: number } | null)?.number ?? null),
      [2, 3, 4, null],
    );
    assert.deepEqual(await counts(id), ["completed", 4, 0]);
  });

  test("sending the held turns queues a run that has ended, and lets them wait in one that is at work", async (t) => {
    const { store, access, foreign, claim, finish, queue, add, counts, cancelled } = await openQueue(t);
    const id = await cancelled();
    assert.deepEqual(await store.turns.sendHeld(foreign, id), { refused: "run_absent" });
    const sent = await store.turns.sendHeld(access, id);
    assert.ok("run" in sent);
    assert.deepEqual(await counts(id), ["queued", 3, 2]);
    assert.deepEqual(await store.turns.sendHeld(access, id), { refused: "none_held" });
    const first = await claim();
    assert.equal(first.turn.number, 2);
    assert.equal(((await finish(first.lease)) as { number: number }).number, 3);
    await finish(first.lease);

    const other = await cancelled();
    await add(other, "four");
    const { turn, lease } = await claim();
    assert.equal(turn.number, 4);
    await store.turns.sendHeld(access, other);
    assert.deepEqual(await counts(other), ["running", 4, 2]);
    assert.deepEqual(await queue(other), ["2 waiting: two", "3 waiting: three"]);
    assert.equal(((await finish(lease)) as { number: number }).number, 2);
  });

  test("a run that is cancelled before its start holds its first turn, which runs when it is sent", async (t) => {
    const { store, access, makeRun, claim, finish, queue, add, counts } = await openQueue(t);
    const { id } = await makeRun({ prompt: "one" });
    await store.runs.cancel(access, id);
    assert.deepEqual(await counts(id), ["cancelled", 1, 1]);
    assert.deepEqual(await queue(id), ["1 held: one"]);
    await add(id, "two");
    const resumed = await claim();
    assert.deepEqual([resumed.turn.number, resumed.turn.prompt], [2, "two"]);
    await finish(resumed.lease);
    await store.turns.sendHeld(access, id);
    const sent = await claim();
    assert.deepEqual([sent.turn.number, sent.turn.prompt], [1, "one"]);
    await finish(sent.lease);
    assert.deepEqual(await counts(id), ["completed", 2, 0]);
    assert.deepEqual((await store.runs.find(access, id))?.resultTurn, 1);
    const times = await store.runs.findTimes(access, id, 10);
    assert.equal(times.turns.length, 2);
  });

  test("while a cancel is pending a resume or a send makes the run continue, and a further cancel holds that too", async (t) => {
    const { store, access, startRun, claim, finish, queue, add, counts } = await openQueue(t);
    const { run, lease } = await startRun({ prompt: "one" });
    await add(run.id, "two");
    await store.runs.cancel(access, run.id);
    await add(run.id, "three");
    assert.deepEqual(await queue(run.id), ["2 held: two", "3 waiting: three"]);
    await store.runs.cancel(access, run.id);
    assert.deepEqual(await queue(run.id), ["2 held: two", "3 held: three"]);
    await store.turns.sendHeld(access, run.id);
    assert.equal(await finish(lease, "cancelled"), null);
    assert.deepEqual(await counts(run.id), ["queued", 3, 2]);
    const again = await claim();
    assert.equal(again.turn.number, 2);
    assert.equal(((await finish(again.lease)) as { number: number }).number, 3);
  });

  test("the end of a turn decides whether the next one begins by itself or is held", async (t) => {
    for (const status of endStatuses) {
      const { startRun, finish, queue, add, counts } = await openQueue(t);
      const { run, lease } = await startRun({ prompt: "one" });
      await add(run.id, "two");
      const next = await finish(lease, status);
      const isHeld = ["cancelled", "interrupted", "out_of_tokens"].includes(status);
      assert.equal(next === null, isHeld, status);
      assert.deepEqual(await queue(run.id), isHeld ? ["2 held: two"] : [], status);
      assert.deepEqual(await counts(run.id), isHeld ? [status, 2, 1] : ["running", 2, 0], status);
    }
    const { store, startRun, queue, add } = await openQueue(t);
    const { run, lease } = await startRun({ prompt: "one" });
    await add(run.id, "two");
    const broken = { status: "failed", result: null, summary: null, entries: [], holdsQueue: true } as const;
    assert.equal(await store.queue.finishTurn(lease, { ...broken, entries: [] }), null);
    assert.deepEqual(await queue(run.id), ["2 held: two"]);
  });

  test("a turn can be edited until it begins; of two edits of the same text the second is refused", async (t) => {
    const { store, access, foreign, startRun, makeRun, finish, claim, add } = await openQueue(t);
    const { run, lease } = await startRun({ prompt: "one" });
    await add(run.id, "two");
    const edit = (changes: object, revision: number | null = null, number = 2) =>
      store.turns.edit(access, run.id, number, changes, revision);
    const first = await edit({ prompt: "two, but better", images: ["data:x"], model: "large" }, 0);
    assert.ok("turn" in first);
    const { turn } = first;
    assert.deepEqual([turn.prompt, turn.imageCount, turn.model, turn.revision], ["two, but better", 1, "large", 1]);
    assert.deepEqual(await edit({ prompt: "mine" }, 0), { refused: "edited" });
    const second = await edit({ images: [] });
    assert.ok("turn" in second && second.turn.imageCount === 0 && second.turn.prompt === turn.prompt);
    assert.deepEqual(await edit({ prompt: "x" }, null, 1), { refused: "begun" });
    assert.deepEqual(await edit({ prompt: "x" }, null, 3), { refused: "absent" });
    assert.deepEqual(await store.turns.edit(foreign, run.id, 2, { prompt: "x" }, null), { refused: "run_absent" });
    const next = await finish(lease);
    assert.deepEqual(next, { number: 2, prompt: "two, but better", images: [], model: "large" });
    assert.deepEqual(await edit({ prompt: "too late" }), { refused: "begun" });
    await finish(lease);

    // The run's title, from its first prompt, follows the edit.
    const early = await makeRun({ prompt: "early" });
    await store.turns.edit(access, early.id, 1, { prompt: "better" }, null);
    assert.equal((await store.runs.find(access, early.id))?.prompt, "better");
    assert.equal((await claim()).turn.prompt, "better");
  });

  test("a withdrawn turn never begins, and its number is not reused", async (t) => {
    const { store, access, foreign, startRun, finish, queue, add, counts } = await openQueue(t);
    const { run, lease } = await startRun({ prompt: "one" });
    await store.runs.addTurn(access, run.id, { prompt: "two", images: ["data:x"], model: "large" });
    await add(run.id, "three");
    const withdraw = (number: number) => store.turns.withdraw(access, run.id, number);
    assert.deepEqual(await store.turns.withdraw(foreign, run.id, 2), { refused: "run_absent" });
    assert.deepEqual(await withdraw(1), { refused: "begun" });
    assert.deepEqual(await withdraw(4), { refused: "absent" });
    const gone = await withdraw(3);
    assert.ok("run" in gone);
    assert.deepEqual(await withdraw(3), { refused: "absent" });
    assert.deepEqual(await store.turns.edit(access, run.id, 3, { prompt: "x" }, null), { refused: "absent" });
    assert.deepEqual(await counts(run.id), ["running", 2, 1]);
    await add(run.id, "four");
    assert.deepEqual(await queue(run.id), ["2 waiting: two", "4 waiting: four"]);
    await finish(lease);
    const last = await finish(lease);
    // The model is that of the last turn that was not withdrawn.
    assert.deepEqual(last, { number: 4, prompt: "four", images: [], model: "large" });
    await finish(lease);
    assert.deepEqual(await counts(run.id), ["completed", 3, 0]);
  });

  test("a queued run keeps a turn to run; of a cancelled one even the first may be withdrawn, and it keeps its title", async (t) => {
    const { store, access, makeRun, claim, queue, add, counts } = await openQueue(t);
    const { id } = await makeRun({ prompt: "one", model: "large" });
    assert.deepEqual(await store.turns.withdraw(access, id, 1), { refused: "needed" });
    await add(id, "two");
    assert.ok("run" in (await store.turns.withdraw(access, id, 2)));
    await store.runs.cancel(access, id);
    assert.ok("run" in (await store.turns.withdraw(access, id, 1)));
    assert.deepEqual(await queue(id), []);
    assert.deepEqual(await counts(id), ["cancelled", 0, 0]);
    assert.equal((await store.runs.find(access, id))?.prompt, "one");
    await add(id, "three");
    assert.deepEqual((await claim()).turn, { number: 3, prompt: "three", images: [], model: "large" });
  });

  test("turns that began out of order are listed in order of time", async (t) => {
    const { store, access, makeRun, claim, finish, advance, add } = await openQueue(t);
    const { id } = await makeRun({ prompt: "one" });
    await store.runs.cancel(access, id);
    for (const send of [() => add(id, "two"), () => store.turns.sendHeld(access, id)]) {
      advance(1000);
      await send();
      await finish((await claim()).lease);
    }
    const numbers = async (most: number) =>
      (await store.runs.findTimes(access, id, most)).turns.map(({ number }) => number);
    assert.deepEqual([await numbers(10), await numbers(1)], [[2, 1], [1]]);
  });

  test("an external run never holds a turn: a message is an entry at once", async (t) => {
    const { store, access, makeRun, queue, add, counts } = await openQueue(t);
    const { id } = await makeRun({ agent: "external" });
    await add(id, "two");
    assert.deepEqual(await queue(id), []);
    await store.runs.cancel(access, id);
    assert.deepEqual(await counts(id), ["cancelled", 2, 0]);
    assert.deepEqual(await store.turns.sendHeld(access, id), { refused: "none_held" });
    assert.deepEqual(await store.turns.withdraw(access, id, 2), { refused: "begun" });
  });

  test("a turn's work is known by its commit, in the order in which turns started", async (t) => {
    const { store, access, foreign, claim, finish, add, cancelled, advance } = await openQueue(t);
    const changes = { files: 1, insertions: 1, deletions: 0, truncated: false };
    const keep = (lease: Awaited<ReturnType<typeof claim>>["lease"], commit: string | null) =>
      store.queue.setDiff(lease, new Uint8Array([1]), changes, commit);
    const id = await cancelled();
    const find = async (turn: number | null) => {
      const kept = await store.runs.findWorkCommit(access, id, turn);
      return kept?.state === "known" ? kept.commit : (kept?.state ?? "no such turn");
    };
    assert.deepEqual([await find(1), await find(2), await find(null)], [null, "unended", null]);

    advance(1000);
    await add(id, "four");
    const four = await claim();
    await store.queue.setFigures(four.lease, { baseCommit: "base" });
    await keep(four.lease, "of four");
    assert.deepEqual([await find(4), await find(null)], ["unended", "of four"]);
    await finish(four.lease);
    advance(1000);
    await store.turns.sendHeld(access, id);
    const two = await claim();
    await finish(two.lease, "failed");
    advance(1000);
    const three = (await store.runs.find(access, id))?.status;
    assert.equal(three, "running");
    await keep(two.lease, "of three");
    await finish(two.lease);
    // Turn 2 kept nothing, so its work is that of turn 4, which started before it.
    assert.deepEqual(
      [await find(0), await find(1), await find(2), await find(3), await find(4), await find(null), await find(5)],
      ["base", "base", "of four", "of three", "of four", "of three", "no such turn"],
    );
    assert.equal(await store.runs.findWorkCommit(foreign, id, 1), null);
  });
}
