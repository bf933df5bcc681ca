import assert from "node:assert/strict";
import { test } from "node:test";
import { transitions } from "#lib/contract/runs/run-status.ts";
import {
  leaseMs,
  messages,
  type OpenStore,
  openFixture,
  parsePage,
  question,
  said,
} from "#lib/store/conformance.fixture.ts";
import { LeaseLostError } from "#lib/store/runs/queue-store.ts";

const end = { status: "completed", result: "done", summary: "done", entries: [said("bye")] } as const;
const closing = { ...end, entries: [...end.entries] };

/** How turns end. */
export function turnEndConformance(open: OpenStore): void {
  test("if another turn waits it becomes active and the run continues, otherwise it ends with its closing entries", async (t) => {
    const { store, access, startRun } = await openFixture(t, open);
    const { lease, run } = await startRun();
    await store.runs.addTurn(access, run.id, { prompt: "two", images: ["i"], model: "m" });
    const next = await store.queue.finishTurn(lease, { ...closing, status: "failed", result: "first" });
    assert.deepEqual(next, { number: 2, prompt: "two", images: ["i"], model: "m" });
    const going = await store.runs.find(access, run.id);
    assert.deepEqual([going?.status, going?.totalLogs, going?.finishedAt], ["running", 1, null]);
    assert.equal(await store.queue.finishTurn(lease, { ...closing, entries: messages(2) }), null);
    const ended = await store.runs.find(access, run.id);
    assert.deepEqual(
      [ended?.status, ended?.totalLogs, ended?.finishedAt, ended?.result, ended?.summary],
      ["completed", 3, "2026-01-31T12:00:00.000Z", "done", "done"],
    );
    await assert.rejects(store.queue.finishTurn(lease, closing), LeaseLostError);
  });

  test("turns that failed stay counted after the run was continued and completed; cancelled and interrupted ones do not count", async (t) => {
    const { store, access, startRun, claim } = await openFixture(t, open);
    const { lease, run } = await startRun();
    const failed = async () => (await store.runs.find(access, run.id))?.failedTurns;
    await store.queue.finishTurn(lease, { ...closing, status: "failed" });
    assert.equal(await failed(), 1);
    for (const status of [
      "timed_out",
      "cancelled",
      "interrupted",
      "max_turns_reached",
      "out_of_tokens",
      "completed",
    ] as const) {
      await store.runs.addTurn(access, run.id, { prompt: status, images: [], model: null });
      await store.queue.finishTurn((await claim()).lease, { ...closing, status });
    }
    const [ended] = (await store.runs.list(access, {}, { skip: 0, limit: 1 })).items;
    assert.deepEqual([ended?.status, ended?.failedTurns, await failed()], ["completed", 4, 4]);
  });

  test("steps in progress when an engine died close as interrupted, unless they already have an entry", async (t) => {
    const { store, access, startRun, advance } = await openFixture(t, open);
    const tool = { id: "t", title: "ls", output: "a.ts", started_at: "2026-01-31T12:00:00.000Z" };
    const inFlight = (updated_at: string) => ({
      thought: "I must look.",
      text: "Looking.",
      tools: [{ ...tool, tool_name: "shell", tool_input: { command: "ls" } }],
      updated_at,
    });
    const told = async (updatedAt: string, withTools: boolean) => {
      const { run, lease } = await startRun();
      await store.queue.append(lease, messages(1));
      const progress = inFlight(updatedAt);
      await store.queue.setProgress(lease, withTools ? progress : { ...progress, tools: [] });
      advance(leaseMs);
      assert.deepEqual(await store.queue.expire(), [run.id]);
      const totalLogs = (await store.runs.find(access, run.id))?.totalLogs ?? 0;
      const page = { skip: 1, limit: 10, reverse: false, totalLogs };
      return parsePage(await store.entries.readPage(access, run.id, page));
    };
    const [action, error, ...more] = await told("2026-01-31T12:00:00.124Z", true);
    assert.deepEqual([action?.message_type, action?.tool_name, more], ["ACTION", "shell", []]);
    assert.equal(action?.tool_call_id, tool.id);
    assert.deepEqual(action?.tool_input, { command: "ls" });
    assert.deepEqual(action?.tool_output, { status: "interrupted", output: "a.ts" });
    assert.deepEqual([action?.thought, error?.thought], ["I must look.\n\nLooking.", null]);
    assert.equal(error?.message_type, "ERROR");
    const said = await told("2026-01-31T12:00:00.124Z", false);
    assert.deepEqual(
      said.map((entry) => [entry.message_type, entry.thought]),
      [["ERROR", "I must look.\n\nLooking."]],
    );
    const past = await told("2026-01-31T12:00:00.123Z", true);
    assert.deepEqual(
      past.map((entry) => [entry.message_type, entry.thought]),
      [["ERROR", null]],
    );
  });

  test("a turn that ends while its question is open closes the question", async (t) => {
    const { store, access, startRun } = await openFixture(t, open);
    const { lease, run } = await startRun();
    await store.queue.setQuestion(lease, question("q"));
    assert.equal(await store.queue.finishTurn(lease, closing), null);
    const ended = await store.runs.find(access, run.id);
    assert.deepEqual([ended?.status, ended?.question], ["completed", null]);
  });

  test("an end whose entries are refused ends nothing", async (t) => {
    const { store, access, startRun } = await openFixture(t, open);
    const { lease, run } = await startRun();
    const broken = { ...said("x"), message_type: "ERROR", observation: null } as const;
    await assert.rejects(store.queue.finishTurn(lease, { ...closing, entries: [said("a"), broken] }), /observation/);
    const still = await store.runs.find(access, run.id);
    assert.deepEqual([still?.status, still?.totalLogs], ["running", 0]);
    await store.queue.append(lease, messages(1));
  });

  test("a status that the table does not allow is refused", async (t) => {
    const { store, access, startRun } = await openFixture(t, open);
    const { lease, run } = await startRun();
    assert.equal(transitions.running.includes("running"), false);
    await assert.rejects(store.queue.setQuestion(lease, null), /cannot go from running to running/);
    await store.queue.setQuestion(lease, question("q1"));
    await assert.rejects(store.queue.setQuestion(lease, question("q2")), /cannot go from waiting to waiting/);
    assert.deepEqual((await store.runs.find(access, run.id))?.question, { ...question("q1"), answered: false });
  });
}
