import { type CommitPlace, openCommit } from "./commit-tree.ts";
import { detectSetup, type Signs } from "./detect-setup.ts";

/**
 * The setup commands that a commit speaks for, with the lines that do. Null where there is no commit. Nothing of the
 * repository is executed: its files are read as git objects. Throws GitError.
 */
export async function readSigns(place: CommitPlace): Promise<(Signs & { commit: string; files: number }) | null> {
  const opened = await openCommit(place);
  if (opened === null) return null;
  const { commit, tree } = opened;
  return { commit, files: tree.paths.length, ...(await detectSetup(tree, place.signal)) };
}
