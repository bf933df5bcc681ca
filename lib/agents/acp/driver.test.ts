import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type AgentLimits, AgentStartError, type ContainedProcess, type StartAgent } from "#lib/agents/agent.ts";
import { basics } from "#lib/agents/profiles.ts";
import { type NewEntry, populationProblem } from "#lib/contract/entry.ts";
import type { Question } from "#lib/contract/run.ts";
import { acpDriver } from "./driver.ts";
import { startPlain } from "./plain-process.ts";
import { keptCharactersMax } from "./storable.ts";

const fixture = fileURLToPath(new URL("./scripted-agent.fixture.ts", import.meta.url));
const limits: AgentLimits = {
  startMs: 10_000,
  inactivityMs: 20_000,
  turnMs: 30_000,
  questionMs: 5000,
  stopGraceMs: 3000,
};
const never = new AbortController().signal;
const driver = acpDriver({ PATH: process.env.PATH ?? "", HOME: "", ERRAND_SECRET: "x", KEY: "k", OTHER: "o" });

type Given = Partial<Omit<StartAgent, "limits" | "profile">> & {
  limits?: Partial<AgentLimits>;
  profile?: Partial<StartAgent["profile"]>;
  ask?: (question: Question) => Promise<string | null>;
  onEntries?: (entries: NewEntry[]) => Promise<void>;
};

async function start(t: TestContext, scenario: Record<string, unknown>, given: Given = {}, firstTurn = 1) {
  const entries: NewEntry[] = [];
  const states: Record<string, unknown>[] = [];
  const figures: unknown[] = [];
  const outputs: string[] = [];
  const questions: Question[] = [];
  const processes: ContainedProcess[] = [];
  const folder = mkdtempSync(join(tmpdir(), "driver-"));
  const session = await driver.start({
    cwd: folder,
    agentHome: folder,
    permissionMode: "auto",
    model: null,
    state: null,
    recap: async () => "what was done",
    signal: never,
    spawn: async (command, options) => {
      const started = startPlain(command, options);
      processes.push(started);
      return started;
    },
    ...given,
    profile: {
      ...basics("scripted", "Scripted"),
      command: [process.execPath, fixture, JSON.stringify(scenario)],
      ...given.profile,
    },
    limits: { ...limits, ...given.limits },
    host: {
      onEntries: given.onEntries ?? (async (finished) => void entries.push(...finished)),
      onProgress: (progress) => void outputs.push(JSON.stringify(progress)),
      onFigures: (told) => void figures.push(told),
      onState: async (state) => void states.push(state),
      ask: async (question) => {
        questions.push(question);
        return (await given.ask?.(question)) ?? null;
      },
    },
  });
  t.after(() => session.close());
  let number = firstTurn;
  const turn = async (
    prompt: string,
    signal: AbortSignal = never,
    images: string[] = [],
    model: string | null = null,
  ) => {
    const from = entries.length;
    const end = await session.prompt({ number: number++, prompt, images, model }, signal);
    const all = [...entries.slice(from), ...end.entries];
    for (const entry of all) assert.equal(populationProblem({ ...entry }), null);
    return { ...end, all, types: all.map((entry) => entry.message_type) };
  };
  return { session, turn, entries, states, figures, outputs, questions, processes };
}

async function startProblem(t: TestContext, scenario: Record<string, unknown>, given: Given = {}) {
  const error = await start(t, scenario, given).then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof AgentStartError, String(error));
  assert.equal(error.entry.message_type, "ERROR");
  const observation = error.entry.observation;
  assert.ok(observation !== null && typeof observation === "object");
  return { message: error.message, observation };
}

function observed(entry: NewEntry | undefined): Record<string, unknown> {
  assert.ok(entry !== undefined && typeof entry.observation === "object" && entry.observation !== null);
  return entry.observation;
}

