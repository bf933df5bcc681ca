import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { dispatchOver } from "#lib/web/api.ts";
import { ApiUnderTest } from "#lib/web/api-under-test.ts";
import { O, read, share } from "#lib/web/shared-run.fixture.ts";

let api: ApiUnderTest;
let token: string;
before(async () => {
  api = await ApiUnderTest.open();
  token = await api.token("owner");
});
after(() => api.close());

/** None of these is a JavaScript number. */
const numbers = '{"id":107505301260286111,"ns":1764340679123456789,"more":[-1e400,-0,1E3,0.12345678901234567890]}';
const json = { "content-type": "application/json" };

const post = (path: string, body: string) => api.ask("POST", `${O}${path}`, { token, body, headers: json });
const get = async (path: string) => (await api.ask("GET", `${O}${path}`, { token })).text;

/** How often a text has these numbers, digit for digit. */
const count = (text: string) => text.split(numbers).length - 1;
/** That of indented JSON, of JSON in JSON, and of JSON in HTML. */
const countOf = (text: string) =>
  count(
    text
      .replaceAll("&quot;", '"')
      .replaceAll("\\", "")
      .replace(/(?<=[[\]{},:"\d])\s+(?=[[\]{}"\d-])/g, ""),
  );

async function reported(metadata: string, entry: string): Promise<number> {
  const made = await post("/agent/run", `{"prompt":"Count","agent":"external","metadata":${metadata}}`);
  assert.equal(made.status, 200, made.text);
  assert.equal(count(made.text), metadata === "{}" ? 0 : 1);
  const id = Number(made.json.id);
  const sent = await post(`/agent/run/${id}/logs`, `{"entries":[${entry}]}`);
  assert.equal(sent.status, 200, sent.text);
  return id;
}

const action = `{"message_type":"ACTION","tool_name":"mcp__store__get","tool_input":${numbers},"tool_output":{"rows":[${numbers}]},"observation":${numbers}}`;

test("numbers of metadata and entries have their digits in every response, file, stream and link", async () => {
  const id = await reported(numbers, action);
  assert.equal(count(await get(`/agent/run/${id}`)), 1);
  assert.equal(count(await get("/agent/runs")), 1);
  assert.equal(count(await get("/agent/runs?fields=metadata")), 1);
  for (const path of ["/logs", "/logs?clip=50000"]) {
    assert.equal(count(await get(`/agent/run/${id}${path}`)), 4, "with those of the run");
  }
  assert.equal(count(await get(`/agent/run/${id}/logs/1`)), 3);
  for (const [format, times] of [
    ["json", 4],
    ["markdown", 3],
    ["html", 3],
  ] as const) {
    const { status, text } = await api.ask("GET", `${O}/agent/run/${id}/export?format=${format}`, { token });
    assert.equal(status, 200, text);
    assert.equal(countOf(text), times, `${format}: ${text.slice(0, 4000)}`);
  }
  const open = await share(api, id, { outputs: true });
  assert.equal(count((await read(api, open.token, "/logs")).text), 3);
  assert.equal(count((await read(api, open.token, "/logs/1")).text), 3);
  assert.equal(count(await firstOf(`${O}/agent/run/${id}/logs/stream`)), 4, "with those of the run");
  assert.equal(count(await firstOf(`/v1/shares/${open.token}/logs/stream`)), 3);
});

/** The text of a stream up to its first entry. */
async function firstOf(path: string): Promise<string> {
  const gone = new AbortController();
  const headers: Record<string, string> = path.startsWith(O) ? { authorization: `Bearer ${token}` } : {};
  const { body } = await dispatchOver(api.api)(
    new Request(`http://errand.test${path}`, { signal: gone.signal, headers }),
  );
  assert.ok(body !== null);
  let text = "";
  for await (const part of body.pipeThrough(new TextDecoderStream())) {
    text += part;
    if (text.includes("tool_input")) break;
  }
  gone.abort();
  return text;
}

test("a report of progress or a changed run changes no digit of its metadata", async () => {
  const id = await reported(numbers, '{"message_type":"PLAN_EVALUATION","thought":"first"}');
  const { status, text } = await api.ask("PATCH", `${O}/agent/run/${id}`, { token, body: { status: "completed" } });
  assert.equal(status, 200, text);
  assert.equal(count(text), 1);
  assert.equal(count(await get(`/agent/run/${id}`)), 1);
});

test("a line of Claude Code keeps its digits, as an object and as a text", async () => {
  for (const isText of [false, true]) {
    const sessionId = randomUUID();
    const opened = await post("/claude_code/session", JSON.stringify({ session_id: sessionId }));
    const id = Number(opened.json.agent_run_id);
    const line = (content: string, type: string) =>
      `{"type":"${type}","uuid":"${randomUUID()}","message":{"id":"${randomUUID()}","role":"${type}","content":[${content}]}}`;
    const lines = [
      line(`{"type":"tool_use","id":"t","name":"mcp__store__get","input":${numbers}}`, "assistant"),
      line(`{"type":"tool_result","tool_use_id":"t","content":${JSON.stringify(numbers)}}`, "user"),
    ];
    for (const one of lines) {
      const sent = await post(`/claude_code/session/${sessionId}/log`, `{"log":${isText ? JSON.stringify(one) : one}}`);
      assert.equal(sent.status, 200, sent.text);
    }
    const logs = await get(`/agent/run/${id}/logs`);
    assert.equal(count(logs), 1, logs);
    assert.equal(countOf(logs), 2, logs);
  }
});
