import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentDriver } from "#lib/agents/agent.ts";
import { basics } from "#lib/agents/profiles.ts";
import type { Agent } from "#lib/contract/agent.ts";
import type { MachineIsolation } from "#lib/contract/isolation.ts";
import type { Store } from "#lib/store/store.ts";
import type { WallState } from "#lib/workspace/wall-probe.ts";
import { AgentList } from "./agent-list.ts";
import { describeMachine } from "./machine-isolation.ts";

const service = { setting: "auto", hasAgentUser: false, isRoot: true } as const;
const profiles = [
  basics("broken", "Broken"),
  basics("absent", "Absent"),
  { ...basics("walled", "Walled"), hasModel: false },
  { ...basics("plain", "Plain"), hasModel: false },
];

/** A driver whose agents answer when they are let, and a store that keeps what it is told. */
function fixture() {
  const lists: Agent[][] = [];
  const machines: MachineIsolation[] = [];
  const { promise: letAnswer, resolve: answer } = Promise.withResolvers<void>();
  const probe: AgentDriver["probe"] = async (profile) => {
    if (profile.id === "broken") await letAnswer;
    return {
      id: profile.id,
      title: profile.title,
      ready: false,
      reason: "says no",
      version: null,
      has_model: true,
      models: [],
      keys: [],
      checked_at: "2026-01-01T00:00:00.000Z",
    };
  };
  const agents: Store["agents"] = {
    replaceAll: async (list) => void lists.push(list),
    list: async () => lists.at(-1) ?? [],
    putMachine: async (machine) => void machines.push(machine),
    findMachine: async () => machines.at(-1) ?? null,
  };
  // The list uses no other part of the store and of the driver.
  const parts = { store: { agents } as Store, driver: { probe } as AgentDriver, profiles };
  const isolationOf = async ({ id }: { id: string }) =>
    id === "walled"
      ? { isolation: "wall" as const, reason: null, wallProblem: "it is gone", problem: "the wall does not hold" }
      : { isolation: "leash" as const, reason: "it is set so", wallProblem: "it is gone", problem: null };
  const wall: { state: WallState } = { state: { holds: false, why: "gone", mend: "sudo mend" } };
  const findMachine = async () => describeMachine(service, wall.state, new Date(0));
  const list = new AgentList({ ...parts, isThere: async ({ id }) => id !== "absent", isolationOf, findMachine });
  return { list, lists, machines, wall, answer };
}

test("the first list is there before any agent was asked, and an agent not asked yet is never the default", async (t) => {
  const { list, lists, machines, answer } = fixture();
  t.after(() => {
    answer();
    return list.stop();
  });
  await list.start();
  const [first] = lists;
  assert.deepEqual(machines, [
    {
      setting: "auto",
      holds: false,
      why: "gone",
      command: "sudo mend",
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

test("an agent that is there but does not answer is listed as not ready, with the reason", async () => {
  const { list, lists, answer } = fixture();
  await list.start();
  answer();
  while (lists.length < 2) await new Promise(setImmediate);
  await list.stop();
  assert.deepEqual(
    lists[1]?.map(({ ready, reason, isolation, isolation_reason }) => [ready, reason, isolation, isolation_reason]),
    [
      [false, "says no", "leash", "it is set so"],
      [false, "says no", "leash", "it is set so"],
      [false, "the wall does not hold", "wall", null],
      [true, null, "leash", "it is set so"],
    ],
  );
});

test("a wall that is mended while the service runs is told with the next look, and the agents are judged anew", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { list, lists, machines, wall, answer } = fixture();
  answer();
  await list.start();
  const looked = async (count: number) => {
    while (machines.length < count) {
      t.mock.timers.tick(30_000);
      await new Promise(setImmediate);
    }
  };
  await looked(2);
  const listed = lists.length;
  await looked(3);
  assert.equal(lists.length, listed, "nothing changed");
  wall.state = { holds: true };
  await looked(4);
  while (lists.length === listed) await new Promise(setImmediate);
  await list.stop();
  assert.deepEqual(
    machines.slice(-2).map(({ holds }) => holds),
    [false, true],
  );
});
