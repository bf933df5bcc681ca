import assert from "node:assert/strict";
import { test } from "node:test";
import type { OpenStore } from "#lib/store/conformance.fixture.ts";
import { call, openSession, prompt, result, sessionId, thought, words } from "./claude.fixture.ts";

const silenceMs = 30 * 60_000;

export function claudeSilenceConformance(open: OpenStore): void {
  test("a session that is silent for too long ends as timed out, and its last entry says why", async (t) => {
    const { store, access, runId, advance, take, log } = await openSession(t, open);
    const endSilent = () => store.claudeSessions.endSilent(silenceMs);
    const about = async () => {
      const run = await store.runs.find(access, runId);
      return [run?.status, run?.result, run?.finishedAt];
    };
    await take(prompt("Go"), words("I look at it"), call("a"));
    advance(silenceMs - 1);
    assert.deepEqual([await endSilent(), (await about())[0]], [[], "running"]);
    advance(1);
    assert.deepEqual(await endSilent(), [runId]);
    assert.deepEqual(await about(), ["timed_out", "I look at it", "2026-01-31T12:30:00.000Z"]);
    const message = "Nothing was received from the terminal for 30 minutes. The run continues when a new line arrives.";
    assert.deepEqual((await log()).slice(-2), [
      ["ACTION", "a"],
      ["ERROR", { code: "session_silent", message }],
    ]);
    const found = await store.claudeSessions.find(access, sessionId);
    assert.deepEqual(
      [found?.status, found?.heardAt, found?.silentSince],
      ["ACTIVE", "2026-01-31T12:00:00.000Z", "2026-01-31T12:30:00.000Z"],
    );
    advance(10 * silenceMs);
    assert.deepEqual(await endSilent(), []);
  });

  test("a line after the silence lets the run and its turn continue; one without steps does not", async (t) => {
    const { store, access, runId, advance, take, report, log } = await openSession(t, open);
    const about = async () => {
      const run = await store.runs.find(access, runId);
      return [run?.status, run?.turns, run?.finishedAt === null];
    };
    await take(prompt("Go"), call("a"));
    advance(silenceMs);
    await store.claudeSessions.endSilent(silenceMs);
    await take();
    assert.deepEqual(await about(), ["timed_out", 1, false]);
    await take(result("a"));
    assert.deepEqual(await about(), ["running", 1, true]);
    assert.equal((await store.claudeSessions.find(access, sessionId))?.silentSince, null);
    // The call was written as unfinished at the end, because entries never change.
    assert.deepEqual(
      (await log()).map(([type]) => type),
      ["USER_MESSAGE", "ACTION", "ERROR", "ACTION"],
    );
    await take(words("It works"));
    await report("COMPLETE");
    const run = await store.runs.find(access, runId);
    assert.deepEqual([run?.status, run?.turns, run?.result, run?.resultTurn], ["completed", 1, "It works", 1]);
    await report("ACTIVE");
    await take(prompt("More"));
    advance(silenceMs);
    assert.deepEqual([await store.claudeSessions.endSilent(silenceMs), (await about())[0]], [[runId], "timed_out"]);
  });

  test("a status after the silence is applied as reported, and a prompt is a further turn", async (t) => {
    for (const [status, expected] of [
      ["COMPLETE", "completed"],
      ["ERROR", "failed"],
      ["CANCELLED", "cancelled"],
      ["ACTIVE", "running"],
    ] as const) {
      const { store, access, runId, advance, take, report } = await openSession(t, open);
      await take(prompt("Go"));
      advance(silenceMs);
      await store.claudeSessions.endSilent(silenceMs);
      await report(status);
      assert.equal((await store.runs.find(access, runId))?.status, expected);
      await take(prompt("And now"));
      const run = await store.runs.find(access, runId);
      assert.deepEqual([run?.status, run?.turns], ["running", 2], status);
    }
  });

  test("anything heard of a session restarts its time, and what has ended is left alone", async (t) => {
    const { store, access, run, runId, advance, take, report } = await openSession(t, open);
    const status = async () => (await store.runs.find(access, runId))?.status;
    const telemetry = {
      kind: "event",
      name: "x",
      atMs: 1,
      atNs: null,
      startedMs: null,
      sessionId,
      attributes: {},
      value: null,
      isCumulative: false,
    };
    for (const hear of [
      () => take(),
      () => report("ACTIVE"),
      () => store.claudeSessions.open(access, sessionId, run),
      () => store.claudeTelemetry.keep(access, [{ ...telemetry, kind: "event" }]),
    ]) {
      advance(silenceMs - 1);
      await hear();
      advance(silenceMs - 1);
      assert.deepEqual([await store.claudeSessions.endSilent(silenceMs), await status()], [[], "running"]);
    }
    await report("COMPLETE");
    advance(silenceMs);
    assert.deepEqual([await store.claudeSessions.endSilent(silenceMs), await status()], [[], "completed"]);

    await report("ACTIVE");
    await store.runs.cancel(access, runId);
    advance(silenceMs);
    assert.deepEqual([await store.claudeSessions.endSilent(silenceMs), await status()], [[], "cancelled"]);
    await take(thought("on its way"));
    assert.equal(await status(), "cancelled");
  });

  test("a silent session that somebody resumed has its whole time again, and one that was cancelled stays cancelled", async (t) => {
    const { store, access, runId, advance, take } = await openSession(t, open);
    const status = async () => (await store.runs.find(access, runId))?.status;
    await take(prompt("Go"));
    advance(silenceMs);
    await store.claudeSessions.endSilent(silenceMs);
    await store.runs.addTurn(access, runId, { prompt: "more", images: [], model: null });
    assert.deepEqual([await store.claudeSessions.endSilent(silenceMs), await status()], [[], "running"]);
    advance(silenceMs);
    assert.deepEqual([await store.claudeSessions.endSilent(silenceMs), await status()], [[runId], "timed_out"]);
    await store.runs.addTurn(access, runId, { prompt: "more", images: [], model: null });
    await store.runs.cancel(access, runId);
    await take(thought("late"));
    assert.equal(await status(), "cancelled");
  });
}
