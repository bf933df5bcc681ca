import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fieldsOf } from "#lib/contract/json-fields.ts";
import { tracesFolder } from "#lib/entry/trace-converter/convert-trace.fixture.ts";
import { ApiUnderTest, type Asked } from "#lib/web/api-under-test.ts";

let api: ApiUnderTest;
let token: string;
const O = "/v1/organizations/1";
const sessions = `${O}/claude_code/session`;

before(async () => {
  api = await ApiUnderTest.open();
  token = await api.token();
});
after(() => api.close());

const post = (path: string, body: unknown, asked: Asked = {}) => api.ask("POST", path, { token, body, ...asked });
const get = async (path: string) => (await api.ask("GET", `${O}${path}`, { token })).json;

async function open(sessionId: string = randomUUID()) {
  const opened = await post(sessions, { session_id: sessionId });
  assert.equal(opened.status, 200, opened.text);
  const id = Number(opened.json.agent_run_id);
  return {
    id,
    sessionId,
    log: (log: unknown) => post(`${sessions}/${sessionId}/log`, { log }),
    report: (status: string) => post(`${sessions}/${sessionId}/status`, { status }),
    run: () => get(`/agent/run/${id}`),
    entries: async () => (await get(`/agent/run/${id}/logs`)).logs as Record<string, unknown>[],
  };
}

const user = (content: unknown) => ({ type: "user", uuid: randomUUID(), message: { role: "user", content } });
const says = (text: string, more: object = {}) => ({
  type: "assistant",
  uuid: randomUUID(),
  message: {
    id: randomUUID(),
    role: "assistant",
    model: "claude-opus-4-6",
    content: [{ type: "text", text }],
    ...more,
  },
});
const calls = (id: string) => ({
  ...says(""),
  message: { content: [{ type: "tool_use", id, name: "Bash", input: {} }] },
});
const results = (id: string) => user([{ type: "tool_result", tool_use_id: id, content: "done" }]);

test("what a client of the reference service sends becomes a live run of source_type LOCAL", async () => {
  const session = await open();
  assert.deepEqual((await post(sessions, { session_id: session.sessionId.toUpperCase() })).json, {
    agent_run_id: session.id,
  });
  assert.deepEqual(
    await session.run().then(({ status, source_type, agent, prompt }) => [status, source_type, agent, prompt]),
    ["running", "LOCAL", "external", "Claude Code session"],
  );
  assert.equal((await session.report("ACTIVE")).status, 200);
  await session.log(user("Fix the build"));
  await session.log(says("Done.", { usage: { input_tokens: 3, cache_read_input_tokens: 100, output_tokens: 20 } }));
  assert.deepEqual((await session.report("COMPLETE")).json, { agent_run_id: session.id, status: "completed" });
  const { status, prompt, result, tokens, model, turns, total_logs } = await session.run();
  assert.deepEqual(
    [status, prompt, result, tokens, model, turns, total_logs],
    ["completed", "Fix the build", "Done.", { input: 103, output: 20, total: 123 }, "claude-opus-4-6", 1, 2],
  );
});

test("a line is taken as an object or as its text; one that is no JSON object is kept and left out with a reason", async () => {
  const session = await open();
  const line = user("Go");
  assert.deepEqual((await session.log(JSON.stringify(line))).json, {
    agent_run_id: session.id,
    duplicate: false,
    first_seq: 1,
    last_seq: 1,
    left_out: null,
  });
  const again = await session.log(line);
  assert.deepEqual([again.status, again.json.duplicate, again.json.first_seq], [200, true, 1]);
  const glued = `${JSON.stringify(user("a"))}${JSON.stringify(user("b"))}`;
  const deep = `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`;
  for (const text of ["not JSON", "", "[1]", "5", glued, deep]) {
    const { status, json } = await session.log(text);
    assert.deepEqual([status, json.first_seq], [200, null], text.slice(0, 50));
    assert.match(String(json.left_out), /not a JSON object/);
  }
  assert.match(String((await session.log({ type: "of tomorrow", uuid: 7 })).json.left_out), /not known/);
  const kept = await get(`/claude_code/session/${session.sessionId}`);
  assert.deepEqual(
    [kept.lines, kept.left_out, kept.agent_run_id, kept.web_url],
    [
      8,
      [
        { reason: "it is not a JSON object, or nested too deeply", lines: 6 },
        { reason: "its type is not known", lines: 1 },
      ],
      session.id,
      `http://errand.test/runs/${session.id}`,
    ],
  );
  for (const log of [5, null, ["a"], true]) {
    const { status, json } = await session.log(log);
    assert.deepEqual([status, String(json.detail).startsWith("log: must be")], [400, true]);
  }
});

test("lines of many megabytes are kept whole, and what is larger is refused", async () => {
  const session = await open();
  const data = "iVBORw0K".repeat(400_000);
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data } };
  await session.log(calls("a"));
  assert.equal((await session.log(user([{ type: "tool_result", tool_use_id: "a", content: [image] }]))).status, 200);
  const [entry] = await session.entries();
  assert.deepEqual(fieldsOf(entry?.tool_output).content, [image]);
  const huge = await session.log({ ...user("x"), filler: "x".repeat(33 * 1024 * 1024) });
  assert.equal(huge.status, 413);
  assert.equal((await session.run()).total_logs, 1);
});

test("an image among the agent's words is kept", async () => {
  const session = await open();
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0K" } };
  const line = says("Here it is.");
  await session.log({ ...line, message: { ...line.message, content: [...line.message.content, image] } });
  await session.report("COMPLETE");
  const entries = await session.entries();
  assert.deepEqual(
    entries.map(({ message_type, thought, observation }) => [message_type, thought, observation]),
    [
      ["PLAN_EVALUATION", "An image.", { content: [image] }],
      ["FINAL_ANSWER", null, "Here it is."],
    ],
  );
});

