import assert from "node:assert/strict";
import { test } from "node:test";
import { scriptedProfile } from "#lib/agents/acp/scripted-profile.fixture.ts";
import { hasEnded, openEngine } from "./engine.fixture.ts";

test("an agent that a run finds signed out counts as such in the run's organization, until a run works", async (t) => {
  const hint = "Sign in with `scripted login`.";
  const profile = { ...scriptedProfile({ resume: "ok" }), signInHint: hint };
  const shy = { ...scriptedProfile({ start: "no-session" }), id: "shy", signInHint: hint };
  const { engine, store, access, create, until } = await openEngine(t, { profiles: [profile, shy] });
  engine.start();
  const refusals = async () =>
    (await store.agentRefusals.list(access.organizationId)).map(({ agentId, words, hint }) => [agentId, words, hint]);
  const run = async (agent: string, prompt: string) => {
    const { id } = await create(prompt, { agent });
    return (await until(id, hasEnded)).status;
  };
  assert.equal(await run("scripted", "REFUSE"), "failed");
  assert.equal(await run("shy", "hello"), "failed", "it opens no session");
  const both = [
    ["scripted", "Authentication required", hint],
    ["shy", "Authentication required", hint],
  ];
  assert.deepEqual(await refusals(), both);
  assert.equal(await run("scripted", "RPC-ERROR"), "failed");
  assert.deepEqual(await refusals(), both, "another failure says nothing about the sign-in");
  assert.equal(await run("scripted", "hello"), "completed");
  assert.deepEqual(await refusals(), both.slice(1));
});