test("a turn gives its prompt, its answer, its figures and the state for the next attempt", async (t) => {
  const { turn, states, figures } = await start(t, {});
  const { types, all, status, result } = await turn("hello");
  assert.deepEqual([status, result, types], ["completed", "said: hello", ["USER_MESSAGE", "FINAL_ANSWER"]]);
  assert.deepEqual(all[0]?.tool_input, { turn: 1, session: "new" });
  assert.equal(all[0]?.observation, "hello");
  assert.deepEqual(figures.at(-1), { tokens: { input: 10, output: 2, total: 12 } });
  const second = await turn("again");
  assert.deepEqual(second.all[0]?.tool_input, { turn: 2, session: "continued" });
  assert.deepEqual(figures.at(-1), { tokens: { input: 20, output: 4, total: 24 } });
  assert.equal(states.at(-1)?.session_id, "s-1");
  assert.equal(states.at(-1)?.agent_version, "1.2.3");
});

test("an agent that dies at start is an ERROR with its exit code and its last words", async (t) => {
  const { message, observation } = await startProblem(t, { start: "exit" });
  assert.match(message, /exit code 3.*no licence found/);
  assert.match(JSON.stringify(observation), /sessionId=\[left out\] created/);
  assert.equal(observation.code, "agent_exited");
});

test("an agent that is not installed is an ERROR that says how to install it", async (t) => {
  const profile = { command: ["no-such-agent"], installHint: "Install it with `npm install -g x`." };
  const { message } = await startProblem(t, {}, { profile });
  assert.equal(message, "not installed: `no-such-agent` was not found on PATH. Install it with `npm install -g x`.");
});

