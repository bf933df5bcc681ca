// Tier: rest
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { SetupCommands } from "#lib/contract/repositories/setup.ts";
import { hostKindsUnderTest } from "#lib/host/stand-in/host-state.fixture.ts";
import { countOf } from "#lib/test-counts.fixture.ts";
import { mirrorPath } from "#lib/workspace/mirror.ts";
import { git } from "#lib/workspace/test-repository.ts";
import { type KilledStage, type Look, openKilledPulls } from "./killed-pulls.fixture.ts";
import { writes } from "./pulls.fixture.ts";

/** For each stage: the rounds in which a run passes it, and within how many milliseconds of it the engine is killed. */
const stages: Record<KilledStage, { rounds: number[]; withinMs: number }> = {
  working: { rounds: [0], withinMs: 250 },
  keeping: { rounds: [0, 1, 2], withinMs: 60 },
  weighing: { rounds: [0, 1, 2], withinMs: 40 },
  testing: { rounds: [0, 1, 2], withinMs: 80 },
  pushing: { rounds: [1, 2], withinMs: 60 },
  opening: { rounds: [1, 2], withinMs: 20 },
  checking: { rounds: [1, 2], withinMs: 400 },
  fixing: { rounds: [1, 2], withinMs: 250 },
  evaluated: { rounds: [2], withinMs: 100 },
};
const names = Object.keys(stages) as KilledStage[];
/** Stages that the host has a part in. */
const ofHosts: readonly KilledStage[] = ["pushing", "opening", "checking"];
/** Runs that may be needed for the kills: a stage may be over before its kill, which then hits the next one. */
const runsMax = 30;
/** What the agent writes: first, when the repository's own command is red, and when the host's check is. */
const words = ["zero", "two", "three"];
const own = "grep -q -e two -e three a.txt || { echo wrong; exit 3; }";
/** What a run does, however often its engine is killed. */
const story = [
  ...["COMMIT_EVALUATION fit", "DETECT_PR_ERRORS 0", "FIX_PR_ERRORS 1", "COMMIT_EVALUATION fit", "DETECT_PR_ERRORS 1"],
  ...["INITIAL_PR_GENERATION", "DETECT_PR_ERRORS 1", "FIX_PR_ERRORS 2", "COMMIT_EVALUATION fit", "DETECT_PR_ERRORS 2"],
  ...["DETECT_PR_ERRORS 2", "PR_EVALUATION green"],
];

const hits = new Map<KilledStage, number>(names.map((name) => [name, 0]));
let between = 0;

/** The kills still to be made on a host, and the next moment for each. */
class Plan {
  readonly #left: Map<KilledStage, number>;
  /** Stages in which the engine was killed in this run. */
  #inRun: KilledStage[] = [];
  #run = -1;
  #turn: number;

  constructor(at: number) {
    this.#left = new Map(names.map((name) => [name, countOf({ short: 1, long: 4 })]));
    this.#turn = at;
  }

