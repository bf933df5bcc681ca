import { join } from "node:path";
import { readAgentHead } from "./agent-head.ts";
import type { Checkout } from "./checkout.ts";
import { withCheckoutGit } from "./checkout-git.ts";
import { emptyTreeLike } from "./empty-tree.ts";
import { type GitContext, listGit } from "./git.ts";
import { findCommit } from "./mirror.ts";
import { writeWorkingTree } from "./working-tree.ts";

/**
 * Paths that the next commit of a checkout would change: those that differ from its HEAD, or from the commit `since`, and are not
 * ignored, sorted by name; and those of other changed files, which no commit takes. Nothing in the checkout's `.git` is executed or
 * obeyed. Throws GitError.
 */
export function findUncommitted(
  options: GitContext & { checkout: Checkout; since?: string | undefined },
): Promise<{ paths: string[]; untaken: string[] }> {
  const { checkout, since, env, signal } = options;
  return withCheckoutGit(checkout, { name: "looking", env, signal }, async ({ git, repositories }) => {
    const head = await readAgentHead(join(checkout.path, ".git"));
    const ofAgent = head === null ? null : await findCommit(checkout.path, head, git);
    const commit = ofAgent ?? checkout.baseCommit;
    const { tree, leftOut } = await writeWorkingTree({ checkout, git, head: commit, repositories });
    const before = since ?? commit ?? emptyTreeLike(tree);
    const paths = await listGit(["diff-tree", "-r", "-z", "--name-only", before, tree], git, "utf8");
    const ofFiles = ["too_large", "refused", "unchecked", "hidden"];
    return { paths, untaken: leftOut.flatMap(({ why, path }) => (ofFiles.includes(why) ? [path] : [])) };
  });
}

/** The paths of {@link findUncommitted} that the next commit would change. */
export async function listUncommittedPaths(options: Parameters<typeof findUncommitted>[0]): Promise<string[]> {
  return (await findUncommitted(options)).paths;
}
