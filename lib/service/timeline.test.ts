import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Timeline } from "#lib/contract/logs/timeline.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";

let api: ApiUnderTest;
before(async () => {
  api = await ApiUnderTest.open();
});
after(() => api.close());

const begin = Date.parse("2026-01-31T12:00:00.000Z");
const instant = (seconds: number) => new Date(begin + seconds * 1000).toISOString();

type Told = { at: number; took?: number; tool?: string; failed?: boolean };

/** An external run, reported long after it happened. */
async function toldRun(steps: readonly Told[]): Promise<number> {
  const token = await api.token();
  const { json } = await api.ask("POST", "/v1/organizations/1/agent/run", {
    token,
    body: { prompt: "Told", agent: "external" },
  });
  const entries = steps.map(({ at, took, tool, failed }) =>
    tool === undefined
      ? { message_type: "PLAN_EVALUATION", thought: "Think.", created_at: instant(at) }
      : {
          message_type: "ACTION",
          tool_name: tool,
          tool_input: {},
          tool_output: {
            status: failed === true ? "failed" : "completed",
            ...(took === undefined ? {} : { duration_ms: took * 1000 }),
          },
          created_at: instant(at),
        },
  );
  for (let first = 0; first < entries.length; first += 1000) {
    const body = { entries: entries.slice(first, first + 1000) };
    const { status } = await api.ask("POST", `/v1/organizations/1/agent/run/${json.id}/logs`, { token, body });
    assert.equal(status, 200);
  }
  return Number(json.id);
}

async function timelineOf(runId: number, query = ""): Promise<Timeline> {
  const path = `/v1/organizations/1/agent/run/${runId}/logs/timeline${query}`;
  const { status, json } = await api.ask("GET", path, { token: await api.token() });
  assert.equal(status, 200);
  return json as Timeline;
}

test("a bar is an entry: it ends at its created_at and lasts as long as its tool, and concurrent calls lie on lanes", async () => {
  const runId = await toldRun([
    { at: 10, tool: "shell", took: 10 },
    { at: 12 },
    { at: 20, tool: "read", took: 6 },
    { at: 21, tool: "grep", took: 5, failed: true },
    { at: 22, tool: "read", took: 1 },
  ]);
  const whole = await timelineOf(runId, "?buckets=1");
  assert.deepEqual([whole.run_from, whole.run_to, whole.is_live], [instant(0), instant(22), false]);
  assert.deepEqual([whole.turns, whole.waits, whole.gaps], [[], [], []]);
  assert.deepEqual(whole.parts, [
    {
      from: instant(0),
      counts: { ACTION: 4, PLAN_EVALUATION: 1 },
      errors: 1,
      tool_ms: 18_000,
      thinking_ms: 4000,
      waiting_ms: 0,
      idle_ms: 0,
      timed_calls: 4,
      first_seq: 1,
      last_seq: 5,
    },
  ]);
  const bar = (seq: number, at: number, tool: string | null, took: number, lane: number | null) => ({
    seq,
    at: instant(at),
    duration_ms: took * 1000,
    message_type: tool === null ? "PLAN_EVALUATION" : "ACTION",
    tool_name: tool,
    is_error: seq === 4,
    lane,
  });
  assert.deepEqual(whole.spans, [
    bar(1, 10, "shell", 10, 0),
    bar(2, 12, null, 0, null),
    bar(3, 20, "read", 6, 0),
    bar(4, 21, "grep", 5, 1),
    bar(5, 22, "read", 1, 0),
  ]);
  // A step at work in a range is part of it, even if it ended later.
  const inside = await timelineOf(runId, `?from=${instant(2)}&to=${instant(3)}&buckets=2`);
  assert.deepEqual(
    inside.spans?.map(({ seq }) => seq),
    [1],
  );
  assert.deepEqual(
    inside.parts.map(({ from, tool_ms, first_seq }) => [from, tool_ms, first_seq]),
    [
      [instant(2), 500, null],
      [new Date(begin + 2500).toISOString(), 500, null],
    ],
  );
});

