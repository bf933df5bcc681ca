import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { acpDriver } from "#lib/agents/acp/driver.ts";
import { scriptedProfile } from "#lib/agents/acp/scripted-profile.fixture.ts";
import type { AgentProfile } from "#lib/agents/agent.ts";
import { openStore } from "#lib/store/sqlite/open-store.ts";
import { temporaryFolder } from "#lib/workspace/test-repository.ts";
import { AgentSignIns } from "./agent-sign-ins.ts";

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

async function fixture(t: TestContext, profiles: AgentProfile[], readProfiles = async () => profiles) {
  const store = await openStore({ file: join(temporaryFolder(t), "errand.db") });
  const { organizationId } = await store.organizations.ensureFirst({ organization: "A", fullName: "A", email: null });
  const again: string[] = [];
  const signIns = new AgentSignIns({
    ...{ store, logger: silent, lookMs: 10, limitMs: 20_000 },
    driver: acpDriver({ PATH: process.env.PATH ?? "" }),
    readProfiles,
    askAgain: async (id) => void again.push(id),
    mask: (words) => words.replace("license", "***"),
  });
  t.after(async () => {
    await signIns.stop();
    await store.close();
  });
  const last = async () => (await store.agentSignIns.list(organizationId))[0];
  const ask = () => store.agentSignIns.ask({ agentId: "scripted", organizationId, method: "account" });
  const ended = async () => {
    for (;;) {
      const row = await last();
      if (row?.state === "signed_in" || row?.state === "failed") return [row.state, row.error];
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  return { store, signIns, ask, ended, again };
}

test("a sign-in that was asked for is carried out, and the agent asked again before it counts as done", async (t) => {
  const { signIns, store, ask, ended, again } = await fixture(t, [scriptedProfile({ account: "ok" })]);
  signIns.start();
  assert.ok((await ask()) !== null);
  assert.equal(await ask(), null, "one at a time");
  assert.deepEqual(await ended(), ["signed_in", null]);
  assert.deepEqual(again, ["scripted"]);
  assert.ok((await ask()) !== null, "it may be asked for again");
  assert.deepEqual(await store.agentRefusals.list(1), []);
});

test("a sign-in that fails keeps the agent's words without secrets; so does one to an agent that is gone", async (t) => {
  const profiles = [scriptedProfile({ account: "refused" })];
  const { signIns, ask, ended, again } = await fixture(t, profiles);
  signIns.start();
  await ask();
  assert.deepEqual(await ended(), ["failed", "The account has no ***"]);
  profiles.length = 0;
  await ask();
  assert.deepEqual(await ended(), ["failed", "The agent is no longer there."]);
  assert.deepEqual(again, []);
});

test("a sign-in that an engine did not end has failed when the next one starts, and one that waits is carried out", async (t) => {
  const { signIns, store, ask, ended } = await fixture(t, [scriptedProfile({ account: "ok" })]);
  await ask();
  assert.equal((await store.agentSignIns.claim())?.state, "running");
  await store.queue.endLeases();
  assert.deepEqual(await ended(), ["failed", "Errand was restarted before the sign-in ended."]);
  await ask();
  await store.queue.endLeases();
  signIns.start();
  assert.deepEqual(await ended(), ["signed_in", null], "one that nobody had begun");
});

test("a sign-in that breaks has failed, and may be asked for again", async (t) => {
  let isBroken = true;
  const profiles = [scriptedProfile({ account: "ok" })];
  const { signIns, ask, ended } = await fixture(t, profiles, async () => {
    if (isBroken) throw new Error("no space left");
    return profiles;
  });
  signIns.start();
  await ask();
  assert.deepEqual(await ended(), ["failed", "The sign-in failed; Errand's log says why."]);
  isBroken = false;
  assert.ok((await ask()) !== null);
  assert.deepEqual(await ended(), ["signed_in", null]);
});
