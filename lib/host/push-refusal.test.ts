import assert from "node:assert/strict";
import { test } from "node:test";
import { pushRefusal } from "./push-refusal.ts";

const secret = "very-secret-token-4711";
const authorization = `Basic ${btoa(`x-access-token:${secret}`)}`;
const told = (words: string) =>
  pushRefusal(`The remote rejected the push: ${words}`, { authorization, mask: (text) => text });

test("refusals of each host are told apart by its words", () => {
  const table = [
    ["protected", "GH006: Protected branch update failed for refs/heads/x. (protected branch hook declined)"],
    [
      "protected",
      "GH013: Repository rule violations found for refs/heads/x. Cannot create ref due to creations being restricted.",
    ],
    [
      "scope",
      "refusing to allow an OAuth App to create or update workflow `.github/workflows/x.yml` without `workflow` scope",
    ],
    [
      "scope",
      "refusing to allow a GitHub App to create or update workflow `.github/workflows/x.yml` without `workflows` permission",
    ],
    [
      "protected",
      "GitLab: You are not allowed to push code to protected branches on this project. (pre-receive hook declined)",
    ],
    [
      "protected",
      "GitLab: You are not allowed to force push code to a protected branch on this project. (pre-receive hook declined)",
    ],
    ["scope", "GitLab: You are not allowed to push code to this project. (pre-receive hook declined)"],
    ["protected", "pre-receive hook declined."],
    ["protected", "Forgejo: Not allowed to push to protected branch x (pre-receive hook declined)"],
    ["protected", "Gitea: branch x is protected from force push (pre-receive hook declined)"],
    ["scope", "Forgejo: User permission denied for writing. (pre-receive hook declined)"],
    ["push_refused", "cannot lock ref 'refs/heads/errand/run-5'."],
  ] as const;
  for (const [code, words] of table) {
    const refusal = told(words);
    assert.deepEqual([refusal.code, refusal.hint !== null], [code, code !== "push_refused"], words);
  }
});

test("the credential is masked in every form before the words are cut, and is not named to a remote that got none", () => {
  for (const form of [secret, authorization, btoa(`x-access-token:${secret}`), encodeURIComponent(secret)]) {
    for (const before of [0, 440, 460, 480]) {
      const { message } = told(`${"a".repeat(before)} ${form} ${"b".repeat(600)}`);
      assert.ok(message.length <= 500 && !message.includes(form.slice(0, 8)), message);
    }
  }
  const plain = { authorization: null, mask: (text: string) => text };
  assert.equal(pushRefusal("The remote does not let Errand push: denied.", plain).hint, null);
  assert.equal(pushRefusal("The remote rejected the push: pre-receive hook declined.", plain).code, "protected");
});
