import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { acpDriver } from "#lib/agents/acp/driver.ts";
import { builtInProfiles } from "#lib/agents/profiles.ts";
import { serving } from "#lib/egress/proxy-under-test.fixture.ts";
import { mcpServersFor } from "#lib/host/open-mcp-servers.ts";
import { createSeal } from "#lib/secrets/seal.ts";
import type { RunRow } from "#lib/store/store.ts";
import { findAgentUser } from "#lib/workspace/agent-user.ts";
import { toProcessEnv } from "#lib/workspace/environment.ts";
import { makeRepository, temporaryFolder } from "#lib/workspace/test-repository.ts";
import { networkUnderTest, openEngine } from "./engine.fixture.ts";
import type { EngineParts } from "./engine-parts.ts";
import { createRunWorkspace } from "./run-workspace.ts";

/**
 * The known agents themselves behind the wall, against a scripted model. They are hundreds of megabytes, so these tests need them
 * installed: ERRAND_TEST_AGENTS names the folder of their commands, ERRAND_TEST_MODEL the script of the model if it is not beside
 * this checkout.
 */
const commands = process.env.ERRAND_TEST_AGENTS ?? "";
const model = process.env.ERRAND_TEST_MODEL ?? join(import.meta.dirname, "../../../shared/acp/llm-stub.mjs");
/** Why the known agents cannot be tested here; false if they can. */
export const absent = !existsSync(commands)
  ? "ERRAND_TEST_AGENTS names no folder with the agents' commands"
  : existsSync(model)
    ? false
    : "no scripted model beside this checkout (../shared/acp)";

/** The key that the service has for each agent. */
export const key = `sk-of-agent-${"0123456789abcdef".repeat(2)}`;

/**
 * Each known agent, what can be expected of it, and what the service's environment gives it; `base` is the address of the model.
 */
export const known: Record<
  string,
  {
    env: (base: string) => Record<string, string>;
    header: string;
    resumes: boolean;
    tellsOutput: boolean;
    steers: boolean;
    /** Tells its model the names of MCP servers' tools at once, not only when the model searches for tools. */
    namesTools: boolean;
  }
> = {
  claude: {
    env: (base) => ({ ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: base }),
    header: "x-api-key",
    resumes: true,
    tellsOutput: true,
    steers: true,
    namesTools: true,
  },
  codex: {
    env: (base) => ({ CODEX_API_KEY: key, OPENAI_BASE_URL: `${base}/v1` }),
    header: "authorization",
    resumes: true,
    tellsOutput: true,
    steers: true,
    namesTools: false,
  },
  gemini: {
    env: (base) => ({ GEMINI_API_KEY: key, GOOGLE_GEMINI_BASE_URL: base }),
    header: "x-goog-api-key",
    resumes: false,
    tellsOutput: false,
    steers: false,
    namesTools: true,
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
    namesTools: true,
  },
  qwen: {
    env: (base) => ({ OPENAI_API_KEY: key, OPENAI_BASE_URL: `${base}/v1`, OPENAI_MODEL: "stub-model" }),
    header: "authorization",
    resumes: true,
    tellsOutput: true,
    steers: true,
    namesTools: false,
  },
};

/** The script with additions: two tools at once, and Qwen Code's name for the file that it edits. */
function adapted(script: string): string {
  const twoAtOnce = `if (/PARALLEL/.test(prompt)) return step === 0 ? { text: 'Two at once.', calls: ['one', 'two'].map((word) => ({ name: sh, args: shArgs('echo ' + word + ' of two') })) } : { text: 'Both are done.' };\n`;
  // Two commands, whatever is said in the meantime; the answer tells whether the word was heard.
  const steered = `if (/STEERED/.test(globalThis.asked)) { const done = ctx.toolResults; return done < 2 ? { text: 'Command ' + done, calls: [{ name: sh, args: shArgs('node -e "setTimeout(()=>console.log(' + done + '),' + (done === 0 ? 8000 : 1000) + ')"') }] } : { text: /ZEBRA/.test(globalThis.asked) ? 'I heard of the zebra.' : 'I heard nothing.' }; }\n`;
  // After a command, which leaves time to reach the tools: says whether it got the text of a file and the name of a server's
  // tool.
  const given = `if (/TELL WHAT YOU HAVE/.test(globalThis.asked)) return ctx.toolResults === 0 ? { text: 'A moment.', calls: [{ name: sh, args: shArgs('node -e "setTimeout(()=>console.log(1),5000)"') }] } : { text: 'I have ' + (/NEEDLE-7719/.test(globalThis.asked) ? 'the file' : 'no file') + ' and ' + (/list_issues/.test(globalThis.asked) ? 'the tool' : 'no tool') + '.' };\n`;
  return script
    .replace("try { J = JSON.parse(body); }", () => "globalThis.asked = body; try { J = JSON.parse(body); }")
    .replace("  if (/SLOWTOOL/", () => `  ${steered}  ${given}  if (/SLOWTOOL/`)
    .replace("  if (/ERR500/", () => `  ${twoAtOnce}  if (/ERR500/`)
    .replaceAll("ed === 'edit' ?", "ed === 'edit' && rd === 'read' ?");
}

/** The scripted model behind a server that records the key of each request. */
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

/**
 * An engine with one known agent behind the wall, a scripted model, and a repository with a failing test. `permitted`: pairs of host
 * and port that its agent may reach beside the model.
 */
export async function walledAgent(t: TestContext, id: string, permitted: string[] = []) {
  const agent = known[id];
  const profile = builtInProfiles.find((one) => one.id === id);
  assert.ok(agent !== undefined && profile !== undefined);
  const { heard, pair, log } = await startModel(t);
  const dataDir = temporaryFolder(t);
  let findServers: EngineParts["findMcpServers"] = async () => [];
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
      findMcpServers: (...run) => findServers(...run),
      warmMs: 60_000,
      network: { ...networkUnderTest(dataDir, environment), permitted: new Set([pair, ...permitted]) },
      limits: { startMs: 60_000, inactivityMs: 90_000, turnMs: 120_000, questionMs: 10_000, stopGraceMs: 5000 },
    },
    { dataDir },
  );
  const seal = createSeal({ key: null, file: join(dataDir, "secret.key") });
  findServers = mcpServersFor(opened.store, seal);
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
  return { ...opened, until, agent, heard, log, dataDir, seal, repositoryId: repository.id };
}
