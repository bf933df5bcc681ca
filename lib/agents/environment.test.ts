import assert from "node:assert/strict";
import { test } from "node:test";
import { agentEnvironment } from "./environment.ts";

const profile = { env: {}, passEnv: [], homeVariable: null };

test("an agent sees the general variables, those of its profile and nothing else", () => {
  const environment = {
    PATH: "/bin",
    HOME: "/home/a",
    LANG: "C",
    LC_ALL: "C",
    https_proxy: "http://p",
    NO_PROXY: "x",
    SSL_CERT_FILE: "/c",
    XDG_CONFIG_HOME: "/x",
    DATABASE_URL: "secret",
    OPENAI_API_KEY: "key",
    GITHUB_TOKEN: "secret",
    ERRAND_DATA_DIR: "/data",
  };
  const env = agentEnvironment(environment, { ...profile, passEnv: ["OPENAI_API_KEY"], env: { MODE: "x" } }, "/agent");
  const { DATABASE_URL, GITHUB_TOKEN, ERRAND_DATA_DIR, ...rest } = environment;
  assert.deepEqual(env, { ...rest, MODE: "x" });
});

test("Errand's own variables are withheld even if a profile names them", () => {
  const env = agentEnvironment({ ERRAND_TOKEN: "secret" }, { ...profile, passEnv: ["ERRAND_TOKEN"] }, null);
  assert.deepEqual(env, { PATH: "/usr/local/bin:/usr/bin:/bin" });
});

test("a profile's variables of the permission mode override its others", () => {
  const modes = { ...profile, env: { CAN: "all" }, modeEnv: { "read-only": { CAN: "read" } } };
  assert.equal(agentEnvironment({}, modes, null, "read-only").CAN, "read");
  assert.equal(agentEnvironment({}, modes, null, "ask").CAN, "all");
});

test("an empty HOME becomes the agent's home, and a profile's home variable names it", () => {
  const env = agentEnvironment({ HOME: "", PATH: "/bin" }, { ...profile, homeVariable: "CODEX_HOME" }, "/agent");
  assert.deepEqual(env, { HOME: "/agent", PATH: "/bin", CODEX_HOME: "/agent" });
});
