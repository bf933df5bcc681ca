// Tier: rest
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { scriptedProfile } from "#lib/agents/acp/scripted-profile.fixture.ts";
import type { AgentProfile } from "#lib/agents/agent.ts";
import { agentKeyContext } from "#lib/secrets/agent-key-context.ts";
import { createSeal } from "#lib/secrets/seal.ts";
import { temporaryFolder } from "#lib/workspace/test-repository.ts";
import { builtInAgents, hasEnded, openEngine, sh } from "./engine.fixture.ts";

const key = "sk-of-errand-7Gk2pXv9QmTf5hJ3wB4cR6yL1zNaUsE8";
const masked = "[secret masked]";
const uses = { host: "api.test", header: "x-api-key", baseUrl: "MODEL_BASE_URL", path: "" };
const withKey = (profile: AgentProfile): AgentProfile => ({
  ...profile,
  keys: [{ ...uses, variable: "MODEL_API_KEY" }],
});
const steps = builtInAgents.filter(({ id }) => id === "steps").map(withKey);

async function openKeyedEngine(t: Parameters<typeof openEngine>[0], profiles = steps) {
  const dataDir = temporaryFolder(t);
  const seal = createSeal({ key: null, file: join(dataDir, "secret.key") });
  const opened = await openEngine(t, { profiles }, { dataDir });
  const keep = (value: string, repositoryId: number | null = null) => {
    const place = { variable: "MODEL_API_KEY", repositoryId };
    const sealed = seal.seal(value, agentKeyContext(opened.access.organizationId, place));
    return opened.store.agentKeys.put(opened.access, { ...place, sealed });
  };
  return { ...opened, keep, dataDir };
}

test("an agent on a leash finds the kept key in its environment, and nothing that is kept of the run contains it", async (t) => {
  const { engine, store, access, create, entries, until, keep } = await openKeyedEngine(t);
  await keep(key);
  engine.start();
  const { id } = await create(
    sh(
      'printf %s "$MODEL_API_KEY" | wc -c',
      'echo "key: $MODEL_API_KEY"',
      'printf %s "$MODEL_API_KEY" | base64 -w 0; echo',
    ),
  );
  const run = await until(id, hasEnded);
  assert.equal(run.status, "completed");
  const said = JSON.stringify([await entries(id), run]);
  assert.ok(said.includes(`${key.length}\\n`), "the agent had the key");
  assert.ok(said.includes(`key: ${masked}`));
  assert.ok(!said.includes(key) && !said.includes(Buffer.from(key).toString("base64").slice(0, 16)));
  assert.equal(await store.runs.findProgress(access, id), null);
});

