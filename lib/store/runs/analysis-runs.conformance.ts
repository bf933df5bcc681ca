import assert from "node:assert/strict";
import { test } from "node:test";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { type Fixture, messages, type OpenStore, openFixture, parsePage } from "#lib/store/conformance.fixture.ts";
import { plainRun } from "./plain-run.fixture.ts";
import type { RunRow } from "./run-rows.ts";

const pageOf = (runId: number) => `http://errand.test/runs/${runId}`;
const newAnalysis = plainRun("Analyze", { agent: "analysis", permissionMode: "read-only" });

/** Runs that analyze other runs. */
export function analysisRunConformance(open: OpenStore): void {
  test("an analysis and an ended run link each other at once, once, and the ended run stays as it was", async (t) => {
    const fixture = await openFixture(t, open);
    const run = await endedRun(fixture);
    fixture.advance(60_000);
    const analysis = await analyse(fixture, run.id);
    assert.equal(analysis.status, "queued");
    assert.deepEqual(await linksOf(fixture, analysis.id), [
      { seq: 1, agent_run_id: run.id, relation: "analysis_of", web_url: pageOf(run.id) },
    ]);
    assert.deepEqual(await linksOf(fixture, run.id), [
      { seq: 4, agent_run_id: analysis.id, relation: "analysed_by", web_url: pageOf(analysis.id) },
    ]);
    const link = await fixture.store.entries.find(fixture.access, run.id, 4);
    assert.equal(JSON.parse(link ?? "{}").created_at, run.finishedAt);
    assert.deepEqual(await fixture.store.runs.find(fixture.access, run.id), { ...run, totalLogs: 4 });
    assert.deepEqual(await fixture.store.analysisRuns.findAnalysed(analysis.id), {
      runId: run.id,
      webUrl: pageOf(run.id),
    });
    assert.equal(await fixture.store.analysisRuns.findAnalysed(run.id), null);
    await endQueued(fixture);
    assert.equal((await linksOf(fixture, run.id)).length, 1);
  });

  for (const [how, end] of Object.entries(ends)) {
    test(`a live run gets its link with its end: ${how}`, async (t) => {
      const fixture = await openFixture(t, open);
      const { run, analyses } = await end(fixture);
      const linked = await linksOf(fixture, run);
      assert.deepEqual(
        linked.map(({ agent_run_id, relation }) => [agent_run_id, relation]),
        analyses.map((id) => [id, "analysed_by"]),
      );
      const now = await fixture.store.runs.find(fixture.access, run);
      assert.equal(now?.totalLogs, linked.at(-1)?.seq);
      assert.ok(now?.finishedAt);
    });
  }

  test("a run has one analysis at work at a time, and its id is returned", async (t) => {
    const fixture = await openFixture(t, open);
    const { store, access } = fixture;
    const run = await endedRun(fixture);
    const both = await Promise.all([1, 2].map(() => store.analysisRuns.create(access, run.id, newAnalysis, pageOf)));
    const [made] = both.flatMap((done) => ("run" in done ? [done.run.id] : []));
    assert.ok(made !== undefined);
    assert.deepEqual(
      both.filter((done) => "refused" in done),
      [{ refused: "busy", runId: made }],
    );
    await endQueued(fixture);
    const second = await analyse(fixture, run.id);
    assert.equal(await store.analysisRuns.findRival(access, made), second.id);
    assert.equal(await store.analysisRuns.findRival(access, second.id), null);
    assert.equal(await store.analysisRuns.findRival(access, run.id), null);
  });

  test("nothing is analyzed without entries, and nothing of another organization", async (t) => {
    const fixture = await openFixture(t, open);
    const { store, access, foreign } = fixture;
    const empty = await fixture.makeRun();
    const refused = async (who: typeof foreign, id: number) => store.analysisRuns.create(who, id, newAnalysis, pageOf);
    assert.deepEqual(await refused(access, empty.id), { refused: "empty" });
    assert.deepEqual(await refused(access, 4711), { refused: "absent" });
    assert.deepEqual(await refused(foreign, empty.id), { refused: "absent" });
    assert.equal((await store.runs.list(access, {}, { skip: 0, limit: 10 })).total, 1);
  });
}

type Ended = { run: number; analyses: number[] };

/** Every way a run can end, with an analysis requested while it was live. */
const ends: Record<string, (fixture: Fixture) => Promise<Ended>> = {
  "its agent is done": async (fixture) => {
    const { run, lease } = await fixture.startRun();
    await fixture.store.queue.append(lease, messages(2));
    const first = await analyse(fixture, run.id);
    await endQueued(fixture);
    const second = await analyse(fixture, run.id);
    assert.deepEqual(await linksOf(fixture, run.id), []);
    await fixture.finish(lease);
    return { run: run.id, analyses: [first.id, second.id] };
  },
  "its engine died": async (fixture) => {
    const { run, lease } = await fixture.startRun();
    await fixture.store.queue.append(lease, messages(2));
    const { id } = await analyse(fixture, run.id);
    fixture.advance(86_400_000);
    await fixture.store.queue.expire();
    return { run: run.id, analyses: [id] };
  },
  "it is cancelled while it waits for its next turn": async (fixture) => {
    const run = await endedRun(fixture);
    await fixture.store.runs.addTurn(fixture.access, run.id, { prompt: "More", images: [], model: null });
    const { id } = await analyse(fixture, run.id);
    await fixture.store.runs.cancel(fixture.access, run.id);
    return { run: run.id, analyses: [id] };
  },
  "another system says so": async (fixture) => {
    const run = await externalRun(fixture);
    const { id } = await analyse(fixture, run);
    await fixture.store.external.update(fixture.access, run, { status: "completed" });
    return { run, analyses: [id] };
  },
  "it is cancelled for another system": async (fixture) => {
    const run = await externalRun(fixture);
    const { id } = await analyse(fixture, run);
    await fixture.store.runs.cancel(fixture.access, run);
    return { run, analyses: [id] };
  },
};

async function endedRun(fixture: Fixture): Promise<RunRow> {
  const { run, lease } = await fixture.startRun();
  await fixture.store.queue.append(lease, messages(2));
  await fixture.finish(lease);
  const ended = await fixture.store.runs.find(fixture.access, run.id);
  assert.ok(ended !== null);
  return ended;
}

async function externalRun(fixture: Fixture): Promise<number> {
  const { id } = await fixture.makeRun({ agent: "external" });
  await fixture.store.external.append(fixture.access, id, messages(2));
  return id;
}

async function analyse({ store, access }: Fixture, runId: number): Promise<RunRow> {
  const done = await store.analysisRuns.create(access, runId, newAnalysis, pageOf);
  assert.ok("run" in done);
  return done.run;
}

/** Ends the run that is queued. */
async function endQueued(fixture: Fixture): Promise<void> {
  await fixture.finish((await fixture.claim()).lease);
}

async function linksOf({ store, access }: Fixture, runId: number) {
  const run = await store.runs.find(access, runId);
  const page = { skip: 0, limit: 100, reverse: false, totalLogs: run?.totalLogs ?? 0 };
  const entries: LogEntry[] = parsePage(await store.entries.readPage(access, runId, page));
  return entries
    .filter(({ message_type }) => message_type === "AGENT_RUN_LINK")
    .map(({ seq, observation }) => ({ seq, ...(observation as { agent_run_id: number; relation: string }) }));
}
