import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
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
