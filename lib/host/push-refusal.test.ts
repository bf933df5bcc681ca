import assert from "node:assert/strict";
import { test } from "node:test";
import { pushRefusal } from "./push-refusal.ts";

const secret = "very-secret-token-4711";
const authorization = `Basic ${btoa(`x-access-token:${secret}`)}`;
const given = { header: authorization, hint: "Enter a new token under Integrations." };
const told = (words: string) =>
  pushRefusal(`The remote rejected the push: ${words}`, { authorization: given, mask: (text) => text });

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
    ["push_refused", "GH007: Your push would publish a private email address. (push declined due to email privacy)"],
    ["push_refused", "cannot lock ref 'refs/heads/errand/run-5'."],
    ["push_refused", "remote unpack failed: index-pack abnormal exit"],
  ] as const;
  for (const [code, words] of table) {
    const refusal = told(words);
    assert.deepEqual([refusal.code, refusal.hint !== ""], [code, true], words);
  }
});

test("a refusal says what to do about its cause, with a credential of the host or without", () => {
  const rejected = "The remote rejected the push: ";
  for (const [words, hint] of [
    ["The branch in the remote repository has commits that this run did not make.", /start a run from that branch/],
    ["Someone else moved the branch at the same time.", /start a run from that branch/],
    ["The branch is checked out in the repository it would be pushed to.", /Check out another branch there/],
    [
      `${rejected}cannot lock ref 'refs/heads/errand/run-5': 'refs/heads/errand' exists; cannot create 'refs/heads/errand/run-5'.`,
      /A branch there has a name that begins this one's, such as errand\. Rename or delete it/,
    ],
    [
      `${rejected}GH001: Large files detected. File a.bin is 123.00 MB; this exceeds GitHub's file size limit of 100.00 MB (pre-receive hook declined)`,
      /a file is too large/i,
    ],
    [
      `${rejected}GitLab: You are attempting to check in one or more blobs which exceed the 100MiB limit (pre-receive hook declined)`,
      /a file is too large/i,
    ],
    ["The push failed: HTTP 413.", /a file is too large/i],
    [
      `${rejected}GH008: Your push referenced at least 1 unknown Git LFS object: 0af1 (pre-receive hook declined)`,
      /Git LFS/,
    ],
    [
      `${rejected}GitLab: LFS objects are missing. Ensure LFS is properly set up (pre-receive hook declined)`,
      /Git LFS/,
    ],
    [`${rejected}GH007: Your push would publish a private email address.`, /commit email/],
    [
      `${rejected}GitLab: You cannot push commits for 'errand@localhost'. You can only push commits if the committer email is one of your own verified emails. (pre-receive hook declined)`,
      /commit email/,
    ],
    [
      `${rejected}GitLab: Author's email 'errand@localhost' does not follow the pattern '@corp' (pre-receive hook declined)`,
      /commit email/,
    ],
    [`${rejected}GH013: Repository rule violations found. Commits must have verified signatures.`, /signing/i],
    [`${rejected}GH013: Repository rule violations found. Push cannot contain secrets`, /a key/],
    [`${rejected}GitLab: PUSH BLOCKED: Secrets detected in code changes (pre-receive hook declined)`, /a key/],
    [`${rejected}shallow update not allowed.`, /--unshallow/],
    ["The remote does not let Errand push: This repository was archived so it is read-only. (403)", /archived/],
    [
      "The remote does not let Errand push: The 'acme' organization has enabled or enforced SAML SSO. (403)",
      /single sign-on/,
    ],
    [`${rejected}pre-receive hook declined.`, /A rule on the code host/],
    [`${rejected}no space left on device (unpacker error)`, /are kept in Errand/],
    [`${rejected}a reason that nobody knows.`, /are kept in Errand/],
  ] as const) {
    for (const header of [given, null]) {
      const refusal = pushRefusal(words, { authorization: header, mask: (text) => text });
      assert.match(refusal.hint, hint, words);
    }
  }
  const ssh = { authorization: null, mask: (text: string) => text };
  assert.match(pushRefusal("The remote does not let Errand push: denied.", ssh).hint, /key or password that git uses/);
});

test("the credential is masked in every form before the words are cut, and is not named to a remote that got none", () => {
  for (const form of [secret, authorization, btoa(`x-access-token:${secret}`), encodeURIComponent(secret)]) {
    for (const before of [0, 440, 460, 480]) {
      const { message } = told(`${"a".repeat(before)} ${form} ${"b".repeat(600)}`);
      assert.ok(message.length <= 500 && !message.includes(form.slice(0, 8)), message);
    }
  }
  const plain = { authorization: null, mask: (text: string) => text };
  assert.doesNotMatch(pushRefusal("The remote does not let Errand push: denied.", plain).hint, /token|App/);
  assert.equal(pushRefusal("The remote rejected the push: pre-receive hook declined.", plain).code, "protected");
});
