import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Answered, ApiUnderTest } from "./api-under-test.ts";

let api: ApiUnderTest;
before(async () => {
  api = await ApiUnderTest.open();
});
after(() => api.close());

const O = "/v1/organizations/1";
const locsOf = ({ json }: Answered) => (json.errors as { loc: unknown[] }[]).map(({ loc }) => loc);

async function externalRun(token: string): Promise<number> {
  const { json } = await api.ask("POST", `${O}/agent/run`, { token, body: { prompt: "Elsewhere", agent: "external" } });
  return Number(json.id);
}

test("a status may be reported in the reference service's words too, whatever the token's own style", async () => {
  const words = {
    running: "ACTIVE",
    waiting: "PAUSED",
    evaluating: "EVALUATION",
    completed: "COMPLETE",
    failed: "FAILED",
    cancelled: "CANCELLED",
    timed_out: "TIMEOUT",
    max_turns_reached: "MAX_ITERATIONS_REACHED",
    out_of_tokens: "OUT_OF_TOKENS",
  };
  for (const style of ["reference", "errand"] as const) {
    const token = await api.token("owner", { style });
    for (const [own, reference] of Object.entries(words)) {
      const path = `${O}/agent/run/${await externalRun(token)}`;
      if (own === "running") await api.ask("PATCH", path, { token, body: { status: "waiting" } });
      const answered = await api.ask("PATCH", path, { token, body: { status: reference } });
      assert.equal(answered.status, 200, answered.text);
      assert.equal(answered.json.status, style === "reference" ? reference : own);
      const filtered = await api.ask("GET", `${O}/agent/runs?status=${reference}&limit=1`, { token });
      assert.equal((filtered.json.items as { id: number }[])[0]?.id, answered.json.id);
    }
    const path = `${O}/agent/run/${await externalRun(token)}`;
    for (const status of ["PENDING", "complete", "ERROR"]) {
      const refused = await api.ask("PATCH", path, { token, body: { status } });
      assert.equal(refused.status, 400);
      assert.deepEqual(locsOf(refused), [["body", "status"]]);
    }
  }
});

test("page together with skip is refused, naming both", async () => {
  const token = await api.token();
  for (const list of ["agent/runs", "repos", "users", "tokens"]) {
    const refused = await api.ask("GET", `${O}/${list}?page=1&size=5&skip=3`, { token });
    assert.equal(refused.status, 400, list);
    assert.deepEqual(locsOf(refused), [
      ["query", "page"],
      ["query", "skip"],
    ]);
    assert.equal((await api.ask("GET", `${O}/${list}?page=1&size=5`, { token })).status, 200);
  }
});

test("a number of any length is refused with its bound", async () => {
  const token = await api.token();
  const told = async (method: string, path: string, body?: unknown) => {
    const answered = await api.ask(method, path, { token, body });
    assert.equal(answered.status, 400);
    return answered.json.detail;
  };
  const digits = "12345678901234567890";
  const ofId = "must be at most 9007199254740991";
  assert.equal(await told("GET", `${O}/agent/run/${digits}`), `agent_run_id: ${ofId}`);
  assert.equal(await told("GET", `/v1/organizations/${"9".repeat(400)}/agents`), `org_id: ${ofId}`);
  assert.equal(await told("GET", `${O}/agent/run/-${digits}`), "agent_run_id: must be at least 1");
  assert.equal(await told("GET", `${O}/agent/runs?limit=${digits}`), "limit: must be at most 100");
  assert.equal(await told("GET", `${O}/agent/runs?limit=1e3`), "limit: must be a whole number");
  const body = `{"prompt":"a","repo_id":${digits}}`;
  const inBody = await api.ask("POST", `${O}/agent/run`, {
    token,
    body,
    headers: { "content-type": "application/json" },
  });
  assert.equal(inBody.json.detail, `repo_id: ${ofId}`);
});

