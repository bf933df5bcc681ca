import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "#lib/workspace/test-repository.ts";
import { driver, never } from "./driver-under-test.fixture.ts";
import { scriptedProfile } from "./scripted-profile.fixture.ts";

const signIn = (scenario: object, { method = "account", signal = never, limitMs = 20_000 } = {}) =>
  driver.authenticate(scriptedProfile(scenario), method, signal, limitMs);

test("an agent signs in by its own method, and reports it from then on", async (t) => {
  const signInFile = join(temporaryFolder(t), "sign-in");
  const scenario = { account: "ok", signInFile };
  const state = async () => (await driver.probe(scriptedProfile(scenario), never, 20_000)).sign_in.state;
  assert.equal(await state(), "needed");
  assert.equal(await signIn(scenario), null);
  assert.ok(existsSync(signInFile));
  assert.equal(await state(), "signed_in");
});

test("a sign-in that fails says why in the agent's words", async () => {
  assert.equal(await signIn({ account: "refused" }), "The account has no license");
  assert.match((await signIn({ account: "exit" })) ?? "", /exited before it was signed in \(exit code 4\)/);
  assert.equal(await signIn({ account: "ok" }, { method: "words" }), "It no longer has this method.");
  assert.equal(await signIn({}), "It no longer has this method.");
});

test("a sign-in has a time limit, and ends when Errand stops", async () => {
  const words = await signIn({ account: "silent" }, { limitMs: 1500 });
  assert.equal(words, "It did not end within 2 s. Last output: open https://login.example to go on");
  const abort = new AbortController();
  const stopped = signIn({ account: "silent" }, { signal: abort.signal });
  abort.abort();
  assert.equal(await stopped, "Errand was stopped before the sign-in ended.");
});
