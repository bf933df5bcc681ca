import { join } from "node:path";
import { commitOnRun, mirrored } from "#lib/git/mirror-under-test.fixture.ts";
import { plainRun } from "#lib/store/runs/plain-run.fixture.ts";
import { computeDiff } from "#lib/workspace/run-diff.ts";
import { git, testEnv } from "#lib/workspace/test-repository.ts";
import type { ApiUnderTest } from "./api-under-test.ts";

/** A finished run with a commit in the mirror of a repository, whose source is a folder. */
export type PushableRun = { runId: number; repoId: number; source: string; mirror: string; commit: string };

/**
 * Makes a {@link PushableRun}, by default of the first organization's owner; `address` is the repository's source if it is not the
 * folder.
 */
export async function pushableRun(
  api: ApiUnderTest,
  { address, owner = api.home }: { address?: string; owner?: { organizationId: number; userId: number } } = {},
): Promise<PushableRun> {
  const source = join(api.folder, `source-${(await api.run({ prompt: "Take a number" })).id}`);
  await finishQueue(api);
  const { id: repoId, mirror, commit: base } = await mirrored(api, source, address === undefined ? {} : { address });
  const run = await api.store.runs.create(owner, plainRun("Write", { repositoryId: repoId }));
  const claimed = await api.store.queue.claim("engine", 60_000);
  if (claimed?.run.id !== run.id) throw new Error("another run was queued");
  await api.store.queue.setFigures(claimed.lease, {
    branch: `errand/run-${run.id}`,
    baseBranch: "main",
    baseCommit: base,
  });
  const commit = commitOnRun(mirror, run.id);
  const {
    diff,
    filesChanged: files,
    ...counts
  } = await computeDiff({ repository: mirror, from: base, to: commit, env: testEnv });
  await api.store.queue.setDiff(claimed.lease, diff, { files, ...counts }, commit);
  await api.finish(claimed.lease);
  git(mirror, "update-ref", `refs/errand/base/run-${run.id}`, base);
  return { runId: run.id, repoId, source, mirror, commit };
}

async function finishQueue(api: ApiUnderTest): Promise<void> {
  for (;;) {
    const claimed = await api.store.queue.claim("engine", 60_000);
    if (claimed === null) return;
    await api.finish(claimed.lease);
  }
}
