import type { CommitPlace } from "./commit-tree.ts";
import type { Signs } from "./detect-setup.ts";
import { askThread } from "./limited-thread.ts";

/** The signs of a commit, with the number of its files. */
export type CommitSigns = Signs & { commit: string; files: number };

/** Time limit for reading the signs of a commit, in milliseconds. */
const usualLimitMs = 60_000;

/**
 * Setup commands suggested by a commit, with the lines that name them. Null if there is no commit. Nothing of the repository is
 * executed: its files are read as git objects, in a thread that is stopped at the limit or by the signal. Throws
 * ThreadLimitError, the signal's reason, GitError.
 */
export function readSigns(
  { gitDir, revision, env, signal }: CommitPlace,
  limitMs = usualLimitMs,
): Promise<CommitSigns | null> {
  return askThread({
    program: new URL("./signs-thread.ts", import.meta.url),
    question: { gitDir, revision, env: { ...env } },
    limitMs,
    signal,
    name: "Reading the files of the repository",
  });
}
