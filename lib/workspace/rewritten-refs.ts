import type { Environment } from "./environment.ts";
import { readGit } from "./git.ts";

// An agent may rewrite the commits of earlier turns (amend, rebase, reset). The branch then no longer leads to what those turns
// left, and git would delete it in time; a ref of its own keeps it as long as the run.

/** The ref that keeps a commit which a run's branch has left behind. */
export function rewrittenRef(runId: string, commit: string): string {
  return `refs/errand/rewritten/run-${runId}/${commit}`;
}

/** All such refs of a run. */
export async function listRewrittenRefs(options: {
  mirror: string;
  runId: string | number;
  env: Environment;
}): Promise<string[]> {
  const { mirror, runId, env } = options;
  const listed = await readGit(["for-each-ref", "--format=%(refname)", `refs/errand/rewritten/run-${runId}/`], {
    cwd: mirror,
    env,
  });
  return listed === "" ? [] : listed.split("\n");
}
