// Tier: rest
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { scriptedProfile } from "#lib/agents/acp/scripted-profile.fixture.ts";
import type { AgentMcpProgram } from "#lib/agents/agent.ts";
import { mcpSealContextOf, mcpServersFor } from "#lib/host/open-mcp-servers.ts";
import { createSeal } from "#lib/secrets/seal.ts";
import { temporaryFolder } from "#lib/workspace/test-repository.ts";
import { hasEnded, openEngine } from "./engine.fixture.ts";
import type { EngineParts } from "./engine-parts.ts";

test("a run's agent is given its organization's MCP servers as they are when its turn starts", async (t) => {
  const asked: number[] = [];
  let url = "https://one.example/mcp";
  const { engine, store, access, create, until } = await openEngine(t, {
    profiles: [scriptedProfile({ mcpHttp: true, resume: "ok" })],
    findMcpServers: async (organizationId) => {
      asked.push(organizationId);
      return [{ name: "tracker", url, headers: {} }];
    },
  });
  engine.start();
  const { id } = await create("SERVERS", { agent: "scripted" });
  const given = () => [{ type: "http", name: "tracker", url, headers: [] }];
  assert.deepEqual(JSON.parse((await until(id, hasEnded)).result ?? ""), given());
  url = "https://two.example/mcp";
  await store.runs.addTurn(access, id, { prompt: "SERVERS", images: [], model: null });
  const second = await until(id, (run) => hasEnded(run) && run.resultTurn === 2);
  assert.deepEqual(JSON.parse(second.result ?? ""), given());
  assert.deepEqual(asked, [access.organizationId, access.organizationId]);
});

test("a run's own MCP servers are given again at a resume, and the log names them without their addresses and headers", async (t) => {
  const seal = createSeal({ key: null, file: join(temporaryFolder(t), "secret.key") });
  let find: EngineParts["findMcpServers"] = async () => [];
  const { engine, store, access, create, entries, until } = await openEngine(t, {
    profiles: [scriptedProfile({ mcpHttp: true, resume: "ok" })],
    findMcpServers: (...run) => find(...run),
  });
  find = mcpServersFor(store, seal);
  engine.start();
  const server = (value: string) => {
    const place = { organizationId: access.organizationId, name: "own", url: "https://own.example/mcp" };
    const headersSealed = seal.seal(JSON.stringify({ Authorization: value }), mcpSealContextOf(place));
    return { name: place.name, url: place.url, headersSealed };
  };
  const secrets = ["Bearer first-4711-of-the-run", "Bearer second-4711-of-the-run"] as const;
  const { id } = await create("SERVERS", { agent: "scripted", mcpServers: { names: null, own: [server(secrets[0])] } });
  const turn = { prompt: "SERVERS", images: [], model: null };
  await until(id, hasEnded);
  await store.runs.addTurn(access, id, turn);
  await until(id, (run) => hasEnded(run) && run.resultTurn === 2);
  await store.runs.addTurn(access, id, turn, { mcpServers: [server(secrets[1])] });
  await until(id, (run) => hasEnded(run) && run.resultTurn === 3);
  await store.runs.addTurn(access, id, turn, { mcpServers: [] });
  await until(id, (run) => hasEnded(run) && run.resultTurn === 4);
  const log = await entries(id);
  const origins = log.flatMap(({ message_type, tool_input }) => (message_type === "USER_MESSAGE" ? [tool_input] : []));
  const named = { mcp_servers: ["own"] };
  assert.deepEqual(origins, [
    { turn: 1, session: "new", ...named },
    { turn: 2, session: "resumed", ...named },
    { turn: 3, session: "resumed", ...named },
    { turn: 4, session: "resumed" },
  ]);
  const answers = log
    .filter(({ message_type }) => message_type === "FINAL_ANSWER")
    .map(({ observation }) => observation);
  assert.equal(answers.length, 4);
  assert.ok(answers.slice(0, 3).every((answer) => String(answer).includes("https://own.example/mcp")));
  assert.equal(answers[3], "[]");
  assert.ok(!JSON.stringify(log).includes("4711"), "a header is masked where the agent tells it");
});

test("an agent is given the MCP servers that it starts itself, even if it takes none over HTTP", async (t) => {
  const programs: AgentMcpProgram[] = [
    {
      name: "files",
      command: ["/usr/bin/files-mcp", "--root", "/workspace"],
      env: { FILES_TOKEN: "secret-4711-of-files" },
    },
    { name: "tracker", command: ["/usr/bin/tracker"], env: {} },
  ];
  const url = "https://one.example/mcp";
  const agent = (id: string, scenario: object) => ({ ...scriptedProfile(scenario), id, mcpPrograms: programs });
  const { engine, create, entries, until } = await openEngine(t, {
    profiles: [agent("plain", {}), agent("http", { mcpHttp: true })],
    findMcpServers: async () => ["tracker", "notes"].map((name) => ({ name, url, headers: {} })),
  });
  engine.start();
  const givenTo = async (id: string) => {
    const run = await create("SERVERS", { agent: id });
    const { result } = await until(run.id, hasEnded);
    return { given: result ?? "", log: JSON.stringify(await entries(run.id)) };
  };
  const plain = await givenTo("plain");
  assert.match(plain.given, /"command":"\/usr\/bin\/files-mcp","args":\["--root","\/workspace"\]/);
  assert.ok(!plain.log.includes("secret-4711-of-files"), "what it was given is in no entry");
  assert.match(plain.log, /does not support MCP servers over HTTP, so these were left out: notes\./);
  const given = JSON.parse((await givenTo("http")).given) as { name: string; type?: string; command?: string }[];
  assert.deepEqual(
    given.map(({ name, type, command }) => [name, type ?? command]),
    [
      ["files", "/usr/bin/files-mcp"],
      ["tracker", "/usr/bin/tracker"],
      ["notes", "http"],
    ],
    "the agent's own server of a name comes first",
  );
});
