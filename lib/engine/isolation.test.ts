import assert from "node:assert/strict";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { AgentProfile } from "#lib/agents/agent.ts";
import { builtInProfiles } from "#lib/agents/profiles.ts";
import type { LogEntry } from "#lib/contract/entry.ts";
import type { Isolation } from "#lib/contract/isolation.ts";
import { SetupCommands } from "#lib/contract/setup.ts";
import { namesOf, serving } from "#lib/egress/proxy-under-test.fixture.ts";
import { findAgentUser } from "#lib/workspace/agent-user.ts";
import { makeRepository, temporaryFolder } from "#lib/workspace/test-repository.ts";
import { probeWall, type WallState } from "#lib/workspace/wall-probe.ts";
import { builtInAgents, hasEnded, networkUnderTest, openEngine, sh } from "./engine.fixture.ts";
import { chooseIsolation, isolationOfAgent } from "./isolation.ts";
import { findOutOfReach } from "./out-of-reach.ts";
import { createRunWorkspace } from "./run-workspace.ts";

const environment = { PATH: process.env.PATH ?? "" };
const steps = builtInAgents.filter(({ id }) => id === "steps");

test("the wall is given where it is demanded, and never silently left out", async () => {
  const holds: WallState = { holds: true };
  const gone: WallState = { holds: false, why: "bwrap is missing.", mend: "sudo apt install bubblewrap" };
  const chosen = async (
    [setting, ofProfile, isWallRequired]: ["auto" | Isolation, Isolation | null, boolean],
    state: WallState,
    outOfReach: string | null = null,
  ) => {
    const profile = { title: "Mine", isolation: ofProfile };
    const questions = { findState: async () => state, findOutOfReach: async () => outOfReach };
    return chooseIsolation({ setting, profile, isWallRequired }, questions).catch((error) => error.message);
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
      / requires the wall, and it does not hold on this machine: bwrap is missing\. To fix this, run: sudo apt install bubblewrap$/,
    );
  }
  assert.match(await chosen(["wall", "leash", false], holds), /`isolation: leash` of Mine in agents.json rules it out/);
  assert.match(await chosen(["leash", "wall", false], holds), /^Mine .* ERRAND_ISOLATION=leash rules it out/);
  assert.match(await chosen(["leash", null, true], holds), /^The organization .* ERRAND_ISOLATION=leash/);
});

test("an agent says why it is on the leash, and what would stand against the wall", async () => {
  const holds: WallState = { holds: true };
  const gone: WallState = { holds: false, why: "bwrap is missing.", mend: "sudo apt install bubblewrap" };
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
    "The wall does not hold on this machine: bwrap is missing. To fix this, run: sudo apt install bubblewrap";
  assert.deepEqual(await told("auto", null, gone), [missing, missing]);
  assert.deepEqual(await told("wall", null, gone), [null, missing]);
  const set = "The service is set to ERRAND_ISOLATION=leash.";
  assert.deepEqual(await told("leash", null, holds), [set, set]);
  const file = "It is set to `isolation: leash` of Mine in agents.json.";
  assert.deepEqual(await told("auto", "leash", holds), [file, file]);
  assert.deepEqual(await told("auto", null, holds, "Too far."), ["Too far.", null]);
});

