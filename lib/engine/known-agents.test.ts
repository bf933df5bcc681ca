import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { acpDriver } from "#lib/agents/acp/driver.ts";
import { builtInProfiles } from "#lib/agents/profiles.ts";
import type { LogEntry } from "#lib/contract/entry.ts";
import { serving } from "#lib/egress/proxy-under-test.fixture.ts";
import type { RunRow } from "#lib/store/store.ts";
import { findAgentUser } from "#lib/workspace/agent-user.ts";
import { toProcessEnv } from "#lib/workspace/environment.ts";
import { makeRepository, temporaryFolder } from "#lib/workspace/test-repository.ts";
import { networkUnderTest, openEngine } from "./engine.fixture.ts";
import { createRunWorkspace } from "./run-workspace.ts";

/**
 * The known agents themselves behind the wall, against a scripted model. They are hundreds of megabytes, so this is for whoever has
 * installed them: ERRAND_TEST_AGENTS names the folder of their commands, ERRAND_TEST_MODEL the script of the model where it is not
 * beside this checkout.
 */
const commands = process.env.ERRAND_TEST_AGENTS ?? "";
const model = process.env.ERRAND_TEST_MODEL ?? join(import.meta.dirname, "../../../shared/acp/llm-stub.mjs");
const absent = !existsSync(commands)
  ? "ERRAND_TEST_AGENTS names no folder with the agents' commands"
  : existsSync(model)
    ? false
    : "no scripted model beside this checkout (../shared/acp)";

const key = `sk-of-agent-${"0123456789abcdef".repeat(2)}`;

/** What each agent is given by the service's environment, where `base` is the address of the model. */
const known: Record<
  string,
  {
    env: (base: string) => Record<string, string>;
    header: string;
    resumes: boolean;
    tellsOutput: boolean;
    steers: boolean;
  }
> = {
  claude: {
    env: (base) => ({ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: base }),
    header: "x-api-key",
    resumes: true,
    tellsOutput: true,
    steers: true,
  },
  codex: {
    env: (base) => ({ CODEX_API_KEY: key, OPENAI_BASE_URL: `${base}/v1` }),
    header: "authorization",
    resumes: true,
    tellsOutput: true,
    steers: true,
  },
  gemini: {
    env: (base) => ({ GEMINI_API_KEY: key, GOOGLE_GEMINI_BASE_URL: base }),
    header: "x-goog-api-key",
    resumes: false,
    tellsOutput: false,
    steers: false,
  },
  opencode: {
    env: (base) => {
      const provider = { anthropic: { options: { baseURL: `${base}/v1` } } };
      const settings = { model: "anthropic/claude-sonnet-4-5", provider };
      return { ANTHROPIC_API_KEY: key, OPENCODE_CONFIG_CONTENT: JSON.stringify(settings) };
    },
    header: "x-api-key",
    resumes: true,
    tellsOutput: true,
    steers: true,
  },
  qwen: {
    env: (base) => ({ OPENAI_API_KEY: key, OPENAI_BASE_URL: `${base}/v1`, OPENAI_MODEL: "stub-model" }),
    header: "authorization",
    resumes: true,
    tellsOutput: true,
    steers: true,
  },
};

/** The script with what it lacks: two tools at once, and Qwen Code's name for the file that it edits. */
function adapted(script: string): string {
  const twoAtOnce = `if (/PARALLEL/.test(prompt)) return step === 0 ? { text: 'Two at once.', calls: ['one', 'two'].map((word) => ({ name: sh, args: shArgs('echo ' + word + ' of two') })) } : { text: 'Both are done.' };\n`;
  // Two commands, whatever is said meanwhile; each answer tells whether the word was heard.
  const steered = `if (/STEERED/.test(globalThis.asked)) { const done = ctx.toolResults; return done < 2 ? { text: 'Command ' + done, calls: [{ name: sh, args: shArgs('node -e "setTimeout(()=>console.log(' + done + '),' + (done === 0 ? 8000 : 1000) + ')"') }] } : { text: /ZEBRA/.test(globalThis.asked) ? 'I heard of the zebra.' : 'I heard nothing.' }; }\n`;
  return script
    .replace("try { J = JSON.parse(body); }", () => "globalThis.asked = body; try { J = JSON.parse(body); }")
    .replace("  if (/SLOWTOOL/", () => `  ${steered}  if (/SLOWTOOL/`)
    .replace("  if (/ERR500/", () => `  ${twoAtOnce}  if (/ERR500/`)
    .replaceAll("ed === 'edit' ?", "ed === 'edit' && rd === 'read' ?");
}

