import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { AgentsFileError, parseProfiles, readProfiles } from "./agents-file.ts";
import { builtInProfiles } from "./profiles.ts";

const parse = (json: unknown) => parseProfiles(json, builtInProfiles);

test("a new agent needs only a command, and comes before the one without a model", () => {
  const profiles = parse({ mine: { command: "my-agent --acp", title: "Mine", env: { A: "1" }, pass_env: ["KEY"] } });
  assert.deepEqual(profiles.map(({ id }) => id).slice(-2), ["mine", "steps"]);
  const mine = profiles.find(({ id }) => id === "mine");
  assert.deepEqual(
    [mine?.command, mine?.title, mine?.env, mine?.passEnv, mine?.hasModel],
    [["my-agent", "--acp"], "Mine", { A: "1" }, ["KEY"], true],
  );
});

test("a known agent is changed only in the fields given, or removed", () => {
  const profiles = parse({
    codex: { command: ["/opt/my codex/acp"], models: ["m"], modes: { auto: "agent" }, pass_env: ["X"] },
    gemini: { disabled: true },
  });
  const codex = profiles.find(({ id }) => id === "codex");
  assert.deepEqual([codex?.command, codex?.models, codex?.title], [["/opt/my codex/acp"], ["m"], "Codex"]);
  assert.deepEqual(codex?.modes, { auto: "agent", ask: "read-only", "read-only": "read-only" });
  assert.ok(codex?.passEnv.includes("OPENAI_API_KEY") && codex.passEnv.includes("X"));
  assert.ok(!profiles.some(({ id }) => id === "gemini"));
  assert.deepEqual(parse({}), builtInProfiles);
});

const key = { variable: "MY_KEY", host: "api.test:8443", header: "authorization", base_url: "MY_URL" };

test("an agent's keys replace those of its profile, its hosts are added", () => {
  const codex = parse({ codex: { keys: [key], hosts: ["*.my.test"] } }).find(({ id }) => id === "codex");
  const { base_url: baseUrl, ...rest } = key;
  assert.deepEqual(codex?.keys, [{ ...rest, baseUrl, path: "" }]);
  assert.ok(codex?.hosts.includes("api.openai.com") && codex.hosts.includes("*.my.test"));
});

test("MCP servers that an agent starts itself are an absolute path, its arguments and its variables", () => {
  const command = ["/opt/docs/bin/docs", "--stdio"];
  const servers = { docs: { command }, files: { command: ["/usr/bin/files"], env: { ROOT: "/workspace" } } };
  const claude = parse({ claude: { mcp_servers: servers } }).find(({ id }) => id === "claude");
  assert.deepEqual(claude?.mcpPrograms, [
    { name: "docs", command, env: {} },
    { name: "files", command: ["/usr/bin/files"], env: { ROOT: "/workspace" } },
  ]);
});