test("only its person may post to a session, and to another organization it does not exist", async () => {
  const session = await open();
  const colleague = await api.token("member", { access: (await api.member("member")).access });
  const viewer = await api.token("viewer");
  const stranger = await api.token("owner", { access: api.other });
  const there = `/v1/organizations/2/claude_code/session`;
  for (const [by, base, status] of [
    [colleague, sessions, 403],
    [viewer, sessions, 403],
    [stranger, sessions, 403],
    [stranger, there, 404],
  ] as const) {
    const path = `${base}/${session.sessionId}`;
    assert.equal((await post(`${path}/log`, { log: user("x") }, { token: by })).status, status);
    assert.equal((await post(`${path}/status`, { status: "COMPLETE" }, { token: by })).status, status);
  }
  assert.equal((await post(sessions, { session_id: session.sessionId }, { token: colleague })).status, 403);
  assert.equal((await session.run()).total_logs, 0);
  // The same id in another organization is another session.
  const other = await post(there, { session_id: session.sessionId }, { token: stranger });
  assert.deepEqual([other.status, other.json.agent_run_id === session.id], [200, false]);
  for (const bad of ["x", "", 5, null, "0e0f7a2e-6f1b-4c2b-8a54-2f7f5b8d9c1"]) {
    assert.equal((await post(sessions, { session_id: bad })).status, 400);
  }
  assert.equal((await post(`${sessions}/${session.sessionId}/status`, { status: "DONE" })).status, 400);
});

test("COMPLETE waits for the results of calls that are on their way", async () => {
  const session = await open();
  await session.log(calls("a"));
  const ending = session.report("COMPLETE");
  await session.log(results("a"));
  assert.equal((await ending).json.status, "completed");
  await session.log(says("All done."));
  const entries = await session.entries();
  assert.deepEqual(
    entries.map(({ message_type, tool_output, observation }) => [
      message_type,
      fieldsOf(tool_output).text ?? observation,
    ]),
    [
      ["ACTION", "done"],
      ["FINAL_ANSWER", "All done."],
    ],
  );
  const { status, result } = await session.run();
  assert.deepEqual([status, result], ["completed", "All done."]);
});

test("a terminal that dies without notice does not leave its run at work forever", async () => {
  const session = await open();
  await session.log(user("Fix it"));
  await session.log(says("I look."));
  assert.ok((await api.store.claudeSessions.endSilent(0)).includes(session.id));
  const ended = await session.run();
  assert.deepEqual([ended.status, ended.result], ["timed_out", "I look."]);
  const last = fieldsOf((await session.entries()).at(-1));
  assert.deepEqual([last.message_type, fieldsOf(last.observation).code], ["ERROR", "session_silent"]);
  const told = () => get(`/claude_code/session/${session.sessionId}`);
  const { status, heard_at: heardAt, silent_since: silentSince } = await told();
  assert.deepEqual([status, String(heardAt) <= String(silentSince)], ["ACTIVE", true]);
  // The terminal was only asleep.
  await session.log(calls("a"));
  assert.deepEqual([(await session.run()).status, (await told()).silent_since], ["running", null]);
  await session.log(results("a"));
  await session.log(says("Done."));
  await session.report("COMPLETE");
  const done = await session.run();
  assert.deepEqual([done.status, done.result, done.turns], ["completed", "Done.", 1]);
});

test("a follower of a session gets its entries, its prompt and its end", async () => {
  const session = await open();
  const following = api.ask("GET", `${O}/agent/run/${session.id}/logs/stream`, { token });
  await session.log(user("Fix it"));
  await session.log(calls("a"));
  await session.log(results("a"));
  await session.report("COMPLETE");
  const { text } = await following;
  assert.deepEqual(
    [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => id),
    ["1", "2"],
  );
  assert.match(text, /event: run\ndata: .*"prompt":"Fix it"/);
  assert.match(text, /event: end\nid: end-\d+\ndata: .*"status":"completed"/);
});

test("recorded sessions, posted line by line, have an entry for each call, in order, with none left out", async (t) => {
  const folder = tracesFolder();
  if (folder === null) return t.skip("no recorded traces beside this checkout (../shared/traces)");
  const oracle = fieldsOf(JSON.parse(readFileSync(join(folder, "ORACLE.json"), "utf8")));
  for (const name of [
    "v1.0.108-sidechains",
    "v1.0.51-interrupted-permission",
    "v2.1.123-small",
    "v2.1.50-image-errors",
  ]) {
    const session = await open();
    const expected = fieldsOf(oracle[`dev/claude-code/${name}.jsonl`]);
    const lines: string[] = readFileSync(join(folder, "claude-code", `${name}.jsonl`), "utf8")
      .trim()
      .split("\n");
    for (const line of lines) assert.equal((await session.log(line)).status, 200);
    await session.report("COMPLETE");
    const run = await session.run();
    const { logs } = await get(`/agent/run/${session.id}/logs?message_type=ACTION`);
    assert.equal((logs as unknown[]).length, expected.tool_calls, name);
    assert.equal(fieldsOf(run.tokens).output, expected.output_tokens_sum_of_max_per_message_id, name);
    const last = String(expected.last_assistant_text);
    assert.ok(String(run.result).startsWith(last.slice(0, 100)), `${name}: ${run.result}`);
    assert.ok(
      String(run.finished_at) <= String(expected.last_ts),
      `${name}: it ended when it did, not when it was posted`,
    );
  }
});
