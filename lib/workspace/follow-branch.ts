import { lstat } from "node:fs/promises";
import { findCheckout } from "./checkout.ts";
import { checkoutPlace } from "./checkout-place.ts";
import { listGit, runGit } from "./git.ts";
import { placeOf } from "./left-out.ts";
import { findCommit, isAncestorOf, mirrorPath, withMirrorLock, withoutLeftLocks } from "./mirror.ts";
import {
  findRemoteCommit,
  isDiverged,
  othersRef,
  type PushOptions,
  type PushOutcome,
  pushBranch,
  pushedRef,
  type Remote,
} from "./push-branch.ts";
import { credentialVariables, type LocatedSource, localUploadPack, locateSource } from "./source.ts";
import { listUncommittedPaths } from "./uncommitted-paths.ts";

/** followed: others had pushed on top of the run's commits, and the run's branch is now at `commit`, which is theirs. */
export type FollowedPush = PushOutcome | { status: "followed"; commit: string; reason: null };

/** `mayFollow` is asked right before the run's branch is moved; false: a turn has begun in its checkout, so it stays. */
type FollowOptions = PushOptions & { mayFollow: () => Promise<boolean> };

/**
 * {@link pushBranch}, except that commits which others pushed on top of the run's are taken into the run's branch instead of
 * causing a refusal. No later push loses them.
 */
export async function pushOrFollow(options: FollowOptions): Promise<FollowedPush> {
  const outcome = await pushBranch(options);
  if (!isDiverged(outcome)) return outcome;
  const there = await follow(options, outcome.commit);
  return there === null ? outcome : { status: "followed", commit: there, reason: null };
}

/**
 * Takes commits that others have on top of the run's into its branch, and notes that its checkout is to be moved to them.
 * Returns the newest of them; null if they do not begin at the run's commit, a branch has moved meanwhile, the checkout contains
 * work that is not in the run's branch (of a turn that was interrupted), an ignored file is where one of theirs would be, or `mayFollow`
 * says no.
 */
async function follow(options: FollowOptions, commit: string): Promise<string | null> {
  const { env, signal, runId } = options;
  const mirror = mirrorPath(options.dataDir, options.repoId);
  const source = await locateSource(options.source, options);
  const remote = { cwd: mirror, env, signal, variables: credentialVariables(source, options.authorization) };
  const branch = `refs/heads/errand/run-${runId}`;
  const there = await findRemoteCommit(source, branch, remote);
  if (there === null) return null;
  if (await holdsUnkeptWork(options, commit)) return null;
  return withMirrorLock({ path: mirror, signal }, async () => {
    const theirs = `refs/errand/theirs/run-${runId}`;
    try {
      await fetchTo(theirs, branch, source, remote);
      const find = (name: string) => findCommit(mirror, name, { env, signal });
      if ((await find(theirs)) !== there || (await find(branch)) !== commit) return null;
      if (!(await isAncestorOf(mirror, commit, there, { env, signal }))) return null;
      if (await isInTheWay(options, [commit, there])) return null;
      if (!(await options.mayFollow())) return null;
      const moves = [
        `update ${branch} ${there} ${commit}`,
        `update ${pushedRef(runId)} ${there}`,
        `update ${othersRef(runId)} ${there}`,
        `update refs/errand/followed/run-${runId} ${there}`,
      ];
      await runGit(["update-ref", "--stdin"], { cwd: mirror, env, signal, stdin: `${moves.join("\n")}\n` });
      return there;
    } finally {
      await runGit(["update-ref", "-d", theirs], { cwd: mirror, env });
    }
  });
}

async function holdsUnkeptWork(
  { dataDir, runId, repoId, env, signal }: FollowOptions,
  commit: string,
): Promise<boolean> {
  const checkout = await findCheckout({ dataDir, runId, repoId });
  return checkout !== null && (await listUncommittedPaths({ checkout, since: commit, env, signal })).length > 0;
}

/** Whether a file that git ignores is where theirs would be. */
async function isInTheWay({ dataDir, runId, repoId, env, signal }: FollowOptions, range: string[]): Promise<boolean> {
  const cwd = mirrorPath(dataDir, repoId);
  const added = await listGit(["diff-tree", "-r", "-z", "--name-only", "--diff-filter=A", ...range], {
    cwd,
    env,
    signal,
  });
  const { path } = checkoutPlace(dataDir, runId, repoId);
  for (const name of added) {
    const found = await lstat(placeOf(path, name)).catch((error) =>
      "code" in error && error.code === "ENOENT" ? null : error,
    );
    if (found !== null) return true;
  }
  return false;
}

/** Also fetches the source's other branches: what others merged from one of them is not the run's work. */
async function fetchTo(ref: string, branch: string, source: LocatedSource, remote: Remote): Promise<void> {
  const upload = source.local ? [localUploadPack] : [];
  const how = ["--quiet", "--prune", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"];
  const what = ["--", source.location, `+${branch}:${ref}`, "+refs/heads/*:refs/remotes/origin/*"];
  const fetch = [...source.settings, "fetch", ...how, ...upload, ...what];
  await withoutLeftLocks(remote.cwd, () => runGit(fetch, { ...remote, timeoutMs: 300_000 }));
}
