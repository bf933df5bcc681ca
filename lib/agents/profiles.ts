import { fileURLToPath } from "node:url";
import { analysisAgent, setupAgent } from "#lib/contract/runs/agent-ids.ts";
import type { AgentProfile, JsonObject, KeyUse } from "./agent.ts";

/** Folder of the built-in agents and everything they import. */
const ownProgram = ["../../lib", "../../node_modules", "../../package.json"].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/** Node's compile cache (scripts/run.mjs), with which a built-in agent starts in half the time. */
const ownCache = ["NODE_COMPILE_CACHE"];

/**
 * The agents that Errand knows. A run that names none gets the first that is ready, in this order, the built-in one last. Each
 * uses the settings and the sign-in of the user that runs the service (`~/.claude`, `~/.codex`, …), because a separate home per
 * run would have no sign-in. Sessions are stored there too, and a run finds its own by its id. A service account with another
 * home names it in its environment (`CODEX_HOME`, …), or a profile of the agents file sets it.
 */
export const builtInProfiles: AgentProfile[] = [
  {
    ...defaultProfile("claude", "Claude Code"),
    command: ["claude-agent-acp"],
    signIn: [{ file: ".credentials.json", folder: ".claude", variable: "CLAUDE_CONFIG_DIR" }],
    settings: ["settings.json", "CLAUDE.md"].map((file) => ({
      file,
      folder: ".claude",
      variable: "CLAUDE_CONFIG_DIR",
    })),
    ...fromNpm("@anthropic-ai/claude-code @agentclientprotocol/claude-agent-acp", "0.100.0", "sign in with `claude`"),
    // Its other modes allow edits by themselves, or only plan; in this one it asks.
    modes: { auto: "default", ask: "default", "read-only": "default" },
    keys: [
      {
        variable: "ANTHROPIC_API_KEY",
        host: "api.anthropic.com",
        header: "x-api-key",
        baseUrl: "ANTHROPIC_BASE_URL",
        path: "",
      },
      {
        variable: "ANTHROPIC_AUTH_TOKEN",
        host: "api.anthropic.com",
        header: "authorization",
        baseUrl: "ANTHROPIC_BASE_URL",
        path: "",
      },
    ],
    hosts: ["api.anthropic.com", "claude.ai", "console.anthropic.com", "platform.claude.com"],
    passEnv: [
      "ANTHROPIC_API_KEY",
      "ANTHROPIC_AUTH_TOKEN",
      "ANTHROPIC_BASE_URL",
      "ANTHROPIC_MODEL",
      "ANTHROPIC_CUSTOM_HEADERS",
      "CLAUDE_CODE_OAUTH_TOKEN",
      "CLAUDE_CODE_USE_BEDROCK",
      "CLAUDE_CODE_USE_VERTEX",
      "CLAUDE_CODE_MAX_RETRIES",
      "CLAUDE_CONFIG_DIR",
      "IS_SANDBOX",
    ],
  },
  {
    ...defaultProfile("codex", "Codex"),
    command: ["codex-acp"],
    signIn: [{ file: "auth.json", folder: ".codex", variable: "CODEX_HOME" }],
    settings: ["config.toml", "AGENTS.md"].map((file) => ({ file, folder: ".codex", variable: "CODEX_HOME" })),
    ...fromNpm("@openai/codex @agentclientprotocol/codex-acp", "2.6.0", "sign in with `codex login`"),
    // The run's own sandbox contains it; in its mode "read-only" it asks before it edits.
    modes: { auto: "agent-full-access", ask: "read-only", "read-only": "read-only" },
    // This would need bubblewrap within bubblewrap; its alternative, Landlock alone, ends at once ("requires bubblewrap", Codex
    // 0.166).
    sandboxedModes: ["ask", "read-only"],
    keys: ["CODEX_API_KEY", "OPENAI_API_KEY"].map((variable) => ({
      variable,
      ...{ host: "api.openai.com", header: "authorization", baseUrl: "OPENAI_BASE_URL", path: "/v1" },
      settings: { variable: "CODEX_CONFIG", json: codexProvider(variable) },
    })),
    hosts: ["api.openai.com", "auth.openai.com", "chatgpt.com"],
    passEnv: ["OPENAI_API_KEY", "OPENAI_BASE_URL", "CODEX_API_KEY", "CODEX_CONFIG", "CODEX_HOME"],
  },
  {
    ...defaultProfile("gemini", "Gemini CLI"),
    command: ["gemini", "--acp", "--skip-trust"],
    ...fromNpm("@google/gemini-cli", "0.61.0", "set GEMINI_API_KEY in Errand's environment"),
    signIn: [{ file: ".env", folder: ".gemini", variable: null }],
    settings: ["settings.json", "GEMINI.md"].map((file) => ({ file, folder: ".gemini", variable: null })),
    authMethod: "gemini-api-key",
    modes: { auto: "default", ask: "default", "read-only": "default" },
    keys: [
      {
        variable: "GEMINI_API_KEY",
        host: "generativelanguage.googleapis.com",
        header: "x-goog-api-key",
        baseUrl: "GOOGLE_GEMINI_BASE_URL",
        path: "",
      },
    ],
    hosts: ["generativelanguage.googleapis.com", "cloudcode-pa.googleapis.com", "oauth2.googleapis.com"],
    passEnv: ["GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL", "GEMINI_MODEL", "GOOGLE_CLOUD_PROJECT", "GEMINI_CLI_HOME"],
  },
  {
    ...defaultProfile("opencode", "OpenCode"),
    command: ["opencode", "acp"],
    signIn: [{ file: "auth.json", folder: ".local/share/opencode", variable: null }],
    settings: ["opencode.json", "opencode.jsonc", "AGENTS.md"].map((file) => ({
      ...{ file, folder: ".config/opencode", variable: "OPENCODE_CONFIG_DIR" },
    })),
    // Observed with 1.18: the next request to its model has both prompts, and both are answered at the end.
    steering: "prompt",
    ...fromNpm("opencode-ai", "1.18.0", "sign in with `opencode auth login`"),
    env: { OPENCODE_DISABLE_AUTOUPDATE: "1" },
    // By default it asks for nothing. A refused request ends its turn, so anything refused anyway is denied in its settings.
    modeEnv: {
      ask: { OPENCODE_PERMISSION: '{"edit":"ask","bash":"ask","webfetch":"ask"}' },
      "read-only": { OPENCODE_PERMISSION: '{"edit":"deny","bash":"deny"}' },
    },
    modes: { auto: "build", ask: "build", "read-only": "plan" },
    keys: [
      openCodeKey("ANTHROPIC_API_KEY", "anthropic", { host: "api.anthropic.com", header: "x-api-key", path: "/v1" }),
      openCodeKey("OPENAI_API_KEY", "openai", { host: "api.openai.com", header: "authorization", path: "/v1" }),
      openCodeKey("OPENROUTER_API_KEY", "openrouter", {
        ...{ host: "openrouter.ai", header: "authorization", path: "/api/v1" },
      }),
    ],
    hosts: [
      "api.anthropic.com",
      "api.openai.com",
      "generativelanguage.googleapis.com",
      "models.dev",
      "models.opencode.ai",
      "opencode.ai",
      "openrouter.ai",
    ],
    passEnv: [
      "ANTHROPIC_API_KEY",
      "OPENAI_API_KEY",
      "GEMINI_API_KEY",
      "OPENROUTER_API_KEY",
      "OPENCODE_API_KEY",
      "OPENCODE_CONFIG",
      "OPENCODE_CONFIG_CONTENT",
      "OPENCODE_CONFIG_DIR",
      "OPENCODE_DISABLE_MODELS_FETCH",
      "OPENCODE_DISABLE_LSP_DOWNLOAD",
      "OPENCODE_DISABLE_DEFAULT_PLUGINS",
    ],
  },
  {
    ...defaultProfile("qwen", "Qwen Code"),
    command: ["qwen", "--acp"],
    signIn: ["oauth_creds.json", ".env"].map((file) => ({ file, folder: ".qwen", variable: null })),
    settings: ["settings.json", "QWEN.md"].map((file) => ({ file, folder: ".qwen", variable: null })),
    // Observed with 0.24: the request `craft/drainMidTurnQueue` before each request to its model.
    steering: "asks",
    ...fromNpm("@qwen-code/qwen-code", "0.24.0", "set OPENAI_API_KEY in Errand's environment"),
    // In its own "auto" a model decides what is allowed.
    modes: { auto: "default", ask: "default", "read-only": "default" },
    keys: [
      {
        variable: "OPENAI_API_KEY",
        host: "api.openai.com",
        header: "authorization",
        baseUrl: "OPENAI_BASE_URL",
        path: "/v1",
      },
    ],
    hosts: [
      "api.openai.com",
      "chat.qwen.ai",
      "dashscope-intl.aliyuncs.com",
      "dashscope.aliyuncs.com",
      "portal.qwen.ai",
    ],
    passEnv: ["OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL", "DASHSCOPE_API_KEY"],
  },
  {
    ...defaultProfile("steps", "Built-in steps (no model)"),
    command: [process.execPath, fileURLToPath(new URL("./steps/main.ts", import.meta.url))],
    hasModel: false,
    readable: ownProgram,
    passEnv: ownCache,
    modes: { auto: "auto", ask: "ask", "read-only": "read-only" },
    homeVariable: "ERRAND_STEPS_STATE",
  },
];

