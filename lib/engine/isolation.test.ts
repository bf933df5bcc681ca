import assert from "node:assert/strict";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { AgentProfile } from "#lib/agents/agent.ts";
import { builtInProfiles } from "#lib/agents/profiles.ts";
import type { Isolation } from "#lib/contract/runs/isolation.ts";
import type { PermissionMode } from "#lib/contract/runs/run.ts";
import { namesOf } from "#lib/egress/proxy-under-test.fixture.ts";
import { findAgentUser } from "#lib/workspace/agent-user.ts";
import { temporaryFolder } from "#lib/workspace/test-repository.ts";
import type { WallState } from "#lib/workspace/wall-probe.ts";
import { hasEnded, sh } from "./engine.fixture.ts";
import { chooseIsolation, isolationOfAgent } from "./isolation.ts";
import { findOutOfReach } from "./out-of-reach.ts";
import { environment, walled } from "./walled.fixture.ts";

test("a run that requires the wall gets it, and it is never silently left out", async () => {
  const holds: WallState = { holds: true };
  const gone: WallState = { holds: false, why: "bwrap is missing.", fix: "sudo apt install bubblewrap" };
  const chosen = async (
    [setting, ofProfile, isWallRequired]: ["auto" | Isolation, Isolation | null, boolean],
    state: WallState,
    outOfReach: string | null = null,
  ) => {
    const profile = { title: "Mine", isolation: ofProfile };
    const questions = { findState: async () => state, findOutOfReach: async () => outOfReach };
    const request = { setting, profile, isWallRequired, permissionMode: "ask" as const };
    return chooseIsolation(request, questions).catch((error) => error.message);
  };
  assert.equal(await chosen(["auto", null, false], holds), "wall");
  assert.equal(await chosen(["auto", null, false], gone), "leash");
  assert.equal(await chosen(["auto", null, false], holds, "Its models are out of reach."), "leash");
  assert.equal(await chosen(["auto", "leash", false], holds), "leash");
  assert.equal(await chosen(["leash", null, false], holds), "leash");
  for (const demand of [
    ["wall", null, false],
    ["auto", "wall", false],
    ["auto", null, true],
  ] as const) {
    assert.equal(await chosen([...demand], holds), "wall");
    assert.equal(await chosen([...demand], holds, "Its models are out of reach."), "wall");
    assert.match(
      await chosen([...demand], gone),
      / requires the wall, and it does not work on this machine: bwrap is missing\. To fix this, run: sudo apt install bubblewrap$/,
    );
  }
  assert.match(await chosen(["wall", "leash", false], holds), /`isolation: leash` of Mine in agents.json rules it out/);
  assert.match(await chosen(["leash", "wall", false], holds), /^Mine .* ERRAND_ISOLATION=leash rules it out/);
  assert.match(await chosen(["leash", null, true], holds), /^The organization .* ERRAND_ISOLATION=leash/);
});

test("an agent whose commands would need their own sandbox is not started behind the wall, and says what to do", async () => {
  const codex = builtInProfiles.find(({ id }) => id === "codex");
  assert.ok(codex !== undefined);
  const questions = { findState: async () => ({ holds: true }) as const, findOutOfReach: async () => null };
  const chosen = (permissionMode: PermissionMode, isWallRequired: boolean, isolation: Isolation | null = null) =>
    chooseIsolation(
      { setting: "auto", profile: { ...codex, isolation }, isWallRequired, permissionMode },
      questions,
    ).catch((error) => `${error.code}: ${error.message}`);
  for (const isRequired of [false, true]) assert.equal(await chosen("auto", isRequired), "wall");
  for (const mode of ["ask", "read-only"] as const) {
    const words = `isolation_unavailable: With the permission mode ${mode}, Codex runs its commands in a sandbox of its own, which the wall does not allow. Use the permission mode auto`;
    assert.equal(await chosen(mode, true), `${words}.`);
    assert.equal(
      await chosen(mode, false),
      `${words}, or turn off its isolation (\`"isolation": "leash"\` in agents.json).`,
    );
    assert.equal(await chosen(mode, false, "leash"), "leash");
  }
});

test("an agent says why it is on the leash, and what would prevent the wall", async () => {
  const holds: WallState = { holds: true };
  const gone: WallState = { holds: false, why: "bwrap is missing.", fix: "sudo apt install bubblewrap" };
  const told = async (
    setting: "auto" | Isolation,
    ofProfile: Isolation | null,
    state: WallState,
    outOfReach: string | null = null,
  ) => {
    const profile = { title: "Mine", isolation: ofProfile };
    const questions = { findState: async () => state, findOutOfReach: async () => outOfReach };
    const { reason, wallProblem } = await isolationOfAgent({ setting, profile }, questions);
    return [reason, wallProblem];
  };
  assert.deepEqual(await told("auto", null, holds), [null, null]);
  const missing =
    "The wall does not work on this machine: bwrap is missing. To fix this, run: sudo apt install bubblewrap";
  assert.deepEqual(await told("auto", null, gone), [missing, missing]);
  assert.deepEqual(await told("wall", null, gone), [null, missing]);
  const set = "Isolation is turned off for all agents (ERRAND_ISOLATION=leash).";
  assert.deepEqual(await told("leash", null, holds), [set, set]);
  const file = "It is set to `isolation: leash` of Mine in agents.json.";
  assert.deepEqual(await told("auto", "leash", holds), [file, file]);
  assert.deepEqual(await told("auto", null, holds, "Too far."), ["Too far.", null]);
});

