import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { type KeepSettings, rulesAt } from "#lib/contract/people/keep-rules.ts";
import { line, openSession, sessionId } from "#lib/store/claude-code/claude.fixture.ts";
import { type Fixture, messages, type OpenStore, openFixture, said } from "#lib/store/conformance.fixture.ts";

const dayMs = 24 * 3_600_000;
const none = { keepRunsDays: null, keepRunsGb: null, keepCheckoutsDays: null };

/** What a store must do with sizes, and with what the limits make old. */
export function storageConformance(open: OpenStore): void {
  test("a run is measured after each of its ends, and its sizes are deleted with it", async (t) => {
    const fixture = await openFixture(t, open);
    const { store, access, foreign, advance, claim, finish } = fixture;
    const repositoryId = await repositoryIn(fixture);
    const { lease, run } = await fixture.startRun({ repositoryId, prompt: "12345" });
    await store.queue.append(lease, messages(3));
    assert.deepEqual(await store.storage.listUnmeasured(10), [], "a live run is not measured");
    await finish(lease);
    advance(1000);
    assert.deepEqual(await store.storage.listUnmeasured(10), [{ runId: run.id, repositoryId, totalLogs: 4 }]);
    const bodies = await store.entries.readAfter(access, run.id, 0, 10, 1e6);
    const bytes = bodies.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
    assert.equal(await store.storage.countEntryBytes(run.id, 1, 4), bytes);
    assert.equal(await store.storage.countTurnBytes(run.id), "12345[]".length);
    await store.storage.putSizes([
      { kind: "files", id: run.id, bytes: 7000 },
      { kind: "run", id: run.id, bytes },
      { kind: "mirror", id: repositoryId, bytes: 500 },
      { kind: "run", id: 999, bytes: 1 },
    ]);
    assert.deepEqual(await store.storage.listUnmeasured(10), []);
    const names = { repositoryId, fullName: "team/a", runs: 1, preparedBytes: 0, mirrorBytes: 500 };
    const { measuredAt, repositories } = await store.storage.listUse(access);
    assert.deepEqual([measuredAt !== null, repositories], [true, [{ ...names, runBytes: bytes, fileBytes: 7000 }]]);
    assert.deepEqual(await store.storage.listUse(foreign), { measuredAt: null, repositories: [] });
    advance(1000);
    await store.runs.addTurn(access, run.id, { prompt: "more", images: [], model: null });
    await finish((await claim()).lease);
    assert.equal((await store.storage.listUnmeasured(10)).length, 1, "it has ended again");
    await store.removals.removeRun(access, run.id);
    const left = { ...names, runs: 0, runBytes: 0, fileBytes: 0 };
    assert.deepEqual((await store.storage.listUse(access)).repositories, [left]);
    assert.ok(await store.removals.removeRepository(access, repositoryId));
    assert.deepEqual(await store.storage.listUse(access), { measuredAt: null, repositories: [] });
    assert.deepEqual(await store.check(), []);
  });

  test("a Claude Code session's lines and telemetry count as its run's", async (t) => {
    const { store, access, runId } = await openSession(t, open);
    const before = await store.storage.countTurnBytes(runId);
    // Lines are kept compressed; random text hardly shrinks.
    const text = JSON.stringify({ message: randomBytes(30_000).toString("base64") });
    await store.claudeSessions.take(access, sessionId, line([], { text }));
    const withLine = await store.storage.countTurnBytes(runId);
    assert.ok(withLine - before > 30_000 && withLine - before < 50_000, `${before} ${withLine}`);
    const told = {
      kind: "event",
      name: "x",
      atMs: 1,
      atNs: null,
      startedMs: null,
      value: null,
      isCumulative: false,
    } as const;
    const attributes = { prompt: "a".repeat(1000) };
    await store.claudeTelemetry.keep(access, [{ ...told, sessionId, attributes }]);
    assert.equal(await store.storage.countTurnBytes(runId), withLine + JSON.stringify(attributes).length);
  });

  test("runs are old by days or by disk use, the oldest first, and live ones never are", async (t) => {
    const fixture = await openFixture(t, open);
    const { store, access, foreign, advance } = fixture;
    const { storage } = store;
    const { organizationId } = access;
    const ids: number[] = [];
    for (let day = 0; day < 4; day += 1) {
      const { lease, run } = await fixture.startRun();
      await fixture.finish(lease);
      ids.push(run.id);
      await storage.putSizes([
        { kind: "run", id: run.id, bytes: 2 ** 30 },
        { kind: "files", id: run.id, bytes: day === 1 ? 0 : 10 },
      ]);
      advance(dayMs);
    }
    const { run: live } = await fixture.startRun();
    const nowMs = Date.parse(live.createdAt);
    const old = (settings: Partial<KeepSettings>, limit = 10) =>
      storage.listOldRuns(organizationId, rulesAt({ ...none, ...settings }, nowMs), limit);
    assert.deepEqual(await old({}), []);
    assert.deepEqual(await old({ keepRunsDays: 2 }), ids.slice(0, 2));
    assert.deepEqual(await old({ keepRunsDays: 2 }, 1), ids.slice(0, 1));
    assert.deepEqual(await old({ keepRunsDays: 1 }), ids.slice(0, 3));
    assert.deepEqual(await old({ keepRunsGb: 2 }), ids.slice(0, 2));
    assert.deepEqual(await old({ keepRunsGb: 0.5 }), ids);
    assert.deepEqual(await old({ keepRunsDays: 1, keepRunsGb: 2 }), ids.slice(0, 3));
    const rules = rulesAt({ keepRunsDays: 2, keepRunsGb: null, keepCheckoutsDays: 1 }, nowMs);
    assert.deepEqual(await storage.listOldFiles(organizationId, rules, 10), [ids[0], ids[2]]);
    const wanted = { runs: 2, runBytes: 2 * 2 ** 30 + 10, files: 2, fileBytes: 20 };
    assert.deepEqual(await storage.preview(access, rules), wanted);
    assert.deepEqual(await storage.preview(foreign, rules), { runs: 0, runBytes: 0, files: 0, fileBytes: 0 });
    assert.deepEqual(await storage.listPolicies(), [{ organizationId, ...none, keepCheckoutsDays: 30 }]);
  });

  test("a run that was reported after it happened is as old as the report", async (t) => {
    const { store, access, makeRun, startRun, finish, advance } = await openFixture(t, open);
    const { lease, run: own } = await startRun();
    await finish(lease);
    advance(dayMs);
    const imported = await makeRun({ agent: "external" });
    const nowMs = Date.parse(imported.createdAt);
    const longAgo = new Date(nowMs - 90 * dayMs).toISOString();
    await store.external.append(access, imported.id, [{ ...said("Done"), created_at: longAgo }]);
    await store.external.update(access, imported.id, { status: "completed" });
    assert.equal((await store.runs.find(access, imported.id))?.finishedAt, longAgo);
    for (const { id } of [own, imported]) await store.storage.putSizes([{ kind: "run", id, bytes: 2 ** 30 }]);
    const old = (settings: Partial<KeepSettings>, atMs: number) =>
      store.storage.listOldRuns(access.organizationId, rulesAt({ ...none, ...settings }, atMs), 10);
    assert.deepEqual(await old({ keepRunsDays: 10 }, nowMs), []);
    assert.deepEqual(await old({ keepRunsGb: 1 }, nowMs), [own.id]);
    assert.deepEqual(await old({ keepRunsDays: 10 }, nowMs + 11 * dayMs), [own.id, imported.id]);
  });

  test("a repository's runs are deleted before it, some at a time, and not while one of them is live", async (t) => {
    const fixture = await openFixture(t, open);
    const { store, access, foreign } = fixture;
    const repositoryId = await repositoryIn(fixture);
    const ended: number[] = [];
    for (let each = 0; each < 3; each += 1) {
      const { lease, run } = await fixture.startRun({ repositoryId });
      await fixture.finish(lease);
      ended.push(run.id);
    }
    const other = await fixture.startRun();
    await fixture.finish(other.lease);
    const live = await fixture.startRun({ repositoryId });
    const some = (by = access) => store.removals.removeRunsOf(by, repositoryId, 2);
    assert.deepEqual(await some(), { refused: "live", runId: live.run.id });
    await fixture.finish(live.lease);
    assert.deepEqual(await store.removals.removeRunsOf(foreign, repositoryId, 2), { removed: [] });
    assert.equal(await store.removals.removeRepository(foreign, repositoryId), false);
    await assert.rejects(store.removals.removeRepository(access, repositoryId), /FOREIGN KEY/);
    assert.deepEqual(await some(), { removed: [ended[2], live.run.id] });
    assert.deepEqual(await some(), { removed: [ended[0], ended[1]] });
    assert.deepEqual(await some(), { removed: [] });
    await store.agentKeys.put(access, { variable: "KEY", repositoryId, sealed: "x" });
    await store.networks.putRules(access, repositoryId, [{ host: "a.test", port: null }]);
    assert.ok(await store.removals.removeRepository(access, repositoryId));
    assert.equal(await store.repositories.find(access, repositoryId), null);
    const removals = await store.removals.list(0, 10);
    assert.deepEqual(removals.at(-1), { id: removals.at(-1)?.id, kind: "repository", repositoryId });
    assert.equal((await store.runs.find(access, other.run.id))?.id, other.run.id);
    assert.deepEqual(await store.check(), []);
  });
}

async function repositoryIn({ store, access }: Fixture): Promise<number> {
  const names = { name: "a", fullName: "team/a", description: null, source: "https://git.test/a", defaultBranch: null };
  return (await store.repositories.add(access, names)).repository.id;
}
