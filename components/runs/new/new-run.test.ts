import assert from "node:assert/strict";
import test from "node:test";
import type { Agent } from "#lib/contract/runs/agent.ts";
import { type Keeper, newRunMemory } from "./new-run-memory.ts";
import { emptyValues, initialRepository, requestBody, settleValues } from "./new-run-values.ts";
import { offeredServers } from "./offered-servers.ts";

function storage(): Keeper & { kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

const chosen = {
  ...emptyValues,
  prompt: "Fix it",
  repoId: 3,
  baseBranch: "main",
  agent: "codex",
  model: "big",
  minutes: "30",
};

test("values that were not chosen are left to the service", () => {
  assert.deepEqual(requestBody({ ...emptyValues, prompt: "x" }), { prompt: "x" });
  assert.deepEqual(requestBody({ ...emptyValues, prompt: "x", baseBranch: "main" }), { prompt: "x" });
  const limited = { ...emptyValues, prompt: "x", permissionMode: "ask" as const, minutes: "90" };
  assert.deepEqual(requestBody({ ...emptyValues, prompt: "x", mode: "plan" }), { prompt: "x", mode: "plan" });
  assert.deepEqual(requestBody(limited), { prompt: "x", permission_mode: "ask", turn_timeout_s: 5400 });
  assert.equal(requestBody(chosen).base_branch, "main");
});

test("a run is given every MCP server offered, unless some are withheld", () => {
  const values = { ...emptyValues, prompt: "x", withheldServers: ["gone", "wiki"] };
  assert.deepEqual(requestBody(values), { prompt: "x" });
  assert.deepEqual(requestBody(values, ["tracker"]), { prompt: "x" });
  assert.deepEqual(requestBody(values, ["tracker", "wiki"]).mcp_server_names, ["tracker"]);
  assert.deepEqual(requestBody(values, ["wiki"]).mcp_server_names, []);
});

test("only servers that work are offered, to runs whose agent can use them", () => {
  const server = (name: string, active = true, repo_ids: number[] | null = null) => ({ name, active, repo_ids });
  const servers = [server("all"), server("broken", false), server("of-3", true, [3])];
  const agent = { has_model: true, announced: null };
  assert.deepEqual(offeredServers(servers, 3, agent), ["all", "of-3"]);
  assert.deepEqual(offeredServers(servers, null, agent), ["all"]);
  assert.deepEqual(offeredServers(servers, 3, { ...agent, has_model: false }), []);
  assert.deepEqual(offeredServers(servers, 3, undefined), []);
  assert.deepEqual(offeredServers(servers, 3, { ...agent, announced: { mcp_http: false } }), []);
  assert.deepEqual(offeredServers(servers, 4, { ...agent, announced: { mcp_http: true } }), ["all"]);
});

test("withheld MCP servers are kept in the draft, but not for the next run", () => {
  const kept = storage();
  const withheldServers = ["wiki"];
  newRunMemory(1, kept).keepDraft({ ...chosen, withheldServers });
  assert.deepEqual(newRunMemory(1, kept).read()?.withheldServers, withheldServers);
  newRunMemory(1, kept).finish({ ...chosen, withheldServers });
  assert.deepEqual(newRunMemory(1, kept).read()?.withheldServers, []);
});

test("a draft survives a reload, without its images", () => {
  const kept = storage();
  newRunMemory(1, kept).keepDraft({ ...chosen, images: ["data:image/png;base64,AA=="] });
  assert.deepEqual(newRunMemory(1, kept).read(), chosen);
  assert.equal(newRunMemory(2, kept).read(), null);
});

test("a draft keeps its text files, also without a prompt; if they do not fit into storage, the text stays", () => {
  const attachments = [{ name: "a.txt", media_type: "text/plain", text: "x".repeat(100) }];
  const kept = storage();
  newRunMemory(1, kept).keepDraft({ ...chosen, prompt: "", attachments });
  assert.deepEqual(newRunMemory(1, kept).read(), { ...chosen, prompt: "", attachments });
  const full: Keeper = {
    ...kept,
    setItem(key, value) {
      if (value.includes("xxx")) throw new Error("full");
      kept.setItem(key, value);
    },
  };
  newRunMemory(1, full).keepDraft({ ...chosen, attachments });
  assert.deepEqual(newRunMemory(1, full).read(), chosen);
  newRunMemory(1, kept).finish({ ...chosen, attachments });
  assert.deepEqual(newRunMemory(1, kept).read(), { ...chosen, prompt: "" });
});

test("after a start the choices stay and the prompt is cleared", () => {
  const kept = storage();
  const memory = newRunMemory(1, kept);
  memory.keepDraft(chosen);
  memory.finish(chosen);
  assert.deepEqual(memory.read(), { ...chosen, prompt: "" });
});

test("a run without a repository keeps the earlier choice of one for the next run", () => {
  const memory = newRunMemory(1, storage());
  memory.finish(chosen);
  memory.finish({ ...chosen, repoId: null });
  assert.equal(memory.read()?.repoId, 3);
});

test("no repository is never the default if there are any, and stays chosen if a draft was begun that way", () => {
  const some = [{ id: 8 }, { id: 9 }];
  assert.equal(initialRepository(null, some), 8);
  assert.equal(initialRepository(null, []), null);
  assert.equal(initialRepository({ ...emptyValues, repoId: 9 }, some), 9);
  assert.equal(initialRepository(emptyValues, some), 8);
  assert.equal(initialRepository({ ...emptyValues, prompt: "Draft" }, some), null);
});

test("values that are no longer valid are dropped; broken storage counts as empty", () => {
  const kept = storage();
  kept.kept.set("errand-new-run-choices-1", '{"repoId":"x","agent":"steps","permissionMode":"all"}');
  assert.deepEqual(newRunMemory(1, kept).read(), { ...emptyValues, agent: "steps" });
  kept.kept.set("errand-new-run-draft-1", "{");
  assert.equal(newRunMemory(1, kept).read()?.agent, "steps");
  const refusing: Keeper = {
    getItem: () => {
      throw new Error("refused");
    },
    setItem: () => {
      throw new Error("full");
    },
    removeItem: () => {
      throw new Error("refused");
    },
  };
  newRunMemory(1, refusing).keepDraft(chosen);
  assert.equal(newRunMemory(1, refusing).read(), null);
});

test("an agent that replaces the chosen one is not given its model and mode", () => {
  const agent = (id: string, ready: boolean) => ({ id, ready, is_default: false }) as Agent;
  const agents = [agent("steps", true), agent("claude", false)];
  const values = { ...emptyValues, agent: "claude", model: "opus", mode: "plan" };
  assert.deepEqual(requestBody(settleValues(agents, values)), { prompt: "", agent: "steps" });
  const ready = [agent("steps", true), agent("claude", true)];
  assert.deepEqual(settleValues(ready, values), values);
  assert.equal(settleValues(ready, { ...emptyValues, model: "big" }).model, "big");
  // Nothing is known while the agents are being loaded.
  assert.equal(settleValues([], values).model, "opus");
});
