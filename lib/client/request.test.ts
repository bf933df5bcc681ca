import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { ClientError, fieldMessages } from "./client-error.ts";
import { call, callTagged, type Transport } from "./request.ts";

function answering(response: Response) {
  const seen: { path: string; init: RequestInit }[] = [];
  const transport: Transport = async (path, init) => {
    seen.push({ path, init });
    return response;
  };
  return { seen, transport };
}

const problem = {
  type: "about:blank",
  title: "Invalid parameters",
  status: 400,
  detail: "prompt: must not be empty",
  instance: "/v1/x",
  request_id: "req_1",
  code: "invalid_parameters",
  message: "prompt: must not be empty",
  status_code: 400,
  errors: [
    { loc: ["body", "prompt"], msg: "must not be empty", type: "value_error" },
    { loc: ["body", "images", 0], msg: "must be a data URL", type: "value_error" },
    { loc: ["query", "skip"], msg: "must be a number", type: "value_error" },
  ],
};

test("a call goes to the operation's method and path with its query", async () => {
  const { seen, transport } = answering(Response.json({ items: [] }));
  await call("listRuns", { params: { org_id: 3 }, query: { status: "queued,running", limit: 50 } }, transport);
  assert.equal(seen[0]?.path, "/v1/organizations/3/agent/runs?status=queued%2Crunning&limit=50");
  assert.equal(seen[0]?.init.method, "GET");
  assert.equal(seen[0]?.init.body, undefined);
});

test("a body is sent as JSON", async () => {
  const { seen, transport } = answering(Response.json({ id: 1 }));
  await call("resumeRun", { params: { org_id: 3 }, body: { agent_run_id: 1, prompt: "go on" } }, transport);
  assert.equal(seen[0]?.init.body, '{"agent_run_id":1,"prompt":"go on"}');
  assert.deepEqual(seen[0]?.init.headers, { accept: "application/json", "content-type": "application/json" });
});

test("what was read has its ETag, which a change can name", async () => {
  const { seen, transport } = answering(Response.json({ rules: null }, { headers: { etag: 'W/"a"' } }));
  const read = await callTagged("getSettings", { params: { org_id: 3 } }, transport);
  assert.deepEqual(read, { rules: null, etag: 'W/"a"' });
  const untagged = answering(Response.json({ rules: "x" }));
  const change = { params: { org_id: 3 }, body: { rules: "x" }, ifMatch: read.etag };
  assert.deepEqual(await callTagged("changeSettings", change, untagged.transport), { rules: "x", etag: null });
  assert.equal(Object(untagged.seen[0]?.init.headers)["if-match"], 'W/"a"');
  assert.equal("if-match" in Object(seen[0]?.init.headers), false);
});

test("a response that is not JSON by contract is returned as text", async () => {
  const { transport } = answering(new Response("--- a\n+++ b\n"));
  assert.equal(await call("getDiff", { params: { org_id: 1, agent_run_id: 2 } }, transport), "--- a\n+++ b\n");
});

test("a problem becomes an error with code, detail, request id and fields", async () => {
  const { transport } = answering(Response.json(problem, { status: 400 }));
  await assert.rejects(call("getRun", { params: { org_id: 1, agent_run_id: 2 } }, transport), (error) => {
    assert.ok(error instanceof ClientError);
    assert.deepEqual(
      [error.code, error.message, error.requestId, error.status],
      ["invalid_parameters", "prompt: must not be empty", "req_1", 400],
    );
    assert.deepEqual(fieldMessages(error, ["prompt", "images"]), {
      prompt: "must not be empty",
      images: "must be a data URL",
      "": "query.skip: must be a number",
    });
    return true;
  });
});

test("a response from something other than the service is an error that says so", async () => {
  const page = new Response("<html>Bad gateway</html>", {
    status: 502,
    headers: { "x-request-id": "req_2", "retry-after": "3" },
  });
  await assert.rejects(
    call("getRun", { params: { org_id: 1, agent_run_id: 2 } }, answering(page).transport),
    (error) => {
      assert.ok(error instanceof ClientError);
      assert.deepEqual(
        [error.code, error.requestId, error.retryAfterMs, error.isTransient],
        ["unexpected_answer", "req_2", 3000, true],
      );
      return true;
    },
  );
});

const limited = (seconds: string) =>
  Response.json(
    { ...problem, status: 429, code: "rate_limited", detail: "Rate limit exceeded. Please try again later." },
    { status: 429, headers: { "retry-after": seconds } },
  );

/** A stand-in for the server that returns these responses in turn, while the test's clock advances. */
function serving(t: TestContext, answers: Response[]) {
  const asked: string[] = [];
  t.mock.timers.enable({ apis: ["setTimeout"] });
  t.mock.method(globalThis, "fetch", async (path: string, init: RequestInit) => {
    asked.push(`${init.method} ${path}`);
    return answers.shift() ?? Response.error();
  });
  const pass = async (ms: number) => {
    for (let turns = 0; turns < 20; turns += 1) await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    t.mock.timers.tick(ms);
  };
  return { asked, pass };
}

const runInput = { params: { org_id: 1, agent_run_id: 2 } };

test("a read that is rate-limited is repeated after Retry-After, up to three times", async (t) => {
  const { asked, pass } = serving(t, [limited("7"), limited("1"), Response.json({ id: 2 })]);
  const read = call("getRun", runInput);
  await pass(6_999);
  assert.equal(asked.length, 1);
  await pass(1);
  await pass(0);
  assert.equal(asked.length, 2);
  await pass(1_000);
  assert.equal((await read).id, 2);
  assert.equal(asked.length, 3);
});

test("a read that is refused repeatedly, or for long, says when to try again", async (t) => {
  const { asked, pass } = serving(t, [...Array.from({ length: 4 }, () => limited("1")), limited("3600")]);
  const read = assert.rejects(call("getRun", runInput), { message: "Rate limit exceeded. Try again in 1 second." });
  for (let repeats = 0; repeats < 4; repeats += 1) await pass(1_000);
  await read;
  assert.equal(asked.length, 4);
  await assert.rejects(call("getRun", runInput), {
    code: "rate_limited",
    retryAfterMs: 3_600_000,
    message: "Rate limit exceeded. Try again in 3600 seconds.",
  });
});

test("a change that is rate-limited is never repeated automatically", async (t) => {
  const { asked } = serving(t, [limited("7")]);
  const body = { agent_run_id: 1, prompt: "go on" };
  await assert.rejects(call("resumeRun", { params: { org_id: 3 }, body }), {
    message: "Rate limit exceeded. Try again in 7 seconds.",
  });
  assert.equal(asked.length, 1);
});

test("a caller that gives up while a read waits is not kept waiting", async (t) => {
  const { asked, pass } = serving(t, [limited("7")]);
  const leaving = new AbortController();
  const read = assert.rejects(call("getRun", { ...runInput, signal: leaving.signal }), { name: "AbortError" });
  await pass(1_000);
  leaving.abort();
  await read;
  await pass(60_000);
  assert.equal(asked.length, 1);
});

test("an unreachable server is distinguished from a caller that gave up", async () => {
  const down: Transport = async () => {
    throw new TypeError("fetch failed");
  };
  const input = { params: { org_id: 1, agent_run_id: 2 } };
  await assert.rejects(call("getRun", input, down), { code: "unreachable" });
  const givenUp = new AbortController();
  givenUp.abort();
  await assert.rejects(call("getRun", { ...input, signal: givenUp.signal }, down), { name: "TypeError" });
});
