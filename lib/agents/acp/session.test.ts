import assert from "node:assert/strict";
import { test } from "node:test";
import { never, observed, start, startProblem, until } from "./driver-under-test.fixture.ts";

test("a run continues by resume, else by load without its replay, else in a new session with a summary", async (t) => {
  const { states, turn } = await start(t, { resume: "ok", load: "ok" });
  await turn("hello");
  const state = states.at(-1) ?? {};
  const again = async (scenario: Record<string, unknown>) => {
    const next = await start(t, scenario, { state }, 2);
    const { all, types } = await next.turn("BLOCKS");
    assert.deepEqual(types, ["USER_MESSAGE", "FINAL_ANSWER"]);
    assert.equal(all[0]?.observation, "BLOCKS");
    return { origin: all[0]?.tool_input ?? {}, answer: String(all[1]?.observation) };
  };
  assert.deepEqual((await again({ resume: "ok", load: "ok" })).origin, { turn: 2, session: "resumed" });
  assert.deepEqual((await again({ load: "ok" })).origin, { turn: 2, session: "loaded" });
  assert.deepEqual((await again({ load: "ok", replayAfterAnswer: true })).origin, { turn: 2, session: "loaded" });
  const fallback = await again({ resume: "fails", load: "ok" });
  assert.equal(fallback.origin.session, "loaded");
  assert.match(String(fallback.origin.notice), /session\/resume: no such session: \[left out\]/);
  const seeded = await again({ resume: "fails", load: "fails" });
  assert.equal(seeded.origin.session, "seeded");
  assert.match(String(seeded.origin.notice), /nothing to load.*summary/);
  assert.match(seeded.answer, /what was done/);
  assert.equal((await again({})).origin.session, "seeded");
});

test("a session of another agent is not loaded, but its usage is kept", async (t) => {
  const state = {
    agent: "other",
    agent_version: null,
    session_id: "s",
    cwd: "/",
    model: null,
    tokens: { input: 1, output: 1, total: 2 },
    cost_usd: 1,
    session_cost_usd: 1,
  };
  const { turn, figures } = await start(t, { resume: "ok" }, { state });
  const { all } = await turn("hello");
  assert.match(String(all[0]?.tool_input?.notice), /another agent/);
  assert.deepEqual(figures.at(-1), { tokens: { input: 11, output: 3, total: 14 }, costUsd: 1 });
});

test("an unreadable state leads to a new session that says so", async (t) => {
  const { turn } = await start(t, { resume: "ok" }, { state: { session: 1 } });
  const { all } = await turn("BLOCKS");
  assert.equal(all[0]?.tool_input?.session, "seeded");
  assert.match(String(all[0]?.tool_input?.notice), /cannot be read/);
});

test("a model is chosen by id or name, in either of the protocol's ways", async (t) => {
  for (const models of ["config", "legacy"]) {
    const { turn } = await start(t, { models }, { model: "LARGE" });
    const { result } = await turn("BLOCKS");
    assert.match(result ?? "", models === "config" ? /"model=large"/ : /"model:large"/);
    const other = await turn("BLOCKS", never, [], "small");
    assert.match(other.result ?? "", models === "config" ? /"model=small"/ : /"model:small"/);
    const unknown = await turn("BLOCKS", never, [], "huge");
    assert.equal(unknown.status, "failed");
    assert.deepEqual(observed(unknown.all.at(-1)).data, { available: ["small", "large"] });
  }
});

test("a turn whose agent does not answer when its model is to change can be cancelled, and fails after a while", async (t) => {
  const { turn } = await start(t, { models: "legacy", keepsModel: true });
  const cancelling = new AbortController();
  const cancelled = turn("hello", cancelling.signal, [], "large");
  cancelling.abort();
  assert.equal((await cancelled).status, "cancelled");
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let isOver = false;
  const waiting = turn("hello", never, [], "large").finally(() => {
    isOver = true;
  });
  await until(() => {
    t.mock.timers.tick(1000);
    return isOver;
  });
  t.mock.timers.reset();
  const { status, all, types } = await waiting;
  assert.equal(status, "failed");
  assert.deepEqual(types, ["USER_MESSAGE", "ERROR"]);
  assert.equal(observed(all.at(-1)).message, "Scripted did not change its model within 10 s.");
});

test("an unknown model is an ERROR that lists the known ones", async (t) => {
  const { message } = await startProblem(t, { models: "config" }, { model: "huge" });
  assert.equal(message, 'Scripted has no model "huge". Available models: small, large.');
  assert.match((await startProblem(t, {}, { model: "huge" })).message, /It offers no choice of models/);
});

test("MCP servers are passed in every way to open a session, and only to an agent that supports them over HTTP", async (t) => {
  const mcpServers = [
    { name: "docs", url: "https://mcp.example/mcp", headers: { Authorization: "Bearer s3cret-value" } },
  ];
  const given = [
    {
      type: "http",
      name: "docs",
      url: "https://mcp.example/mcp",
      headers: [{ name: "Authorization", value: "Bearer s3cret-value" }],
    },
  ];
  const first = await start(t, { mcpHttp: true, resume: "ok" }, { mcpServers });
  const { result, all } = await first.turn("SERVERS");
  assert.deepEqual(JSON.parse(result ?? ""), given);
  assert.equal(all[0]?.tool_input?.notice, undefined);
  const state = first.states.at(-1) ?? {};
  assert.ok(!JSON.stringify(first.states).includes("s3cret"));
  for (const scenario of [{ resume: "ok" }, { load: "ok" }]) {
    const next = await start(t, { mcpHttp: true, ...scenario }, { mcpServers, state }, 2);
    assert.deepEqual(JSON.parse((await next.turn("SERVERS")).result ?? ""), given);
  }

  const without = await start(t, {}, { mcpServers });
  const refused = await without.turn("SERVERS");
  assert.equal(refused.result, "[]");
  assert.equal(
    refused.all[0]?.tool_input?.notice,
    "Scripted does not support MCP servers over HTTP, so these were left out: docs.",
  );
  // An agent without a model calls no tools by itself, so it misses nothing.
  const plain = await start(t, {}, { mcpServers, profile: { hasModel: false } });
  assert.equal((await plain.turn("SERVERS")).all[0]?.tool_input?.notice, undefined);
});

test("no error of the agent shows a header of an MCP server", async (t) => {
  const mcpServers = [{ name: "docs", url: "https://mcp.example", headers: { Authorization: "Bearer s3cret-value" } }];
  const { turn } = await start(t, { mcpHttp: true }, { mcpServers });
  const { all } = await turn("TELL-SERVERS");
  const told = JSON.stringify(all);
  assert.match(told, /could not connect to .*\[left out\]/);
  assert.ok(!told.includes("s3cret"), told);
});

test("a prompt that calls a command of the agent stays at the beginning, whatever else the agent is told", async (t) => {
  const { session, turn } = await start(t, { told: ["review", "memory show"] });
  // By the end of this turn the agent has announced its commands.
  await turn("TICK 5");
  const lastHeard = async (prompt: string) => {
    const asked = { number: 2, prompt, images: [], model: null, prepare: async () => "rules" };
    return (await session.prompt(asked, never)).result;
  };
  assert.equal(await lastHeard("/review it"), "said: rules");
  assert.equal(await lastHeard("/memory show"), "said: rules");
  assert.equal(await lastHeard("/memory"), "said: /memory");
  assert.equal(await lastHeard("/etc/hosts is wrong"), "said: /etc/hosts is wrong");
});
