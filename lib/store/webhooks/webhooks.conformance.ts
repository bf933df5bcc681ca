import assert from "node:assert/strict";
import { test } from "node:test";
import { type OpenStore, openFixture, question, said } from "#lib/store/conformance.fixture.ts";
import type { EventFilter } from "./webhook-events.ts";
import { all, drain, given, instant, minute, plain } from "./webhooks.fixture.ts";

/** Webhook events of runs. */
export function webhookConformance(open: OpenStore): void {
  test("an organization has one webhook, which is replaced, turned off and deleted", async (t) => {
    const { store, access, foreign } = await openFixture(t, open);
    assert.equal(await store.webhooks.find(access), null);
    const made = await store.webhooks.save(access, plain);
    const rest = { isDefault: true, description: null, createdAt: instant(0), disabledReason: null, disabledAt: null };
    assert.deepEqual(made, { ...plain, id: made.id, ...rest });
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

  test("an organization has several webhooks, each with its events and deliveries; one of them is the default", async (t) => {
    const fixture = await openFixture(t, open);
    const { store, access, foreign } = fixture;
    const two = await store.webhooks.save(access, { ...plain, events: ["run.started"], description: "two" }, "new");
    const main = await store.webhooks.save(access, { ...plain, events: ["run.finished"] });
    assert.deepEqual([two.isDefault, two.description, main.isDefault, main.description], [false, "two", true, null]);
    assert.deepEqual(await store.webhooks.list(access), [two, main]);
    assert.deepEqual(await store.webhooks.list(foreign), []);
    assert.equal(await store.webhooks.find(foreign, two.id), null);
    const { lease } = await fixture.startRun();
    await fixture.finish(lease);
    const { items } = await store.deliveries.list(access, {}, all);
    assert.deepEqual(
      items.map(({ type, webhookId }) => [type, webhookId]),
      [
        ["run.finished", main.id],
        ["run.started", two.id],
      ],
    );
    assert.equal((await store.deliveries.list(access, { webhookId: two.id }, all)).total, 1);
    assert.equal((await store.webhooks.save(access, { ...plain, enabled: false }, two.id)).description, "two");
    assert.equal((await store.deliveries.list(access, { state: "cancelled" }, all)).total, 1);
    assert.equal(await store.webhooks.remove(foreign, two.id), false);
    assert.equal(await store.webhooks.remove(access), true);
    assert.deepEqual(
      (await store.webhooks.list(access)).map(({ id }) => id),
      [two.id],
    );
    assert.equal((await store.webhooks.save(access, plain)).isDefault, true);
  });

  test("events are listed in order from a cursor on, with or without a webhook, for 30 days", async (t) => {
    const fixture = await openFixture(t, open);
    const { store, access, foreign, advance } = fixture;
    assert.deepEqual(await store.events.list(access, { after: 0 }, 10), {
      items: [],
      hasMore: false,
      last: 0,
      missed: false,
    });
    const first = await fixture.startRun();
    advance(minute);
    await fixture.finish(first.lease);
    const second = await fixture.startRun();
    const read = async (filter: Partial<EventFilter> = {}, limit = 10) => {
      const { items, ...rest } = await store.events.list(access, { after: null, ...filter }, limit);
      return { ...rest, events: items.map(({ type, run, createdAt }) => [type, run.id, run.status, createdAt]) };
    };
    const events = [
      ["run.started", first.run.id, "running", instant(0)],
      ["run.finished", first.run.id, "completed", instant(minute)],
      ["run.started", second.run.id, "running", instant(minute)],
    ];
    assert.deepEqual(await read(), { events, hasMore: false, last: 3, missed: false });
    assert.deepEqual(await read({}, 1), { events: events.slice(0, 1), hasMore: true, last: 1, missed: false });
    assert.deepEqual(await read({ after: 1 }, 2), { events: events.slice(1), hasMore: false, last: 3, missed: false });
    assert.deepEqual((await read({ types: ["run.finished"] })).events, events.slice(1, 2));
    assert.equal((await read({ types: ["run.waiting"] })).last, 3);
    assert.deepEqual((await read({ runId: second.run.id })).events, events.slice(2));
    assert.deepEqual((await store.events.list(foreign, { after: 0 }, 10)).items, []);
    assert.equal(await store.deliveries.sweep(instant(minute)), 1);
    assert.equal(await store.deliveries.sweep(instant(minute)), 0);
    assert.deepEqual(await read(), { events: events.slice(1), hasMore: false, last: 3, missed: false });
    advance(minute);
    assert.equal(await store.deliveries.sweep(instant(2 * minute)), 2);
    const fourth = await fixture.startRun();
    const later = [["run.started", fourth.run.id, "running", instant(2 * minute)]];
    assert.deepEqual((await read({ after: 0 })).missed, true);
    assert.deepEqual((await read({ after: null })).missed, false);
    assert.deepEqual(await read({ after: 999 }), { events: [], hasMore: false, last: 4, missed: true });
    assert.deepEqual(await read({ after: 1 }), {
      events: later,
      hasMore: false,
      last: 4,
      missed: true,
    });
    assert.deepEqual(await read({ after: 3 }), { events: later, hasMore: false, last: 4, missed: false });
    // A deleted run's events are missed by who had not read them, and by nobody else.
    await store.runs.cancel(access, fourth.run.id);
    await fixture.finish(fourth.lease, "cancelled");
    const { lease: fifth } = await fixture.startRun();
    await fixture.finish(fifth);
    assert.equal((await read({ after: 4 })).last, 7);
    await store.removals.removeRun(access, fourth.run.id);
    assert.deepEqual([(await read({ after: 4 })).missed, (await read({ after: 7 })).missed], [true, false]);
    assert.deepEqual(await store.events.list(foreign, { after: 0 }, 10), {
      items: [],
      hasMore: false,
      last: 0,
      missed: false,
    });
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
