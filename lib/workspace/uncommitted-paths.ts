import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readAgentHead } from "./agent-head.ts";
import type { Checkout } from "./checkout.ts";
import { emptyTreeLike } from "./empty-tree.ts";
import type { Environment } from "./environment.ts";
import { runGit } from "./git.ts";
import { findCommit } from "./mirror.ts";
import { makeCheckoutPlain } from "./plain-checkout.ts";
import { agentVariables, writeWorkingTree } from "./working-tree.ts";

/**
 * Paths that the next commit of a checkout would change: those that differ from its HEAD, or from the commit `since`, and are not
 * ignored, sorted by name. Nothing in the checkout's `.git` is executed or obeyed. Throws GitError.
 */
export async function listUncommittedPaths(options: {
  checkout: Checkout;
  since?: string | undefined;
  env: Environment;
  signal?: AbortSignal | undefined;
}): Promise<string[]> {
  const { checkout, since, env, signal } = options;
  const { repositories } = await makeCheckoutPlain(checkout.path);
  const work = join(dirname(checkout.path), `.looking-${checkout.runId}`);
  await rm(work, { recursive: true, force: true });
  await mkdir(work);
  try {
    const variables = agentVariables(checkout, join(work, "index"));
    const git = { cwd: checkout.path, variables, env, signal };
    const head = await readAgentHead(join(checkout.path, ".git"));
    const ofAgent = head === null ? null : await findCommit(checkout.path, head, { variables, env, signal });
    const commit = ofAgent ?? checkout.baseCommit;
    const { tree } = await writeWorkingTree({ checkout, variables, head: commit, repositories, env, signal });
    const before = since ?? commit ?? emptyTreeLike(tree);
    const { stdout } = await runGit(["diff-tree", "-r", "-z", "--name-only", before, tree], git);
    return stdout
      .toString("utf8")
      .split("\0")
      .filter((path) => path !== "");
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