test("the key __proto__ is kept wherever any JSON object is accepted", async () => {
  const token = await api.token();
  const headers = { "content-type": "application/json" };
  const object = '{"__proto__":{"a":1},"deep":[{"__proto__":2,"constructor":3}]}';
  const created = await api.ask("POST", `${O}/agent/run`, {
    token,
    headers,
    body: `{"prompt":"a","agent":"external","metadata":${object}}`,
  });
  assert.equal(created.status, 200, created.text);
  const path = `${O}/agent/run/${created.json.id}`;
  for (const text of [created.text, (await api.ask("GET", path, { token })).text]) {
    assert.ok(text.includes(`"metadata":${object}`), text);
  }
  const entry = `{"message_type":"ACTION","tool_name":"x","tool_input":${object},"tool_output":${object},"observation":${object}}`;
  for (const body of [`{"entries":[${entry}]}`, `{\n"entries":[\n${entry}\n]}`]) {
    const appended = await api.ask("POST", `${path}/logs`, { token, headers, body });
    assert.equal(appended.status, 200, appended.text);
  }
  for (const query of ["", "?clip=10"]) {
    const { json, text } = await api.ask("GET", `${path}/logs${query}`, { token });
    assert.equal((json.logs as unknown[]).length, 2);
    assert.equal(text.split(object).length - 1, 7, text);
  }
});

test("required text is not empty; text that tools may leave out may be", async () => {
  const token = await api.token();
  const path = `${O}/agent/run/${await externalRun(token)}/logs`;
  const append = (...entries: object[]) => api.ask("POST", path, { token, body: { entries } });
  const action = { message_type: "ACTION", tool_name: "shell", tool_input: {}, tool_output: {} };
  const lacking: [object, string][] = [
    [{ ...action, tool_name: "" }, "tool_name"],
    [{ message_type: "PLAN_EVALUATION", thought: "" }, "thought"],
    [{ message_type: "ERROR", observation: "" }, "observation"],
    [{ message_type: "FINAL_ANSWER", observation: "" }, "observation"],
  ];
  for (const [entry, field] of lacking) {
    const refused = await append(action, entry);
    assert.equal(refused.status, 400, JSON.stringify(entry));
    assert.deepEqual(locsOf(refused), [["body", "entries", 1, field]]);
  }
  const taken = await append(
    { ...action, thought: "", observation: "" },
    { message_type: "USER_MESSAGE", observation: "" },
    { message_type: "ERROR", observation: {} },
    { message_type: "PLAN_EVALUATION", thought: " " },
  );
  assert.equal(taken.status, 200, taken.text);
});

test("all unknown fields of a body are named; those that the reference service knows are ignored", async () => {
  const token = await api.token();
  const create = (body: object) => api.ask("POST", `${O}/agent/run`, { token, body: { prompt: "a", ...body } });
  const refused = await create({ repoid: 1, metadata: { anything: 1 }, base_brnch: "x" });
  assert.equal(refused.status, 400);
  assert.deepEqual(locsOf(refused), [
    ["body", "repoid"],
    ["body", "base_brnch"],
  ]);
  assert.match(String(refused.json.detail), /^repoid: is not a known field; known fields: prompt, repo_id, /);
  assert.equal((await create({ metadata: { anything: 1 }, agent_type: null, webhooks: [] })).status, 200);

  const id = await externalRun(token);
  const entry = { message_type: "PLAN_EVALUATION", thought: "Hm" };
  const append = (body: object) => api.ask("POST", `${O}/agent/run/${id}/logs`, { token, body });
  const nested = await append({ entries: [entry, { ...entry, tool_outputs: {} }] });
  assert.deepEqual(locsOf(nested), [["body", "entries", 1, "tool_outputs"]]);
  assert.deepEqual(locsOf(await append({ entries: [entry], more: 1 })), [["body", "more"]]);
  assert.equal((await append({ entries: [{ ...entry, seq: 7, agent_run_id: 3 }] })).status, 200);

  const stop = { agent_run_id: id, before_card_order_id: "a", after_card_order_id: null };
  const stopped = await api.ask("POST", "/v1/beta/organizations/1/agent/run/stop", { token, body: stop });
  assert.equal(stopped.status, 200, stopped.text);
});

test("an unknown parameter is refused by its name", async () => {
  const token = await api.token();
  const cases: [string, unknown[][]][] = [
    ["/agent/runs?stauts=failed", [["query", "stauts"]]],
    [
      "/agent/runs?LIMIT=5&limit[]=5&limit=5",
      [
        ["query", "LIMIT"],
        ["query", "limit[]"],
      ],
    ],
    ["/agent/runs?cursor", [["query", "cursor"]]],
    ["/users/1?expand=role", [["query", "expand"]]],
    ["/agent/runs?__proto__=1", [["query", "__proto__"]]],
  ];
  for (const [path, locs] of cases) {
    const refused = await api.ask("GET", `${O}${path}`, { token });
    assert.deepEqual([refused.status, refused.status === 400 && locsOf(refused)], [400, locs], path);
  }
  const { json } = await api.ask("GET", `${O}/agent/runs?stauts=failed`, { token });
  assert.match(String(json.detail), /^stauts: is not a known parameter; known parameters: .*status, repo_id/);
  // Whoever looks whether the service is well adds what they like.
  assert.equal((await api.ask("GET", "/healthz?at=1")).status, 200);
});

