// Tier: rest
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { temporaryFolder } from "#lib/workspace/test-repository.ts";
import { probeWall } from "#lib/workspace/wall-probe.ts";
import { hasEnded, openEngine, sh } from "./engine.fixture.ts";
import { createRunWorkspace } from "./run-workspace.ts";
import { environment, steps } from "./walled.fixture.ts";

const { holds } = await probeWall({ dataDir: tmpdir(), env: environment, user: null, hidden: [] });
const agentUser = process.getuid?.() === 0 ? { uid: 54_321, gid: 54_321 } : null;

/** An engine that keeps its agent, which runs the steps in its prompt, behind the wall. */
async function open(t: TestContext) {
  const dataDir = temporaryFolder(t);
  const tool = temporaryFolder(t);
  const signIn = join(tool, "auth.json");
  writeFileSync(signIn, '{"renewed": 0}');
  const workspace = createRunWorkspace({
    ...{ dataDir, environment: { ...environment, TOOL: tool }, sandbox: "auto" as const, agentUser },
  });
  const profiles = steps.map((profile) => ({
    ...{ ...profile, hasModel: true, signIn: [{ file: "auth.json", folder: ".tool", variable: "TOOL" }] },
  }));
  const opened = await openEngine(t, { workspace, profiles, isolation: "wall", warmMs: 60_000 }, { dataDir });
  const { store, access, engine, create, until, entries } = opened;
  engine.start();
  /** A turn of the run (a new run if null); returns its id, the commands' output, and whether the agent was started or kept. */
  const say = async (runId: number | null, ...commands: string[]) => {
    const prompt = sh(...commands);
    const [count, turns] =
      runId === null ? [0, 0] : [(await entries(runId)).length, (await store.runs.find(access, runId))?.turns ?? 0];
    if (runId !== null) await store.runs.addTurn(access, runId, { prompt, images: [], model: null });
    const id = runId ?? (await create(prompt)).id;
    const run = await until(id, (one) => hasEnded(one) && one.turns === turns + 1 && one.queuedTurns === 0);
    const said = (await entries(id)).slice(count);
    assert.equal(run.status, "completed", JSON.stringify(said.at(-1)));
    const outputs = said.map(({ tool_output }) => Object(tool_output).output).filter((one) => typeof one === "string");
    const [begun] = said.filter(({ message_type }) => message_type === "USER_MESSAGE");
    return { id, outputs, session: Object(begun?.tool_input).session ?? Object(begun?.observation).session };
  };
  return { ...opened, say, signIn };
}

test("a kept agent can commit after the service has committed", { skip: !holds }, async (t) => {
  const { say } = await open(t);
  const first = await say(null, "for i in $(seq 400); do echo $i > file-$i; done");
  const commits = "for i in $(seq 15); do echo more-$i > more; git add more; git commit -qm more || exit 1; done";
  const second = await say(first.id, `${commits}; echo all`);
  assert.deepEqual([second.session, second.outputs], ["continued", ["all\n"]]);
});

test("an agent is not kept for a checkout whose .git the service recreated", { skip: !holds }, async (t) => {
  const { say } = await open(t);
  const first = await say(null, "echo one > one && git add one && git commit -qm one && mv .git/objects .git/other");
  const second = await say(first.id, "(echo '[x]' >> .git/config) 2>/dev/null && echo changed || echo refused");
  assert.notEqual(second.session, "continued");
  assert.deepEqual(second.outputs, ["refused\n"]);
});

test("a kept agent's renewed sign-in reaches others at once, and it gets theirs", { skip: !holds }, async (t) => {
  const { say, signIn } = await open(t);
  const first = await say(null, `echo '{"renewed": 1}' > ~/.tool/auth.json`);
  assert.equal(readFileSync(signIn, "utf8"), '{"renewed": 1}\n');
  assert.equal((await say(first.id, "true")).session, "continued");
  writeFileSync(signIn, '{"renewed": 2}');
  const third = await say(first.id, "cat ~/.tool/auth.json");
  assert.notEqual(third.session, "continued");
  assert.deepEqual(third.outputs, ['{"renewed": 2}']);
});

test("connections refused to a kept agent at the end of its turn are recorded", { skip: !holds }, async (t) => {
  const { say, store, access } = await open(t);
  const { id } = await say(null, `node -e 'fetch("http://other.test:81").catch(() => 0)'`);
  const denials = (await store.networks.listDenials(access, id)) ?? [];
  assert.deepEqual(
    denials.map(({ host }) => host),
    ["other.test:81"],
  );
});