test("the error names what is wrong", () => {
  for (const [json, message] of [
    [
      { mine: { command: "x", mcp_servers: { docs: { command: ["npx", "docs"] } } } },
      /mine\.mcp_servers\.docs\.command\.0: must begin with the absolute path of a program/,
    ],
    [{ mine: { command: "x", mcp_servers: { "a b": { command: ["/x"] } } } }, /a b: must be 1 to 40 letters/],
    [
      { mine: { command: "x", mcp_servers: { docs: { command: ["/x"], env: { ERRAND_X: "1" } } } } },
      /ERRAND_X: must not be one of Errand's own/,
    ],
    [[], /^agents file: /],
    [{ mine: {} }, /^agents file: mine\.command: is needed for a new agent$/],
    [{ "My Agent": { command: "x" } }, /My Agent: an agent's id may contain only lowercase letters/],
    [{ external: { command: "x" } }, /external: is the name of runs that another system executes/],
    [{ mine: { command: "x", hosts: ["10.0.0.1"] } }, /mine\.hosts\.0: must be the name of a public host/],
    [
      { mine: { command: "x", keys: [{ ...key, host: "a/b" }] } },
      /mine\.keys\.0\.host: must be a host, or a host and a port/,
    ],
    [
      { mine: { command: "x", keys: [{ ...key, variable: "ERRAND_X" }] } },
      /mine\.keys\.0\.variable: must not be one of Errand's own/,
    ],
    [
      { mine: { command: "x", keys: [{ ...key, header: "a b" }] } },
      /mine\.keys\.0\.header: must be the name of a header/,
    ],
    [{ mine: { command: "x", envv: {} } }, /mine: .*envv/],
    [{ mine: { command: "x", env: { A: "1\0" } } }, /mine\.env\.A: must not contain a NUL character$/],
    [{ mine: { command: "x", env: { A: "ä".repeat(32_769) } } }, /mine\.env\.A: must have at most 65,536 bytes$/],
    [{ mine: { command: ["x", "a\0"] } }, /mine\.command\.1: must not contain a NUL character$/],
    [{ mine: { command: "x\0" } }, /mine\.command: must not contain a NUL character$/],
    [{ mine: { command: "x", env: { "A B": "1" } } }, /must be the name of an environment variable/],
    [{ mine: { command: "x", pass_env: ["ERRAND_DATA_DIR"] } }, /mine\.pass_env\.0: must not be one of Errand's own/],
    [{ mine: { command: "x", modes: { yolo: "y" } } }, /mine\.modes/],
    [{ mine: { command: " " } }, /mine\.command: /],
    [{ mine: { command: [] } }, /mine\.command: /],
    [{ mine: { command: "x", isolation: "cage" } }, /mine\.isolation/],
    [{ mine: { command: "x", sign_in: ["/etc/shadow"] } }, /mine\.sign_in\.0: must be a file below ~\/$/],
    [{ mine: { command: "x", sign_in: ["~/a/../../b"] } }, /mine\.sign_in\.0: must be a file below ~\/$/],
    [{ mine: { command: "x", readable: ["tools"] } }, /mine\.readable\.0: must begin with \/ or ~\/$/],
    [{ mine: { command: 5 } }, /mine\.command: must be a string or a list of strings$/],
  ] as const) {
    assert.throws(
      () => parse(json),
      (error: unknown) => error instanceof AgentsFileError && message.test(error.message),
      JSON.stringify(json),
    );
  }
});

test("a sign-in is a folder below the home and a file in it", () => {
  const mine = parse({ mine: { command: "x", sign_in: ["~/.config/mine/auth.json", "~/.mine"] } }).find(
    ({ id }) => id === "mine",
  );
  assert.deepEqual(mine?.signIn, [
    { file: "auth.json", folder: ".config/mine", variable: null },
    { file: ".mine", folder: "", variable: null },
  ]);
});

test("the error for an unusable file names it; a missing one changes nothing", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "errand-agents-"));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, "agents.json");
  assert.equal(await readProfiles(file, builtInProfiles), builtInProfiles);
  for (const [text, message] of [
    ["{", "is not JSON: "],
    ['{"mine": {}}', ": mine.command: is needed for a new agent"],
  ] as const) {
    await writeFile(file, text);
    await assert.rejects(
      readProfiles(file, builtInProfiles),
      (error: unknown) =>
        error instanceof AgentsFileError && error.message.startsWith(file) && error.message.includes(message),
    );
  }
  for (const path of ["/", dirname(folder), folder, join(folder, "homes")]) {
    await writeFile(
      file,
      `{\n  "mine": {\n    "command": "x",\n    "readable": ["/usr/lib", ${JSON.stringify(path)}]\n  }\n}`,
    );
    await assert.rejects(readProfiles(file, builtInProfiles), (error: Error) =>
      error.message.startsWith(`${file}, line 4: mine.readable: ${path} `),
    );
  }
  await writeFile(file, '{"mine": {"command": "x", "readable": ["~/tools"], "isolation": "wall"}}');
  const mine = (await readProfiles(file, builtInProfiles)).find(({ id }) => id === "mine");
  assert.deepEqual([mine?.readable, mine?.isolation], [[join(homedir(), "tools")], "wall"]);
  await assert.rejects(readProfiles(folder, builtInProfiles), {
    name: "AgentsFileError",
    message: `${folder} cannot be read (EISDIR)`,
  });
});
