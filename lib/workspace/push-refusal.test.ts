import assert from "node:assert/strict";
import { test } from "node:test";
import { GitError } from "./git.ts";
import { refusalOf } from "./push-refusal.ts";

const failed = (...lines: string[]) =>
  new GitError("git_failed", "git push: failed to push some refs", 1, lines.join("\n"));
const refused = (words: string) => ` ! [remote rejected] 8f5c1a9 -> errand/run-5 (${words})`;

test("a refusal has the remote's own words, without frames, progress and control characters", () => {
  const github = failed(
    ...["remote: Resolving deltas: 100% (1/1), completed with 1 local object.        "],
    ...["remote: error: GH006: Protected branch update failed for refs/heads/errand/run-5.        "],
    ...[
      "remote:         ",
      "remote: - Changes must be made through a pull request.        ",
      "To github.com:team/app.git",
    ],
    refused("protected branch hook declined"),
    "error: failed to push some refs to 'github.com:team/app.git'",
  );
  assert.equal(
    refusalOf(github),
    "The remote rejected the push: GH006: Protected branch update failed for refs/heads/errand/run-5. Changes must be made through a pull request. (protected branch hook declined)",
  );
  const workflow =
    "refusing to allow a Personal Access Token to create or update workflow `.github/workflows/x.yml` without `workflow` scope";
  assert.equal(refusalOf(failed(refused(workflow))), `The remote rejected the push: ${workflow}.`);
  const gitlab = failed(
    ...[
      "remote: ",
      `remote: ${"=".repeat(72)}`,
      "remote: ",
      "remote: ERROR: You are not allowed to push code to this project",
    ],
    ...["remote: ", `remote: ${"=".repeat(72)}`, refused("pre-receive hook declined")],
  );
  assert.equal(
    refusalOf(gitlab),
    "The remote rejected the push: You are not allowed to push code to this project (pre-receive hook declined)",
  );
  const hostile = failed(
    `remote: \u001b[31mno\u001b[0m \u202etxt\u0007 https://ada:pass@example.com/x${"y".repeat(60_000)}`,
    refused("pre-receive hook declined"),
  );
  const shown = refusalOf(hostile);
  assert.match(
    shown,
    /^The remote rejected the push: no txt https:\/\/\*\*\*@example\.com\/xy+ \(pre-receive hook declined\)$/,
  );
  assert.ok(shown.length < 2100);
});

test("a refusal that is never closed is read in time proportional to its length", () => {
  for (const part of [" (", " ()", ") "]) {
    const text = `The push failed ${part.repeat(500_000)}`;
    assert.throws(() => refusalOf(failed(` ! [remote rejected] main -> main (${text}x`)), /The push failed/);
    assert.match(refusalOf(failed(refused(text))), /^The remote rejected the push: The push failed/);
  }
});

test("a moved branch and a remote that cannot be reached are no refusals in its words", () => {
  const moved = failed("remote: whatever", " ! [rejected] 8f5c1a9 -> errand/run-5 (stale info)");
  assert.equal(refusalOf(moved), "Someone else moved the branch at the same time.");
  assert.throws(
    () => refusalOf(failed("remote: busy", "fatal: the remote end hung up unexpectedly")),
    /The push failed/,
  );
});
