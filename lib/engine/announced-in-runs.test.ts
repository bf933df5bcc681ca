import assert from "node:assert/strict";
import { test } from "node:test";
import { scriptedProfile } from "#lib/agents/acp/scripted-profile.fixture.ts";
import type { Announced } from "#lib/contract/runs/agent.ts";
import { hasEnded, openEngine } from "./engine.fixture.ts";

test("commands and models that an agent announces during a run are heard, with its version and the run's organization", async (t) => {
  const heard: { organizationId: number; version: string | null; announced: Announced }[] = [];
  const { engine, access, create, until } = await openEngine(t, {
    profiles: [scriptedProfile({ models: "config", told: ["early"] })],
    onAnnounced: ({ agent, organizationId }, announced, version) => {
      assert.equal(agent, "scripted");
      heard.push({ organizationId, version, announced });
    },
  });
  engine.start();
  const { id } = await create("ANNOUNCE review deploy", { agent: "scripted" });
  assert.equal((await until(id, hasEnded)).status, "completed");
  const last = heard.at(-1);
  assert.deepEqual([last?.organizationId, last?.version], [access.organizationId, "1.2.3"]);
  assert.deepEqual(
    last?.announced.models.map((model) => model.id),
    ["huge"],
  );
  const told = heard.map(({ announced }) => announced.commands.map(({ name }) => name).join(" "));
  assert.ok(told.includes("review deploy"), told.join(", "));
});