/** Agents of the service's own runs: never listed, and not changed by the agents file. */
export const internalProfiles: AgentProfile[] = [
  {
    ...defaultProfile(setupAgent, "Setup detection"),
    readable: ownProgram,
    passEnv: ownCache,
    command: [process.execPath, fileURLToPath(new URL("./setup/main.ts", import.meta.url))],
    hasModel: false,
    modes: { auto: "auto", ask: "ask", "read-only": "read-only" },
    homeVariable: "ERRAND_STEPS_STATE",
  },
  {
    ...defaultProfile(analysisAgent, "Built-in analysis (no model)"),
    readable: ownProgram,
    passEnv: ownCache,
    command: [process.execPath, fileURLToPath(new URL("./analysis/main.ts", import.meta.url))],
    hasModel: false,
  },
];

/** The agents that are ready and could be the default: those with a model in the order of the profiles, then the others. */
export function readyInOrder<Found extends { ready: boolean; has_model: boolean }>(found: Found[]): Found[] {
  const ready = found.filter((agent) => agent.ready);
  return [...ready.filter((agent) => agent.has_model), ...ready.filter((agent) => !agent.has_model)];
}

/** The agent of runs that name none: the first of {@link readyInOrder}; null if no agent is ready. */
export function defaultAgent<Found extends { ready: boolean; has_model: boolean }>(found: Found[]): Found | null {
  return readyInOrder(found)[0] ?? null;
}

