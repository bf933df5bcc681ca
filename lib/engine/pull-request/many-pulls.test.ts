// Tier: rest
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Send } from "#lib/host/call-host.ts";
import { countOf } from "#lib/test-counts.fixture.ts";
import { PullRequests } from "./pull-requests.ts";
import { openPulls, writes } from "./pulls.fixture.ts";

type Pulls = Awaited<ReturnType<typeof openPulls>>;

const commitOf = (number: number) => number.toString(16).padStart(40, "0");

/** GitHub's API with one check for each pull request. Counts its requests, by pull request. */
function pretendedGithub(fullName: string, check: { status: string; conclusion: string | null }) {
  const asked = new Map<number, number>();
  const pullOf = (number: number) => ({
    ...{ number, node_id: `PR_${number}`, html_url: `https://github.test/${number}`, title: "Fix", state: "open" },
    head: { ref: `errand/run-${number}`, sha: commitOf(number), repo: { full_name: fullName } },
    base: { ref: "main" },
  });
  const send: Send = async ({ url }) => {
    const [, commit, list] = /\/commits\/([0-9a-f]{40})\/(check-runs|status)/.exec(url) ?? [];
    const number = commit === undefined ? Number(/\/pulls\/(\d+)$/.exec(url)?.[1]) : Number.parseInt(commit, 16);
    if (Number.isNaN(number)) return { status: 404, headers: {}, body: Buffer.from("{}"), complete: true };
    asked.set(number, (asked.get(number) ?? 0) + 1);
    const runs = { total_count: 1, check_runs: [{ id: number, name: "build", ...check }] };
    const answer = commit === undefined ? pullOf(number) : list === "status" ? { total_count: 0, statuses: [] } : runs;
    return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(answer)), complete: true };
  };
  return { send, asked };
}

/** Longer than adding a thousand takes, so that none is due before all are there. */
const addedMs = 600_000;

/** Runs with open pull requests whose checks are to be watched. */
async function addWatched({ store, integration, fullName, start, request, advance }: Pulls, count: number) {
  const changed = { files: 1, insertions: 1, deletions: 0, truncated: false };
  const runs: number[] = [];
  for (let number = 1; number <= count; number += 1) {
    await start("Do it");
    const { lease, run } = (await store.queue.claim("test", 60_000)) ?? assert.fail();
    await store.queue.setFigures(lease, { branch: `errand/run-${run.id}`, baseBranch: "main" });
    await store.queue.setDiff(lease, Buffer.from("diff"), changed, null);
    await store.queue.finishTurn(lease, { status: "completed", result: null, summary: null, entries: [] });
    await request(run.id);
    const task = (await store.pulls.claim(60_000)) ?? assert.fail();
    const opened = { integrationId: integration.id, fullName, number, headCommit: commitOf(number) };
    const changes = { ...opened, stage: "checking", state: "open", watch: { pushedMs: Date.now() + addedMs } } as const;
    assert.equal(await store.pulls.step(task, { changes, next: { kind: "again", waitMs: addedMs } }), true);
    runs.push(run.id);
  }
  advance(addedMs);
  return runs;
}

test("a thousand watched pull requests cost less than 5,000 requests an hour, and each is watched", async (t) => {
  const count = countOf({ short: 60, long: 1000 });
  const github = pretendedGithub("team/app", { status: "in_progress", conclusion: null });
  const of = await openPulls(t, "github", { send: github.send });
  const runs = await addWatched(of, count);
  for (let seconds = 0; seconds < 3500; seconds += 30) {
    of.advance(30_000);
    await of.pulls.processDue();
  }
  const all = [...github.asked.values()].reduce((sum, one) => sum + one, 0);
  assert.ok(all < 5000, `${all} requests`);
  assert.equal(github.asked.size, runs.length, "none is forgotten");
  assert.ok([...github.asked.values()].every((one) => one >= 3));
});

test("of two engines that look at the same checks at the same time, one begins the round", async (t) => {
  const github = pretendedGithub("team/app", { status: "completed", conclusion: "failure" });
  const of = await openPulls(t, "github", { send: github.send });
  const runs = await addWatched(of, countOf({ short: 50, long: 1000 }));
  const engines = [of.pulls, new PullRequests(of.parts), new PullRequests(of.parts)];
  t.after(() => Promise.all(engines.map((engine) => engine.stop())));
  const left = async () => {
    const found = await Promise.all(runs.map((id) => of.find(id)));
    return found.filter(({ pull }) => pull?.stage !== "fixing").length;
  };
  for (let looks = 0; looks < 400 && (await left()) > 0; looks += 1) {
    of.advance(20_000);
    await Promise.all(engines.map((engine) => engine.processDue()));
  }
  for (const id of runs) {
    const run = await of.find(id);
    assert.deepEqual(
      [run.pull?.stage, run.pull?.rounds, run.queuedTurns, run.turns],
      ["fixing", 1, 1, 2],
      JSON.stringify([run.pull, await of.told(id)]),
    );
    assert.deepEqual(await of.told(id), ["DETECT_PR_ERRORS 0", "FIX_PR_ERRORS 1"]);
  }
  assert.deepEqual(of.log, []);
});

test("a push that hangs keeps no other pull request waiting", async (t) => {
  const of = await openPulls(t);
  const { parts, pulls, engine } = of;
  await of.putSettings({ mode: "automatic" });
  const { push } = parts;
  const hangs = Promise.withResolvers<number>();
  let isFirst = true;
  parts.push = (run, signal) => {
    if (!isFirst) return push(run, signal);
    isFirst = false;
    hangs.resolve(run.runId);
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  };
  engine.start();
  pulls.start();
  const first = await of.start(writes("two"));
  assert.equal(await hangs.promise, first.id);
  const second = await of.start(writes("three"));
  const stageOf = async (id: number) => (await of.find(id)).pull?.stage;
  for (const endsAt = Date.now() + 120_000; (await stageOf(second.id)) !== "checking"; ) {
    assert.ok(Date.now() < endsAt, `it is still ${await stageOf(second.id)}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  assert.equal(await stageOf(first.id), "pushing");
});