  get isDone(): boolean {
    return [...this.#left.values()].every((left) => left <= 0);
  }

  beginRun(): void {
    this.#run += 1;
    this.#inRun = [];
  }

  /** Whether the engine is to be killed in this stage of the current run. */
  wants({ stage, rounds }: Look): boolean {
    if (stage === null || (this.#left.get(stage) ?? 0) <= 0 || this.#inRun.includes(stage)) return false;
    const { rounds: possible } = stages[stage];
    // Every other run is killed while the host's response is awaited. A miss is made good in a later round.
    const choice = ofHosts.includes(stage) ? this.#run >> 1 : this.#run;
    if (possible.indexOf(rounds) < choice % possible.length) return false;
    // Own commands at which three engines stopped are not tried again.
    return this.#inRun.filter((one) => one === "testing").length < 2;
  }

  /** Whether this kill waits for the host's response to a change: work is done there that nobody here knows of. */
  get isByAnswer(): boolean {
    return this.#run % 2 === 0;
  }

  /** Where in the stage to kill it, from 0 to 1: spread evenly, however many kills there are. */
  next(): number {
    this.#turn += 1;
    return (this.#turn * 0.618) % 1;
  }

  note(hit: KilledStage | null): void {
    if (hit === null) {
      between += 1;
      return;
    }
    this.#inRun.push(hit);
    this.#left.set(hit, (this.#left.get(hit) ?? 0) - 1);
    hits.set(hit, (hits.get(hit) ?? 0) + 1);
  }
}

/** The short form kills in each stage on one host. */
const hostsUnderTest = hostKindsUnderTest.slice(0, countOf({ short: 1, long: hostKindsUnderTest.length }));

for (const [at, kind] of hostsUnderTest.entries()) {
  test(`${kind}: killed in each stage: one pull request for each run, one review request, each round once, no work lost`, async (t) => {
    const of = await openKilledPulls(t, kind);
    const { host, killed, fullName, store, access, dataDir, integration, repository } = of;
    await of.putSettings({ mode: "automatic", local_checks: "before_push" });
    await store.setups.change(access, repository.id, SetupCommands.parse({ test: [own] }), null);
    await of.putChecks({ custom_prompts: { [own]: writes("two"), build: writes("three") } });
    host.addPerson("ada", "write");
    await store.links.put(access, integration.id, "ada", access.userId);

    const plan = new Plan(at);
    const pushed = new Map<string, string[]>();
    const resumed = new Map<number, number>();
    let current = 0;
    const hit = async () => {
      await killed.kill();
      plan.note(of.look(current).stage);
    };
    /** Kills the engine while it waits for the response to what it has changed. */
    const answers = async (stage: KilledStage) => {
      const seen = of.look(current);
      if (seen.stage !== stage || !killed.isAlive || !plan.isByAnswer || !plan.wants(seen)) return;
      plan.next();
      await hit();
    };
    host.onChanged = () => answers("opening");
    host.onPush = async ({ branch, after }) => {
      if (after === null) return;
      const commits = [...(pushed.get(branch) ?? []), after];
      pushed.set(branch, commits);
      const conclusion = commits.length === 1 ? "failure" : "success";
      host.setCheck(fullName, after, { name: "build", conclusion, log: "expected" });
      await answers("pushing");
    };
    const proves = async (runId: number) => {
      const { status, turns, totalLogs, pull } = await of.find(runId);
      const branch = `errand/run-${runId}`;
      const logs = await store.entries.readAfter(access, runId, 0, 1000, 1e7);
      const entries = logs.map(({ body }) => JSON.parse(body) as LogEntry & { seq: number });
      assert.deepEqual([status, pull?.verdict, pull?.rounds, pull?.error], ["completed", "green", 2, null]);
      const pulls = host.pullsOf(fullName).filter((one) => one.branch === branch);
      assert.deepEqual(
        pulls.map(({ number, reviewers }) => [number, reviewers]),
        [[pull?.number, ["ada"]]],
      );
      const told = await of.told(runId);
      const opened = `INITIAL_PR_GENERATION ${pull?.number}`;
      assert.deepEqual(
        told.map((one) => (one === opened ? "INITIAL_PR_GENERATION" : one)),
        story,
      );
      const rounds = entries.filter(({ message_type }) => message_type === "FIX_PR_ERRORS");
      assert.deepEqual(
        rounds.map(({ observation }) => Object(observation).round),
        [1, 2],
      );
      const head = git(mirrorPath(dataDir, repository.id), "rev-parse", branch);
      assert.equal(await host.git.headOf(fullName, branch), head);
      assert.equal(await host.git.read(fullName, branch, "a.txt"), "three");
      assert.deepEqual([pushed.get(branch)?.length, pushed.get(branch)?.at(-1), pull?.headCommit], [2, head, head]);
      assert.deepEqual(
        entries.map(({ seq }) => seq),
        entries.map((_, before) => before + 1),
      );
      assert.equal(totalLogs, entries.length);
      assert.equal(turns, 3 + (resumed.get(runId) ?? 0), "only a turn that was at work is begun again");
    };

    while (!plan.isDone) {
      plan.beginRun();
      assert.ok(resumed.size < runsMax, `not every stage was hit: ${JSON.stringify([...hits])}`);
      if (!killed.isAlive) await killed.start();
      current = (await of.start(writes("zero"))).id;
      resumed.set(current, 0);
      await of.watch(current, async (seen) => {
        const { stage } = seen;
        const isLater = plan.isByAnswer && (stage === "pushing" || stage === "opening");
        if (stage !== null && killed.isAlive && !isLater && plan.wants(seen)) {
          await pause(plan.next() * stages[stage].withinMs);
          if (killed.isAlive) await hit();
        }
        if (!killed.isAlive) await killed.start();
        const { status, rounds } = of.look(current);
        if (status === "interrupted") {
          // As its person does.
          resumed.set(current, (resumed.get(current) ?? 0) + 1);
          const prompt = writes(words[rounds] ?? "");
          await store.runs.addTurn(access, current, { prompt, images: [], model: null });
        }
        return status === "completed";
      });
      await proves(current);
    }
    await killed.kill();
    for (const runId of resumed.keys()) await proves(runId);
    const interrupted = [...resumed.values()].reduce((sum, count) => sum + count, 0);
    t.diagnostic(`${resumed.size} runs, ${interrupted} turns cut short and resumed`);
  });
}

test("the engine was killed in each stage, of every run's way from its prompt to its evaluation", (t) => {
  const all = [...hits.values()].reduce((sum, count) => sum + count, between);
  t.diagnostic(`${all} kills: ${[...hits].map((one) => one.join(" ")).join(", ")}, between two ${between}`);
  for (const [name, count] of hits) assert.ok(count >= countOf({ short: 1, long: 10 }), `${name}: ${count} kills`);
  assert.ok(all >= countOf({ short: 9, long: 100 }));
});
