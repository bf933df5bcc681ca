import type { Checkout } from "./checkout.ts";
import { withCheckoutGit } from "./checkout-git.ts";
import { type GitContext, type GitOptions, listGit, readGit } from "./git.ts";

/**
 * The ignored paths of a checkout: folders that git ignores entirely, with "/" at the end, and single files elsewhere. For a
 * checkout at its base commit in which no agent has worked. Nothing in its `.git` is executed or obeyed. Throws GitError.
 */
export function listIgnoredPaths({ checkout, ...context }: GitContext & { checkout: Checkout }): Promise<string[]> {
  return withCheckoutGit(checkout, { name: "ignored", ...context }, async ({ git }) => {
    if (checkout.baseCommit !== null) await readGit(["read-tree", checkout.baseCommit], git);
    return listIgnored(git, "utf8");
  });
}

/** What git ignores of the files that are not in its index, as {@link listIgnoredPaths} has them. Throws GitError. */
export function listIgnored(git: GitOptions, encoding: "utf8" | "latin1"): Promise<string[]> {
  const ignored = ["--others", "--ignored", "--exclude-standard", "--directory", "--no-empty-directory"];
  return listGit(["ls-files", "-z", ...ignored], git, encoding);
}
