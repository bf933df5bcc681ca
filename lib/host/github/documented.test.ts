import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { readGithubEvent } from "./events.ts";
import { readGithubChange } from "./host-changes.ts";
import { pullAnswers } from "./pulls.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
type Definition = { name: string; examples: Record<string, unknown>[] };

/** Events as GitHub sends them: 58 kinds, with several examples each. */
async function examples(): Promise<{ name: string; payload: Record<string, unknown> }[]> {
  const file = fileURLToPath(import.meta.resolve("@octokit/webhooks-examples"));
  const definitions: Definition[] = JSON.parse(await readFile(file, "utf8"));
  assert.ok(definitions.length >= 58, String(definitions.length));
  return definitions.flatMap(({ name, examples }) => examples.map((payload) => ({ name, payload })));
}

test("requests and responses of GitHub's API have the documented types", { timeout: 300_000 }, async () => {
  const tsc = here("../../../node_modules/.bin/tsc");
  const failed = await promisify(execFile)(tsc, ["--noEmit", "-p", here("./documented")]).then(
    () => "",
    (error: { stdout?: string }) => error.stdout ?? String(error),
  );
  assert.equal(failed, "");
});

test("every example of GitHub's events is read correctly or ignored", async () => {
  const heard = new Map<string, number>();
  const happened = new Map<string, number>();
  for (const { name, payload } of await examples()) {
    const event = readGithubEvent(name, payload);
    if (event !== null) {
      heard.set(name, (heard.get(name) ?? 0) + 1);
      assert.ok(event.author.login !== "" && event.url.startsWith("https://github.com/"), name);
      assert.ok(event.saidAt !== null, `${name} says when it was written`);
    }
    const change = readGithubChange(name, payload);
    if (change === null) continue;
    happened.set(name, (happened.get(name) ?? 0) + 1);
    assert.match(change.repository, /^[\w.-]+\/[\w.-]+$/);
    if (change.commit !== null) assert.match(change.commit, /^[0-9a-f]{40}$/);
  }
  const names = ["issue_comment", "issues", "pull_request", "pull_request_review", "pull_request_review_comment"];
  assert.deepEqual([...heard.keys()].sort(), names);
  const of = (name: string) => happened.get(name) ?? 0;
  assert.deepEqual(
    ["check_run", "check_suite", "status", "workflow_run", "workflow_job", "pull_request"].map(of),
    [9, 9, 4, 5, 8, 29],
  );
  assert.deepEqual(
    [...happened.keys()].filter((name) => !/^(?:check_|status|workflow_|pull_request$|push)/.test(name)),
    [],
  );
});

test("a pull request as GitHub sends it matches the service's schema", async () => {
  const pulls = (await examples()).flatMap(({ name, payload }) =>
    name === "pull_request" ? [payload.pull_request] : [],
  );
  assert.equal(pulls.length, 29);
  for (const pull of pulls) assert.equal(pullAnswers.Pull.safeParse(pull).error, undefined);
});
