import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { test } from "node:test";
import { type OpenStore, openFixture, said } from "#lib/store/conformance.fixture.ts";
import { underWayMs } from "#lib/store/dead-claims.ts";
import { plainRun } from "#lib/store/runs/plain-run.fixture.ts";

const leaseMs = 60_000;

/** Conversations in connected services, and replies to them. */
export function conversationConformance(open: OpenStore): void {
  test("an event is kept once, by its delivery and by its message", async (t) => {
    const { store, integrationId, keep } = await openConnected(t, open);
    const { conversations } = store;
    assert.equal(await keep("d1", "comment:1"), "kept");
    assert.equal(await keep("d1", "comment:1"), "duplicate");
    assert.equal(await keep("d2", "comment:1"), "duplicate", "the same comment under another delivery");
    assert.equal(await keep("d1", "comment:2"), "duplicate", "another comment under the same delivery");
    const ignored = { deliveryId: "d3", kind: "push", saidKey: null, body: null, note: "push" };
    assert.equal(await conversations.keep(integrationId, ignored), "kept");
    assert.equal(await conversations.keep(integrationId, { ...ignored, deliveryId: "d4" }), "kept");
    assert.equal(await conversations.keep(999, ignored), "absent");
    const first = await conversations.claimEvent(leaseMs);
    assert.deepEqual([first?.body, first?.tries], ["comment:1", 1]);
    assert.equal(await conversations.claimEvent(leaseMs), null, "what is ignored is not worked on");
  });

  test("an event whose engine dies is due again after its lease, until it is settled", async (t) => {
    const { store, keep, advance } = await openConnected(t, open);
    const { conversations } = store;
    await keep("d1", "comment:1");
    const first = await conversations.claimEvent(leaseMs);
    assert.equal(await conversations.claimEvent(leaseMs), null);
    advance(leaseMs);
    const again = await conversations.claimEvent(leaseMs);
    assert.deepEqual([again?.id, again?.tries], [first?.id, 2]);
    await conversations.postponeEvent(again?.id ?? 0, 5000);
    assert.equal(await conversations.claimEvent(leaseMs), null);
    advance(5000);
    assert.equal((await conversations.claimEvent(leaseMs))?.tries, 3);
    await conversations.settleEvent(first?.id ?? 0, { state: "ignored", note: "no permission" });
    advance(leaseMs);
    assert.equal(await conversations.claimEvent(leaseMs), null);
  });

  test("what a dead engine had claimed is due with the next one, a reply only when no request for it is under way; what waits for a host waits on", async (t) => {
    const { store, keep, claim, advance } = await openConnected(t, open);
    const { conversations, queue } = store;
    await keep("d1", "comment:1");
    await keep("d2", "comment:2");
    const waits = await claim();
    await conversations.postponeEvent(waits.id, 30_000);
    const claimed = await claim();
    await queue.endLeases();
    const again = await conversations.claimEvent(leaseMs);
    assert.deepEqual([again?.id, again?.tries], [claimed.id, 2]);
    assert.equal(await conversations.claimEvent(leaseMs), null, "the other one waits");
    await conversations.say(claimed, "there", "Which repository?");
    advance(30_000);
    await conversations.say(await claim(), "elsewhere", "Which one?");

    const reply = await conversations.claimReply(leaseMs);
    const late = await conversations.claimReply(leaseMs);
    await conversations.postponeReply(late?.id ?? 0, 40_000);
    await queue.endLeases();
    advance(underWayMs - 1);
    assert.equal(await conversations.claimReply(leaseMs), null, "the dead engine's request may be under way");
    await queue.endLeases();
    advance(1);
    const repeated = await conversations.claimReply(leaseMs);
    assert.deepEqual([repeated?.id, repeated?.tries], [reply?.id, 2], "another start does not put it off");
    assert.equal(await conversations.claimReply(leaseMs), null, "the other one waits");
    await conversations.settleReply(reply?.id ?? 0, { remoteId: "99", note: null });
    await queue.endLeases();
    advance(40_000 - underWayMs);
    assert.equal((await conversations.claimReply(leaseMs))?.id, late?.id);
    assert.equal(await conversations.claimReply(leaseMs), null, "what was sent stays sent");
  });

  test("what has been due longest comes first, so that what fails again and again keeps nothing waiting", async (t) => {
    const { store, keep, claim, advance } = await openConnected(t, open);
    const { conversations } = store;
    for (const name of ["d1", "d2", "d3"]) await keep(name, name);
    const [first, second, third] = [await claim(), await claim(), await claim()];
    assert.ok(first.id < second.id && second.id < third.id, "as they came");
    await conversations.postponeEvent(first.id, 10_000);
    await conversations.postponeEvent(second.id, 5000);
    advance(10_000);
    assert.equal((await claim()).id, second.id);
    assert.equal((await claim()).id, first.id);

    await conversations.say(first, "there", "one");
    await conversations.say(second, "there", "two");
    const one = await conversations.claimReply(leaseMs);
    const two = await conversations.claimReply(leaseMs);
    assert.deepEqual([one?.text, two?.text], ["one", "two"]);
    await conversations.postponeReply(one?.id ?? 0, 10_000);
    await conversations.postponeReply(two?.id ?? 0, 5000);
    advance(10_000);
    assert.equal((await conversations.claimReply(leaseMs))?.text, "two");
    assert.equal((await conversations.claimReply(leaseMs))?.text, "one");
  });

  test("a conversation has one run: the first event creates it, the next ones add turns, each event once", async (t) => {
    const { store, access, integrationId, keep, claim } = await openConnected(t, open);
    const { conversations, runs } = store;
    await keep("d1", "comment:1");
    const first = await claim();
    const asked = {
      conversation: "o/r#1",
      place: "here",
      userId: access.userId,
      run: plainRun("Fix it", { sourceType: "GITHUB" }),
      entry: { ...said("Fix it"), message_type: "USER_GITHUB_ISSUE_COMMENT" as const },
    };
    const begun = await conversations.begin(first, asked);
    assert.deepEqual([begun?.turn, begun?.created], [1, true]);
    const runId = begun?.runId ?? 0;
    assert.equal(await conversations.begin(first, asked), null, "a second engine finds it settled");
    assert.equal(await conversations.findRun(integrationId, "o/r#1"), runId);
    assert.equal(await conversations.findRun(integrationId, "o/r#2"), null);
    const run = await runs.find(access, runId);
    assert.deepEqual(
      [run?.status, run?.sourceType, run?.prompt, run?.totalLogs, run?.userId],
      ["queued", "GITHUB", "Fix it", 1, access.userId],
    );
    await keep("d2", "comment:2");
    const second = await conversations.begin(await claim(), { ...asked, run: plainRun("And that"), entry: null });
    assert.deepEqual([second?.runId, second?.turn, second?.created], [runId, 2, false]);
    assert.equal((await runs.find(access, runId))?.turns, 2);
  });

  test("a later message of a conversation requests the model of its run, not the one for new runs", async (t) => {
    const { store, keep, claim, finish } = await openConnected(t, open);
    const { conversations, queue } = store;
    const begin = async (delivery: string, model: string) => {
      await keep(delivery, delivery);
      const run = plainRun("Fix it", { model });
      await conversations.begin(await claim(), { conversation: "c", place: "here", userId: null, run, entry: null });
      const claimed = await queue.claim("engine", leaseMs);
      assert.ok(claimed);
      await finish(claimed.lease);
      return claimed.turn.model;
    };
    assert.deepEqual([await begin("d1", "large"), await begin("d2", "small")], ["large", "large"]);
  });

  test("a failed turn ends with its own error, whatever failed after it", async (t) => {
    const { store, access, startRun, advance } = await openFixture(t, open);
    const { run, lease } = await startRun();
    const fail = async (given: typeof lease, message: string) => {
      const created_at = new Date(Date.parse("2026-01-31T12:00:00.000Z") + aheadMs).toISOString();
      const entry = { ...said(""), created_at, message_type: "ERROR" as const, observation: { code: "x", message } };
      await store.queue.finishTurn(given, { status: "failed", result: null, summary: null, entries: [entry] });
    };
    let aheadMs = 0;
    const pass = () => {
      aheadMs += 1000;
      advance(1000);
    };
    pass();
    await fail(lease, "first");
    pass();
    await store.runs.addTurn(access, run.id, { prompt: "again", images: [], model: null });
    const again = await store.queue.claim("engine", leaseMs);
    assert.ok(again);
    pass();
    await fail(again.lease, "second");
    const aside = { code: "reply_not_sent", message: "third" };
    const entries = [
      {
        ...said(""),
        created_at: new Date(Date.parse("2026-01-31T12:00:00.000Z") + aheadMs).toISOString(),
        message_type: "ERROR" as const,
        observation: aside,
      },
    ];
    await store.runs.addTurn(access, run.id, { prompt: "more", images: [], model: null });
    const more = await store.queue.claim("engine", leaseMs);
    assert.ok(more);
    await store.queue.finishTurn(more.lease, { status: "failed", result: null, summary: null, entries });
    assert.equal((await store.conversations.findEnd(run.id, 3))?.errorEntry?.includes("third") ?? false, false);
    const errors = [1, 2].map(async (turn) => (await store.conversations.findEnd(run.id, turn))?.errorEntry ?? "");
    assert.match((await errors[0]) ?? "", /first/);
    assert.match((await errors[1]) ?? "", /second/);
  });

  test("a reply is due when its turn has ended, once, with the turn's answer", async (t) => {
    const fixture = await openConnected(t, open);
    const { store, keep, claim, advance } = fixture;
    const { conversations, queue } = store;
    await keep("d1", "comment:1");
    const asked = { conversation: "c", place: "here", userId: null, run: plainRun("Fix it"), entry: null };
    const { runId = 0, turn = 0 } = (await conversations.begin(await claim(), asked)) ?? {};
    assert.equal(await conversations.claimReply(leaseMs), null, "its turn has not begun");
    const lease = (await queue.claim("engine", leaseMs))?.lease;
    assert.ok(lease);
    assert.equal(await conversations.claimReply(leaseMs), null, "its turn is at work");
    assert.equal(await conversations.findEnd(runId, turn), null);
    await queue.finishTurn(lease, { status: "completed", result: "Fixed.", summary: null, entries: [said("end")] });
    const reply = await conversations.claimReply(leaseMs);
    assert.deepEqual([reply?.place, reply?.runId, reply?.turn, reply?.text], ["here", runId, turn, null]);
    assert.deepEqual(await conversations.findEnd(runId, turn), {
      status: "completed",
      result: "Fixed.",
      errorEntry: null,
    });
    assert.equal(await conversations.claimReply(leaseMs), null);
    advance(leaseMs);
    assert.deepEqual([(await conversations.claimReply(leaseMs))?.key, 2], [reply?.key, 2], "its engine died");
    await conversations.settleReply(reply?.id ?? 0, { remoteId: "99", note: null });
    advance(leaseMs);
    assert.equal(await conversations.claimReply(leaseMs), null);
  });

  test("a conversation whose turn is held is found until it has been notified, and gets its answer when the turn was sent", async (t) => {
    const { store, access, integrationId, keep, claim } = await openConnected(t, open);
    const { announcements, conversations, runs, turns, queue } = store;
    await keep("d1", "comment:1");
    const asked = { conversation: "c", place: "here", userId: null, run: plainRun("Fix it"), entry: null };
    const { runId = 0 } = (await conversations.begin(await claim(), asked)) ?? {};
    assert.deepEqual(await announcements.findHeld(), []);
    await runs.cancel(access, runId);
    const [held] = await announcements.findHeld();
    assert.ok(held !== undefined);
    assert.deepEqual(held, { integrationId, runId, moment: "held:1", place: "here", runStatus: "cancelled" });
    await announcements.note(held, held.place, "Not begun.");
    assert.deepEqual(await announcements.findHeld(), []);
    const told = await conversations.claimReply(leaseMs);
    assert.deepEqual([told?.text, told?.place], ["Not begun.", "here"]);
    assert.equal(await conversations.claimReply(leaseMs), null, "the answer itself is still waited for");
    await turns.sendHeld(access, runId);
    const lease = (await queue.claim("engine", leaseMs))?.lease;
    assert.ok(lease);
    await queue.finishTurn(lease, { status: "completed", result: "Fixed.", summary: null, entries: [said("end")] });
    const answer = await conversations.claimReply(leaseMs);
    assert.deepEqual([answer?.runId, answer?.turn], [runId, 1]);
  });

  test("the reply to a turn that was withdrawn is due too, and a text needs no turn", async (t) => {
    const { store, access, keep, claim } = await openConnected(t, open);
    const { conversations } = store;
    const asked = { conversation: "c", place: "here", userId: null, run: plainRun("Fix it"), entry: null };
    await keep("d1", "comment:1");
    const first = await conversations.begin(await claim(), asked);
    await keep("d2", "comment:2");
    const second = await conversations.begin(await claim(), asked);
    await store.turns.withdraw(access, second?.runId ?? 0, second?.turn ?? 0);
    const withdrawn = await conversations.claimReply(leaseMs);
    assert.equal(withdrawn?.turn, second?.turn);
    const end = await conversations.findEnd(first?.runId ?? 0, second?.turn ?? 0);
    assert.deepEqual(end, { status: "withdrawn", result: null, errorEntry: null });
    await keep("d3", "comment:3");
    const third = await claim();
    await conversations.say(third, "there", "Which repository?");
    await conversations.say(third, "there", "Which repository?");
    const told = await conversations.claimReply(leaseMs);
    assert.deepEqual([told?.text, told?.place, told?.runId], ["Which repository?", "there", null]);
    assert.equal(await conversations.claimReply(leaseMs), null);
  });

  test("everything that belongs to an integration is removed with it; its runs stay", async (t) => {
    const { store, access, integrationId, keep, claim } = await openConnected(t, open);
    const { conversations } = store;
    const asked = { conversation: "c", place: "here", userId: null, run: plainRun("Fix it"), entry: null };
    await keep("d1", "comment:1");
    const begun = await conversations.begin(await claim(), asked);
    await keep("d2", "comment:2");
    await store.integrations.remove(access, "github");
    assert.equal(await conversations.claimEvent(leaseMs), null);
    assert.equal(await conversations.claimReply(leaseMs), null);
    assert.equal(await conversations.findRun(integrationId, "c"), null);
    assert.notEqual(await store.runs.find(access, begun?.runId ?? 0), null);
  });
}

async function openConnected(t: TestContext, open: OpenStore) {
  const fixture = await openFixture(t, open);
  const { store, access } = fixture;
  const { id: integrationId } = await store.integrations.put(access, "github", { secretSealed: "x" });
  const keep = (deliveryId: string, saidKey: string) =>
    store.conversations.keep(integrationId, { deliveryId, kind: "comment", saidKey, body: saidKey, note: "" });
  const claim = async () => {
    const claimed = await store.conversations.claimEvent(leaseMs);
    assert.ok(claimed !== null);
    return claimed;
  };
  return { ...fixture, integrationId, keep, claim };
}
