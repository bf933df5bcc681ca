import assert from "node:assert/strict";
import { test } from "node:test";
import { type OpenStore, openFixture, question, said } from "#lib/store/conformance.fixture.ts";
import { all, drain, given, instant, plain } from "./webhooks.fixture.ts";

/** Webhook events of runs. */
export function webhookConformance(open: OpenStore): void {
  test("an organization has one webhook, which is replaced, turned off and deleted", async (t) => {
    const { store, access, foreign } = await openFixture(t, open);
    assert.equal(await store.webhooks.find(access), null);
    const made = await store.webhooks.save(access, plain);
    assert.deepEqual(made, { ...plain, id: made.id, disabledReason: null, disabledAt: null });
    const changed = { ...plain, url: "http://other.example:81/", previousSecret: "old", previousUntil: instant(1000) };
    assert.equal((await store.webhooks.save(access, changed)).id, made.id);
    assert.deepEqual(await store.webhooks.find(access), { ...made, ...changed });
    assert.equal(await store.webhooks.find(foreign), null);
    assert.equal(await store.webhooks.remove(foreign), false);
    assert.equal(await store.webhooks.remove(access), true);
    assert.equal(await store.webhooks.remove(access), false);
    assert.equal(await store.webhooks.find(access), null);
    assert.notEqual((await store.webhooks.save(access, plain)).id, made.id);
  });

  test("the events a webhook subscribes to are written when the status changes, with the run at that time", async (t) => {
    const fixture = await openFixture(t, open);
    const { store, access, advance, startRun } = fixture;
    await store.webhooks.save(access, plain);
    const { run, lease } = await startRun();
    advance(1000);
    await store.queue.setQuestion(lease, question("q"));
    const asked = await store.runs.find(access, run.id);
    await store.runs.answer(access, run.id, "q", "yes");
    advance(1000);
    await store.queue.setQuestion(lease, null);
    await store.runs.addTurn(access, run.id, { prompt: "more", images: [], model: null });
    await fixture.finish(lease);
    await fixture.finish(lease, "failed");
    const ended = await store.runs.find(access, run.id);
    const heard = await drain(fixture);
    assert.deepEqual(
      heard.map(({ type, createdAt }) => [type, createdAt]),
      [
        ["run.started", instant(0)],
        ["run.waiting", instant(1000)],
        ["run.finished", instant(2000)],
      ],
    );
    assert.deepEqual(heard[0]?.run, run);
    assert.equal(run.queuedTurns, 0);
    assert.deepEqual(heard[1]?.run, asked);
    assert.deepEqual(heard[2]?.run, ended);
    assert.equal(new Set(heard.map(({ messageId }) => messageId)).size, 3);
  });

  test("a cancel before the start, a lost engine and an external end are reported like any end", async (t) => {
    const fixture = await openFixture(t, open);
    const { store, access, advance } = fixture;
    await store.webhooks.save(access, { ...plain, events: ["run.finished"] });
    const cancelled = await fixture.makeRun();
    await store.runs.cancel(access, cancelled.id);
    const lost = await fixture.startRun();
    advance(31_000);
    await store.queue.expire();
    const external = await fixture.makeRun({ agent: "external" });
    await store.external.append(access, external.id, [said("Go")]);
    await store.external.update(access, external.id, { status: "completed", result: "Done" });
    assert.deepEqual(
      (await drain(fixture)).map(({ run }) => [run.id, run.status, run.result]),
      [
        [cancelled.id, "cancelled", null],
        [lost.run.id, "interrupted", null],
        [external.id, "completed", "Done"],
      ],
    );
  });

  test("a second turn of an ended run starts and finishes it again, one of a live run does not", async (t) => {
    const fixture = await openFixture(t, open);
    const { store, access } = fixture;
    await store.webhooks.save(access, plain);
    const first = await fixture.startRun();
    await fixture.finish(first.lease);
    const more = { prompt: "more", images: [], model: null };
    await store.runs.addTurn(access, first.run.id, more);
    const second = await fixture.claim();
    // A resume after a request to cancel: the run ends and is queued again in one transaction.
    await store.runs.cancel(access, first.run.id);
    await store.runs.addTurn(access, first.run.id, more);
    await fixture.finish(second.lease, "cancelled");
    await fixture.claim();
    assert.deepEqual(
      (await drain(fixture)).map(({ type, run }) => [type, run.status]),
      [
        ["run.started", "running"],
        ["run.finished", "completed"],
        ["run.started", "running"],
        ["run.finished", "cancelled"],
        ["run.started", "running"],
      ],
    );
  });

  test("without a subscribed webhook nothing is written", async (t) => {
    const fixture = await openFixture(t, open);
    const { store, access } = fixture;
    const nothing = async () => {
      const { lease } = await fixture.startRun();
      await fixture.finish(lease);
      assert.deepEqual(await store.deliveries.list(access, {}, all), { items: [], total: 0 });
    };
    await nothing();
    await store.webhooks.save(access, { ...plain, events: ["run.waiting"] });
    await nothing();
    await store.webhooks.save(access, { ...plain, enabled: false });
    await nothing();
    await store.webhooks.remove(access);
    await nothing();
  });

  test("a run's own webhooks replace the organization's, and a later turn may replace them", async (t) => {
    const fixture = await openFixture(t, open);
    const { store, access } = fixture;
    await store.webhooks.save(access, plain);
    const { run, lease } = await fixture.startRun({ webhooks: [given("own"), given("end", ["run.finished"])] });
    await fixture.finish(lease);
    const more = { prompt: "more", images: [], model: null };
    await store.runs.addTurn(access, run.id, more, { webhooks: [] });
    await fixture.finish((await fixture.claim()).lease);
    const webhooks = [given("next"), { ...given("end"), secret: "sealed-new" }];
    await store.runs.addTurn(access, run.id, more, { webhooks });
    await fixture.finish((await fixture.claim()).lease);
    const heard = (await drain(fixture)).map(
      ({ type, webhook }) => `${webhook.url.split("/").at(-1)} ${type} ${webhook.secrets}`,
    );
    assert.deepEqual(heard.toSorted(), [
      "end run.finished sealed-new",
      "end run.finished sealed-new",
      "end run.finished sealed-new",
      "end run.started sealed-new",
      "next run.finished sealed-next",
      "next run.started sealed-next",
      // The replaced one still gets its pending events.
      "own run.finished sealed-own",
      "own run.finished sealed-own",
      "own run.started sealed-own",
      "own run.started sealed-own",
    ]);
  });
}
