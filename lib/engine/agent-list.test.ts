// One list under test with one machine of scripted agents, which each case changes.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentDriver, AgentProfile, FoundAgent } from "#lib/agents/agent.ts";
import { unaskedAgent } from "#lib/agents/found-agent.ts";
import { defaultProfile } from "#lib/agents/profiles.ts";
import type { Agent, Announced } from "#lib/contract/runs/agent.ts";
import type { MachineIsolation } from "#lib/contract/runs/isolation.ts";
import type { Store } from "#lib/store/store.ts";
import type { WallState } from "#lib/workspace/wall-probe.ts";
import { AgentList } from "./agent-list.ts";
import { describeMachine } from "./machine-isolation.ts";

const service = { setting: "auto", hasAgentUser: false, isRoot: true } as const;
const standard = [
  defaultProfile("broken", "Broken"),
  defaultProfile("absent", "Absent"),
  { ...defaultProfile("walled", "Walled"), hasModel: false },
  { ...defaultProfile("plain", "Plain"), hasModel: false },
];
const announced: Announced = {
  models: [{ id: "large", name: "Large", description: null }],
  modes: [],
  options: [],
  commands: [],
  images: true,
  embedded_context: false,
  mcp_http: true,
  resumes: true,
  forks: false,
  steering: false,
};
const saysNo = (profile: AgentProfile): FoundAgent => ({
  ...unaskedAgent(profile),
  ...{ state: "not_working", ready: false, reason: "says no to sk-1234" },
});
const well = (profile: AgentProfile): FoundAgent => ({
  ...unaskedAgent(profile),
  ...{ version: "1", announced, models: ["large"] },
});
const late = (profile: AgentProfile): FoundAgent => ({
  ...unaskedAgent(profile),
  ...{ state: "slow", reason: "it did not answer" },
});

/** A machine whose agents answer as specified, and a store that keeps the list; `open` starts an engine's list on it. */
function fixture(profiles: AgentProfile[] = standard) {
  const lists: (Agent & { mark?: string | null })[][] = [];
  const machines: MachineIsolation[] = [];
  const asked: string[] = [];
  const limits = new Set<number>();
  const machine = {
    profiles,
    marks: new Map<string, string | null>([["absent", null]]),
    answer: saysNo,
    mayAnswer: Promise.resolve(),
    fileProblem: null as string | null,
    late: null as Promise<Announced | null> | null,
    wall: { holds: false, why: "gone", fix: "sudo fix" } as WallState,
  };
  const problems: (string | null)[] = [];
  const broken: string[] = [];
  const told: Parameters<Store["agentCommands"]["put"]>[] = [];
  const agentCommands: Store["agentCommands"] = {
    list: async () => [],
    put: async (...row) => void told.push(row),
  };
  const probe: AgentDriver["probe"] = async (profile, _, limit, onLate) => {
    if (machine.late !== null) onLate?.(machine.late);
    asked.push(profile.id);
    limits.add(limit);
    if (profile.id !== "absent") await machine.mayAnswer;
    return machine.answer(profile);
  };
  const agents: Store["agents"] = {
    replaceAll: async (list) => void lists.push(list),
    list: async () => lists.at(-1) ?? [],
    marks: async () => new Map((lists.at(-1) ?? []).flatMap(({ id, mark }) => (mark ? [[id, mark]] : []))),
    putMachine: async (found) => void machines.push(found),
    findMachine: async () => machines.at(-1) ?? null,
    putFileProblem: async (problem) => void problems.push(problem),
    findFileProblem: async () => problems.at(-1) ?? null,
  };
  const isolationOf = async ({ id }: { id: string }) =>
    id === "walled"
      ? { isolation: "wall" as const, reason: null, wallProblem: "it is gone", problem: "the wall does not hold" }
      : { isolation: "leash" as const, reason: "it is set so", wallProblem: "it is gone", problem: null };
  const open = () =>
    new AgentList({
      // The list uses no other part of the store and of the driver.
      store: { agents, agentCommands } as Store,
      driver: { probe } as AgentDriver,
      readProfiles: async () => machine.profiles,
      fileProblem: () => machine.fileProblem,
      environmentOf: ({ id }) => ["PATH", id],
      markOf: async ({ id }) => (machine.marks.has(id) ? (machine.marks.get(id) ?? null) : "one"),
      isolationOf,
      mask: (words) => words.replaceAll("sk-1234", "***"),
      findMachine: async () => describeMachine(service, machine.wall, new Date(0)),
      startMs: 1000,
      logger: { error: (fields) => void broken.push(String(Object(fields).err)) },
    });
  return { machine, lists, machines, told, problems, broken, asked, limits, open };
}

