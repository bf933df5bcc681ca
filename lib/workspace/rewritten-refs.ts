import type { Environment } from "./environment.ts";
import { readGit } from "./git.ts";

// An agent may rewrite the commits of earlier turns (amend, rebase, reset). The branch then no longer leads to those turns'
// commits, and git would delete them in time; a separate ref keeps each for as long as the run exists.

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
