import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { HostError, type Send } from "./call-host.ts";
import { findGitAuthorization } from "./git-authorization.ts";
import { githubHost } from "./github/github.ts";
import { InstallationTokens } from "./installation-tokens.ts";
import { integrationUnderTest, sealUnderTest } from "./integration.fixture.ts";
import { checkIntegration, sealContextOf } from "./open-integration.ts";

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});
const { signal } = new AbortController();

/** A GitHub that accepts only the token which it made last, and `end`s it. `refusal` answers every request for a token. */
function githubUnderTest() {
  const state = { made: 0, alive: "", refusal: null as { status: number; message: string } | null, isDown: false };
  const seen: string[] = [];
  const answer = (status: number, json: object) => ({
    ...{ status, headers: {}, complete: true },
    body: Buffer.from(JSON.stringify(json)),
  });
  const send: Send = async ({ method, url, headers = {} }) => {
    seen.push(`${method} ${url} ${headers.authorization ?? ""}`);
    if (url.endsWith("/access_tokens")) {
      const { refusal } = state;
      if (refusal !== null) return answer(refusal.status, { message: refusal.message });
      state.made += 1;
      state.alive = `made-${state.made}`;
      return answer(201, { token: state.alive, expires_at: new Date(Date.now() + 3_600_000).toISOString() });
    }
    if (url.startsWith("https://logs.example/")) return answer(401, { message: "no" });
    if (url.endsWith("/app")) return answer(200, { slug: "errand" });
    if (state.isDown || headers.authorization !== `Bearer ${state.alive}`)
      return answer(401, { message: `Bad credentials ${headers.authorization}` });
    if (url.endsWith("/logs")) return { ...answer(302, {}), headers: { location: "https://logs.example/1" } };
    if (url.includes("/collaborators/")) return answer(200, { permission: "write" });
    if (url.includes("/comments")) return answer(201, { id: 1 });
    return answer(200, { id: 1, login: "errand[bot]", full_name: "o/r", default_branch: "main" });
  };
  const credential = { kind: "app", appId: 1, installationId: 2, privateKey } as const;
  const host = githubHost({ baseUrl: "https://github.example", credential, send, tokens: new InstallationTokens() });
  const end = () => {
    state.alive = "ended";
  };
  return { state, seen, send, host, end };
}

test("a token that the host has ended is forgotten, and the call made once more with a new one", async () => {
  const { state, host, end, seen } = githubUnderTest();
  const thread = { repository: "o/r", subject: "issue", number: 1, replyTo: null } as const;
  for (const call of [
    () => host.pulls.repository("o/r", signal),
    () => host.permission("o/r", { id: 1, login: "ada" }, signal),
    () => host.reply(thread, "Done.", signal),
    () => host.person("ada", signal),
    () => host.identity(signal),
  ]) {
    await call();
    end();
    const before = state.made;
    assert.notEqual(await call(), null);
    assert.equal(state.made, before + 1);
    await call();
    assert.equal(state.made, before + 1, "the new one is kept");
  }
  assert.equal(seen.filter((one) => one.includes("POST") && one.includes("/comments")).length, 4);
  const token = await host.gitToken(signal);
  assert.equal(await host.gitToken(signal), token);
  assert.notEqual(await host.gitToken(signal, token), token);
});

test("many calls with an ended token make one new one, although one of them is given up", async () => {
  const { state, host, end } = githubUnderTest();
  await host.pulls.repository("o/r", signal);
  end();
  const gone = new AbortController();
  const calls = Array.from({ length: 20 }, () => host.pulls.repository("o/r", signal));
  const one = host.pulls.repository("o/r", gone.signal);
  gone.abort(new Error("given up"));
  await Promise.all(calls);
  await one.catch(() => undefined);
  assert.equal(state.made, 2);
});

test("if the new token is refused too, it is unauthorized, after one try, and the advice is about the App", async () => {
  const { state, seen, host, end } = githubUnderTest();
  await host.pulls.repository("o/r", signal);
  state.isDown = true;
  seen.length = 0;
  const isAboutApp = (status: number, words: RegExp) => (error: unknown) => {
    assert.ok(error instanceof HostError);
    assert.equal(error.status, status);
    assert.match(error.message, words);
    assert.doesNotMatch(error.message, /made-/);
    assert.match(error.hint ?? "", /App .*suspended.*uninstalled.*key/);
    return true;
  };
  await assert.rejects(host.pulls.repository("o/r", signal), isAboutApp(401, /401\): Bad credentials/));
  assert.deepEqual([state.made, seen.length], [2, 3]);
  state.isDown = false;
  for (const [status, message] of [
    [403, "This installation has been suspended"],
    [404, "Integration not found"],
    [401, "A JSON web token could not be decoded"],
  ] as const) {
    end();
    state.refusal = { status, message };
    seen.length = 0;
    const all = await Promise.allSettled([1, 2, 3].map(() => host.pulls.repository("o/r", signal)));
    for (const one of all) assert.throws(() => raise(one), isAboutApp(401, new RegExp(message)));
    assert.equal(seen.filter((line) => line.includes("access_tokens")).length, 1, "asked once for all");
    await assert.rejects(host.permission("o/r", { id: 1, login: "ada" }, signal), isAboutApp(401, new RegExp(message)));
    state.refusal = null;
    assert.notEqual(await host.pulls.repository("o/r", signal), null, "it works again by itself");
  }
  state.refusal = { status: 503, message: "Unavailable" };
  end();
  await assert.rejects(
    host.pulls.repository("o/r", signal),
    (error) => error instanceof HostError && error.status === 503,
  );
});

const raise = (one: PromiseSettledResult<unknown>) => {
  if (one.status === "rejected") throw one.reason;
};

test("no other server gets a token, although it answers 401", async () => {
  const { seen, host, state } = githubUnderTest();
  const check = { id: "run:1", name: "ci", app: "github-actions", status: "completed", conclusion: "failure" } as const;
  const more = { url: null, startedAt: null, completedAt: null, annotations: [] };
  await assert.rejects(host.pulls.checkLog("o/r", { ...check, ...more }, signal), /401/);
  assert.deepEqual(
    seen.filter((line) => line.includes("logs.example")),
    ["GET https://logs.example/1 "],
  );
  assert.equal(state.made, 1);
});

test("the test of an integration, and git's credential, heal with the token and name the App where it does not", async () => {
  const { state, send, end } = githubUnderTest();
  const row = integrationUnderTest("github", "https://github.example");
  const secret = JSON.stringify({ app_id: 1, private_key: privateKey });
  const app = { ...row, installationId: 2, secretSealed: sealUnderTest.seal(secret, sealContextOf(row, "secret")) };
  const parts = { seal: sealUnderTest, send, tokens: new InstallationTokens() };
  const find = (refused?: string) =>
    findGitAuthorization([app], "https://github.example/o/r.git", parts, signal, refused);
  const first = await find();
  end();
  assert.equal((await find())?.header, first?.header, "nobody has noticed yet");
  assert.equal((await checkIntegration(app, parts, signal)).active, true);
  assert.notEqual((await find())?.header, first?.header, "the test has noticed");
  const second = await find();
  end();
  const third = await find(second?.header);
  assert.equal(third?.header, `Basic ${btoa(`x-access-token:${state.alive}`)}`);
  assert.match(third?.hint ?? "", /App .*suspended/);
  state.isDown = true;
  const down = await checkIntegration(app, parts, signal);
  assert.match(down.active ? "" : down.error, /401.* App .*suspended/s);
});
