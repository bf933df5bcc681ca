import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ApiUnderTest, type Asked } from "#lib/web/api-under-test.ts";

let api: ApiUnderTest;
let token: string;
const O = "/v1/organizations/1";
const thinking = { message_type: "PLAN_EVALUATION", thought: "Think first." };

before(async () => {
  api = await ApiUnderTest.open();
  token = await api.token();
});
after(() => api.close());

const ask = (method: string, path: string, asked: Asked = {}) => api.ask(method, `${O}${path}`, { token, ...asked });
const append = (id: unknown, entries: unknown[]) => ask("POST", `/agent/run/${id}/logs`, { body: { entries } });
const report = (id: unknown, body: object) => ask("PATCH", `/agent/run/${id}`, { body });

async function newRun(): Promise<number> {
  const { json } = await ask("POST", "/agent/run", { body: { prompt: "Elsewhere", agent: "external" } });
  assert.deepEqual([json.status, json.agent, typeof json.started_at], ["running", "external", "string"]);
  return Number(json.id);
}

test("appended entries are read as they were sent, with their own time or the current one", async () => {
  const id = await newRun();
  const action = {
    message_type: "ACTION",
    created_at: "2026-01-31T23:59:59+02:00",
    tool_call_id: "call_1",
    thought: "nul \u0000 and lone \ud83d",
    tool_name: "shell",
    tool_input: { command: "ls" },
    tool_output: { status: "completed", exit_code: 0, output: "a\nb", deep: [[{ a: null }]] },
    observation: { any: "thing" },
    seq: 99,
    agent_run_id: 5,
  };
  const before = Date.now();
  assert.deepEqual((await append(id, [action, thinking])).json, { first_seq: 1, last_seq: 2, total_logs: 2 });
  const { json } = await ask("GET", `/agent/run/${id}/logs`);
  const [first, second] = json.logs as Record<string, unknown>[];
  const { seq: _seq, agent_run_id: _of, ...sent } = action;
  assert.deepEqual(first, { agent_run_id: id, seq: 1, ...sent, created_at: "2026-01-31T21:59:59.000Z" });
  assert.ok(Date.parse(String(second?.created_at)) >= before);
  assert.deepEqual([second?.thought, second?.tool_name, second?.tool_call_id], ["Think first.", null, null]);
});

test("however its JSON is written, an entry is stored on one line and means the same", async () => {
  const id = await newRun();
  const entry = {
    message_type: "ACTION",
    thought: 'é "✓" \ud83d \u0000',
    tool_name: "shell",
    tool_input: { text: "a\nb\\", list: [1.5, -2e30, null, true] },
    tool_output: { status: "completed", nested: { "": [] } },
    observation: { any: "thing" },
  };
  const batch = { entries: [entry, thinking, entry] };
  const escaped = JSON.stringify(batch).replaceAll("thought", "\\u0074hought").replaceAll("shell", "\\u0073hell");
  const bodies = [
    JSON.stringify(batch),
    JSON.stringify(batch, null, "\t"),
    `\r\n ${JSON.stringify(batch, null, 1)}\n`,
    escaped,
  ];
  for (const [index, body] of bodies.entries()) {
    const headers = { "content-type": "application/json" };
    assert.equal((await ask("POST", `/agent/run/${id}/logs`, { body, headers })).status, 200);
    const { json } = await ask("GET", `/agent/run/${id}/logs?skip=${index * 3}`);
    for (const [place, stored] of (json.logs as Record<string, unknown>[]).entries()) {
      const expected: Record<string, unknown> = batch.entries[place] ?? {};
      for (const [name, value] of Object.entries(expected)) assert.deepEqual(stored[name], value, name);
      const kept = await api.store.entries.find(api.home, id, index * 3 + place + 1);
      assert.ok(kept !== null && !/[\r\n]/.test(kept));
    }
  }
});

