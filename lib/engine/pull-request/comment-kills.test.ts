// Tier: rest
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { hostLogin } from "#lib/host/code-host.fixture.ts";
import { hostKindsUnderTest } from "#lib/host/stand-in/host-state.fixture.ts";
import { underWayMs } from "#lib/store/dead-claims.ts";
import { countOf } from "#lib/test-counts.fixture.ts";
import { openKilledPulls } from "./killed-pulls.fixture.ts";
import { writes } from "./pulls.fixture.ts";

/**
 * How far a comment is, and within how many milliseconds of it the engine is killed. heard: it is stored, and its turn has not
 * begun; due: the turn has ended; posted: the answer is on the host, and the engine has no response yet; answered: it has.
 */
const phases = { heard: 150, working: 500, due: 60, posted: 0, answered: 100 };
type Phase = keyof typeof phases;
const names = Object.keys(phases) as Phase[];
const hostsUnderTest = hostKindsUnderTest.slice(0, countOf({ short: 1, long: hostKindsUnderTest.length }));
/** Comments that may be needed for the kills: a phase may be over before its kill, which then hits the next one. */
const commentsMax = 60;
/** Hosts other than GitHub mark bots by their names alone. */
const bots = { github: "robot", gitlab: "project_7_bot_1a2b", forgejo: "build-bot" };
const hits = new Map<Phase, number>(names.map((name) => [name, 0]));
let made = 0;

const saying = `select host_events.state as heard, turns.state as turn, replies.state as reply
  from host_events left join replies on replies.id = (select max(id) from replies) and host_events.state = 'done'
  left join turns on turns.run_id = replies.run_id and turns.number = replies.turn
  where host_events.id = (select max(id) from host_events where body != '' or state = 'done')`;

for (const kind of hostsUnderTest) {
  test(`${kind}: killed at any moment of a comment: a writer's has one turn and one answer, those of others none`, async (t) => {
    const of = await openKilledPulls(t, kind);
    const { host, killed, fullName, store, access, database } = of;
    await of.putSettings({ mode: "automatic" });
    host.addPerson("ada", "write");
    host.addPerson("eve", "read");
    host.addPerson(bots[kind], "write", { isBot: true });
    host.addPerson(hostLogin, "write");
    host.onPush = ({ after }) => {
      if (after !== null) host.setCheck(fullName, after, { name: "build", conclusion: "success" });
    };
    await killed.start();
    const { id: runId } = await of.start(writes("zero"));
    await of.watch(runId, ({ stage }) => stage === "evaluated");
    const number = (await of.find(runId)).pull?.number ?? 0;
    const answers = () => host.comments.filter(({ author }) => author === hostLogin);
    const left = new Map<Phase, number>(names.map((name) => [name, countOf({ short: 1, long: 4 })]));
    let asked = 0;
    let cut = 0;

    const phase = (): Phase => {
      const { heard, turn, reply } = Object(database.prepare(saying).get());
      if (reply === "sent") return "answered";
      if (turn === "active") return "working";
      if (heard !== "done" || turn !== "done") return "heard";
      return answers().length === asked ? "posted" : "due";
    };
    const hit = async () => {
      await killed.kill();
      const at = phase();
      made += 1;
      if (at === "working") cut += 1;
      left.set(at, (left.get(at) ?? 0) - 1);
      hits.set(at, (hits.get(at) ?? 0) + 1);
    };
    /** The writer's comment, and beside it those of others; each is delivered again after a kill. */
    const say = async (text: string, target: Phase | null) => {
      asked += 1;
      const comment = (login: string) =>
        host.commentEvent({
          ...{ login, body: `@errand please\n${writes(text)}` },
          thread: { repository: fullName, subject: "pull", number },
        });
      const sent = ["eve", bots[kind], hostLogin, "ada"].map(comment);
      for (const one of sent) assert.equal(await of.receive(one), "kept");
      let isOver = target === null;
      host.onChanged = async () => {
        if (isOver || target !== "posted" || answers().length < asked) return;
        isOver = true;
        await hit();
      };
      await of.watch(runId, async () => {
        if (!isOver && target !== null && target !== "posted" && phase() === target) {
          isOver = true;
          await pause(((made * 0.618) % 1) * phases[target]);
          await hit();
        }
        if (!killed.isAlive) {
          for (const one of sent) assert.equal(await of.receive(one), "duplicate");
          await killed.start();
          // The event that the dead engine had claimed is due at once; a reply, when no request for it can be under way.
          of.advance(underWayMs);
        }
        return phase() === "answered" && (isOver || target !== "answered");
      });
    };

    for (;;) {
      const target = names.find((name) => (left.get(name) ?? 0) > 0);
      if (target === undefined) break;
      assert.ok(asked < commentsMax, `not every phase was hit: ${JSON.stringify([...hits])}`);
      await say(`text ${asked}`, target);
    }
    await say("the last", null);
    await of.watch(runId, ({ stage }) => stage === "evaluated");
    await killed.kill();

    const { turns, totalLogs, queuedTurns, pull } = await of.find(runId);
    assert.deepEqual([turns, queuedTurns, pull?.verdict, pull?.number], [1 + asked, 0, "green", number]);
    assert.deepEqual(
      answers().map((answer) => answer.number),
      Array.from({ length: asked }, () => number),
    );
    const marks = answers().map(({ body }) => /<!-- errand (\S+) -->/.exec(body)?.[1]);
    assert.equal(new Set(marks).size, asked);
    assert.equal(answers().filter(({ body }) => /^Errand was stopped/.test(body)).length, cut);
    const logs = await store.entries.readAfter(access, runId, 0, 5000, 1e7);
    const entries = logs.map(({ body }) => JSON.parse(body) as LogEntry & { seq: number });
    assert.deepEqual(
      entries.map(({ seq }) => seq),
      entries.map((_, before) => before + 1),
    );
    assert.equal(totalLogs, entries.length);
    const said = entries.filter(({ message_type }) => message_type === "USER_GITHUB_ISSUE_COMMENT");
    assert.deepEqual(
      said.map(({ observation }) => Object(observation).author),
      Array.from({ length: asked }, () => "ada"),
    );
    assert.equal(host.pullsOf(fullName).length, 1);
    assert.equal(await host.git.read(fullName, `errand/run-${runId}`, "a.txt"), "the last");
    assert.equal(await host.git.headOf(fullName, `errand/run-${runId}`), pull?.headCommit);
    t.diagnostic(`${asked} comments of a writer, ${cut} turns cut short`);
  });
}

test("the engine was killed in each phase of a comment", (t) => {
  t.diagnostic(`${made} kills: ${[...hits].map((one) => one.join(" ")).join(", ")}`);
  for (const [name, count] of hits) assert.ok(count >= countOf({ short: 1, long: 10 }), `${name}: ${count} kills`);
});
