import { GitError } from "#lib/workspace/git.ts";
import type { CommitPlace } from "./commit-tree.ts";
import type { Signs } from "./detect-setup.ts";
import { askInTime } from "./limited-thread.ts";

/** The signs of a commit, with the number of its files. */
export type CommitSigns = Signs & { commit: string; files: number };

/** What the thread answers: a GitError loses its fields on the way. */
export type SignsAnswer =
  | { signs: CommitSigns | null }
  | { failed: Pick<GitError, "code" | "message" | "exitCode" | "stderr"> };

/** Time limit for reading the signs of a commit, in milliseconds. */
const usualLimitMs = 60_000;

/**
 * Setup commands suggested by a commit, with the lines that name them. Null if there is no commit. Nothing of the repository is
 * executed: its files are read as git objects, in a thread that is stopped at the limit or by the signal. Throws
 * ThreadLimitError, the signal's reason, GitError.
 */
export async function readSigns(
  { gitDir, revision, env, signal }: CommitPlace,
  limitMs = usualLimitMs,
): Promise<CommitSigns | null> {
  const answer = await askInTime<CommitPlace, SignsAnswer>({
    program: new URL("./signs-thread.ts", import.meta.url),
    question: { gitDir, revision, env: { ...env } },
    limitMs,
    signal,
    name: "Reading the files of the repository",
  });
  if ("signs" in answer) return answer.signs;
  const { code, message, exitCode, stderr } = answer.failed;
  throw new GitError(code, message, exitCode, stderr);
}
