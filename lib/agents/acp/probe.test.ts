// Tier: rest
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { AgentProfile } from "#lib/agents/agent.ts";
import { isOlder } from "#lib/agents/found-agent.ts";
import type { Announced } from "#lib/contract/runs/agent.ts";
import { acpDriver } from "./driver.ts";
import { driver, never } from "./driver-under-test.fixture.ts";
import { scriptedProfile } from "./scripted-profile.fixture.ts";

const startMs = 20_000;
const profile = (scenario: Record<string, unknown>, more: Partial<AgentProfile> = {}): AgentProfile => ({
  ...scriptedProfile(scenario),
  signInHint: "Sign in with `scripted login`.",
  ...more,
});
const probe = (scenario: Record<string, unknown>, more: Partial<AgentProfile> = {}) =>
  driver.probe(profile(scenario, more), never, startMs);

test("an agent that answers is ready, with its version and what it announces in a session", async () => {
  const found = await probe({ models: "config", modes: ["ask", "code"], told: ["review", "init"], images: true });
  assert.deepEqual([found.state, found.ready, found.reason, found.version], ["ready", true, null, "1.2.3"]);
  assert.deepEqual(found.models, ["small", "large"]);
  assert.deepEqual(found.announced?.models[0], { id: "small", name: "SMALL", description: null });
  assert.deepEqual(
    found.announced?.modes.map(({ id }) => id),
    ["ask", "code"],
  );
  assert.deepEqual(found.announced?.commands, [
    { name: "review", description: "does review", hint: null },
    { name: "init", description: "does init", hint: null },
  ]);
  assert.deepEqual([found.announced?.images, found.announced?.mcp_http, found.announced?.options], [true, false, []]);
});

test("commands that an agent announces later than it answers are not missed, and it is ended when they came", async () => {
  const late: Promise<Announced | null>[] = [];
  const scenario = { told: ["review"], toldMs: 3300, models: "config" };
  const found = await driver.probe(profile(scenario), never, startMs, (announced) => void late.push(announced));
  assert.deepEqual([found.state, found.models, found.announced?.commands], ["ready", ["small", "large"], []]);
  const told = await late[0];
  assert.deepEqual(told?.commands, [{ name: "review", description: "does review", hint: null }]);
  assert.deepEqual(told?.models, found.announced?.models);
});

test("an agent that is listened to for its commands is ended when nobody waits any more", async () => {
  const abort = new AbortController();
  const late: Promise<Announced | null>[] = [];
  await driver.probe(profile({}), abort.signal, startMs, (announced) => void late.push(announced));
  abort.abort();
  assert.deepEqual(await Promise.all(late), [null]);
});

test("only sign-ins that need neither a terminal nor a key are offered, also before the agent opens a session", async () => {
  const found = await probe({ account: "ok", start: "no-session" });
  assert.deepEqual(found.sign_in_methods, [{ id: "account", name: "Sign in with Scripted", description: null }]);
  assert.deepEqual((await probe({})).sign_in_methods, []);
});

test("an agent that ends or is missing does not work, and says why", async () => {
  const dead = await probe({ start: "exit" });
  assert.deepEqual([dead.state, dead.ready], ["not_working", false]);
  assert.match(dead.reason ?? "", /does not work: it exited before it answered \(exit code 3\)/);
  const absent = await probe({}, { command: ["no-such-agent"] });
  assert.deepEqual([absent.state, absent.ready], ["not_installed", false]);
});

test("an agent that cannot be started does not work, and says why without its variables", async () => {
  for (const [value, code] of [
    ["sk-1\0", "ERR_INVALID_ARG_VALUE"],
    ["sk-1".repeat(50_000), "E2BIG"],
  ] as const) {
    const found = await probe({}, { env: { KEY: value } });
    assert.deepEqual([found.state, found.ready], ["not_working", false]);
    assert.equal(found.reason, `does not work: it cannot be started (${code})`);
  }
  const before = process.env.TMPDIR;
  process.env.TMPDIR = join(tmpdir(), "there-is-no-such-folder");
  try {
    assert.equal((await probe({})).reason, "does not work: it cannot be started (ENOENT)");
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
});

test("an agent that does not answer within the limit is slow: runs may try it", async () => {
  const found = await driver.probe(profile({ start: "silent" }), never, 300);
  assert.deepEqual([found.state, found.ready], ["slow", true]);
  assert.equal(found.reason, "it did not respond within 0.3 s at the last check");
});

test("an agent that opens no session before a sign-in needs one, and says how", async () => {
  const found = await probe({ start: "no-session" });
  assert.deepEqual([found.state, found.ready], ["needs_sign_in", true]);
  const hint = "Sign in with `scripted login`.";
  assert.deepEqual(found.sign_in, { state: "needed", detail: "Authentication required", hint });
  assert.equal(found.reason, `it is not signed in (Authentication required). ${hint}`);
});

test("the sign-in that an agent reports counts, but a key in its environment takes precedence", async () => {
  const out = await probe({ status: ["none", "Not logged in"] });
  assert.deepEqual([out.state, out.sign_in.state, out.sign_in.detail], ["needs_sign_in", "needed", "Not logged in"]);
  const signedIn = await probe({ status: ["account", "Max plan"] });
  assert.deepEqual(
    [signedIn.state, signedIn.sign_in],
    ["ready", { state: "signed_in", detail: "Max plan", hint: null }],
  );
  const use = { variable: "KEY", host: "a.example", header: "x", baseUrl: "B", path: "" };
  const keyed = await probe({ status: ["none", "Not logged in"] }, { keys: [use], passEnv: ["KEY"] });
  assert.deepEqual([keyed.state, keyed.sign_in.detail], ["ready", "Uses KEY, which Errand passes to it"]);
});

test("a file with a sign-in in the user's home counts; without any sign nothing is claimed", async (t) => {
  const home = mkdtempSync(join(tmpdir(), "errand-home-"));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const own = acpDriver({ PATH: process.env.PATH ?? "", HOME: home });
  const signIn = [{ file: "auth.json", folder: ".scripted", variable: null }];
  const ask = () => own.probe(profile({}, { signIn }), never, startMs);
  assert.equal((await ask()).sign_in.state, "unknown");
  mkdirSync(join(home, ".scripted"));
  writeFileSync(join(home, ".scripted", "auth.json"), "{}");
  assert.deepEqual((await ask()).sign_in, { state: "signed_in", detail: "Uses ~/.scripted/auth.json", hint: null });
});

test("a version older than the oldest known to work is reported, with the command that updates it", async () => {
  const old = { oldest: "1.10.0", install: "npm install -g scripted" };
  const found = await probe({ version: "1.9.7" }, old);
  assert.deepEqual([found.state, found.ready], ["too_old", true]);
  assert.match(found.reason ?? "", /version 1\.9\.7 is older than 1\.10\.0.*`npm install -g scripted`/);
  assert.equal((await probe({ version: "1.10.0" }, old)).state, "ready");
});

test("versions compare by their numbers", () => {
  for (const [version, oldest, expected] of [
    ["0.9.3", "0.10", true],
    ["0.10", "0.10.0", false],
    ["1.0.0-beta.2", "1.0.0", false],
    ["v0.1", "0.2", true],
    ["unknown", "0.2", false],
    ["", "0.2", false],
    ["2", "1.9.9", false],
  ] as const)
    assert.equal(isOlder(version, oldest), expected, `${version} ${oldest}`);
});