test("nesting and number of entries have limits, and of a name that occurs twice the last one counts", async () => {
  const id = await newRun();
  const post = (body: string) =>
    ask("POST", `/agent/run/${id}/logs`, { body, headers: { "content-type": "application/json" } });
  const batch = (depth: number, count = 1) => {
    const input = `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
    return `{"entries":[${Array(count).fill(`{"message_type":"USER_MESSAGE","tool_input":${input}}`).join(", ")}]}`;
  };
  assert.equal((await post(batch(61))).status, 200);
  const nested = await post(batch(62));
  assert.deepEqual([nested.status, nested.json.detail], [400, "The body is nested deeper than 64 levels."]);
  assert.equal((await post(batch(1, 1000))).status, 200);
  const many = await post(batch(1, 1001));
  assert.deepEqual([many.status, many.json.detail], [400, "entries: must have at most 1000 items"]);
});

test("an entry's numbers keep their digits, and a field that an object has twice is refused by its path", async () => {
  const id = await newRun();
  const post = (fields: string) =>
    ask("POST", `/agent/run/${id}/logs`, {
      body: `{"entries":[{${fields.includes("message_type") ? "" : '"message_type":"USER_MESSAGE",'}${fields}}]}`,
      headers: { "content-type": "application/json" },
    });
  const numbers = '{"id":107505301260286111,"trace":1764340679123456789,"a":[-1e400,-0,1E3,0.12345678901234567890]}';
  const long = `"text":"${"long ".repeat(1000)}"`;
  const action = `"message_type":"ACTION","tool_name":"x","tool_input":${numbers},"tool_output":{"a":${numbers},${long}}`;
  assert.equal((await post(`${action},"observation":${numbers}`)).status, 200);
  for (const path of ["/logs/1", "/logs?clip=100", "/logs?clip=200000", "/logs?reverse=true"]) {
    const { text } = await ask("GET", `/agent/run/${id}${path}`);
    assert.equal(text.split(numbers).length, 4, text);
  }
  const found = async (word: string) => (await ask("GET", `/agent/run/${id}/logs/search?q=${word}`)).json.matching_logs;
  assert.deepEqual(
    [await found("107505301260286111"), await found("1E3"), await found("107505301260286110")],
    [1, 1, 0],
  );
  const twice: [fields: string, path: unknown[]][] = [
    ['"thought":"a","thought" : "b"', ["body", "entries", 0, "thought"]],
    ['"observation":{"a":[{"b":1},{"c":1,"\\u0063":1}]}', ["body", "entries", 0, "observation", "a", 1, "c"]],
  ];
  for (const [fields, path] of twice) {
    const refused = await post(fields);
    assert.equal(refused.status, 400, fields);
    const [error] = refused.json.errors as { loc: unknown; msg: string }[];
    assert.deepEqual(error, {
      loc: path,
      msg: "is there twice in one object: one of the two would be lost",
      type: "json_invalid",
    });
  }
  for (const field of ["tool_input", "tool_output", "observation"]) {
    const refused = await post(`"${field}":1e400`);
    assert.deepEqual((refused.json.errors as { loc: unknown }[])[0]?.loc, ["body", "entries", 0, field]);
  }
  assert.equal((await ask("GET", `/agent/run/${id}`)).json.total_logs, 1);
});

test("an invalid entry is named by its index and field, and nothing of its batch is kept", async () => {
  const id = await newRun();
  const good = Array.from({ length: 17 }, () => thinking);
  const action = { message_type: "ACTION", tool_name: "shell", tool_input: {}, tool_output: {} };
  for (const [entry, field] of [
    [{ ...action, tool_name: null }, "tool_name"],
    [{ ...action, tool_name: "" }, "tool_name"],
    [{ ...action, tool_input: undefined }, "tool_input"],
    [{ ...action, tool_output: "text" }, "tool_output"],
    [{ ...action, observation: 7 }, "observation"],
    [{ ...action, created_at: "yesterday" }, "created_at"],
    [{ ...action, created_at: "2026-02-31T00:00:00Z" }, "created_at"],
    [{ ...action, created_at: "1999-12-31T23:59:59Z" }, "created_at"],
    [{ ...action, created_at: new Date(Date.now() + 90_000_000).toISOString() }, "created_at"],
    [{ message_type: "PLAN_EVALUATION" }, "thought"],
    [{ message_type: "ERROR", thought: "x" }, "observation"],
    [{ message_type: "FINAL_ANSWER" }, "observation"],
    [{ message_type: "constructor" }, "message_type"],
  ] as const) {
    const answered = await append(id, [...good, entry, thinking]);
    assert.equal(answered.status, 400, field);
    const [error] = answered.json.errors as { loc: unknown; msg: string }[];
    assert.deepEqual(error?.loc, ["body", "entries", 17, field]);
    assert.equal(answered.json.detail, `entries.17.${field}: ${error?.msg}`);
  }
  assert.equal((await ask("GET", `/agent/run/${id}`)).json.total_logs, 0);
});

test("a run never ends before it starts, and its header and timeline tell one duration, whatever the clock of its steps", async () => {
  const hour = 3_600_000;
  for (const [agesMs, isReportedAfterwards] of [
    [[0, 49_000], false],
    [[2 * hour, 3 * hour, hour], true],
    [[-hour], false],
    [[5 * hour, 10], false],
    [[], false],
  ] as const) {
    const id = await newRun();
    const now = Date.now();
    for (const age of agesMs) {
      const created_at = new Date(now - age).toISOString();
      const sent = { message_type: "ACTION", tool_name: "bash", tool_input: {}, tool_output: { duration_ms: 7 } };
      assert.equal((await append(id, [{ ...sent, created_at }])).status, 200);
    }
    const { json } = await report(id, { status: "completed" });
    const [from, to] = [Date.parse(String(json.started_at)), Date.parse(String(json.finished_at))];
    const ages = `${agesMs}`;
    assert.ok(from <= to, ages);
    if (agesMs.length > 0) assert.ok(from <= now - Math.max(...agesMs), ages);
    assert.equal(to < Date.parse(String(json.created_at)), isReportedAfterwards, ages);
    if (isReportedAfterwards) assert.equal(to, now - Math.min(...agesMs));
    const timeline = (await ask("GET", `/agent/run/${id}/logs/timeline`)).json;
    assert.deepEqual([timeline.from, timeline.to], [json.started_at, json.finished_at], ages);
  }
});

test("ten megabytes in one entry are kept whole, and more than 32 MB in one batch are refused", async () => {
  const id = await newRun();
  const output = "0123456789\n".repeat(950_000);
  const action = { message_type: "ACTION", tool_name: "shell", tool_input: {}, tool_output: { output } };
  assert.equal((await append(id, [thinking, action])).status, 200);
  const { json } = await ask("GET", `/agent/run/${id}/logs/2`);
  assert.ok((json.tool_output as { output: string }).output === output);
  assert.equal((await append(id, [action, action, action, action])).status, 413);
  assert.equal((await ask("GET", `/agent/run/${id}`)).json.total_logs, 2);
});

test("runs of other agents and ended runs accept no reports", async () => {
  const other = await api.run();
  assert.equal((await append(other.id, [thinking])).status, 409);
  assert.equal((await report(other.id, { status: "completed" })).status, 409);
  const id = await newRun();
  await report(id, { status: "waiting" });
  const early = await report(id, { status: "completed" });
  assert.deepEqual([early.status, early.json.detail], [409, "A run that is waiting cannot become completed."]);
  await report(id, { status: "running" });
  const ended = await report(id, { status: "completed", result: "All done", summary: "Done" });
  assert.deepEqual([ended.json.result, ended.json.summary], ["All done", "Done"]);
  assert.equal((await append(id, [thinking])).status, 409);
  assert.equal((await report(id, { status: "running" })).status, 409);
});

test("a person's message reopens an ended external run and a cancel ends it at once", async () => {
  const id = await newRun();
  await report(id, { status: "timed_out" });
  const resumed = await ask("POST", "/agent/run/resume", { body: { agent_run_id: id, prompt: "Go on" } });
  assert.deepEqual([resumed.json.status, resumed.json.total_logs], ["running", 1]);
  const cancelled = await ask("POST", `/agent/run/${id}/cancel`);
  assert.deepEqual([cancelled.json.status, cancelled.json.total_logs], ["cancelled", 2]);
});

test("a follower of an external run gets its entries and its end", async () => {
  const id = await newRun();
  await append(id, [thinking, thinking]);
  const following = ask("GET", `/agent/run/${id}/logs/stream`);
  await append(id, [thinking]);
  await report(id, { status: "completed" });
  const { text } = await following;
  assert.deepEqual(
    [...text.matchAll(/^event: (?:entry\nid: \d+|run|end)/gm)]
      .map(([event]) => event)
      .filter((event) => event.includes("id")),
    ["event: entry\nid: 1", "event: entry\nid: 2", "event: entry\nid: 3"],
  );
  assert.match(text, /event: end\nid: end-\d+\ndata: .*"status":"completed"/);
});

test("external is no agent of the engine, and its runs are in the list", async () => {
  const id = await newRun();
  const { json: agents } = await ask("GET", "/agents");
  assert.ok(!(agents.items as { id: string }[]).some((agent) => agent.id === "external"));
  const { json: runs } = await ask("GET", "/agent/runs?agent=external&limit=1");
  assert.equal((runs.items as { id: number }[])[0]?.id, id);
});
