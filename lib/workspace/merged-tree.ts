import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type GitOptions, readGit, runGit, unlessFailed } from "./git.ts";

/** A merge that nobody made. The tree's objects are only found with these variables. */
export type MergedTree = { tree: string; isClean: boolean; variables: Record<string, string> };

/**
 * Merges two commits without keeping anything. `union`: of lines that both changed, the tree has both versions. Not `isClean`: other
 * changes of both contradict each other. Gives `use` null if the commits cannot be merged: they have no common history, or git is
 * too old.
 */
export async function withMergedTree<T>(
  [ours, theirs]: readonly [string, string],
  { union = false, ...git }: GitOptions & { union?: boolean },
  use: (merged: MergedTree | null) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "errand-merge-"));
  try {
    const attributes = join(folder, "attributes");
    await writeFile(attributes, union ? "* merge=union\n" : "");
    const { GIT_OBJECT_DIRECTORY = join(git.cwd, "objects"), GIT_ALTERNATE_OBJECT_DIRECTORIES: more = "" } =
      git.variables ?? {};
    const variables = {
      ...git.variables,
      GIT_OBJECT_DIRECTORY: folder,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: `${JSON.stringify(GIT_OBJECT_DIRECTORY)}:${more}`,
    };
    const settings = ["-c", `core.attributesFile=${attributes}`];
    const how = { ...git, variables, settings, mayAnswerOne: true };
    const merged = await runGit(["merge-tree", "--write-tree", "--no-messages", ours, theirs], how).catch(unlessFailed);
    if (merged === null) return await use(null);
    const tree = merged.stdout.toString("latin1").split("\n", 1)[0] ?? "";
    return await use({ tree, isClean: merged.exitCode === 0, variables });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Whether one commit has all changes of another, though perhaps in other commits: merging that one would change nothing. */
export function hasAllOf(ours: string, theirs: string, git: GitOptions): Promise<boolean> {
  return withMergedTree([ours, theirs], git, async (merged) => {
    return merged?.isClean === true && merged.tree === (await readGit(["rev-parse", `${ours}^{tree}`], git));
  });
}