test("an agent whose models are in a private network that is not permitted is out of their reach behind the wall", async () => {
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

/** What the engine's own tests of networks use: names of a stub, a server beside them that the instance's owner permits. */
async function networkTo(t: TestContext, dataDir: string) {
  const port = await serving(t, "127.0.0.3", (request, response) => response.end(`served ${request.headers.host}`));
  const find = namesOf({ "models.test": () => ["127.0.0.3"], "other.test": () => ["127.0.0.3"] });
  return {
    port,
    network: { ...networkUnderTest(dataDir, environment), permitted: new Set([`models.test:${port}`]), find },
  };
}

/** An engine whose runs must start behind the wall, over a repository with accepted setup commands. */
async function walled(
  t: TestContext,
  path: string,
  agentUser: { uid: number; gid: number } | null = null,
  isolation: "auto" | "wall" = "wall",
) {
  const dataDir = temporaryFolder(t);
  const workspace = createRunWorkspace({ dataDir, environment: { PATH: path }, sandbox: "auto", agentUser });
  const { network, port } = await networkTo(t, dataDir);
  const opened = await openEngine(t, { workspace, network, profiles: steps, isolation }, { dataDir });
  const source = join(temporaryFolder(t), "source");
  makeRepository(source, { ".gitignore": "ignored\n" });
  const { repository } = await opened.store.repositories.add(opened.access, {
    ...{ name: "x", fullName: "o/x", description: null, source, defaultBranch: "main" },
  });
  const commands = SetupCommands.parse({ install: ["pwd > ignored"] });
  await opened.store.setups.change(opened.access, repository.id, commands, null);
  opened.engine.start();
  return { ...opened, dataDir, port, repositoryId: repository.id };
}

const outputs = (entries: LogEntry[]) =>
  entries.flatMap(({ tool_output }) => {
    const output = Object(tool_output).output;
    return typeof output === "string" ? [output] : [];
  });

const { holds } = await probeWall({ dataDir: tmpdir(), env: environment, user: null, hidden: [] });
const users = [null, ...(process.getuid?.() === 0 ? [{ uid: 54_321, gid: 54_321 }] : [])];

for (const user of holds ? users : []) {
  test(`a run works behind the wall over two turns${user === null ? "" : ", as a user of its own"}`, async (t) => {
    const { dataDir, create, until, entries, store, access, repositoryId } = await walled(t, environment.PATH, user);
    const { id } = await create(
      sh(
        "cat ignored",
        `cat ${JSON.stringify(join(dataDir, "errand.db"))} 2>&1 || true`,
        "echo one > new.txt",
        "git add new.txt && git commit -qm mine",
        "echo two > more.txt",
      ),
      { repositoryId },
    );
    const first = await until(id, hasEnded);
    const log = await entries(id);
    assert.deepEqual([first.status, first.isolation], ["completed", "wall"], JSON.stringify(log.at(-1)));
    assert.ok(outputs(log).includes("/workspace\n"), "the setup ran in the wall too");
    assert.ok(
      outputs(log).some((output) => output.includes("No such file")),
      "the store is not there",
    );
    await store.runs.addTurn(access, id, {
      prompt: sh("cat new.txt more.txt ignored; git log --format=%s; id -u"),
      images: [],
      model: null,
    });
    const second = await until(id, (run) => hasEnded(run) && run.turns === 2 && run.queuedTurns === 0);
    assert.deepEqual([second.status, second.changes?.files], ["completed", 2]);
    const last = outputs((await entries(id)).slice(log.length)).join("");
    assert.match(last, /^one\ntwo\n\/workspace\n/);
    assert.match(last, /\nmine\nfirst\n/);
    assert.ok(last.endsWith(`\n${user?.uid ?? process.getuid?.()}\n`));
    const begun = (await entries(id)).filter(({ message_type }) => message_type === "USER_MESSAGE");
    assert.equal(Object(begun[1]?.observation).session ?? Object(begun[1]?.tool_input).session, "resumed");
  });
}

for (const user of holds ? users : []) {
  test(`behind the wall the proxy is the one way out${user === null ? "" : ", for a user of its own too"}`, async (t) => {
    const { create, until, entries, store, access, repositoryId, port } = await walled(t, environment.PATH, user);
    await store.networks.putRules(access, null, [{ host: "models.test", port }]);
    const get = (name: string) =>
      `node -e 'fetch("http://${name}:${port}").then(async (r) => console.log(r.status, await r.text())).catch((e) => console.log(e.cause.message))'`;
    const reached = `node -e 'require("net").connect(${port}, "127.0.0.3").on("error", (e) => console.log(e.code))'`;
    await store.setups.change(access, repositoryId, SetupCommands.parse({ install: [get("models.test")] }), null);
    const { id } = await create(sh(get("models.test"), get("other.test"), reached), { repositoryId });
    const run = await until(id, hasEnded);
    assert.equal(run.status, "completed", JSON.stringify((await entries(id)).at(-1)));
    const [setup, allowed, refused, direct] = outputs(await entries(id)).map((output) => output.trim());
    assert.equal(setup, `200 served models.test:${port}`, "the setup has the way out from its first command");
    assert.equal(allowed, `200 served models.test:${port}`);
    assert.ok(refused !== undefined && !refused.includes("served"), refused);
    assert.equal(direct, "ECONNREFUSED");
    const denials = (await store.networks.listDenials(access, id)) ?? [];
    assert.deepEqual(
      denials.map(({ host }) => host),
      [`other.test:${port}`],
    );
  });
}

for (const agentUser of holds ? users : []) {
  const whose = agentUser === null ? "" : ", for a user of its own too";
  test(`a sign-in is given behind the wall, and carried back renewed${whose}`, async (t) => {
    const dataDir = temporaryFolder(t);
    const tool = temporaryFolder(t);
    writeFileSync(join(tool, "auth.json"), '{"renewed": 0}');
    const workspace = createRunWorkspace({
      dataDir,
      environment: { ...environment, TOOL: tool },
      sandbox: "auto",
      agentUser,
    });
    const profiles = steps.map((profile) => ({
      ...profile,
      passEnv: ["TOOL"],
      signIn: [{ file: "auth.json", folder: ".tool", variable: "TOOL" }],
    }));
    const opened = await openEngine(t, { workspace, profiles, isolation: "wall" }, { dataDir });
    opened.engine.start();
    const { id } = await opened.create(
      sh("cat ~/.tool/auth.json; printenv TOOL || echo none", `echo '{"renewed": 1}' > ~/.tool/auth.json`),
    );
    assert.equal((await opened.until(id, hasEnded)).status, "completed");
    assert.equal(outputs(await opened.entries(id))[0], '{"renewed": 0}none\n');
    assert.equal(readFileSync(join(tool, "auth.json"), "utf8"), '{"renewed": 1}\n');
  });
}

test("a run that takes too much memory behind the wall is ended, and says why", { skip: !holds }, async (t) => {
  const dataDir = temporaryFolder(t);
  const workspace = createRunWorkspace({ dataDir, environment, sandbox: "auto", memoryBytes: 400 * 1024 ** 2 });
  const { engine, create, until, entries } = await openEngine(t, { workspace, isolation: "wall" }, { dataDir });
  engine.start();
  const eat = "node -e 'const all = []; setInterval(() => all.length < 20 && all.push(Buffer.alloc(5e7, 1)), 100)'";
  const run = await until((await create(sh(eat))).id, hasEnded);
  assert.equal(run.status, "failed");
  assert.match(
    JSON.stringify((await entries(run.id)).at(-1)),
    /Errand ended it: it used \d+ MB of memory, more than 400 MB/,
  );
});

test("a run that fills the disk behind the wall is ended, and says why", { skip: !holds }, async (t) => {
  const dataDir = temporaryFolder(t);
  // As if the disk of the test had nothing left.
  const disk = { diskLeftBytes: Number.MAX_SAFE_INTEGER, diskMostBytes: 40 * 1024 ** 2 };
  const workspace = createRunWorkspace({ dataDir, environment, sandbox: "auto", ...disk });
  const { engine, create, until, entries } = await openEngine(t, { workspace, isolation: "wall" }, { dataDir });
  engine.start();
  const small = await until((await create(sh("head -c 10M /dev/zero > small; sleep 3"))).id, hasEnded);
  assert.equal(small.status, "completed");
  const fill = "for i in $(seq 8); do head -c 10M /dev/zero > big-$i; done; sleep 60";
  const run = await until((await create(sh(fill))).id, hasEnded);
  assert.equal(run.status, "failed");
  assert.match(
    JSON.stringify((await entries(run.id)).at(-1)),
    /Errand ended it: it used 8\d MB of a disk that has \d+ MB/,
  );
});

test("a run that demands the wall where it does not hold fails at once, before anything is begun", async (t) => {
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

test("an organization that demands the wall is given nothing else", async (t) => {
  const bin = temporaryFolder(t);
  writeFileSync(join(bin, "bwrap"), "#!/bin/sh\nexit 1\n");
  chmodSync(join(bin, "bwrap"), 0o755);
  const { create, until, entries, store, access } = await walled(t, `${bin}:/usr/bin:/bin`, null, "auto");
  const onLeash = await until((await create(sh("echo hello"))).id, hasEnded);
  assert.equal(onLeash.isolation, "leash");
  await store.settings.change(access, { requireWall: true });
  const refused = await until((await create(sh("echo hello"))).id, hasEnded);
  const [, error] = await entries(refused.id);
  assert.match(Object(error?.observation).message, /^The organization requires the wall/);
  // A machine on which the first run took longer than a second is too busy for that bound.
  assert.ok(millisecondsOf(refused) <= Math.max(1000, millisecondsOf(onLeash)), `${millisecondsOf(refused)} ms`);
});

function millisecondsOf({ createdAt, finishedAt }: { createdAt: string; finishedAt: string | null }): number {
  return Date.parse(finishedAt ?? "") - Date.parse(createdAt);
}

test("an agent's user must be there, and be another than root", async () => {
  assert.equal(await findAgentUser(null), null);
  if (process.getuid?.() !== 0) {
    await assert.rejects(findAgentUser("nobody"), /only a service that runs as root/);
    return;
  }
  assert.deepEqual(await findAgentUser("1234:1235"), { uid: 1234, gid: 1235 });
  assert.equal((await findAgentUser("nobody"))?.uid, 65_534);
  await assert.rejects(findAgentUser("no-such-user"), /there is no user "no-such-user"/);
  await assert.rejects(findAgentUser("root"), /must not be root/);
});