const listed = async (lists: unknown[], count: number) => {
  while (lists.length < count) await new Promise(setImmediate);
};

test("the first list is there before any agent was asked, and an agent that never answered is not the default", async (t) => {
  const { machine, lists, machines, open } = fixture();
  const { promise, resolve: answer } = Promise.withResolvers<void>();
  machine.mayAnswer = promise;
  const list = open();
  t.after(() => {
    answer();
    return list.stop();
  });
  await list.open();
  const [first] = lists;
  assert.deepEqual(machines, [
    {
      setting: "auto",
      holds: false,
      why: "gone",
      command: "sudo fix",
      advice: null,
      runs_as: "root",
      checked_at: "1970-01-01T00:00:00.000Z",
    },
  ]);
  assert.deepEqual(
    first?.map(({ id, ready, is_default }) => ({ id, ready, is_default })),
    [
      { id: "broken", ready: true, is_default: false },
      { id: "absent", ready: false, is_default: false },
      { id: "walled", ready: false, is_default: false },
      { id: "plain", ready: true, is_default: true },
    ],
  );
});

test("an agent that is there but does not work is listed as not ready, with the reason but no secret in it", async () => {
  const { lists, open } = fixture();
  const list = open();
  await list.open();
  await listed(lists, 2);
  await list.stop();
  assert.deepEqual(
    lists[1]?.map(({ ready, reason, isolation, isolation_reason }) => [ready, reason, isolation, isolation_reason]),
    [
      [false, "says no to ***", "leash", "it is set so"],
      [false, "says no to ***", "leash", "it is set so"],
      [false, "the wall does not hold", "wall", null],
      [true, null, "leash", "it is set so"],
    ],
  );
});

test("a slow agent keeps its last good answer and may be the default, also after a restart; another program's answer is forgotten", async () => {
  const { machine, lists, limits, open } = fixture([defaultProfile("one", "One")]);
  const facts = () =>
    lists.at(-1)?.map(({ state, ready, version, models, is_default }) => [state, ready, version, models, is_default]);
  machine.answer = well;
  const first = open();
  await first.open();
  await listed(lists, 2);
  await first.stop();
  assert.deepEqual(facts(), [["ready", true, "1", ["large"], true]]);

  machine.answer = late;
  const second = open();
  await second.open();
  assert.deepEqual(facts(), [["ready", true, "1", ["large"], true]], "as the earlier engine heard it");
  await listed(lists, 4);
  await second.stop();
  assert.deepEqual(facts(), [["slow", true, "1", ["large"], true]]);

  machine.marks.set("one", "newer");
  const third = open();
  await third.open();
  assert.deepEqual(facts(), [["ready", true, null, [], false]]);
  await listed(lists, 6);
  await third.stop();
  assert.deepEqual(facts(), [["slow", true, null, [], false]]);
  assert.deepEqual([...limits], [1000], "an agent has as long to answer as to start for a run");
});

