import assert from "node:assert/strict";
import { test } from "node:test";
import type { SessionStep } from "#lib/claude-code/session-step.ts";
import type { OpenStore } from "#lib/store/conformance.fixture.ts";
import { at, call, later, line, openSession, prompt, result, sessionId, thought, words } from "./claude.fixture.ts";

export function claudeSessionConformance(open: OpenStore): void {
  test("a session has one run, and only its person may write to it", async (t) => {
    const { store, access, foreign, run, runId } = await openSession(t, open);
    assert.deepEqual(await store.claudeSessions.open(access, sessionId, run), { runId });
    const stranger = { ...access, userId: null };
    assert.deepEqual(await store.claudeSessions.open(stranger, sessionId, run), { refused: "not_own" });
    assert.deepEqual(await store.claudeSessions.take(stranger, sessionId, line([])), { refused: "not_own" });
    for (const [who, id] of [
      [foreign, sessionId],
      [access, "another"],
    ] as const) {
      assert.deepEqual(await store.claudeSessions.take(who, id, line([])), { refused: "absent" });
      assert.deepEqual(await store.claudeSessions.report(who, id, "COMPLETE", true), { refused: "absent" });
      assert.equal(await store.claudeSessions.find(who, id), null);
    }
    const found = await store.runs.find(access, runId);
    assert.deepEqual(
      [found?.status, found?.sourceType, found?.agent, found?.totalLogs],
      ["running", "LOCAL", "external", 0],
    );
  });

  test("a call becomes an entry when its result arrives, with both and the time between them", async (t) => {
    const { store, access, runId, take, log } = await openSession(t, open);
    await take(prompt("Go"));
    assert.equal((await take(words("I look"), call("a"), call("b"))).lastSeq, 2);
    assert.equal((await take(result("b"))).firstSeq, 3);
    assert.equal((await take(result("a"))).firstSeq, 4);
    assert.deepEqual(await log(), [
      ["USER_MESSAGE", "Go"],
      ["PLAN_EVALUATION", "I look"],
      ["ACTION", "b"],
      ["ACTION", "a"],
    ]);
    const body = JSON.parse((await store.entries.find(access, runId, 3)) ?? "");
    assert.deepEqual(
      [body.tool_name, body.tool_input, body.tool_output, body.created_at],
      ["Bash", { command: "b" }, { text: "of b", duration_ms: 2500 }, later],
    );
    assert.equal((await take(result("a"))).leftOut, "it repeats a result");
    assert.equal((await take(call("a"))).leftOut, "it repeats a call");
    assert.equal((await take(result("of a line that never came"))).firstSeq, 5);
  });

  test("a call that arrives after its result becomes an entry too, once", async (t) => {
    const { store, access, runId, take, log } = await openSession(t, open);
    await take(result("a"));
    const late = await take(call("a"));
    assert.deepEqual([late.leftOut, late.firstSeq, late.lastSeq], [null, 2, 2]);
    const body = JSON.parse((await store.entries.find(access, runId, 2)) ?? "");
    assert.deepEqual([body.tool_call_id, body.tool_name, body.tool_input], ["a", "Bash", { command: "a" }]);
    assert.match(body.tool_output.text, /arrived before it/);
    assert.equal((await take(call("a"))).leftOut, "it repeats a call");
    assert.equal((await take(result("a"))).leftOut, "it repeats a result");
    assert.equal((await log()).length, 2);
  });

  test("a line that arrives again changes nothing and gets the same response", async (t) => {
    const { store, access, log } = await openSession(t, open);
    const one = line([prompt("Go"), words("Well", false)], {
      usage: { messageId: "m", input: 5, output: 1 },
      model: "opus",
    });
    const all = await Promise.all(Array.from({ length: 20 }, () => store.claudeSessions.take(access, sessionId, one)));
    assert.equal(all.filter((taken) => "isNew" in taken && taken.isNew).length, 1);
    assert.ok(all.every((taken) => "firstSeq" in taken && taken.firstSeq === 1 && taken.lastSeq === 2));
    assert.equal((await log()).length, 2);
    assert.equal((await store.claudeSessions.find(access, sessionId))?.lines, 1);
  });

  test("the last words are the answer: where the line says so, before the next prompt, at rest and at the end", async (t) => {
    const { store, access, runId, take, report, log } = await openSession(t, open);
    const answer = async () => (await store.runs.find(access, runId))?.result;
    await take(prompt("One"));
    await take(words("First"));
    assert.deepEqual((await log()).at(-1), ["USER_MESSAGE", "One"]);
    await take(words("Second"));
    assert.deepEqual((await log()).at(-1), ["PLAN_EVALUATION", "First"]);
    await take(prompt("Two"));
    assert.deepEqual((await log()).slice(-2), [
      ["FINAL_ANSWER", "Second"],
      ["USER_MESSAGE", "Two"],
    ]);
    assert.equal(await answer(), "Second");
    await take(words("Third"), { kind: "rest" });
    assert.deepEqual((await log()).at(-1), ["FINAL_ANSWER", "Third"]);
    await take(prompt("Three"), words("Fourth", true));
    assert.equal(await answer(), "Fourth");
    await take(words("# Fifth\nmore"));
    await report("COMPLETE");
    assert.deepEqual((await log()).at(-1), ["FINAL_ANSWER", "# Fifth\nmore"]);
    const run = await store.runs.find(access, runId);
    assert.deepEqual([run?.status, run?.summary, run?.resultTurn, run?.turns], ["completed", "Fifth", 3, 3]);
  });

  test("words along the way are the result of a run that ends with a call", async (t) => {
    const { store, access, runId, take, report, log } = await openSession(t, open);
    await take(words("I try", false), call("a"), result("a"));
    await report("COMPLETE");
    assert.equal((await store.runs.find(access, runId))?.result, "I try");
    assert.deepEqual((await log()).at(-1), ["ACTION", "a"]);
  });

  test("the first prompt names the run, each further one is a turn, and other lines begin none", async (t) => {
    const { store, access, runId, take } = await openSession(t, open);
    const about = async () => {
      const run = await store.runs.find(access, runId);
      return [run?.prompt, run?.turns];
    };
    await take({ ...prompt("/clear"), text: null } as SessionStep);
    assert.deepEqual(await about(), ["untold", 1]);
    await take(prompt("/review all", false));
    assert.deepEqual(await about(), ["/review all", 1]);
    await take(prompt("queued", false));
    assert.deepEqual(await about(), ["/review all", 1]);
    await take(prompt("Now the tests"));
    assert.deepEqual(await about(), ["/review all", 2]);
    const body = JSON.parse((await store.entries.find(access, runId, 4)) ?? "");
    assert.deepEqual(body.tool_input, { turn: 2 });
  });

  test("a session that had ended continues, by a status or by a prompt, and late lines are logged after the end", async (t) => {
    const { store, access, runId, take, report, log } = await openSession(t, open);
    const about = async () => {
      const run = await store.runs.find(access, runId);
      return [run?.status, run?.turns, run?.result];
    };
    await take(prompt("One"));
    await report("COMPLETE");
    await take(words("Late"));
    assert.deepEqual(await about(), ["completed", 1, "Late"]);
    await report("ACTIVE");
    assert.deepEqual(await about(), ["running", 2, "Late"]);
    await report("ACTIVE");
    assert.deepEqual(await about(), ["running", 2, "Late"]);
    await report("COMPLETE");
    await take(prompt("Two"), words("Two is done"));
    assert.deepEqual(await about(), ["completed", 2, "Two is done"]);
    await report("ERROR");
    await take(prompt("Three"));
    assert.deepEqual(await about(), ["running", 3, "Two is done"]);
    await report("CANCELLED");
    assert.deepEqual((await about())[0], "cancelled");
    assert.deepEqual((await log()).at(-1), [
      "USER_MESSAGE",
      { kind: "interruption", message: "Cancelled in the terminal." },
    ]);
    await report("ACTIVE");
    await report("ERROR");
    assert.deepEqual((await about())[0], "failed");
    assert.deepEqual((await log()).at(-1)?.[0], "ERROR");
  });

  test("calls without a result are unfinished at the end, and a result that comes later is logged too", async (t) => {
    const { store, access, runId, take, report, log } = await openSession(t, open);
    await take(call("b"), call("a"));
    await take(call("c"));
    await report("COMPLETE");
    assert.deepEqual(await log(), [
      ["ACTION", "b"],
      ["ACTION", "a"],
      ["ACTION", "c"],
    ]);
    const body = JSON.parse((await store.entries.find(access, runId, 1)) ?? "");
    assert.deepEqual(body.tool_output, {});
    await take(result("a"));
    assert.deepEqual((await log()).at(-1), ["ACTION", "a"]);
    await report("COMPLETE");
    assert.equal((await log()).length, 4);
  });

  test("a session that waits for results ends when it is told to, or when the process that should do so is gone", async (t) => {
    const { store, access, runId, advance, take, report, log } = await openSession(t, open);
    const status = async () => (await store.runs.find(access, runId))?.status;
    await take(call("a"));
    assert.equal((await report("COMPLETE", true)).openCalls, 1);
    assert.equal(await status(), "running");
    await take(result("a"));
    await store.claudeSessions.end(access, sessionId);
    assert.deepEqual([await status(), (await log()).length], ["completed", 1]);
    await store.claudeSessions.end(access, sessionId);

    await report("ACTIVE");
    await take(call("b"));
    await report("COMPLETE", true);
    await report("ACTIVE");
    await store.claudeSessions.end(access, sessionId);
    assert.equal(await status(), "running");

    await report("COMPLETE", true);
    await store.claudeSessions.endLeft(1);
    assert.equal(await status(), "running");
    await store.claudeSessions.endLeft(0);
    assert.deepEqual([await status(), (await log()).at(-1)], ["completed", ["ACTION", "b"]]);

    await report("ACTIVE");
    await take(call("c"));
    await report("COMPLETE", true);
    advance(10_001);
    await take(thought("much later"));
    assert.equal(await status(), "completed");
    assert.deepEqual((await log()).slice(-2), [
      ["ACTION", "c"],
      ["PLAN_EVALUATION", "much later"],
    ]);
  });

  test("a run that a person cancelled stays so, and its calls are written when the session ends", async (t) => {
    const { store, access, runId, take, report, log } = await openSession(t, open);
    await take(call("a"));
    await store.runs.cancel(access, runId);
    await take(words("I go on"));
    assert.deepEqual((await log()).at(-1), ["FINAL_ANSWER", "I go on"]);
    await report("COMPLETE", true);
    assert.equal((await store.runs.find(access, runId))?.status, "cancelled");
    assert.deepEqual(
      (await log()).map(([type]) => type),
      ["USER_MESSAGE", "FINAL_ANSWER", "ACTION"],
    );
  });

  test("tokens are the highest figures of each message, summed; model, place and time come from the lines", async (t) => {
    const { store, access, runId } = await openSession(t, open);
    const tell = (messageId: string, input: number, output: number) =>
      store.claudeSessions.take(
        access,
        sessionId,
        line([thought("x")], {
          usage: { messageId, input, output },
          model: "claude-opus-4-6",
          place: { cwd: "/srv/x", title: "A title" },
        }),
      );
    for (const [id, input, output] of [
      ["m1", 100, 3],
      ["m2", 10, 1],
      ["m1", 100, 250],
      ["m1", 90, 20],
    ] as const) {
      await tell(id, input, output);
    }
    const run = await store.runs.find(access, runId);
    assert.deepEqual(run?.tokens, { input: 110, output: 251, total: 361 });
    assert.deepEqual(
      [run?.model, run?.metadata],
      ["claude-opus-4-6", { claude_code: { cwd: "/srv/x", title: "A title" } }],
    );
    assert.equal(run?.startedAt, at);
  });

  test("lines without an entry are kept and counted by their reason", async (t) => {
    const { store, access, runId, take } = await openSession(t, open);
    for (const reason of ["noise", "state", "noise"]) {
      await store.claudeSessions.take(access, sessionId, line([], { leftOut: reason }));
    }
    await take(prompt("Go"), call("a"));
    assert.deepEqual(await store.claudeSessions.find(access, sessionId), {
      sessionId,
      runId,
      status: "ACTIVE",
      createdAt: "2026-01-31T12:00:00.000Z",
      heardAt: "2026-01-31T12:00:00.000Z",
      silentSince: null,
      lines: 4,
      leftOut: [
        { reason: "noise", lines: 2 },
        { reason: "state", lines: 1 },
      ],
      openCalls: 1,
      telemetry: null,
    });
  });
}