test("an agent that is silent at start is an ERROR within the limit, and ended", async (t) => {
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

test("an agent that refuses a session is an ERROR with its reason", async (t) => {
  const { message, observation } = await startProblem(t, { start: "no-session" });
  assert.match(message, /could not open a session: Authentication required/);
  assert.equal(observation.code, -32000);
});

test("lines that are no JSON are skipped", async (t) => {
  const { turn } = await start(t, { start: "garbage" });
  assert.equal((await turn("hello")).result, "said: hello");
});

test("an agent that only prints garbage is an ERROR that shows it", async (t) => {
  const { observation } = await startProblem(t, {}, { profile: { command: ["/bin/echo", "usage: none"] } });
  assert.match(JSON.stringify(observation), /usage: none/);
});

test("an agent that falls silent is stopped after the limit and the run times out", async (t) => {
  const { turn } = await start(t, {}, { limits: { inactivityMs: 300 } });
  const { status, all } = await turn("SILENT");
  assert.equal(status, "timed_out");
  assert.equal(observed(all.at(-1)).code, "inactivity_timeout");
});

test("an agent that keeps talking is not silent, but its turn has an end", async (t) => {
  const { turn } = await start(t, {}, { limits: { inactivityMs: 5000, turnMs: 500, stopGraceMs: 100 } });
  const { status, all } = await turn("TICK 1000");
  assert.equal(status, "timed_out");
  assert.equal(observed(all.at(-1)).code, "turn_timeout");
});

test("an agent that dies in the middle closes its tools and leaves an ERROR with its exit code", async (t) => {
  const { turn } = await start(t, {});
  const { status, all, types } = await turn("EXIT");
  assert.deepEqual([status, types], ["failed", ["USER_MESSAGE", "ACTION", "ERROR"]]);
  assert.equal(all[1]?.tool_output?.status, "interrupted");
  const { code, message, data } = observed(all[2]);
  assert.equal(code, "agent_exited");
  assert.match(String(message), /exit code 7.*fatal: out of luck/);
  assert.match(JSON.stringify(data), /"exit_code":7.*"stderr":"lost \[left out\]\\nfatal: out of luck"/);
  assert.equal((await turn("hello")).status, "failed");
});

test("an RPC error ends the turn as failed with its code, message and data", async (t) => {
  const { turn } = await start(t, {});
  const { status, all } = await turn("RPC-ERROR");
  assert.equal(status, "failed");
  assert.deepEqual(observed(all.at(-1)), {
    code: -32050,
    message: "Step 2 of 3 failed",
    data: { step: 2, in: "[left out]" },
  });
});

test("a system error that only codex's thread status tells fails the turn, a retry that went well does not", async (t) => {
  const { turn } = await start(t, {});
  const { status, all } = await turn("CODEX-ERROR systemError");
  assert.equal(status, "failed");
  const { code, message } = observed(all.at(-1));
  assert.deepEqual([code, message], ["agent_system_error", "high demand — Reconnecting... 5/5"]);
  assert.match(all.at(-1)?.thought ?? "", /currently experiencing/);
  assert.equal((await turn("CODEX-ERROR idle")).status, "completed");
});

test("each stop reason has its status and says so", async (t) => {
  const { turn } = await start(t, {});
  for (const [reason, status, type] of [
    ["end_turn", "completed", "FINAL_ANSWER"],
    ["refusal", "failed", "ERROR"],
    ["max_tokens", "out_of_tokens", "ERROR"],
    ["max_turn_requests", "max_turns_reached", "ERROR"],
    ["cancelled", "cancelled", "USER_MESSAGE"],
    ["bored", "failed", "ERROR"],
  ]) {
    const end = await turn(`STOP ${reason}`);
    assert.deepEqual([end.status, end.types.at(-1)], [status, type], reason);
  }
});

test("a tool output of 50 MB is kept with its middle cut, and says so", async (t) => {
  const { turn, outputs } = await start(t, {});
  const { all, status } = await turn("BIG 50");
  assert.equal(status, "completed");
  const { output, truncated } = all[1]?.tool_output ?? {};
  assert.ok(typeof output === "string" && output.length < keptCharactersMax + 500);
  assert.match(output.slice(keptCharactersMax / 2 - 10, keptCharactersMax / 2 + 200), /characters were left out here/);
  const cut = truncated as { kept: number; dropped: number };
  assert.ok(cut.kept + cut.dropped >= 50 * 1024 * 1024 && cut.kept <= keptCharactersMax);
  assert.ok(outputs.every((progress) => progress.length < 200_000));
});

test("a message too large to take fails the turn clearly and ends the agent", async (t) => {
  const { turn, processes } = await start(t, {});
  const { all, status } = await turn("BIG 70");
  assert.equal(status, "failed");
  assert.equal(observed(all.at(-1)).code, "message_too_large");
  assert.ok(await processes[0]?.exited);
});

test("entries are written in order and the agent waits for a slow host", async (t) => {
  const written: unknown[] = [];
  let writing = 0;
  const onEntries = async (finished: NewEntry[]) => {
    writing += 1;
    assert.equal(writing, 1, "one write at a time");
    await new Promise((resolve) => setImmediate(resolve));
    written.push(...finished.map((entry) => entry.tool_input?.count ?? entry.message_type));
    writing -= 1;
  };
  const { turn } = await start(t, {}, { onEntries });
  await turn("MANY 300");
  assert.deepEqual(written, ["USER_MESSAGE", ...Array.from({ length: 300 }, (_, index) => index)]);
});

test("a host that cannot write stops the agent and gets its own error back", async (t) => {
  const lost = new Error("the lease is lost");
  let calls = 0;
  const onEntries = async () => {
    calls += 1;
    if (calls > 1) throw lost;
  };
  const { session } = await start(t, {}, { onEntries });
  await assert.rejects(session.prompt({ number: 1, prompt: "MANY 50", images: [], model: null }, never), lost);
});

test("auto allows once by the option's kind", async (t) => {
  const { turn } = await start(t, {});
  const { all, result } = await turn("PERMISSION edit");
  assert.match(result ?? "", /"optionId":"yes"/);
  assert.deepEqual(all[1]?.tool_output?.permission, { decision: "allowed", option: "allow_once", by: "auto" });
  assert.equal(all[1]?.tool_output?.output, "touched");
});

test("read-only allows reading and rejects what writes or is of an unknown kind", async (t) => {
  const { turn } = await start(t, {}, { permissionMode: "read-only" });
  for (const kind of ["read", "search", "think", "fetch"]) {
    assert.match((await turn(`PERMISSION ${kind} ${kind}`)).result ?? "", /"optionId":"yes"/, kind);
  }
  for (const kind of ["edit", "delete", "move", "execute", "other", "switch_mode", "strange"]) {
    const { all, result } = await turn(`PERMISSION ${kind} ${kind}`);
    assert.match(result ?? "", /"optionId":"no"/, kind);
    assert.equal(all[1]?.tool_output?.status, "rejected");
    assert.deepEqual(all[1]?.tool_output?.permission, { decision: "rejected", option: "reject_once", by: "read-only" });
  }
});

test("ask lets a person choose, one question at a time, and the time it takes counts for nothing", async (t) => {
  let open = 0;
  const { turn, questions } = await start(
    t,
    {},
    {
      permissionMode: "ask",
      limits: { inactivityMs: 400, turnMs: 800 },
      ask: async (question) => {
        open += 1;
        assert.equal(open, 1);
        await new Promise((resolve) => setTimeout(resolve, 600));
        open -= 1;
        return question.tool_input !== null ? "yes" : null;
      },
    },
  );
  const { all, status } = await turn("PERMISSION edit a b");
  assert.equal(status, "completed");
  assert.equal(questions.length, 2);
  assert.equal(questions[0]?.title, "touch it");
  assert.deepEqual(questions[0]?.tool_input, {
    path: "a.txt",
    diffs: [{ path: "a.txt", oldText: "1", newText: "2" }],
  });
  assert.equal(
    Date.parse(questions[0]?.expires_at ?? "") - Date.parse(questions[0]?.asked_at ?? ""),
    limits.questionMs,
  );
  assert.deepEqual(all[1]?.tool_output?.permission, { decision: "allowed", option: "allow_once", by: "person" });
});

test("no answer in time rejects", async (t) => {
  const { turn } = await start(t, {}, { permissionMode: "ask", ask: async () => null });
  const { all, result } = await turn("PERMISSION edit");
  assert.match(result ?? "", /"optionId":"no"/);
  assert.deepEqual(all[1]?.tool_output?.permission, { decision: "rejected", option: "reject_once", by: "timeout" });
});

test("a cancel while a person is asked answers the question as cancelled", async (t) => {
  const cancel = new AbortController();
  const ask = async () => {
    cancel.abort();
    return new Promise<string | null>(() => undefined);
  };
  const { turn } = await start(t, {}, { permissionMode: "ask", ask });
  const { status, types, all } = await turn("PERMISSION edit", cancel.signal);
  assert.deepEqual([status, types], ["cancelled", ["USER_MESSAGE", "ACTION", "USER_MESSAGE"]]);
  assert.equal(all[1]?.tool_output?.status, "cancelled");
  assert.deepEqual(all[1]?.tool_output?.permission, { decision: "cancelled", option: null, by: "cancel" });
});

test("a turn that is cancelled before it begins asks the agent nothing", async (t) => {
  const { turn } = await start(t, {});
  const { status, types } = await turn("hello", AbortSignal.abort());
  assert.deepEqual([status, types], ["cancelled", ["USER_MESSAGE", "USER_MESSAGE"]]);
});

test("a cancel closes open tools as cancelled and the session goes on", async (t) => {
  const cancel = new AbortController();
  const { turn, outputs } = await start(t, {});
  const running = turn("OPEN-TOOL", cancel.signal);
  await until(() => outputs.some((progress) => progress.includes("sleep 9")));
  cancel.abort();
  const { status, all, types } = await running;
  assert.deepEqual([status, types], ["cancelled", ["USER_MESSAGE", "ACTION", "USER_MESSAGE"]]);
  assert.deepEqual([all[1]?.tool_output?.status, all[1]?.thought], ["cancelled", "a long one"]);
  assert.equal(observed(all[2]).kind, "interruption");
  assert.equal((await turn("hello")).result, "said: hello");
});

test("an agent that ignores a cancel is killed after the grace", async (t) => {
  const cancel = new AbortController();
  const { turn, outputs, processes } = await start(t, {}, { limits: { stopGraceMs: 200 } });
  const running = turn("IGNORE-CANCEL", cancel.signal);
  await until(() => outputs.some((progress) => progress.includes("sleep 9")));
  cancel.abort();
  const { status, all } = await running;
  assert.equal(status, "cancelled");
  assert.equal(all[1]?.tool_output?.status, "cancelled");
  assert.ok(await processes[0]?.exited);
});

test("a run goes on by resume, else by load without its replay, else in a new session with a summary", async (t) => {
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

test("a session of another agent is not loaded, and its figures go on", async (t) => {
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

test("a state that cannot be read leads to a new session that says so", async (t) => {
  const { turn } = await start(t, { resume: "ok" }, { state: { session: 1 } });
  const { all } = await turn("BLOCKS");
  assert.equal(all[0]?.tool_input?.session, "seeded");
  assert.match(String(all[0]?.tool_input?.notice), /cannot be read/);
});

test("a model is chosen by id or name, by either way of the protocol", async (t) => {
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

test("an unknown model is an ERROR that lists what there is", async (t) => {
  const { message } = await startProblem(t, { models: "config" }, { model: "huge" });
  assert.equal(message, 'Scripted has no model "huge". Available models: small, large.');
  assert.match((await startProblem(t, {}, { model: "huge" })).message, /It offers no choice of models/);
});

test("the session's mode follows the permission mode, and read-only does not run without it", async (t) => {
  const profile = { modes: { auto: "free", "read-only": "plan" } };
  const { turn } = await start(t, { modes: ["build", "plan"] }, { profile, permissionMode: "read-only" });
  assert.match((await turn("BLOCKS")).result ?? "", /"mode:plan"/);
  assert.ok(await start(t, { modes: ["build"] }, { profile }));
  const { message } = await startProblem(t, { modes: ["build"] }, { profile, permissionMode: "read-only" });
  assert.match(message, /no mode "plan", which read-only needs. Available modes: build/);
});

test("an agent sees its own variables and none of Errand's, signs in where it is asked to, and works without a HOME", async (t) => {
  const profile = { passEnv: ["KEY"], env: { MINE: "1" }, authMethod: "key", homeVariable: "AGENT_HOME" };
  const { turn } = await start(t, {}, { profile });
  const { result } = await turn("BLOCKS");
  const { env, chosen } = JSON.parse(result ?? "");
  assert.deepEqual(chosen, ["authenticate:key"]);
  for (const name of ["KEY", "MINE", "AGENT_HOME", "PATH", "HOME"]) assert.ok(env.includes(name), name);
  for (const name of ["ERRAND_SECRET", "OTHER"]) assert.ok(!env.includes(name), name);
});

test("images reach an agent that takes them; another one's turn says that they were left out", async (t) => {
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

test("a probe tells version, and why an agent is not ready", async () => {
  const profile = (scenario: Record<string, unknown>) => ({
    ...basics("scripted", "Scripted"),
    command: [process.execPath, fixture, JSON.stringify(scenario)],
  });
  const ready = await driver.probe(profile({}), never);
  assert.deepEqual([ready.ready, ready.reason, ready.version], [true, null, "1.2.3"]);
  const dead = await driver.probe(profile({ start: "exit" }), never);
  assert.equal(dead.ready, false);
  assert.match(dead.reason ?? "", /does not work: it ended before it answered \(exit code 3\)/);
  const stop = new AbortController();
  const silent = driver.probe(profile({ start: "silent" }), stop.signal);
  stop.abort();
  assert.equal((await silent).ready, false);
});

async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!condition()) {
    assert.ok(performance.now() < deadline, "it did not happen within 10 s");
    await new Promise((resolve) => setImmediate(resolve));
  }
}