test("an agent that nobody has signed in to is never chosen by itself", async () => {
  const { machine, lists, open } = fixture([defaultProfile("out", "Out"), defaultProfile("in", "In")]);
  machine.answer = (profile) => ({
    ...well(profile),
    ...(profile.id === "out"
      ? { state: "needs_sign_in" as const, sign_in: { state: "needed" as const, detail: null, hint: null } }
      : {}),
  });
  const list = open();
  await list.open();
  await listed(lists, 3);
  await list.stop();
  assert.deepEqual(
    lists.at(-1)?.map(({ id, ready, is_default }) => [id, ready, is_default]),
    [
      ["out", true, false],
      ["in", true, true],
    ],
  );
});

/** Makes the list check again, `times` times. */
async function look(t: { mock: { timers: { tick(ms: number): void } } }, machines: unknown[], times: number) {
  for (let checks = 0; checks < times; checks += 1) {
    const before = machines.length;
    while (machines.length === before) {
      t.mock.timers.tick(30_000);
      await new Promise(setImmediate);
    }
  }
}

test("an agent that did not answer is asked again with the next check, and then less and less often", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { machine, machines, asked, lists, open } = fixture([defaultProfile("one", "One")]);
  machine.answer = late;
  const list = open();
  await list.open();
  const askedAfter: number[] = [];
  for (let check = 1; check <= 9; check += 1) {
    const before = asked.length;
    await look(t, machines, 1);
    if (asked.length > before) askedAfter.push(check);
  }
  assert.deepEqual(askedAfter, [1, 3, 7]);
  machine.answer = well;
  await look(t, machines, 8);
  const count = asked.length;
  assert.equal(lists.at(-1)?.[0]?.state, "ready");
  await look(t, machines, 12);
  await list.stop();
  assert.equal(asked.length, count, "an agent that is well is left alone");
});

test("an agent that cannot be asked costs one look, not the engine and the looks after it", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { machine, machines, asked, lists, broken, open } = fixture([defaultProfile("one", "One")]);
  machine.answer = () => {
    throw new Error("no space left");
  };
  const list = open();
  await list.open();
  while (broken.length === 0) await new Promise(setImmediate);
  assert.deepEqual(broken, ["Error: no space left"]);
  machine.answer = well;
  machine.profiles = [defaultProfile("one", "One"), defaultProfile("two", "Two")];
  await look(t, machines, 1);
  await list.askAgain("one");
  await list.stop();
  assert.deepEqual(asked, ["one", "two", "one"]);
  assert.deepEqual(
    lists.at(-1)?.map(({ state }) => state),
    ["ready", "ready"],
  );
});

test("a changed agents file and a new program are seen while the service runs", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { machine, machines, asked, lists, open } = fixture([
    defaultProfile("one", "One"),
    defaultProfile("two", "Two"),
  ]);
  machine.answer = well;
  const list = open();
  await list.open();
  await look(t, machines, 1);
  asked.length = 0;
  machine.profiles = [{ ...defaultProfile("one", "Uno") }, defaultProfile("three", "Three")];
  await look(t, machines, 1);
  assert.deepEqual(asked, ["one", "three"]);
  assert.deepEqual(
    lists.at(-1)?.map(({ title }) => title),
    ["Uno", "Three"],
  );
  machine.marks.set("three", "newer");
  machine.profiles = [defaultProfile("three", "Three")];
  await look(t, machines, 1);
  await list.stop();
  assert.deepEqual(asked, ["one", "three", "three"]);
  assert.deepEqual(
    lists.at(-1)?.map(({ title }) => title),
    ["Three"],
  );
});

const inOne = { agent: "one", organizationId: 7 };
const deploy = { name: "deploy", description: "to sk-1234", hint: null };