test("a long key is masked in pieces, wrapped, colored, and decoded by the command", async (t) => {
  const { engine, create, entries, until, keep } = await openKeyedEngine(t);
  const plain = "9fK2mQ7xT4vB8nL1cW6zR3yH5jD0pSgA".repeat(6);
  await keep(Buffer.from(plain).toString("base64"));
  engine.start();
  const { id } = await create(
    sh(
      'echo "begin $MODEL_API_KEY" | base64; echo 1 done',
      'echo "$MODEL_API_KEY" | base64 -d; echo 2 done',
      'echo "$MODEL_API_KEY" | cut -c1-66; echo "$MODEL_API_KEY" | fold -w 20; echo 3 done',
      `plain=$(echo "$MODEL_API_KEY" | base64 -d); echo "$plain" | sed -E 's/.{7}/&\\x1b[0m/g'; echo 4 done`,
    ),
  );
  const run = await until(id, hasEnded);
  assert.equal(run.status, "completed");
  const said = JSON.stringify([await entries(id), run]).replace(/\\u001b\[0m|\\n/g, "");
  for (const done of ["1 done", "2 done", "3 done", "4 done"]) assert.ok(said.includes(done), said);
  const forms = [
    plain,
    Buffer.from(plain).toString("base64"),
    Buffer.from(Buffer.from(plain).toString("base64")).toString("base64"),
  ];
  assert.ok(said.split(masked).length > 5);
  for (const form of forms) {
    for (let at = 0; at + 12 <= form.length; at += 1) assert.ok(!said.includes(form.slice(at, at + 12)), said);
  }
});

test("progress is masked too", async (t) => {
  const { engine, store, access, create, until, keep } = await openKeyedEngine(t);
  await keep(key);
  engine.start();
  const { id } = await create(sh('for i in 1 2 3 4 5; do printf %s "$MODEL_API_KEY"; sleep 0.2; done; echo done'));
  const seen: string[] = [];
  await until(id, (run) => {
    void store.runs.findProgress(access, id).then((progress) => seen.push(JSON.stringify(progress)));
    return hasEnded(run);
  });
  assert.ok(
    seen.some((progress) => progress.includes(masked)),
    "progress was seen while the command ran",
  );
  assert.ok(!seen.join().includes(key));
});

test("progress never shows how a key begins, however slowly the command prints it", async (t) => {
  const { engine, store, access, create, until, keep } = await openKeyedEngine(t);
  await keep(key);
  engine.start();
  const halves =
    'printf "begin %s" "$(echo "$MODEL_API_KEY" | cut -c1-10)"; sleep 1; echo "$MODEL_API_KEY" | cut -c11-';
  const { id } = await create(sh(halves));
  const seen = new Set<string>();
  await until(id, (run) => {
    void store.runs.findProgress(access, id).then((progress) => {
      for (const { output } of progress?.tools ?? []) seen.add(output);
    });
    return hasEnded(run);
  });
  assert.ok(
    [...seen].some((output) => output.includes("begin ")),
    [...seen].join("|"),
  );
  assert.ok(![...seen].some((output) => output.includes(key.slice(0, 5))), [...seen].join("|"));
});

test("a key that an agent writes into a file is not in the diff that is kept", async (t) => {
  const { engine, store, access, create, until, keep } = await openKeyedEngine(t);
  await keep(key);
  engine.start();
  const { id } = await create(
    sh(
      'printf "a %s b\\n\\377\\n" "$MODEL_API_KEY" > settings.txt',
      'printf "\\0%s" "$MODEL_API_KEY" > settings.bin',
      "echo other > plain.txt",
    ),
  );
  await until(id, hasEnded);
  const diff = Buffer.from((await store.runs.findDiff(access, id)) ?? []).toString("latin1");
  assert.match(diff, /\+other/);
  assert.ok(diff.includes(`+a ${masked} b`), diff);
  assert.ok(!diff.includes(key));
  assert.match(diff, /\nGIT binary patch\nliteral \d+\n\nliteral 0\n\n/);
});

test("a kept key that cannot be opened ends the turn before its agent starts, and says which", async (t) => {
  const { engine, store, access, create, entries, until } = await openKeyedEngine(t);
  await store.agentKeys.put(access, { variable: "MODEL_API_KEY", repositoryId: null, sealed: "e1.00000000.AAAA.AAAA" });
  engine.start();
  const { id } = await create(sh("echo started"));
  const run = await until(id, hasEnded);
  assert.equal(run.status, "failed");
  const said = JSON.stringify(await entries(id));
  assert.match(said, /key_unusable.*The stored key MODEL_API_KEY cannot be decrypted\. Enter it again\."/);
  assert.ok(!said.includes('"tool_name":"shell"'));
});

test("tokens of the service's environment and headers of MCP servers are masked by value", async (t) => {
  const scripted = { ...scriptedProfile({ mcpHttp: true }), env: { TRACKER_TOKEN: "tt-4f5e6d7c8b9a" } };
  const headers = { Authorization: "Bearer mcp-0a1b2c3d4e5f6a7b" };
  const { engine, create, entries, until } = await openEngine(t, {
    profiles: [scripted],
    findMcpServers: async () => [{ name: "tracker", url: "https://one.example/mcp", headers }],
  });
  engine.start();
  const { id } = await create("SERVERS tt-4f5e6d7c8b9a", { agent: "scripted" });
  const run = await until(id, hasEnded);
  const said = JSON.stringify([await entries(id), run.result]);
  assert.ok(said.includes(masked));
  assert.ok(!said.includes("mcp-0a1b2c3d4e5f6a7b"));
  assert.ok(!said.includes("tt-4f5e6d7c8b9a"), said);
});