/** The scripted model behind a server that notes with which key it is asked. */
async function startModel(t: TestContext) {
  const log = join(temporaryFolder(t), "model.log");
  const port = await freePort();
  const script = join(temporaryFolder(t), "model.mjs");
  writeFileSync(script, adapted(readFileSync(model, "utf8")));
  const child = spawn(process.execPath, [script, String(port), log], {
    env: toProcessEnv({ PATH: process.env.PATH, AGENT_CWD: "/workspace" }),
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => child.kill());
  await once(child.stdout, "data");
  const heard = new Set<string>();
  const front = await serving(t, "127.0.0.3", (asked, answer) => {
    const held = ["authorization", "x-api-key", "x-goog-api-key"].filter((name) => asked.headers[name] !== undefined);
    for (const name of held) heard.add(`${name}: ${asked.headers[name]}`);
    const onward = request({ host: "127.0.0.1", port, path: asked.url, method: asked.method, headers: asked.headers });
    onward.on("response", (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    onward.on("error", () => answer.destroy());
    answer.on("close", () => onward.destroy());
    asked.pipe(onward);
  });
  return { heard, pair: `127.0.0.3:${front}`, log };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function walledAgent(t: TestContext, id: string) {
  const agent = known[id];
  const profile = builtInProfiles.find((one) => one.id === id);
  assert.ok(agent !== undefined && profile !== undefined);
  const { heard, pair, log } = await startModel(t);
  const dataDir = temporaryFolder(t);
  const environment = { PATH: `${commands}:${process.env.PATH}`, ...agent.env(`http://${pair}`) };
  const opened = await openEngine(
    t,
    {
      workspace: createRunWorkspace({
        ...{ dataDir, environment, sandbox: "auto" },
        agentUser: await findAgentUser(process.env.ERRAND_TEST_AGENT_USER ?? null),
      }),
      driver: acpDriver(environment),
      profiles: [profile],
      isolation: "wall",
      warmMs: 60_000,
      network: { ...networkUnderTest(dataDir, environment), permitted: new Set([pair]) },
      limits: { startMs: 60_000, inactivityMs: 90_000, turnMs: 120_000, questionMs: 10_000, stopGraceMs: 5000 },
    },
    { dataDir },
  );
  const source = join(temporaryFolder(t), "source");
  makeRepository(source, {
    "README.md": "# Greeting\n",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a file
    "greet.mjs": "export const greet = (n) => `Helo, ${n}!`;\n",
    "greet.test.mjs":
      'import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { greet } from "./greet.mjs";\ntest("greets", () => assert.equal(greet("Ann"), "Hello, Ann!"));\n',
  });
  const { repository } = await opened.store.repositories.add(opened.access, {
    ...{ name: "x", fullName: "o/x", description: null, source, defaultBranch: "main" },
  });
  opened.engine.start();
  const until = async (runId: number, isSo: (run: RunRow) => boolean) => {
    for (const endsAt = Date.now() + 150_000; Date.now() < endsAt; await delay(100)) {
      const run = await opened.store.runs.find(opened.access, runId);
      if (run !== null && isSo(run)) return run;
    }
    throw new Error(`Run ${runId} did not get there`);
  };
  return { ...opened, until, agent, heard, log, dataDir, repositoryId: repository.id };
}

const actions = (log: LogEntry[]) => log.filter(({ message_type }) => message_type === "ACTION");
const filesBelow = (folder: string) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((item) => item.isFile())
    .map((item) => join(item.parentPath, item.name));

for (const id of Object.keys(known)) {
  test(`${id} does its work behind the wall, with a key that it never holds`, { skip: absent }, async (t) => {
    const { store, access, create, until, entries, agent, heard, log, dataDir, repositoryId } = await walledAgent(
      t,
      id,
    );
    const run = await create("Fix the greeting", { agent: id, repositoryId });
    const ended = (turns: number) => (row: typeof run) =>
      ["completed", "failed", "cancelled"].includes(row.status) && row.turns === turns && row.queuedTurns === 0;
    const first = await until(run.id, ended(1));
    const steps = await entries(run.id);
    const told = () =>
      `${JSON.stringify(steps, null, 1)}\n${existsSync(log) ? readFileSync(log, "utf8").slice(0, 20_000) : "nothing was asked of the model"}`;
    assert.deepEqual([first.status, first.isolation], ["completed", "wall"], told());
    assert.equal(first.changes?.files, 1, told());
    assert.ok(actions(steps).length >= 4, told());
    assert.ok(steps.some(({ thought }) => (thought ?? "") !== ""));
    // The tests fail before the greeting is mended.
    if (agent.tellsOutput) assert.ok(JSON.stringify(actions(steps)).includes("Helo, Ann!"), told());
    assert.equal(steps.at(-1)?.message_type, "FINAL_ANSWER");
    const value = agent.header === "authorization" ? `Bearer ${key}` : key;
    assert.deepEqual([...heard], [`${agent.header}: ${value}`]);

    await store.runs.addTurn(access, run.id, { prompt: "FOLLOWUP", images: [], model: null });
    const second = await until(run.id, ended(2));
    const answer = (await entries(run.id)).slice(steps.length);
    assert.equal(second.status, "completed", JSON.stringify(answer));
    const begun = answer.find(({ message_type }) => message_type === "USER_MESSAGE");
    // The agent was kept: gemini could not load its session so soon.
    assert.match(JSON.stringify(begun), /"session":"continued"/);
    assert.match(JSON.stringify(answer.at(-1)), /Follow-up answered: I remember/);

    await store.runs.addTurn(access, run.id, { prompt: "PARALLEL", images: [], model: null });
    await until(run.id, ended(3));
    const both = (await entries(run.id)).slice(steps.length + answer.length);
    // The scripted model gives gemini's two calls one id.
    if (id !== "gemini") assert.equal(actions(both).length, 2, JSON.stringify(both));
    if (agent.tellsOutput)
      for (const word of ["one", "two"]) assert.match(JSON.stringify(both), new RegExp(`${word} of two`));
    assert.match(JSON.stringify(both.at(-1)), /Both are done/);

    await store.runs.addTurn(access, run.id, { prompt: "SLOWTOOL", images: [], model: null });
    await until(run.id, ({ status, turns }) => status === "running" && turns === 4);
    for (let shown = ""; !shown.includes("setTimeout"); ) {
      shown = JSON.stringify(await store.runs.findProgress(access, run.id));
      await delay(50);
    }
    await store.runs.cancel(access, run.id);
    assert.equal((await until(run.id, ended(4))).status, "cancelled");

    const before = (await entries(run.id)).length;
    await store.runs.addTurn(access, run.id, { prompt: "FOLLOWUP", images: [], model: null });
    await until(run.id, ended(5));
    const anew = (await entries(run.id)).slice(before).find(({ message_type }) => message_type === "USER_MESSAGE");
    if (agent.resumes) assert.match(JSON.stringify(anew), /"session":"(resumed|loaded)"/);

    assert.ok(!JSON.stringify(await entries(run.id)).includes(key));
    const holding = filesBelow(dataDir).filter((file) => readFileSync(file).includes(key));
    assert.deepEqual(holding, []);
  });

  test(`${id} ${known[id]?.steers ? "has a message at its next step" : "has a message at its next turn"}`, {
    skip: absent,
  }, async (t) => {
    const { store, access, create, until, entries, agent, repositoryId } = await walledAgent(t, id);
    const run = await create("STEERED", { agent: id, repositoryId });
    await until(run.id, ({ status, isSteerable }) => status === "running" && isSteerable === agent.steers);
    for (let shown = ""; !shown.includes("setTimeout"); await delay(50)) {
      shown = JSON.stringify(await store.runs.findProgress(access, run.id));
    }
    const message = { prompt: "Remember the ZEBRA", images: [], model: null };
    await store.runs.addTurn(access, run.id, message, { atNextStep: true });
    const ended = await until(run.id, ({ status, queuedTurns }) => status === "completed" && queuedTurns === 0);
    const log = await entries(run.id);
    const told = log.findIndex(({ observation }) => observation === "Remember the ZEBRA");
    assert.equal(ended.turns, agent.steers ? 1 : 2, JSON.stringify(log));
    assert.match(JSON.stringify(log.at(-1)), /I heard of the zebra/);
    if (agent.steers) assert.ok(actions(log.slice(told)).length >= 1, JSON.stringify(log));
  });
}