test("commands announced in a run are kept for its organization, the last ones, without secrets, and only from the installed version", async () => {
  const { machine, lists, told, open } = fixture([defaultProfile("one", "One")]);
  machine.answer = well;
  const list = open();
  await list.open();
  await listed(lists, 2);
  const review = { ...deploy, name: "review" };
  list.learn(inOne, { ...announced, commands: [review] }, "1");
  list.learn(inOne, { ...announced, commands: [deploy] }, "1");
  list.learn({ ...inOne, organizationId: 8 }, { ...announced, commands: [review] }, "2");
  list.learn({ ...inOne, organizationId: 9 }, { ...announced, commands: [review] }, null);
  while (told.length === 0) await new Promise(setImmediate);
  await list.stop();
  const masked = { ...deploy, description: "to ***" };
  assert.deepEqual(told, [[7, { agentId: "one", mark: "one", commands: [masked] }]]);
});

test("commands that an agent announces late are listed, and an answer without them does not undo them", async () => {
  const { machine, lists, open } = fixture([defaultProfile("one", "One")]);
  const { promise: late, resolve: tell } = Promise.withResolvers<Announced | null>();
  machine.answer = well;
  machine.late = late;
  const first = open();
  await first.open();
  await listed(lists, 2);
  const commands = () => lists.at(-1)?.[0]?.announced?.commands.map(({ name }) => name);
  assert.deepEqual(commands(), []);
  tell({ ...announced, commands: [deploy] });
  await listed(lists, 3);
  await first.stop();
  assert.deepEqual(commands(), ["deploy"]);
  machine.late = Promise.resolve(null);
  const second = open();
  await second.open();
  await listed(lists, 5);
  await second.stop();
  assert.deepEqual(commands(), ["deploy"]);
  machine.marks.set("one", "newer");
  const third = open();
  await third.open();
  await listed(lists, 7);
  await third.stop();
  assert.deepEqual(commands(), [], "another program has not announced them");
});

test("what a run's session announces replaces what the probe saw, except its commands", async () => {
  const { machine, lists, open } = fixture([defaultProfile("one", "One")]);
  machine.answer = well;
  const list = open();
  await list.open();
  await listed(lists, 2);
  list.learn(inOne, { ...announced, models: [{ id: "new", name: "New", description: null }] }, "1");
  list.learn({ ...inOne, agent: "unknown" }, announced, "1");
  await list.stop();
  await listed(lists, 2);
  const again = open();
  await again.open();
  await again.stop();
  assert.deepEqual(lists.at(-1)?.[0]?.models, ["large"], "an engine that stops writes nothing more");

  const third = open();
  await third.open();
  await listed(lists, lists.length + 1);
  const models = [{ id: "new", name: "New", description: null }];
  third.learn(inOne, { ...announced, models, commands: [deploy] }, "1");
  await listed(lists, lists.length + 1);
  await third.stop();
  const one = lists.at(-1)?.[0];
  assert.deepEqual([one?.models, one?.announced?.commands], [["new"], []], "its commands may be its repository's own");
});

test("an agents file that becomes invalid while the service runs is told in the store, without secrets, until it is valid again", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { machine, machines, problems, lists, open } = fixture([defaultProfile("one", "One")]);
  machine.answer = well;
  const list = open();
  await list.open();
  assert.deepEqual(lists[0]?.[0]?.environment, ["PATH", "one"]);
  machine.fileProblem = "agents.json: one.env: sk-1234";
  await look(t, machines, 2);
  machine.fileProblem = null;
  await look(t, machines, 1);
  await list.stop();
  assert.deepEqual(problems, [null, "agents.json: one.env: ***", null]);
});

test("a wall that is fixed while the service runs is noticed at the next look, and the agents are judged again", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { machine, lists, machines, open } = fixture();
  const list = open();
  await list.open();
  await look(t, machines, 8);
  const before = lists.length;
  await look(t, machines, 1);
  assert.equal(lists.length, before, "nothing changed");
  machine.wall = { holds: true };
  await look(t, machines, 1);
  while (lists.length === before) await new Promise(setImmediate);
  await list.stop();
  assert.deepEqual(
    machines.slice(-2).map(({ holds }) => holds),
    [false, true],
  );
});
