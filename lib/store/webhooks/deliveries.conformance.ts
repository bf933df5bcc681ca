import assert from "node:assert/strict";
import { test } from "node:test";
import { type OpenStore, openFixture } from "#lib/store/conformance.fixture.ts";
import type { DeliveryReport } from "./delivery-store.ts";
import { all, delivered, failed, given, instant, minute, only, plain } from "./webhooks.fixture.ts";

/** Deliveries of events to webhooks. */
export function deliveryConformance(open: OpenStore): void {
  test("an event waits for the earlier one of its run, until that is delivered or has failed for 10 minutes", async (t) => {
    const fixture = await openFixture(t, open);
    const { store, access, advance } = fixture;
    const claim = () => store.deliveries.claim("engine", 60 * minute, []);
    await store.webhooks.save(access, plain);
    const { run, lease } = await fixture.startRun();
    await fixture.finish(lease);
    const other = await fixture.startRun();
    const started = await claim();
    assert.deepEqual([started?.run.id, started?.type, started?.late], [run.id, "run.started", false]);
    // Other runs continue in the meantime.
    const others = await claim();
    assert.deepEqual([others?.run.id, others?.type], [other.run.id, "run.started"]);
    assert.equal(await claim(), null);
    assert.ok(started !== null && others !== null);
    await store.deliveries.report(others, delivered);
    await store.deliveries.report(started, failed(instant(20 * minute)));
    advance(10 * minute - 1);
    assert.equal(await claim(), null);
    advance(1);
    const finished = await claim();
    assert.deepEqual([finished?.run.id, finished?.type, finished?.late], [run.id, "run.finished", false]);
    advance(10 * minute);
    const again = await claim();
    assert.deepEqual(
      [again?.id, again?.late, again?.failures, again?.messageId],
      [started.id, true, 1, started.messageId],
    );
    assert.ok(again !== null && finished !== null);
    await store.deliveries.report(again, delivered);
    await store.deliveries.report(finished, delivered);
    const { items } = await store.deliveries.list(access, { runId: run.id }, all);
    assert.deepEqual(
      items.map(({ type, state, late, attempts }) => [type, state, late, attempts]),
      [
        ["run.finished", "delivered", false, 1],
        ["run.started", "delivered", true, 2],
      ],
    );
  });

  test("a lease that ends gives the delivery to another engine, and later reports of the first one do not count", async (t) => {
    const fixture = await openFixture(t, open);
    const { store, access, advance } = fixture;
    await store.webhooks.save(access, { ...plain, events: ["run.finished"] });
    await store.runs.cancel(access, (await fixture.makeRun()).id);
    const first = await store.deliveries.claim("one", 5000, []);
    assert.ok(first !== null);
    advance(4000);
    await store.deliveries.renew("two", [first.id], 60_000);
    await store.deliveries.renew("one", [first.id], 5000);
    advance(4000);
    assert.equal(await store.deliveries.claim("two", 5000, []), null);
    advance(1000);
    const second = await store.deliveries.claim("two", 5000, []);
    assert.deepEqual([second?.id, second?.messageId, second?.epoch], [first.id, first.messageId, first.epoch + 1]);
    await store.deliveries.report(first, failed(null));
    assert.equal((await only(fixture)).state, "pending");
    assert.ok(second !== null);
    await store.deliveries.release(second);
    const third = await store.deliveries.claim("two", 5000, []);
    assert.ok(third !== null);
    await store.deliveries.report(third, delivered);
    assert.deepEqual(await only(fixture), {
      ...(await only(fixture)),
      state: "delivered",
      attempts: 3,
      status: 200,
      answer: "ok",
      error: null,
      dueAt: null,
    });
  });

  test("a busy target delays no other", async (t) => {
    const fixture = await openFixture(t, open);
    const { store, access } = fixture;
    for (const host of ["slow.example:81", "slow.example:81", "quick.example"]) {
      const url = `https://${host}/x`;
      const run = await fixture.makeRun({ webhooks: [{ ...given("x"), url }] });
      await store.runs.cancel(access, run.id);
    }
    const claim = async (busy: string[]) => (await store.deliveries.claim("engine", 5000, busy))?.webhook.target;
    assert.equal(await claim([]), "slow.example:81");
    assert.equal(await claim(["slow.example:81"]), "quick.example");
    assert.equal(await claim(["slow.example:81"]), undefined);
    assert.equal(await claim([]), "slow.example:81");
  });

  test("410 turns a webhook off and cancels its pending deliveries, unless it was changed meanwhile", async (t) => {
    const fixture = await openFixture(t, open);
    const { store, access, advance } = fixture;
    await store.webhooks.save(access, { ...plain, events: ["run.finished"] });
    for (let index = 0; index < 3; index++) await store.runs.cancel(access, (await fixture.makeRun()).id);
    const gone: DeliveryReport = { kind: "gone", status: 410, answer: "", error: "gone" };
    const before = await store.deliveries.claim("engine", 5000, []);
    assert.ok(before !== null);
    await store.webhooks.save(access, { ...plain, url: "https://new.example/" });
    await store.deliveries.report(before, gone);
    assert.equal((await store.webhooks.find(access))?.enabled, true);
    const next = await store.deliveries.claim("engine", 5000, []);
    // The new address gets it, at once.
    assert.ok(next !== null);
    assert.deepEqual([next.id, next.webhook.url], [before.id, "https://new.example/"]);
    advance(7000);
    await store.deliveries.report(next, gone);
    const off = await store.webhooks.find(access);
    assert.deepEqual([off?.enabled, off?.disabledReason, off?.disabledAt], [false, "gone", instant(7000)]);
    assert.equal(await store.deliveries.claim("engine", 5000, []), null);
    const { items } = await store.deliveries.list(access, {}, all);
    assert.deepEqual(
      items.map(({ state }) => state),
      ["cancelled", "cancelled", "failed"],
    );
    // Saving it turns it on again.
    assert.equal((await store.webhooks.save(access, plain)).disabledReason, null);
  });

  test("a deleted or turned-off webhook cancels its pending deliveries, and one that still arrives is recorded", async (t) => {
    const fixture = await openFixture(t, open);
    const { store, access } = fixture;
    await store.webhooks.save(access, { ...plain, events: ["run.finished"] });
    for (let index = 0; index < 3; index++) await store.runs.cancel(access, (await fixture.makeRun()).id);
    const [one, two] = [
      await store.deliveries.claim("engine", 5000, []),
      await store.deliveries.claim("engine", 5000, []),
    ];
    assert.ok(one !== null && two !== null);
    await store.webhooks.remove(access);
    await store.deliveries.report(one, delivered);
    await store.deliveries.report(two, failed(instant(1000)));
    assert.equal(await store.deliveries.claim("engine", 5000, []), null);
    const { items } = await store.deliveries.list(access, {}, all);
    const deleted = "The webhook was deleted.";
    assert.deepEqual(
      items.map(({ state, error }) => [state, error]),
      [
        ["cancelled", deleted],
        ["cancelled", deleted],
        ["delivered", null],
      ],
    );
    assert.deepEqual(await store.deliveries.resend(access, items[0]?.id ?? 0), { refused: "off" });
    await store.webhooks.save(access, { ...plain, events: ["run.finished"] });
    await store.runs.cancel(access, (await fixture.makeRun()).id);
    await store.webhooks.save(access, { ...plain, enabled: false });
    const [off] = (await store.deliveries.list(access, { state: "cancelled" }, { skip: 0, limit: 1 })).items;
    assert.equal(off?.error, "The webhook was turned off.");
  });

  test("a delivery is sent again with the same id, at once, and waits for no other", async (t) => {
    const fixture = await openFixture(t, open);
    const { store, access, foreign, advance } = fixture;
    await store.webhooks.save(access, plain);
    const { lease } = await fixture.startRun();
    const started = await store.deliveries.claim("engine", 5000, []);
    assert.ok(started !== null);
    assert.deepEqual(await store.deliveries.resend(access, started.id), { refused: "sending" });
    await store.deliveries.report(started, delivered);
    await fixture.finish(lease);
    const finished = await store.deliveries.claim("engine", 5000, []);
    assert.ok(finished !== null);
    await store.deliveries.report(finished, failed(null));
    advance(minute);
    assert.deepEqual(await store.deliveries.resend(foreign, started.id), { refused: "absent" });
    const again = await store.deliveries.resend(access, started.id);
    assert.ok("delivery" in again);
    assert.deepEqual([again.delivery.state, again.delivery.dueAt], ["pending", instant(minute)]);
    await store.deliveries.resend(access, finished.id);
    // Sent again while it is pending: it is due now, not twice.
    await store.deliveries.resend(access, started.id);
    const [one, two] = [
      await store.deliveries.claim("engine", 5000, []),
      await store.deliveries.claim("engine", 5000, []),
    ];
    assert.deepEqual([one?.messageId, one?.late, one?.failures], [started.messageId, true, 0]);
    assert.deepEqual([two?.messageId, two?.late, two?.firstAttemptAt], [finished.messageId, false, instant(minute)]);
    assert.equal(await store.deliveries.claim("engine", 5000, []), null);
  });

  test("deliveries are listed newest first, by run and state, within the organization", async (t) => {
    const fixture = await openFixture(t, open);
    const { store, access, foreign } = fixture;
    await store.webhooks.save(access, { ...plain, events: ["run.finished"] });
    const runs = [await fixture.makeRun(), await fixture.makeRun(), await fixture.makeRun()];
    for (const { id } of runs) await store.runs.cancel(access, id);
    const first = await store.deliveries.claim("engine", 5000, []);
    assert.ok(first !== null);
    await store.deliveries.report(first, delivered);
    const ids = async (filter: object, window = all) => {
      const { items, total } = await store.deliveries.list(access, filter, window);
      return [items.map(({ runId }) => runs.findIndex(({ id }) => id === runId)), total];
    };
    assert.deepEqual(await ids({}), [[2, 1, 0], 3]);
    assert.deepEqual(await ids({}, { skip: 1, limit: 1 }), [[1], 3]);
    assert.deepEqual(await ids({ state: "pending" }), [[2, 1], 2]);
    assert.deepEqual(await ids({ runId: runs[0]?.id }), [[0], 1]);
    assert.deepEqual(await ids({ runId: runs[0]?.id, state: "pending" }), [[], 0]);
    assert.deepEqual(await store.deliveries.list(foreign, {}, all), { items: [], total: 0 });
  });

  test("ended deliveries are swept when they are old, with everything no longer needed; pending ones stay", async (t) => {
    const fixture = await openFixture(t, open);
    const { store, access, advance } = fixture;
    await store.webhooks.save(access, {
      ...plain,
      events: ["run.finished"],
      previousSecret: "old",
      previousUntil: instant(1),
    });
    for (let index = 0; index < 2; index++) await store.runs.cancel(access, (await fixture.makeRun()).id);
    const first = await store.deliveries.claim("engine", 5000, []);
    assert.ok(first !== null);
    assert.deepEqual(first.webhook.secrets, ["sealed-a", "old"]);
    await store.deliveries.report(first, delivered);
    advance(minute);
    assert.equal(await store.deliveries.sweep(instant(0)), 0);
    assert.equal(await store.deliveries.sweep(instant(1)), 1);
    assert.equal(await store.deliveries.sweep(instant(minute)), 0);
    const kept = await only(fixture);
    assert.deepEqual([kept.state, (await store.webhooks.find(access))?.previousSecret], ["pending", null]);
    await store.webhooks.remove(access);
    assert.equal(await store.deliveries.sweep(instant(minute)), 1);
    assert.deepEqual(await store.deliveries.list(access, {}, all), { items: [], total: 0 });
    assert.deepEqual(await store.check(), []);
  });
}
