import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment } from "./environment.ts";
import { GitError, runGit } from "./git.ts";

/** A merge that nobody made. The tree's objects are only found with these variables. */
export type MergedTree = { tree: string; isClean: boolean; variables: Record<string, string> };

/**
 * Merges two commits of a mirror without keeping anything. Of lines that both changed, the tree has both versions; not
 * `isClean`: one deleted or moved a file that the other changed. Gives `use` null if the commits cannot be merged: they have no common history, or git is too old.
 */
export async function withMergedTree<T>(
  {
    mirror,
    ours,
    theirs,
    ...git
  }: {
    mirror: string;
    ours: string;
    theirs: string;
    env: Environment;
    signal?: AbortSignal | undefined;
  },
  use: (merged: MergedTree | null) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "errand-merge-"));
  try {
    const variables = {
      GIT_OBJECT_DIRECTORY: folder,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(join(mirror, "objects")),
    };
    const attributes = join(folder, "attributes");
    await writeFile(attributes, "* merge=union\n");
    const asked = [
      "-c",
      `core.attributesFile=${attributes}`,
      "merge-tree",
      "--write-tree",
      "--no-messages",
      ours,
      theirs,
    ];
    const merged = await runGit(asked, { ...git, cwd: mirror, variables, mayAnswerOne: true }).then(
      ({ stdout, exitCode }) => {
        return { tree: stdout.toString("latin1").split("\n", 1)[0] ?? "", isClean: exitCode === 0, variables };
      },
      (error) => {
        if (error instanceof GitError && error.exitCode !== null) return null;
        throw error;
      },
    );
    return await use(merged);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
