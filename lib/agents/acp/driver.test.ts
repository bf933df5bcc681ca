import assert from "node:assert/strict";
import { test } from "node:test";
import type { ContainedProcess, StartAgent } from "#lib/agents/agent.ts";
import { never, start, startProblem, until } from "./driver-under-test.fixture.ts";
import { startPlain } from "./plain-process.ts";

test("a turn yields its prompt, its answer, its usage and the state for the next attempt", async (t) => {
  const { turn, states, figures } = await start(t, {});
  const { types, all, status, result } = await turn("hello");
  assert.deepEqual([status, result, types], ["completed", "said: hello", ["USER_MESSAGE", "FINAL_ANSWER"]]);
  assert.deepEqual(all[0]?.tool_input, { turn: 1, session: "new" });
  assert.equal(all[0]?.observation, "hello");
  assert.deepEqual(figures.at(-1), { tokens: { input: 10, output: 2, total: 12 } });
  const second = await turn("again");
  assert.deepEqual(second.all[0]?.tool_input, { turn: 2, session: "continued" });
  assert.deepEqual(figures.at(-1), { tokens: { input: 20, output: 4, total: 24 } });
  assert.equal(states.at(-1)?.session_id, "session-1");
  assert.equal(states.at(-1)?.agent_version, "1.2.3");
});

test("a cancelled turn with a cost but no tokens has a cost and unknown tokens, not 0", async (t) => {
  const abort = new AbortController();
  const { turn, states, figures } = await start(t, {});
  const ended = turn("COST 0.06026999999999999", abort.signal);
  await until(() => figures.length > 0);
  abort.abort();
  assert.equal((await ended).status, "cancelled");
  assert.deepEqual([states.at(-1)?.tokens, states.at(-1)?.cost_usd], [null, 0.06027]);
  assert.ok(!JSON.stringify(figures).includes("tokens"), JSON.stringify(figures));
});

test("of an agent that reports no usage, tokens and cost stay unknown", async (t) => {
  const { turn, states } = await start(t, {});
  assert.equal((await turn("UNCOUNTED")).status, "completed");
  assert.deepEqual([states.at(-1)?.tokens, states.at(-1)?.cost_usd], [null, null]);
});

test("an agent that dies at start is an ERROR with its exit code and its last output", async (t) => {
  const { message, observation } = await startProblem(t, { start: "exit" });
  assert.match(message, /exit code 3.*no license found/);
  assert.match(JSON.stringify(observation), /sessionId=\[left out\] created/);
  assert.equal(observation.code, "agent_exited");
});

test("an agent that is not installed is an ERROR that says how to install it", async (t) => {
  const profile = { command: ["no-such-agent"], installHint: "Install it with `npm install -g x`." };
  const { message } = await startProblem(t, {}, { profile });
  assert.equal(message, "not installed: `no-such-agent` was not found on PATH. Install it with `npm install -g x`.");
});

test("an agent whose process cannot be started is an ERROR that names no folder of the service", async (t) => {
  const spawn: StartAgent["spawn"] = async () => {
    const full = "ENOSPC: no space left on device, open '/nowhere/data/agents/7'";
    throw Object.assign(new Error(full), { code: "ENOSPC", syscall: "open" });
  };
  const { message, observation } = await startProblem(t, {}, { spawn });
  assert.equal(observation.code, "agent_start_failed");
  assert.match(message, /could not be started: The operating system answered ENOSPC\.$/);
});

test("an agent that is silent at start is an ERROR within the limit, and is ended", async (t) => {
  const processes: ContainedProcess[] = [];
  const spawn: StartAgent["spawn"] = async (command, options) => {
    const started = startPlain(command, options);
    processes.push(started);
    return started;
  };
  const { observation } = await startProblem(t, { start: "silent" }, { limits: { startMs: 400 }, spawn });
  assert.equal(observation.code, "agent_start_timeout");
  assert.ok(await processes[0]?.exited);
});

test("a cancel while the agent's process is being started ends it at once", async (t) => {
  const cancelling = new AbortController();
  const processes: ContainedProcess[] = [];
  const spawn: StartAgent["spawn"] = async (command, options) => {
    const started = startPlain(command, options);
    processes.push(started);
    cancelling.abort();
    return started;
  };
  const { observation } = await startProblem(t, { start: "silent" }, { signal: cancelling.signal, spawn });
  assert.equal(observation.code, "cancelled");
  assert.ok(await processes[0]?.exited);
});

test("an agent that refuses a session is an ERROR with its reason", async (t) => {
  const { message, observation } = await startProblem(t, { start: "no-session" });
  assert.match(message, /“Authentication required”/);
  assert.equal(observation.code, "sign_in_needed");
});

test("lines that are not JSON are skipped", async (t) => {
  const { turn } = await start(t, { start: "garbage" });
  assert.equal((await turn("hello")).result, "said: hello");
});

test("an agent that only prints garbage is an ERROR that shows it", async (t) => {
  const { observation } = await startProblem(t, {}, { profile: { command: ["/bin/echo", "usage: none"] } });
  assert.match(JSON.stringify(observation), /usage: none/);
});

test("an agent sees its own variables and none of Errand's, signs in if asked to, and works without a HOME", async (t) => {
  const profile = { passEnv: ["KEY"], env: { MINE: "1" }, authMethod: "key", homeVariable: "AGENT_HOME" };
  const { turn } = await start(t, {}, { profile });
  const { result } = await turn("BLOCKS");
  const { env, chosen } = JSON.parse(result ?? "");
  assert.deepEqual(chosen, ["authenticate:key"]);
  for (const name of ["KEY", "MINE", "AGENT_HOME", "PATH", "HOME"]) assert.ok(env.includes(name), name);
  for (const name of ["ERRAND_SECRET", "OTHER"]) assert.ok(!env.includes(name), name);
});

test("an agent learns that it may stream a command's output, and that Errand offers it no files or terminals", async (t) => {
  const { result } = await (await start(t, {})).turn("BLOCKS");
  assert.deepEqual(JSON.parse(result ?? "").client, {
    fs: { readTextFile: false, writeTextFile: false },
    terminal: false,
    _meta: { terminal_output: true, terminal_output_delta: true },
  });
});

test("images reach an agent that accepts them; otherwise the turn says that they were left out", async (t) => {
  const images = ["data:image/png;base64,AAAA"];
  const taking = await (await start(t, { images: true })).turn("BLOCKS", never, images);
  assert.equal(taking.all[0]?.tool_input?.images, 1);
  const refusing = await (await start(t, {})).turn("BLOCKS", never, images);
  assert.match(String(refusing.all[0]?.tool_input?.notice), /1 of 1 images were left out/);
  assert.doesNotMatch(refusing.result ?? "", /AAAA/);
});

test("closing ends the agent", async (t) => {
  const { session, processes } = await start(t, {});
  await session.close();
  assert.ok(await processes[0]?.exited);
  await session.close();
});
