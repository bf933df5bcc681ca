import assert from "node:assert/strict";
import { test } from "node:test";
import {
  acted,
  leaseMs,
  messages,
  type OpenStore,
  openFixture,
  parsePage,
  said,
} from "#lib/store/conformance.fixture.ts";

const external = { agent: "external" };
const whole = { skip: 0, limit: 100, reverse: false };

/** Runs that another system executes. */
export function externalConformance(open: OpenStore): void {
  test("an external run runs from the start, and no engine claims it or declares it dead", async (t) => {
    const { store, access, makeRun, advance } = await openFixture(t, open);
    const run = await makeRun(external);
    assert.deepEqual([run.status, run.startedAt, run.turns], ["running", run.createdAt, 1]);
    assert.equal(await store.queue.claim("engine", leaseMs), null);
    advance(365 * 86_400_000);
    assert.deepEqual(await store.queue.expire(), []);
    assert.deepEqual(await store.runs.find(access, run.id), run);
  });

  test("batches that arrive at the same time are stored one after another, each in its order, without a gap", async (t) => {
    const { store, access, makeRun } = await openFixture(t, open);
    const { id } = await makeRun(external);
    const batches = Array.from({ length: 30 }, (_, batch) =>
      Array.from({ length: (batch % 5) + 1 }, (_, index) => said(`${batch}.${index}`)),
    );
    const places = await Promise.all(batches.map((batch) => store.external.append(access, id, batch)));
    const total = batches.flat().length;
    assert.equal((await store.runs.find(access, id))?.totalLogs, total);
    const entries = parsePage(await store.entries.readPage(access, id, { ...whole, totalLogs: total }));
    assert.deepEqual(
      entries.map(({ seq }) => seq),
      Array.from({ length: total }, (_, index) => index + 1),
    );
    for (const [batch, place] of places.entries()) {
      assert.ok("firstSeq" in place);
      const written = entries.slice(place.firstSeq - 1, place.lastSeq).map(({ observation }) => observation);
      assert.deepEqual(
        written,
        batches[batch]?.map(({ observation }) => observation),
      );
    }
  });

  test("a run that is reported after the fact lasts from its first step to its last one", async (t) => {
    const { store, access, makeRun } = await openFixture(t, open);
    const [imported, live] = [await makeRun(external), await makeRun(external)];
    const at = (ms: number) => new Date(Date.parse(imported.createdAt) - ms).toISOString();
    const steps = [7_200_000, 5_400_000, 3_600_000].map((ms) => ({ ...said(`${ms}`), created_at: at(ms) }));
    for (const step of steps) await store.external.append(access, imported.id, [step]);
    await store.external.update(access, imported.id, { status: "completed" });
    const told = await store.runs.find(access, imported.id);
    assert.deepEqual([told?.startedAt, told?.finishedAt], [at(7_200_000), at(3_600_000)]);
    assert.equal(told?.createdAt, imported.createdAt);
    await store.external.append(access, live.id, messages(2));
    await store.external.update(access, live.id, { status: "completed" });
    const seen = await store.runs.find(access, live.id);
    assert.ok(seen?.finishedAt != null && seen.finishedAt >= live.createdAt);
  });

  test("a batch with a broken entry leaves nothing behind", async (t) => {
    const { store, access, makeRun } = await openFixture(t, open);
    const { id } = await makeRun(external);
    const broken = { ...acted("x"), tool_name: null };
    await assert.rejects(store.external.append(access, id, [...messages(3), broken]), /tool_name must be present/);
    assert.equal((await store.runs.find(access, id))?.totalLogs, 0);
    assert.deepEqual(await store.external.append(access, id, messages(1)), { firstSeq: 1, lastSeq: 1 });
  });

  test("reports reach only live external runs of the organization", async (t) => {
    const { store, access, foreign, makeRun, startRun } = await openFixture(t, open);
    const { id } = await makeRun(external);
    const { run } = await startRun();
    const done = { status: "completed" } as const;
    for (const [who, runId, refused] of [
      [foreign, id, "absent"],
      [access, 4711, "absent"],
      [access, run.id, "not_external"],
    ] as const) {
      assert.deepEqual(await store.external.append(who, runId, messages(1)), { refused });
      assert.deepEqual(await store.external.update(who, runId, done), { refused });
    }
    await store.external.update(access, id, done);
    assert.deepEqual(await store.external.append(access, id, messages(1)), { refused: "ended" });
    assert.deepEqual(await store.external.update(access, id, done), { refused: "ended" });
    assert.deepEqual(await store.external.update(access, id, { result: "late" }), { refused: "ended" });
    for (const each of [id, run.id]) assert.equal((await store.runs.find(access, each))?.totalLogs, 0);
  });

  test("a reported status follows the transition table, and one that does not changes nothing", async (t) => {
    const { store, access, makeRun, advance } = await openFixture(t, open);
    const { id } = await makeRun(external);
    const status = async () => (await store.runs.find(access, id))?.status;
    await store.external.update(access, id, { status: "running" });
    await store.external.update(access, id, { status: "waiting" });
    assert.equal(await status(), "waiting");
    const early = await store.external.update(access, id, { status: "completed", result: "too early" });
    assert.deepEqual(early, { refused: "transition", from: "waiting" });
    assert.equal((await store.runs.find(access, id))?.result, null);
    await store.external.update(access, id, { status: "running" });
    await store.external.update(access, id, { status: "evaluating", summary: "Nearly" });
    assert.equal(await status(), "evaluating");
    advance(1000);
    await store.external.update(access, id, { status: "failed", result: "It broke" });
    const run = await store.runs.find(access, id);
    assert.deepEqual(
      [run?.status, run?.result, run?.summary, run?.finishedAt],
      ["failed", "It broke", "Nearly", "2026-01-31T12:00:01.000Z"],
    );
  });

  test("a further turn of an external run is an entry, and an ended one runs again", async (t) => {
    const { store, access, makeRun } = await openFixture(t, open);
    const { id, startedAt } = await makeRun(external);
    const more = (prompt: string) => store.runs.addTurn(access, id, { prompt, images: [], model: null });
    await store.external.append(access, id, messages(2));
    const live = await more("Be quick");
    assert.deepEqual([live?.status, live?.turns, live?.totalLogs], ["running", 2, 3]);
    await store.external.update(access, id, { status: "waiting" });
    assert.equal((await more("Yes"))?.status, "running");
    await store.external.update(access, id, { status: "completed", result: "Done" });
    const again = await more("Now the tests");
    assert.deepEqual(
      [again?.status, again?.turns, again?.totalLogs, again?.finishedAt, again?.startedAt, again?.result],
      ["running", 4, 5, null, startedAt, "Done"],
    );
    assert.equal(await store.queue.claim("engine", leaseMs), null);
    const body = JSON.parse((await store.entries.find(access, id, 5)) ?? "null");
    assert.deepEqual(
      [body.message_type, body.observation, body.tool_input],
      ["USER_MESSAGE", "Now the tests", { turn: 4 }],
    );
    assert.deepEqual(await store.external.append(access, id, messages(1)), { firstSeq: 6, lastSeq: 6 });
  });

  test("a cancelled external run ends at once, with a closing entry", async (t) => {
    const { store, access, makeRun } = await openFixture(t, open);
    for (const status of ["running", "waiting", "evaluating"] as const) {
      const { id } = await makeRun(external);
      await store.external.update(access, id, { status });
      const run = await store.runs.cancel(access, id);
      assert.deepEqual([run?.status, run?.totalLogs], ["cancelled", 1]);
      const body = JSON.parse((await store.entries.find(access, id, 1)) ?? "null");
      assert.deepEqual(body.observation, { kind: "interruption", message: "Cancelled." });
      assert.deepEqual(await store.runs.cancel(access, id), run);
      assert.deepEqual(await store.external.append(access, id, messages(1)), { refused: "ended" });
    }
  });

  test("entries of ten megabytes are stored whole", async (t) => {
    const { store, access, makeRun } = await openFixture(t, open);
    const { id } = await makeRun(external);
    const text = "é0123456789\n".repeat(900_000);
    await store.external.append(access, id, [acted(text), said("after")]);
    const body = JSON.parse((await store.entries.find(access, id, 1)) ?? "null");
    assert.ok(body.tool_output.output === text);
  });
}
