import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { attachedFiles } from "#lib/contract/runs/attachment.ts";
import { isEnd } from "#lib/contract/runs/run-status.ts";
import { mcpAuthorization, openMcpServer } from "#lib/host/mcp-server.fixture.ts";
import { mcpSealContextOf } from "#lib/host/open-mcp-servers.ts";
import { absent, key, known, walledAgent } from "./known-agents.fixture.ts";

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
    // The tests fail before the greeting is fixed.
    if (agent.tellsOutput) assert.ok(JSON.stringify(actions(steps)).includes("Helo, Ann!"), told());
    assert.equal(steps.at(-1)?.message_type, "FINAL_ANSWER");
    const value = agent.header === "authorization" ? `Bearer ${key}` : key;
    assert.deepEqual([...heard], [`${agent.header}: ${value}`]);

    await store.runs.addTurn(access, run.id, { prompt: "FOLLOWUP", images: [], model: null });
    const second = await until(run.id, ended(2));
    const answer = (await entries(run.id)).slice(steps.length);
    assert.equal(second.status, "completed", JSON.stringify(answer));
    const begun = answer.find(({ message_type }) => message_type === "USER_MESSAGE");
    // The agent was kept: gemini could not have loaded its session so soon.
    assert.match(JSON.stringify(begun), /"session":"continued"/);
    assert.match(JSON.stringify(answer.at(-1)), /Follow-up answered: I remember/);

    await store.runs.addTurn(access, run.id, { prompt: "PARALLEL", images: [], model: null });
    await until(run.id, ended(3));
    const both = (await entries(run.id)).slice(steps.length + answer.length);
    // The scripted model gives both of gemini's calls the same id.
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
    const again = (await entries(run.id)).slice(before).find(({ message_type }) => message_type === "USER_MESSAGE");
    if (agent.resumes) assert.match(JSON.stringify(again), /"session":"(resumed|loaded)"/);

    assert.ok(!JSON.stringify(await entries(run.id)).includes(key));
    const holding = filesBelow(dataDir).filter((file) => readFileSync(file).includes(key));
    assert.deepEqual(holding, []);
  });

  test(`${id} ${known[id]?.steers ? "gets a message at its next step" : "gets a message at its next turn"}`, {
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

  test(`${id} is given a message's text files and the MCP server of its run`, { skip: absent }, async (t) => {
    const server = await openMcpServer({ host: "127.0.0.4" });
    t.after(() => server.close());
    const { host, hostname, port } = new URL(server.url);
    const { store, access, create, until, entries, agent, seal, repositoryId } = await walledAgent(t, id, [host]);
    await store.networks.putRules(access, null, [{ host: hostname, port: Number(port) }]);
    const place = { organizationId: access.organizationId, name: "tracker", url: server.url };
    const headersSealed = seal.seal(JSON.stringify({ Authorization: mcpAuthorization }), mcpSealContextOf(place));
    const run = await create("TELL WHAT YOU HAVE", {
      ...{ agent: id, repositoryId },
      mcpServers: { names: null, own: [{ name: place.name, url: place.url, headersSealed }] },
      attachments: attachedFiles([
        { name: "clock notes.md", media_type: "text/markdown", text: "NEEDLE-7719 minutes" },
      ]),
    });
    const ended = await until(run.id, ({ status }) => isEnd(status));
    const log = JSON.stringify(await entries(run.id));
    assert.equal(ended.result, `I have the file and ${agent.namesTools ? "the" : "no"} tool.`, log);
    assert.ok(server.sessions.opened > 0);
    assert.ok(!log.includes(mcpAuthorization));
  });
}
