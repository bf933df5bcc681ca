import assert from "node:assert/strict";
import { test } from "node:test";
import type { HostError } from "./call-host.ts";
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

const answering = (message: string) =>
  openHost("gitlab", {
    baseUrl: "https://gitlab.example",
    credential: { kind: "token", token: "glpat-of-a-test" },
    send: async () => ({ status: 400, headers: {}, body: Buffer.from(JSON.stringify({ message })), complete: true }),
  });

async function refusalOf(message: string): Promise<HostError> {
  const asked = { headBranch: "a", baseBranch: "b", title: "t", body: "", draft: false };
  return await answering(message)
    .pulls.openPull("team/app", asked, new AbortController().signal)
    .then(() => assert.fail("opened"))
    .catch((error) => error);
}

test("GitLab's refusal of a branch is recognized", async () => {
  assert.equal((await refusalOf('Source branch "a" does not exist')).reason, "no_branch");
  assert.equal((await refusalOf("The branch is there.")).reason, null);
});

test("only the beginning of a refusal decides what kind it is", async () => {
  assert.equal((await refusalOf(`${"branch".repeat(10_000)} does not exist`)).reason, null);
});