test("an agent whose models are in a private network that is not permitted cannot reach them behind the wall", async () => {
  const claude = builtInProfiles.find(({ id }) => id === "claude");
  const opencode = builtInProfiles.find(({ id }) => id === "opencode");
  assert.ok(claude !== undefined && opencode !== undefined);
  const find = namesOf({ "llm.test": () => ["10.0.0.5"], "api.test": () => ["93.184.216.34"] });
  const reach = (profile: AgentProfile, environment: Record<string, string>, permitted: string[] = []) =>
    findOutOfReach(profile, { permitted: new Set(permitted), environment, find });
  assert.equal(await reach(claude, {}), null);
  assert.equal(await reach(claude, { ANTHROPIC_BASE_URL: "https://api.test/v1" }), null);
  assert.equal(
    await reach(claude, { ANTHROPIC_BASE_URL: "http://localhost:11434" }),
    "The wall lets it reach http://localhost:11434 only with ERRAND_EGRESS_PRIVATE=localhost:11434.",
  );
  assert.match((await reach(claude, { ANTHROPIC_BASE_URL: "https://llm.test" })) ?? "", /=llm\.test:443\.$/);
  assert.equal(await reach(claude, { ANTHROPIC_BASE_URL: "https://llm.test" }, ["llm.test:443"]), null);
  const settings = { provider: { anthropic: { options: { baseURL: "http://10.0.0.5:8000/v1" } } } };
  const given = { OPENCODE_CONFIG_CONTENT: JSON.stringify(settings) };
  assert.match((await reach(opencode, given)) ?? "", /^The wall lets it reach http:\/\/10\.0\.0\.5:8000 only/);
  assert.equal(await reach(opencode, given, ["10.0.0.5:8000"]), null);
});

test("a run that requires the wall on a machine where it does not hold fails at once, before anything is begun", async (t) => {
  const bin = temporaryFolder(t);
  writeFileSync(join(bin, "bwrap"), "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n");
  chmodSync(join(bin, "bwrap"), 0o755);
  const { create, until, entries, repositoryId } = await walled(t, `${bin}:${environment.PATH}`);
  const run = await until((await create(sh("echo hello"), { repositoryId })).id, hasEnded);
  assert.deepEqual([run.status, run.isolation, run.branch], ["failed", null, null]);
  const log = await entries(run.id);
  assert.deepEqual(
    log.map(({ message_type }) => message_type),
    ["USER_MESSAGE", "ERROR"],
  );
  const { code, message } = Object(log[1]?.observation);
  assert.equal(code, "isolation_unavailable");
  assert.match(message, /bwrap: No permissions to create new namespace/);
});

test("an organization that requires the wall is given nothing else, and learns so before an agent would have started", async (t) => {
  const bin = temporaryFolder(t);
  writeFileSync(join(bin, "bwrap"), "#!/bin/sh\nexit 1\n");
  chmodSync(join(bin, "bwrap"), 0o755);
  const { create, until, entries, store, access } = await walled(t, `${bin}:/usr/bin:/bin`, null, "auto");
  const took: { leash: number[]; none: number[] } = { leash: [], none: [] };
  for (let round = 0; round < 5; round++) {
    for (const requireWall of [false, true]) {
      await store.settings.change(access, { requireWall });
      const run = await until((await create(sh("echo hello"))).id, hasEnded);
      assert.equal(run.isolation, requireWall ? null : "leash");
      took[run.isolation === "leash" ? "leash" : "none"].push(millisecondsOf(run));
      if (!requireWall) continue;
      const [, error] = await entries(run.id);
      assert.match(Object(error?.observation).message, /^The organization requires the wall/);
    }
  }
  const [refused = 0, worked = 0] = [took.none, took.leash].map((times) => times.toSorted((a, b) => a - b)[2]);
  assert.ok(refused < worked, `refused after ${took.none} ms, worked for ${took.leash} ms`);
});

function millisecondsOf({ createdAt, finishedAt }: { createdAt: string; finishedAt: string | null }): number {
  return Date.parse(finishedAt ?? "") - Date.parse(createdAt);
}

test("an agent's user must exist, and must not be root", async () => {
  assert.equal(await findAgentUser(null), null);
  if (process.getuid?.() !== 0) {
    await assert.rejects(findAgentUser("nobody"), /works only if Errand runs as root/);
    return;
  }
  assert.deepEqual(await findAgentUser("1234:1235"), { uid: 1234, gid: 1235 });
  assert.equal((await findAgentUser("nobody"))?.uid, 65_534);
  await assert.rejects(findAgentUser("no-such-user"), /there is no user "no-such-user"/);
  await assert.rejects(findAgentUser("root"), /must not be root/);
});
