import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentDriver } from "#lib/agents/agent.ts";
import { basics } from "#lib/agents/profiles.ts";
import type { Agent } from "#lib/contract/agent.ts";
import type { Store } from "#lib/store/store.ts";
import { AgentList } from "./agent-list.ts";

const profiles = [
  basics("broken", "Broken"),
  basics("absent", "Absent"),
  { ...basics("walled", "Walled"), hasModel: false },
  { ...basics("plain", "Plain"), hasModel: false },
];

/** A driver whose agents answer when they are let, and a store that keeps what it is told. */
function fixture() {
  const lists: Agent[][] = [];
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
  };
  // The list uses no other part of the store and of the driver.
  const parts = { store: { agents } as Store, driver: { probe } as AgentDriver, profiles };
  const isolationOf = async ({ id }: { id: string }) =>
    id === "walled"
      ? { isolation: "wall" as const, problem: "the wall does not hold" }
      : { isolation: "leash" as const, problem: null };
  const list = new AgentList({ ...parts, isThere: async ({ id }) => id !== "absent", isolationOf });
  return { list, lists, answer };
}

test("the first list is there before any agent was asked, and an agent not asked yet is never the default", async (t) => {
  const { list, lists, answer } = fixture();
  t.after(() => {
    answer();
    return list.stop();
  });
  await list.start();
  const [first] = lists;
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
    lists[1]?.map(({ ready, reason, isolation }) => [ready, reason, isolation]),
    [
      [false, "says no", "leash"],
      [false, "says no", "leash"],
      [false, "the wall does not hold", "wall"],
      [true, null, "leash"],
    ],
  );
});
