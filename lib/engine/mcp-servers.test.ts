import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import type { AgentMcpProgram } from "#lib/agents/agent.ts";
import { basics } from "#lib/agents/profiles.ts";
import { hasEnded, openEngine } from "./engine.fixture.ts";

const script = fileURLToPath(new URL("../agents/acp/scripted-agent.fixture.ts", import.meta.url));
const scripted = (scenario: object) => ({
  ...basics("scripted", "Scripted"),
  command: [process.execPath, script, JSON.stringify(scenario)],
});

test("a run's agent is given the MCP servers of its organization as they are when its turn starts", async (t) => {
  const asked: number[] = [];
  let url = "https://one.example/mcp";
  const { engine, store, access, create, until } = await openEngine(t, {
    profiles: [scripted({ mcpHttp: true, resume: "ok" })],
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

test("an agent is given the MCP servers that it starts itself, also where it takes none over HTTP", async (t) => {
  const programs: AgentMcpProgram[] = [
    {
      name: "files",
      command: ["/usr/bin/files-mcp", "--root", "/workspace"],
      env: { FILES_TOKEN: "secret-4711-of-files" },
    },
    { name: "tracker", command: ["/usr/bin/tracker"], env: {} },
  ];
  const url = "https://one.example/mcp";
  const agent = (id: string, scenario: object) => ({ ...scripted(scenario), id, mcpPrograms: programs });
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
  assert.match(plain.log, /takes no MCP servers over HTTP, so it was not given: notes\./);
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
