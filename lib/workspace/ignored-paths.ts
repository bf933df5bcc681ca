import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Checkout } from "./checkout.ts";
import type { Environment } from "./environment.ts";
import { readGit, runGit } from "./git.ts";
import { makeCheckoutPlain } from "./plain-checkout.ts";
import { agentVariables } from "./working-tree.ts";

/**
 * The ignored paths of a checkout: folders that git ignores entirely, with "/" at the end, and single files elsewhere. For a
 * checkout at its base commit in which no agent has worked. Nothing in its `.git` is executed or obeyed. Throws GitError.
 */
export async function listIgnoredPaths(options: {
  checkout: Checkout;
  env: Environment;
  signal?: AbortSignal | undefined;
}): Promise<string[]> {
  const { checkout, env, signal } = options;
  await makeCheckoutPlain(checkout.path);
  const work = join(dirname(checkout.path), `.ignored-${checkout.runId}`);
  await rm(work, { recursive: true, force: true });
  await mkdir(work);
  try {
    const git = { cwd: checkout.path, variables: agentVariables(checkout, join(work, "index")), env, signal };
    if (checkout.baseCommit !== null) await readGit(["read-tree", checkout.baseCommit], git);
    const { stdout } = await runGit(
      ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory", "--no-empty-directory"],
      { ...git, outputBytesMax: 512 * 1024 * 1024 },
    );
    return stdout
      .toString("utf8")
      .split("\0")
      .filter((path) => path !== "");
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
