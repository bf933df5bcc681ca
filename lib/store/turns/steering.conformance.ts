import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import { type OpenStore, openFixture } from "#lib/store/conformance.fixture.ts";
import { join } from "#lib/store/people/members.conformance.ts";
import { LeaseLostError } from "#lib/store/runs/queue-store.ts";

const reached: NewEntry = {
  ...{ created_at: "2026-01-31T12:00:00.000Z", message_type: "USER_MESSAGE", observation: "Look there" },
  ...{ thought: null, tool_name: null, tool_input: { message: 2, during_turn: 1 }, tool_output: null },
};

/** Messages that reach an agent while it works: none is lost, whatever happens in the meantime. */
export function steeringConformance(open: OpenStore): void {
  async function openSteering(t: TestContext, isSteerable = true) {
    const fixture = await openFixture(t, open);
    const { store, access } = fixture;
    const { run, lease } = await fixture.startRun({ prompt: "one" });
    if (isSteerable) await store.queue.setFigures(lease, { isSteerable });
    const say = (prompt: string, atNextStep = true) =>
      store.runs.addTurn(access, run.id, { prompt, images: ["data:x"], model: null }, { atNextStep });
    const queue = async () => {
      const listed = await store.turns.listQueued(access, run.id, { skip: 0, limit: 100 });
      return listed?.items.map(({ number, state, steering }) => `${number} ${state} ${steering}`);
    };
    const now = async () => {
      const found = await store.runs.find(access, run.id);
      return [found?.status, found?.turns, found?.queuedTurns, found?.isSteerable];
    };
    return { ...fixture, id: run.id, lease, say, queue, now };
  }

  test("a message for the next step is taken once, and is no turn when it has reached the agent", async (t) => {
    const { store, access, id, lease, say, queue, now } = await openSteering(t);
    assert.equal((await store.queue.controlRequests(lease)).message, false);
    await say("later", false);
    await say("Look there");
    assert.equal((await store.queue.controlRequests(lease)).message, true);
    assert.deepEqual(await queue(), ["2 waiting no", "3 waiting next_step"]);
    const taken = await store.queue.takeMessage(lease);
    assert.deepEqual([taken?.number, taken?.prompt, taken?.images], [3, "Look there", ["data:x"]]);
    assert.equal(await store.queue.takeMessage(lease), null);
    assert.equal((await store.queue.controlRequests(lease)).message, false);
    assert.deepEqual(await queue(), ["2 waiting no", "3 waiting on_its_way"]);
    assert.deepEqual(await store.turns.edit(access, id, 3, { prompt: "no" }, null), { refused: "begun" });
    assert.deepEqual(await store.turns.withdraw(access, id, 3), { refused: "begun" });

    await store.queue.settleMessage(lease, 3, [reached]);
    assert.deepEqual(await queue(), ["2 waiting no"]);
    assert.deepEqual(await now(), ["running", 2, 1, true]);
    assert.deepEqual(await store.turns.withdraw(access, id, 3), { refused: "begun" });
    await assert.rejects(store.queue.settleMessage(lease, 3, [reached]), /not on its way/);
    assert.equal((await store.runs.find(access, id))?.totalLogs, 1);
    await say("four");
    assert.deepEqual(await queue(), ["2 waiting no", "4 waiting next_step"]);
  });

  test("a message that has not reached the agent waits as a turn", async (t) => {
    const { store, lease, say, queue, finish } = await openSteering(t);
    await say("Look there");
    await say("And there");
    await store.queue.takeMessage(lease);
    await store.queue.settleMessage(lease, 2, null);
    assert.deepEqual(await queue(), ["2 waiting no", "3 waiting next_step"]);
    // A message that the agent's turn did not take is its next turn.
    assert.equal(((await finish(lease)) as { number: number }).number, 2);
    assert.deepEqual(await queue(), ["3 waiting next_step"]);
    assert.equal(((await finish(lease)) as { number: number }).number, 3);
  });

  test("a message on its way is settled even if its author is removed; what they have waiting is held", async (t) => {
    const fixture = await openSteering(t);
    const { store, access, id, lease, queue } = fixture;
    const author = { ...access, userId: await join(fixture, "member") };
    const say = () =>
      store.runs.addTurn(author, id, { prompt: "Look there", images: [], model: null }, { atNextStep: true });
    await say();
    await say();
    await say();
    await store.queue.takeMessage(lease);
    const removed = await store.members.remove(access, "owner", author.userId);
    assert.ok("ended" in removed);
    assert.equal(removed.ended.heldMessages, 2);
    assert.deepEqual(await queue(), ["2 waiting on_its_way", "3 held no", "4 held no"]);
    await store.queue.settleMessage(lease, 2, [reached]);
    assert.deepEqual(await queue(), ["3 held no", "4 held no"]);
    // Refused after all, it must not start a turn either.
    await store.queue.refuseMessage(lease, 2, [], false);
    assert.deepEqual(await queue(), ["2 held no", "3 held no", "4 held no"]);
  });

  test("a message of a removed author that has not reached the agent is held", async (t) => {
    const fixture = await openSteering(t);
    const { store, access, id, lease, queue } = fixture;
    const author = { ...access, userId: await join(fixture, "member") };
    await store.runs.addTurn(author, id, { prompt: "Look", images: [], model: null }, { atNextStep: true });
    await store.queue.takeMessage(lease);
    await store.members.remove(access, "owner", author.userId);
    await store.queue.settleMessage(lease, 2, null);
    assert.deepEqual(await queue(), ["2 held no"]);
  });

  for (const isHeld of [false, true]) {
    test(`a message that the agent refused late ${isHeld ? "is held" : "waits as a turn"} after all`, async (t) => {
      const { store, access, id, lease, say, queue, now, finish } = await openSteering(t);
      await say("Look there");
      await assert.rejects(store.queue.refuseMessage(lease, 2, [], isHeld), /has not reached the agent/);
      await store.queue.takeMessage(lease);
      await store.queue.settleMessage(lease, 2, [reached]);
      await store.queue.refuseMessage(lease, 2, [{ ...reached, observation: "refused" }], isHeld);
      await assert.rejects(store.queue.refuseMessage(lease, 2, [], isHeld), /has not reached the agent/);
      assert.deepEqual(await queue(), [`2 ${isHeld ? "held" : "waiting"} no`]);
      assert.deepEqual(await now(), ["running", 2, 1, true]);
      assert.equal((await store.runs.find(access, id))?.totalLogs, 2);
      const next = await finish(lease);
      assert.deepEqual((next as { number: number } | null)?.number ?? null, isHeld ? null : 2);
    });
  }

  test("a run whose agent takes no messages queues them", async (t) => {
    const { id, lease, say, queue, now, finish, store, access, makeRun } = await openSteering(t, false);
    await say("Look there");
    assert.deepEqual(await queue(), ["2 waiting no"]);
    await store.queue.setFigures(lease, { isSteerable: true });
    await store.runs.cancel(access, id);
    await say("Instead");
    assert.deepEqual(await queue(), ["2 held no", "3 waiting no"]);
    await finish(lease, "cancelled");
    assert.deepEqual(await now(), ["queued", 3, 2, false]);
    const queued = await makeRun({ prompt: "not begun" });
    await store.runs.addTurn(access, queued.id, { prompt: "x", images: [], model: null }, { atNextStep: true });
    const listed = await store.turns.listQueued(access, queued.id, { skip: 0, limit: 9 });
    assert.deepEqual(
      listed?.items.map(({ steering }) => steering),
      ["no", "no"],
    );
  });

  test("a cancel holds the waiting messages, and one on its way if it has not reached the agent", async (t) => {
    const { store, access, id, lease, say, queue, finish, now } = await openSteering(t);
    await say("two");
    await say("three");
    await say("four");
    await store.queue.takeMessage(lease);
    await store.queue.takeMessage(lease);
    await store.runs.cancel(access, id);
    assert.deepEqual(await queue(), ["2 waiting on_its_way", "3 waiting on_its_way", "4 held no"]);
    assert.equal(await store.queue.takeMessage(lease), null);
    await store.queue.settleMessage(lease, 2, null);
    await store.queue.settleMessage(lease, 3, [reached]);
    assert.deepEqual(await queue(), ["2 held no", "4 held no"]);
    await finish(lease, "cancelled");
    assert.deepEqual(await now(), ["cancelled", 3, 2, false]);
  });

  for (const isCancelled of [false, true]) {
    test(`a message on its way when its engine died is held${isCancelled ? ", also after a cancel" : ""}`, async (t) => {
      const { store, access, id, lease, say, queue, now } = await openSteering(t);
      await say("two");
      await say("three");
      await store.queue.takeMessage(lease);
      if (isCancelled) await store.runs.cancel(access, id);
      await store.queue.endLeases();
      assert.deepEqual(await queue(), ["2 held no", "3 held no"]);
      assert.deepEqual(await now(), ["interrupted", 3, 2, false]);
      await assert.rejects(store.queue.settleMessage(lease, 2, [reached]), LeaseLostError);
      await assert.rejects(store.queue.takeMessage(lease), LeaseLostError);
    });
  }

  test("a message that nobody settled is held when its turn ends", async (t) => {
    const { store, lease, say, queue, finish } = await openSteering(t);
    await say("two");
    await store.queue.takeMessage(lease);
    assert.equal(await finish(lease), null);
    assert.deepEqual(await queue(), ["2 held no"]);
  });
}