test("what a client of the reference service sends besides is ignored and named, there alone", async () => {
  const reference = await api.token("owner", { style: "reference" });
  const body = { prompt: "hi", context: { a: 1 }, metadata: {}, "naïve\n": 1 };
  const made = await api.ask("POST", `${O}/agent/run?trace=1`, { token: reference, body });
  assert.equal(made.status, 200, made.text);
  assert.equal(made.headers.get("x-errand-ignored"), "trace, context, na%C3%AFve%0A");
  const listed = await api.ask("GET", `${O}/agent/runs?order=desc`, { token: reference });
  assert.deepEqual([listed.status, listed.headers.get("x-errand-ignored")], [200, "order"]);
  const plain = await api.ask("GET", `${O}/agent/runs`, { token: reference });
  assert.equal(plain.headers.get("x-errand-ignored"), null);
  const wrong = await api.ask("POST", `${O}/agent/run`, { token: reference, body: { prompt: 7, context: 1 } });
  assert.deepEqual([wrong.status, locsOf(wrong)], [400, [["body", "prompt"]]]);
  // Errand's own operations are strict with everybody.
  const own = await api.ask("GET", `${O}/search?q=a&order=desc`, { token: reference });
  assert.deepEqual([own.status, locsOf(own)], [400, [["query", "order"]]]);
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`field${index}`, 0]));
  const long = await api.ask("POST", `${O}/agent/run`, { token: reference, body: { prompt: "a", ...many } });
  assert.equal(long.status, 200);
  assert.ok((long.headers.get("x-errand-ignored") ?? "").startsWith("field0, field1, "));
  const wide = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${"語".repeat(500)}${index}`, 0]));
  const cut = await api.ask("POST", `${O}/agent/run?=1`, { token: reference, body: { prompt: "a", ...wide } });
  const said = cut.headers.get("x-errand-ignored") ?? "";
  assert.ok(said.length > 500 && said.length <= 2000, String(said.length));
  assert.match(said, /^(%E8%AA%9E){63}%E2%80%A6, /);
  const strict = await api.ask("POST", `${O}/agent/run`, { token: await api.token(), body: { prompt: "a", ...wide } });
  assert.deepEqual([strict.status, locsOf(strict)[0]], [400, ["body", `${"語".repeat(63)}…`]]);
});

test("of many invalid fields the first hundred are named", async () => {
  const token = await api.token();
  const unknown = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`field${index}`, 0]));
  const stranger = await api.ask("POST", "/v1/session", { body: unknown });
  const path = `${O}/agent/run/${await externalRun(token)}/logs`;
  const entries = await api.ask("POST", path, { token, body: { entries: Array(500).fill({ a: 0 }) } });
  const wrong = await api.ask("POST", path, { token, body: { entries: Array(500).fill({ message_type: "X" }) } });
  for (const answered of [stranger, entries, wrong]) {
    assert.equal(answered.status, 400);
    assert.equal(locsOf(answered).length, 100);
  }
});

test("numbers in metadata keep their digits, and runs are found by them", async () => {
  const token = await api.token();
  const post = (metadata: string) =>
    api.ask("POST", "/v1/organizations/1/agent/run", {
      token,
      body: `{"prompt":"a","agent":"external","metadata":${metadata}}`,
      headers: { "content-type": "application/json" },
    });
  const kept = '{"order":107505301260286111,"a":[9007199254740993,-9007199254740991,0.5,{"b":1e400,"c":-0}]}';
  const { json: run, text } = await post(kept);
  assert.ok(text.includes(`"metadata":${kept}`), text);
  const get = (path: string) => api.ask("GET", `/v1/organizations/1${path}`, { token });
  assert.ok((await get(`/agent/run/${run.id}`)).text.includes(`"metadata":${kept}`));
  const found = await get("/agent/runs?metadata=order%3D107505301260286111");
  assert.equal(found.json.total, 1);
  assert.ok(found.text.includes(`"metadata":${kept}`), found.text);
  assert.equal((await get("/agent/runs?metadata=order%3D107505301260286110")).json.total, 0);
});