/** Settings with which Codex uses a key without a sign-in: it reads no address for its built-in provider from a variable. */
function codexProvider(variable: string): JsonObject {
  const errand = { name: "OpenAI", base_url: "{address}", env_key: variable, wire_api: "responses" };
  return { model_provider: "errand", model_providers: { errand } };
}

/** OpenCode reads the addresses of its models only from its settings. */
function openCodeKey(variable: string, provider: string, use: Pick<KeyUse, "host" | "header" | "path">): KeyUse {
  const json = { provider: { [provider]: { options: { baseURL: "{address}" } } } };
  const baseUrl = variable.replace("_API_KEY", "_BASE_URL");
  return { variable, ...use, baseUrl, settings: { variable: "OPENCODE_CONFIG_CONTENT", json } };
}

/**
 * An agent from npm: the packages to install, including its sign-in program, the oldest version tried with Errand, and how to
 * sign in.
 */
function fromNpm(packages: string, oldest: string, signIn: string) {
  const install = `npm install -g ${packages}`;
  return {
    install,
    oldest,
    installHint: `Install it with \`${install}\` and ${signIn}.`,
    signInHint: `${signIn.charAt(0).toUpperCase()}${signIn.slice(1)}${signIn.startsWith("sign in") ? " as the user Errand runs as" : ""}.`,
  };
}

/** Default values of a profile. */
export function defaultProfile(id: string, title: string): AgentProfile {
  return {
    id,
    title,
    command: [id],
    env: {},
    hasModel: true,
    installHint: "",
    install: null,
    oldest: null,
    signInHint: null,
    models: [],
    authMethod: null,
    modes: {},
    steering: null,
    passEnv: [],
    homeVariable: null,
    keys: [],
    hosts: [],
    signIn: [],
    settings: [],
    isolation: null,
    readable: [],
    mcpPrograms: [],
  };
}