test("a night without a step is a gap, and takes no part if gaps are skipped", async () => {
  const night = 8 * 3600;
  const runId = await toldRun([{ at: 0 }, { at: 50 }, { at: night }, { at: night + 50 }]);
  const whole = await timelineOf(runId, "?buckets=10");
  assert.deepEqual(whole.gaps, [{ from: instant(50), to: instant(night) }]);
  assert.deepEqual(
    whole.parts.map(({ idle_ms }) => idle_ms > 0),
    Array(10).fill(true),
  );
  const awake = await timelineOf(runId, "?buckets=10&skip_idle=true");
  assert.deepEqual(
    awake.parts.map(({ thinking_ms, idle_ms }) => [thinking_ms, idle_ms > 0]),
    Array.from({ length: 10 }, (_, part) => [10_000, part === 5]),
  );
});

test("the response for a long run is small; single entries are for ranges with few of them", async () => {
  const steps = Array.from({ length: 5000 }, (_, index) => ({ at: index * 3, tool: "shell", took: 2 }));
  const runId = await toldRun(steps);
  const path = `/v1/organizations/1/agent/run/${runId}/logs/timeline`;
  const { text, json } = await api.ask("GET", `${path}?buckets=240`, { token: await api.token() });
  assert.ok(text.length < 100_000, `${text.length}`);
  assert.equal(json.spans, null);
  const closer = `${path}?buckets=240&from=${instant(3000)}&to=${instant(3800)}`;
  const near = await api.ask("GET", closer, { token: await api.token() });
  assert.equal((near.json.spans as unknown[]).length, 268);
  assert.ok(near.text.length < 100_000, `${near.text.length}`);

  // A later report is part of the next response.
  const body = { entries: [{ message_type: "PLAN_EVALUATION", thought: "Late.", created_at: instant(20_000) }] };
  const O = `/v1/organizations/1/agent/run/${runId}`;
  await api.ask("POST", `${O}/logs`, { token: await api.token(), body });
  const grown = await timelineOf(runId, "?buckets=1");
  assert.deepEqual([grown.total_logs, grown.run_to], [5001, instant(20_000)]);
});

test("a run of an engine has its turns, its waits for a person, and the running step", async () => {
  const { run, lease } = await api.liveRun(0);
  const at = (ms: number) => new Date(Date.now() + ms).toISOString();
  await api.store.queue.append(lease, [
    {
      created_at: at(0),
      message_type: "PLAN_EVALUATION",
      thought: "Think.",
      tool_name: null,
      tool_call_id: null,
      tool_input: null,
      tool_output: null,
      observation: null,
    },
  ]);
  await api.store.queue.setQuestion(lease, {
    id: "q",
    title: "May I?",
    tool_name: null,
    tool_input: null,
    options: [],
    asked_at: at(0),
    expires_at: at(60_000),
  });
  const waiting = await timelineOf(run.id, "?buckets=1");
  assert.equal(waiting.is_live, true);
  assert.deepEqual(
    waiting.turns.map(({ number, to, status }) => [number, to, status]),
    [[1, null, null]],
  );
  assert.deepEqual(
    waiting.waits.map(({ to }) => to),
    [null],
  );
  await api.store.queue.setQuestion(lease, null);
  await api.store.queue.finishTurn(lease, { status: "completed", result: null, summary: null, entries: [] });
  const ended = await timelineOf(run.id, "?buckets=1");
  const [part] = ended.parts;
  const [wait] = ended.waits;
  assert.deepEqual([ended.is_live, ended.turns[0]?.status], [false, "completed"]);
  const token = await api.token("owner", { style: "reference" });
  const inItsWords = await api.ask("GET", `/v1/organizations/1/agent/run/${run.id}/logs/timeline`, { token });
  assert.equal((inItsWords.json as Timeline).turns[0]?.status, "COMPLETE");
  assert.equal(part?.waiting_ms, Date.parse(wait?.to ?? "") - Date.parse(wait?.from ?? ""));
});

test("another organization's run and a missing one are the same 404, without a token it is 401", async () => {
  const foreign = await api.run({ access: api.other });
  const path = (id: number) => `/v1/organizations/1/agent/run/${id}/logs/timeline`;
  const token = await api.token();
  const answers = await Promise.all([foreign.id, 999_999].map((id) => api.ask("GET", path(id), { token })));
  assert.deepEqual(
    answers.map(({ status, json }) => [status, json.detail]),
    Array(2).fill([404, "Agent run not found."]),
  );
  assert.equal((await api.ask("GET", path(foreign.id))).status, 401);
});
