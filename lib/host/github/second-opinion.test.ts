import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { HostError } from "#lib/host/call-host.ts";
import { openHost } from "#lib/host/open-host.ts";
import { allowedOf } from "#lib/outbound/allowed.fixture.ts";
import { createOutbound } from "#lib/outbound/outbound.ts";

const token = "second-opinion";
const app = "errand-bot/app";
const branch = "errand/run-1";
const { signal } = new AbortController();
const { send } = createOutbound(allowedOf("127.0.0.0/8"));

/**
 * GitHub as others understand it: the same calls as in the suite, at a stand-in that this project does not own (`emulate`). It is
 * not the real one either. Known differences, none of which is asserted: it accepts a second pull request of a branch, and one of
 * a missing branch (GitHub: 422); it has no combined status, no GraphQL, no list of annotations and no git.
 */
async function open(t: TestContext) {
  const { createEmulator } = await import(import.meta.resolve("emulate"));
  const users = ["errand-bot", "ada"].map((login) => ({ login, name: login, email: `${login}@example.com` }));
  const repos = [{ owner: "errand-bot", name: "app", auto_init: true }];
  const seed = { tokens: { [token]: { login: "errand-bot", scopes: ["repo"] } }, github: { users, repos } };
  const server: { url: string; close(): Promise<void> } = await createEmulator({ service: "github", port: 0, seed });
  t.after(() => server.close());
  const baseUrl = server.url.replace("localhost", "127.0.0.1");
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${baseUrl}/repos/${app}${path}`, { method, headers, ...sent });
    assert.ok(answer.ok, `${method} ${path}: ${answer.status}`);
    return JSON.parse(await answer.text());
  };
  const { object } = await ask("GET", "/git/ref/heads/main");
  await ask("POST", "/git/refs", { ref: `refs/heads/${branch}`, sha: object.sha });
  const content = { message: "work", content: btoa("two\n"), branch };
  const commit: string = (await ask("PUT", "/contents/b.txt", content)).commit.sha;
  // It serves the API without a prefix, as api.github.com does.
  const credential = { kind: "token", token } as const;
  const plain: typeof send = (request) => send({ ...request, url: request.url.replace("/api/v3/", "/") });
  return { ask, commit, host: openHost("github", { baseUrl, credential, send: plain }) };
}

test("a second opinion on GitHub: pull requests", async (t) => {
  const { commit, host } = await open(t);
  const { pulls } = host;
  assert.deepEqual(await host.identity(signal), { login: "errand-bot", kind: "user" });
  assert.deepEqual(await pulls.repository(app, signal), { defaultBranch: "main", canPush: true });
  assert.equal(await pulls.repository("errand-bot/none", signal), null);
  assert.equal(await pulls.findPull(app, branch, signal), null);
  const asked = { headBranch: branch, baseBranch: "main", title: "Fix", body: "It was red.", draft: true };
  const opened = await pulls.openPull(app, asked, signal);
  const { url, number, ...others } = opened;
  assert.ok(url.endsWith(`/${app}/pull/${number}`), url);
  const texts = { title: "Fix", body: "It was red.", draft: true };
  const head = { branch, commit };
  assert.deepEqual(others, { ...texts, state: "open", head, baseBranch: "main", author: "errand-bot" });
  assert.deepEqual(await pulls.findPull(app, branch, signal), opened);
  assert.deepEqual(await pulls.getPull(app, number, signal), opened);
  assert.equal(await pulls.getPull(app, number + 1, signal), null);
  const closed = await pulls.updatePull(app, number, { title: "Fix it", state: "closed" }, signal);
  assert.deepEqual([closed.title, closed.state, closed.body], ["Fix it", "closed", "It was red."]);
  assert.equal((await pulls.updatePull(app, number, { state: "open" }, signal)).state, "open");
  assert.equal(await pulls.requestReview(app, number, { id: 1, login: "ada" }, signal), true);
  assert.equal(await pulls.requestReview(app, number, { id: 1, login: "stranger" }, signal), false);
});

test("a second opinion on GitHub: checks, people and comments", async (t) => {
  const { ask, commit, host } = await open(t);
  const run = { name: "build", head_sha: commit, status: "completed", conclusion: "failure" };
  await ask("POST", "/check-runs", run);
  await ask("POST", "/check-runs", { name: "lint", head_sha: commit, status: "in_progress" });
  const { checks } = await host.pulls.checks(app, { commit, number: 1 }, null, signal);
  assert.deepEqual(checks?.map(({ name, status, conclusion }) => [name, status, conclusion]).sort(), [
    ["build", "completed", "failure"],
    ["lint", "running", null],
  ]);
  assert.equal((await host.person("ada", signal))?.login, "ada");
  assert.equal(await host.person("nobody", signal), null);
  assert.equal(await host.permission(app, { id: 1, login: "errand-bot" }, signal), "admin");
  const asked = { headBranch: branch, baseBranch: "main", title: "Fix", body: "", draft: false };
  const { number } = await host.pulls.openPull(app, asked, signal);
  const thread = { repository: app, subject: "pull", number, replyTo: null } as const;
  const written = await host.reply(thread, "Done. <!-- 1 -->", signal);
  assert.equal((await host.findReply(thread, "<!-- 1 -->", new Date(0), signal))?.id, written.id);
  const wrong = host.pulls.openPull("errand-bot/none", asked, signal);
  await assert.rejects(wrong, (error) => error instanceof HostError && error.status === 404);
});
