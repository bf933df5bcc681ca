import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { baseRef } from "./changes-base.ts";
import { checkoutPlace } from "./checkout-place.ts";
import type { Environment } from "./environment.ts";
import { runGit } from "./git.ts";
import { mirrorPath, removeMirror, withMirrorLock, withoutLeftLocks } from "./mirror.ts";
import { listPrepared, removePrepared } from "./prepared-checkouts.ts";
import { removeCheckout, removeTree } from "./remove-checkout.ts";
import { rewrittenRef } from "./run-record.ts";
import { isFolder } from "./shared-objects.ts";
import { removeSubmoduleMirrors } from "./submodules.ts";

/**
 * Removes everything that the workspace has of a run: its checkout, its agent's home, its layers, its branch and record in the
 * mirror, and the mirror too if the run has no repository. The run must not be at work. Can be repeated. Objects that only the
 * branch held stay in the mirror until {@link pruneMirror}.
 */
export async function removeRun(options: {
  dataDir: string;
  runId: number;
  repositoryId: number | null;
  env: Environment;
}): Promise<void> {
  const { dataDir, runId, repositoryId, env } = options;
  const { parent, mirror, branch } = checkoutPlace(dataDir, runId, repositoryId);
  await removeCheckout({ dataDir, runId });
  for (const name of await readdir(parent).catch(() => [])) {
    if (name.startsWith(`.making-${runId}-`)) await removeTree(join(parent, name));
  }
  for (const folder of ["homes", "layers"]) await removeTree(join(dataDir, folder, String(runId)));
  if (repositoryId === null) {
    await removeMirror({ dataDir, repoId: `run-${runId}` });
    return;
  }
  if (!(await isFolder(mirror))) return;
  await withMirrorLock({ path: mirror }, async () => {
    const own = [
      `refs/heads/${branch}`,
      baseRef(runId),
      `refs/errand/pushed/run-${runId}`,
      `refs/errand/others/run-${runId}`,
      `refs/errand/followed/run-${runId}`,
      `refs/errand/theirs/run-${runId}`,
    ];
    const list = ["for-each-ref", "--format=delete %(refname)", rewrittenRef(runId, "")];
    const rewritten = (await runGit(list, { cwd: mirror, env })).stdout.toString("latin1");
    const stdin = Buffer.from(own.map((ref) => `delete ${ref}\n`).join("") + rewritten, "latin1");
    await withoutLeftLocks(mirror, () => runGit(["update-ref", "--stdin"], { cwd: mirror, env, stdin }));
    const records = join(mirror, "errand");
    for (const name of await readdir(records).catch(() => [])) {
      // Also removes a record that a crash left half written.
      if (name.startsWith(`run-${runId}.json`)) await rm(join(records, name), { force: true });
    }
  });
}

/** Removes the mirrors of a repository and its submodules, and its prepared checkouts. Throws if one of these is still mounted. */
export async function removeRepository(options: { dataDir: string; repositoryId: number }): Promise<void> {
  const { dataDir, repositoryId } = options;
  await removeMirror({ dataDir, repoId: repositoryId });
  await removeSubmoduleMirrors(dataDir, repositoryId);
  const kept = (await listPrepared(dataDir)).filter((one) => one.repositoryId === repositoryId);
  for (const { key } of kept) {
    if (await removePrepared({ dataDir, repositoryId, key })) continue;
    throw new Error(`The prepared checkout ${key} is still in use`);
  }
  await removeTree(join(dataDir, "prepared", String(repositoryId)));
}

/** Removes from a repository's mirror every object that none of its branches needs. Checkouts have their own. */
export async function pruneMirror(options: {
  dataDir: string;
  repositoryId: number;
  env: Environment;
  signal?: AbortSignal | undefined;
}): Promise<void> {
  const { dataDir, repositoryId, env, signal } = options;
  const path = mirrorPath(dataDir, repositoryId);
  if (!(await isFolder(path))) return;
  const gc = () => runGit(["gc", "--prune=now", "--force", "--quiet"], { cwd: path, env, signal, timeoutMs: 600_000 });
  await withMirrorLock({ path, signal }, () => withoutLeftLocks(path, gc));
}
