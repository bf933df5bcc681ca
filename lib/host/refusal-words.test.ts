import assert from "node:assert/strict";
import { test } from "node:test";
import type { HostError } from "./call-host.ts";
import type { HostKind } from "./host.ts";
import { openHost } from "./open-host.ts";
import { wordsOf } from "./refusal-words.ts";

const wordsIn = (body: unknown) => wordsOf(Buffer.from(JSON.stringify(body)));

test("a refusal's words are read from a short body only, and of its details only the first", () => {
  const errors = [{ message: "head is invalid" }, { field: "base", code: "missing" }, 0, "Try again"];
  assert.equal(
    wordsIn({ message: "Validation Failed", errors }),
    "Validation Failed: head is invalid; base is missing; Try again",
  );
  assert.equal(wordsIn({ message: { base: ["is closed", "is old"] } }), "base is closed, is old");
  assert.equal(wordsIn({ errors: Array.from({ length: 500 }, (_, at) => `e${at}`) }).split("; ").length, 20);
  assert.equal(wordsIn({ message: "x", errors: Array(2_000_000).fill(0) }), "");
});

const answering = (kind: HostKind, status: number, message: unknown) =>
  openHost(kind, {
    baseUrl: "https://host.example",
    credential: { kind: "token", token: "glpat-of-a-test" },
    send: async () => ({ status, headers: {}, body: Buffer.from(JSON.stringify({ message })), complete: true }),
  });

async function refusalOf(message: unknown, kind: HostKind = "gitlab", status = 400): Promise<HostError> {
  const asked = { headBranch: "a", baseBranch: "b", title: "t", body: "", draft: false };
  return await answering(kind, status, message)
    .pulls.openPull("team/app", asked, new AbortController().signal)
    .then(() => assert.fail("opened"))
    .catch((error) => error);
}

test("a missing branch of the work is told apart from a missing base branch, in each host's words", async () => {
  const blank = (side: string) =>
    `${side} sha can't be blank, No commits between b and a, ${side} ref must be a branch`;
  for (const [kind, status, message, reason] of [
    ["gitlab", 400, 'Source branch "a" does not exist', "no_head"],
    ["gitlab", 422, { source_branch: ["does not exist"] }, "no_head"],
    ["gitlab", 400, 'Target branch "b" does not exist', "no_branch"],
    ["gitlab", 400, "The branch is there.", null],
    ["github", 422, "Validation Failed: head is invalid", "no_head"],
    ["github", 422, "Validation Failed: base is invalid", "no_branch"],
    ["github", 422, blank("Head"), "no_head"],
    ["github", 422, blank("Base"), "no_branch"],
    ["github", 422, "No commits between b and a", "no_commits"],
    ["forgejo", 404, "could not find 'a' to be a commit, branch or tag in the head repository team/app", "no_head"],
    ["forgejo", 404, "could not find 'b' to be a commit, branch or tag in the base repository team/app", "no_branch"],
    ["forgejo", 404, "user does not exist [uid: 0, name: x]", null],
  ] as const) {
    assert.equal((await refusalOf(message, kind, status)).reason, reason, JSON.stringify(message));
  }
});

test("only the beginning of a refusal decides what kind it is", async () => {
  assert.equal((await refusalOf(`${"branch".repeat(10_000)} does not exist`)).reason, null);
});
