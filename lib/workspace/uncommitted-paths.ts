import { join } from "node:path";
import { readAgentHead } from "./agent-head.ts";
import { copyIndex } from "./agent-index.ts";
import type { Checkout } from "./checkout.ts";
import { withCheckoutGit } from "./checkout-git.ts";
import { type GitContext, GitError, type GitOptions, listGit } from "./git.ts";
import { findCommit } from "./mirror.ts";
import { emptyTreeLike } from "./object-id.ts";
import { writeWorkingTree } from "./working-tree.ts";

/**
 * Paths that the next commit of a checkout would change: those that differ from its HEAD, or from the commit `since`, and are not
 * ignored, sorted by name; those of other changed files, which no commit takes; and those of which only the index has the content
 * (null if git cannot read it). Nothing in the checkout's `.git` is executed or obeyed. Throws GitError.
 */
export function findUncommitted(
  options: GitContext & { checkout: Checkout; since?: string | undefined },
): Promise<{ paths: string[]; untaken: string[]; staged: string[] | null }> {
  const { checkout, since, env, signal } = options;
  return withCheckoutGit(checkout, { name: "looking", env, signal }, async ({ git, repositories, work }) => {
    const head = await readAgentHead(join(checkout.path, ".git"));
    const ofAgent = head === null ? null : await findCommit(checkout.path, head, git);
    const commit = ofAgent ?? checkout.baseCommit;
    const { tree, leftOut } = await writeWorkingTree({ checkout, git, head: commit, repositories });
    const before = since ?? commit ?? emptyTreeLike(tree);
    const paths = await listGit(["diff-tree", "-r", "-z", "--name-only", before, tree], git, "utf8");
    const ofFiles = ["too_large", "refused", "unchecked", "hidden"];
    const untaken = leftOut.flatMap(({ why, path }) => (ofFiles.includes(why) ? [path] : []));
    const agents = { ...git, variables: { ...git.variables, GIT_INDEX_FILE: join(work, "staged") } };
    const isThere = await copyIndex(join(checkout.path, ".git/index"), agents.variables.GIT_INDEX_FILE);
    return { paths, untaken, staged: isThere ? await listStaged(agents, [before, tree]) : [] };
  });
}

/** Paths that have another content in the index than in any of the trees; null if git cannot read the index. */
async function listStaged(git: GitOptions, trees: string[]): Promise<string[] | null> {
  const list = ["diff-index", "--cached", "-z", "--name-only", "--ita-invisible-in-index", "--diff-filter=d"];
  try {
    const listed = trees.map(async (tree) => new Set(await listGit([...list, tree], git, "utf8")));
    const [some, ...others] = await Promise.all(listed);
    return [...(some ?? [])].filter((path) => others.every((other) => other.has(path)));
  } catch (error) {
    if (error instanceof GitError && error.exitCode !== null) return null;
    throw error;
  }
}

/** The paths of {@link findUncommitted} that the next commit would change. */
export async function listUncommittedPaths(options: Parameters<typeof findUncommitted>[0]): Promise<string[]> {
  return (await findUncommitted(options)).paths;
}
