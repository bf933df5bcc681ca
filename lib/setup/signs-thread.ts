/** A thread that reads the signs of commits, so that no file of a repository can block the process around it. */
import { answerQuestions } from "#lib/answer-questions.ts";
import { GitError } from "#lib/workspace/git.ts";
import { type CommitPlace, openCommit } from "./commit-tree.ts";
import { detectSetup } from "./detect-setup.ts";
import type { SignsAnswer } from "./read-signs.ts";

answerQuestions(async (place: CommitPlace, signal): Promise<SignsAnswer> => {
  try {
    const opened = await openCommit({ ...place, signal });
    if (opened === null) return { signs: null };
    const { commit, tree } = opened;
    return { signs: { commit, files: tree.paths.length, ...(await detectSetup(tree)) } };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const { code, message, exitCode, stderr } = error;
    return { failed: { code, message, exitCode, stderr } };
  }
});
