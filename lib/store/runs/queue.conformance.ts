import assert from "node:assert/strict";
import { test } from "node:test";
import {
  leaseMs,
  messages,
  type OpenStore,
  openFixture,
  parsePage,
  question,
  said,
} from "#lib/store/conformance.fixture.ts";
import { plainRun } from "./plain-run.fixture.ts";
import { LeaseLostError } from "./queue-store.ts";

const end = { status: "completed", result: "done", summary: "done", entries: [said("bye")] } as const;
const closing = { ...end, entries: [...end.entries] };

/** Claims, leases and what engines report of themselves. */
export function queueConformance(open: OpenStore): void {
  test("runs are claimed in the order in which they were queued, each by one engine", async (t) => {
    const { store, access, makeRun, claim, finish, advance } = await openFixture(t, open);
    const first = await makeRun();
    const again = await claim();
    await finish(again.lease);
    const made = [];
    for (let count = 0; count < 5; count += 1) {
      advance(1);
      made.push((await makeRun()).id);
    }
    advance(1);
    await store.runs.addTurn(access, first.id, { prompt: "more", images: [], model: null });
    const claims = await Promise.all(
      Array.from({ length: 8 }, (_, index) => store.queue.claim(`engine ${index % 2}`, leaseMs)),
    );
    assert.deepEqual(
      claims.map((claimed) => claimed?.run.id ?? null),
      [...made, first.id, null, null],
    );
  });

  test("a queued run shows its position among those of its organization, which moves up as runs start or end", async (t) => {
    const { store, access, makeRun, claim, finish, advance } = await openFixture(t, open);
    const places = async (...ids: number[]) =>
      Promise.all(ids.map(async (id) => (await store.runs.find(access, id))?.queuePosition));
    const first = (await makeRun()).id;
    const taken = await claim();
    assert.deepEqual(await places(first), [null], "it is running");
    advance(1);
    const organizationId = await store.ownOrganizations.create({ name: "Second", ownerId: access.userId });
    const otherAccess = { ...access, organizationId };
    const foreign = await store.runs.create(otherAccess, plainRun("elsewhere"));
    advance(1);
    const second = (await makeRun()).id;
    const third = (await makeRun()).id;
    advance(1);
    await finish(taken.lease);
    await store.runs.addTurn(access, first, { prompt: "more", images: [], model: null });
    assert.deepEqual(await places(second, third, first), [1, 2, 3]);
    const { items } = await store.runs.list(access, {}, { skip: 0, limit: 2 });
    assert.deepEqual(
      items.map((run) => [run.id, run.queuePosition]),
      [
        [third, 2],
        [second, 1],
      ],
    );
    assert.equal((await store.runs.find(otherAccess, foreign.id))?.queuePosition, 1);
    await store.runs.cancel(access, third);
    assert.deepEqual(await places(second, third, first), [1, null, 2]);
    await claim();
    assert.deepEqual(await places(second, first), [1, 2], "another organization's run has started");
    await claim();
    assert.deepEqual(await places(second, first), [null, 1]);
    const listed = await store.runs.list(access, {}, { skip: 0, limit: 10 });
    assert.deepEqual(
      listed.items.map((run) => run.queuePosition),
      [null, null, 1],
    );
  });

  test("a claimed run is running, with its turn, its source and what earlier attempts left", async (t) => {
    const { store, access, makeRun, claim, finish, advance } = await openFixture(t, open);
    const { repository } = await store.repositories.add(access, {
      name: "a",
      fullName: "team/a",
      description: null,
      source: "/srv/a b",
      defaultBranch: null,
    });
    const made = await makeRun({ repositoryId: repository.id, images: ["data:image/png;base64,AA=="] });
    advance(5000);
    const first = await claim();
    assert.deepEqual(first, {
      lease: { runId: made.id, epoch: 1 },
      run: {
        ...made,
        status: "running",
        startedAt: "2026-01-31T12:00:05.000Z",
        workMs: 0,
        turnStartedAt: "2026-01-31T12:00:05.000Z",
        latestTurn: 1,
        queuedTurns: 0,
        queuePosition: null,
      },
      repositorySource: "/srv/a b",
      turn: { number: 1, prompt: made.prompt, images: ["data:image/png;base64,AA=="], model: null },
      agentState: null,
    });
    await store.queue.setAgentState(first.lease, { session: "s1" });
    advance(2000);
    await finish(first.lease);
    advance(5000);
    const between = await store.runs.addTurn(access, made.id, { prompt: "more", images: [], model: null });
    assert.ok(between !== null);
    // The time between turns does not count as work.
    assert.deepEqual([between.workMs, between.turnStartedAt, between.latestTurn], [2000, null, 1]);
    const second = await claim();
    assert.deepEqual([second.run.workMs, second.run.turnStartedAt], [2000, "2026-01-31T12:00:12.000Z"]);
    assert.equal(second.run.latestTurn, 2);
    assert.deepEqual(second.agentState, { session: "s1" });
    assert.deepEqual(second.lease, { runId: made.id, epoch: 2 });
    assert.equal(second.run.startedAt, "2026-01-31T12:00:05.000Z");
    assert.equal(second.run.finishedAt, null);
  });

  test("a lost lease never writes anything", async (t) => {
    const { store, access, startRun, claim, advance } = await openFixture(t, open);
    const { lease, run } = await startRun();
    const writes = [
      () => store.queue.append(lease, messages(2)),
      () => store.queue.renew(lease, leaseMs),
      () => store.queue.controlRequests(lease),
      () => store.queue.setQuestion(lease, question("q")),
      () => store.queue.setQuestion(lease, null),
      () =>
        store.queue.setProgress(lease, { thought: "", text: "", tools: [], updated_at: "2026-01-31T12:00:00.000Z" }),
      () => store.queue.setFigures(lease, { model: "other" }),
      () => store.queue.setFigures(lease, {}),
      () => store.queue.setAgentState(lease, { other: true }),
      () =>
        store.queue.setDiff(
          lease,
          new Uint8Array([1]),
          { files: 9, insertions: 9, deletions: 9, truncated: true },
          null,
        ),
      () => store.queue.finishTurn(lease, closing),
    ];
    const allRefused = async () => {
      const before = await store.runs.find(access, run.id);
      for (const write of writes) await assert.rejects(write, LeaseLostError);
      assert.deepEqual(await store.runs.find(access, run.id), before);
      assert.equal(await store.runs.findProgress(access, run.id), null);
      assert.deepEqual(await store.runs.findDiff(access, run.id), new Uint8Array());
    };
    advance(leaseMs);
    assert.deepEqual(await store.queue.expire(), [run.id]);
    await allRefused();
    await store.runs.addTurn(access, run.id, { prompt: "more", images: [], model: null });
    await allRefused();
    const { lease: newer } = await claim();
    await allRefused();
    await store.queue.append(newer, messages(1));
    await store.queue.finishTurn(newer, closing);
    await allRefused();
  });

  test("a renewed lease lives on; one that is not renewed ends as interrupted with an ERROR entry", async (t) => {
    const { store, access, startRun, claim, advance } = await openFixture(t, open);
    const kept = await startRun();
    const lost = await startRun();
    const waiting = await startRun();
    await store.queue.append(lost.lease, messages(3));
    await store.queue.setQuestion(waiting.lease, question("q"));
    await store.runs.addTurn(access, lost.run.id, { prompt: "second", images: [], model: null });
    advance(leaseMs - 1);
    await store.queue.renew(kept.lease, leaseMs);
    assert.deepEqual(await store.queue.expire(), []);
    advance(1);
    assert.deepEqual(await store.queue.expire(), [lost.run.id, waiting.run.id]);
    assert.deepEqual(await store.queue.expire(), []);
    assert.equal((await store.runs.find(access, kept.run.id))?.status, "running");
    const run = await store.runs.find(access, lost.run.id);
    assert.deepEqual([run?.status, run?.totalLogs, run?.finishedAt], ["interrupted", 4, "2026-01-31T12:00:30.000Z"]);
    const [last] = parsePage(
      await store.entries.readPage(access, lost.run.id, { skip: 0, limit: 1, reverse: true, totalLogs: 4 }),
    );
    assert.deepEqual(last?.observation, {
      code: "interrupted",
      message:
        "The engine that worked on this run stopped unexpectedly. What this turn changed is in the checkout, and may not be in the branch yet. Resume the run to continue and to save it.",
    });
    const asked = await store.runs.find(access, waiting.run.id);
    assert.deepEqual([asked?.status, asked?.question], ["interrupted", null]);

    // Turns waiting when the engine died are held, whatever is requested later.
    assert.equal(run?.queuedTurns, 1);
    assert.equal(await store.queue.claim("engine", leaseMs), null);
    await store.runs.addTurn(access, lost.run.id, { prompt: "third", images: [], model: null });
    const { turn, lease } = await claim();
    assert.deepEqual([turn.number, turn.prompt], [3, "third"]);
    assert.equal(await store.queue.finishTurn(lease, closing), null);
    assert.equal((await store.runs.find(access, lost.run.id))?.queuedTurns, 1);
  });

  test("a turn that names no model asks for the one asked for before, whatever the agent reported", async (t) => {
    const { store, access, startRun } = await openFixture(t, open);
    const { lease, run } = await startRun();
    await store.runs.addTurn(access, run.id, { prompt: "two", images: [], model: "asked" });
    await store.queue.setFigures(lease, { model: "reported" });
    await store.runs.addTurn(access, run.id, { prompt: "three", images: [], model: null });
    const second = await store.queue.finishTurn(lease, closing);
    const third = await store.queue.finishTurn(lease, closing);
    assert.deepEqual([second?.model, third?.model], ["asked", "asked"]);
  });

  test("figures are updated independently", async (t) => {
    const { store, access, startRun } = await openFixture(t, open);
    const { lease, run } = await startRun();
    const tokens = { input: 1, output: 2, total: 3 };
    await store.queue.setFigures(lease, { model: "m", tokens });
    await store.queue.setFigures(lease, {
      costUsd: 0.25,
      branch: "errand/run-1",
      baseBranch: "main",
      baseCommit: null,
      isolation: "wall",
    });
    await store.queue.setFigures(lease, {});
    assert.deepEqual(await store.runs.find(access, run.id), {
      ...run,
      model: "m",
      tokens,
      costUsd: 0.25,
      branch: "errand/run-1",
      baseBranch: "main",
      isolation: "wall",
    });
  });

  test("once no engine is at work, every lease ends as an expired one does, and no engine counts", async (t) => {
    const { store, access, makeRun, startRun } = await openFixture(t, open);
    const lost = await startRun();
    await store.queue.beat("engine");
    const external = await store.runs.create(access, plainRun("elsewhere", { agent: "external" }));
    const queued = await makeRun();
    assert.deepEqual(await store.queue.endLeases(), [lost.run.id]);
    assert.equal(await store.queue.countEngines(10_000), 0);
    const statuses = [lost.run.id, external.id, queued.id].map(
      async (id) => (await store.runs.find(access, id))?.status,
    );
    assert.deepEqual(await Promise.all(statuses), ["interrupted", "running", "queued"]);
    await assert.rejects(store.queue.append(lost.lease, messages(1)), LeaseLostError);
    assert.deepEqual(await store.queue.endLeases(), []);
  });

  test("engines count as long as they send heartbeats", async (t) => {
    const { store, advance } = await openFixture(t, open);
    await store.queue.beat("a");
    advance(10_000);
    await store.queue.beat("b");
    await store.queue.beat("b");
    assert.equal(await store.queue.countEngines(10_000), 2);
    assert.equal(await store.queue.countEngines(9_999), 1);
  });

  test("the version changes with every commit and with nothing else", async (t) => {
    const { store, access, startRun } = await openFixture(t, open);
    const { lease, run } = await startRun();
    const seen = new Set([await store.version()]);
    const changes = [
      () => store.queue.append(lease, messages(1)),
      () => store.queue.renew(lease, leaseMs + 1),
      () =>
        store.queue.setProgress(lease, { thought: "", text: "", tools: [], updated_at: "2026-01-31T12:00:00.000Z" }),
      () => store.runs.cancel(access, run.id),
    ];
    for (const change of changes) {
      await change();
      seen.add(await store.version());
    }
    assert.equal(seen.size, changes.length + 1);
    const before = await store.version();
    await store.runs.find(access, run.id);
    assert.equal(await store.version(), before);
  });
}
