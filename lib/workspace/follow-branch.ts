import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { findCheckout } from "./checkout.ts";
import { checkoutPlace } from "./checkout-place.ts";
import { listGit, runGit } from "./git.ts";
import { unfinishedIn } from "./left-behind.ts";
import { placeOf, utf8 } from "./left-out.ts";
import { findCommit, isAncestorOf, listRefs, mirrorPath, withMirrorLock, withoutLeftLocks } from "./mirror.ts";
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
import { noteReplaced } from "./replaced-commits.ts";
import { credentialVariables, type LocatedSource, localUploadPack, locateSource } from "./source.ts";
import { findUncommitted } from "./uncommitted-paths.ts";

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
 * Returns the newest of them; null if they do not begin at the run's commit, a branch has moved meanwhile, the checkout or its index
 * contains work that is not in the run's branch (of a turn that was interrupted) or that theirs would overwrite, an operation like
 * a merge is not finished there, or `mayFollow` says no.
 */
async function follow(options: FollowOptions, commit: string): Promise<string | null> {
  const { env, signal, runId } = options;
  const mirror = mirrorPath(options.dataDir, options.repoId);
  const source = await locateSource(options.source, options);
  const remote = { cwd: mirror, env, signal, variables: credentialVariables(source, options.authorization) };
  const branch = `refs/heads/errand/run-${runId}`;
  const there = await findRemoteCommit(source, branch, remote);
  if (there === null) return null;
  const checkout = await findCheckout({ dataDir: options.dataDir, runId, repoId: options.repoId });
  const unkept = checkout === null ? null : await findUncommitted({ checkout, since: commit, env, signal });
  if (unkept !== null && (unkept.paths.length > 0 || unkept.staged?.length !== 0)) return null;
  if (checkout !== null && (await unfinishedIn(join(checkout.path, ".git"))) !== null) return null;
  return withMirrorLock({ path: mirror, signal }, async () => {
    const theirs = `refs/errand/theirs/run-${runId}`;
    try {
      await fetchTo(theirs, branch, source, remote);
      const find = (name: string) => findCommit(mirror, name, { env, signal });
      if ((await find(theirs)) !== there || (await find(branch)) !== commit) return null;
      if (!(await isAncestorOf(mirror, commit, there, { env, signal }))) return null;
      if (await isInTheWay(options, [commit, there], unkept?.untaken ?? [])) return null;
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

/**
 * Whether their commits would overwrite something that no commit of the run has: a changed file that git does not take, or what is
 * ignored and in the place of a file or folder that they add.
 */
async function isInTheWay(
  { dataDir, runId, repoId, env, signal }: FollowOptions,
  range: string[],
  untaken: readonly string[],
): Promise<boolean> {
  const git = { cwd: mirrorPath(dataDir, repoId), env, signal };
  const list = (filter: string) =>
    listGit(["diff-tree", "-r", "-z", "--name-only", `--diff-filter=${filter}`, ...range], git);
  const [added, deleted] = [await list("A"), new Set(await list("D"))];
  const changed = new Set([...(await list("MT")), ...deleted].map(utf8));
  if (untaken.some((path) => changed.has(path))) return true;
  const { path } = checkoutPlace(dataDir, runId, repoId);
  const folders = new Set<string>();
  for (const name of added) {
    if ((await lstat(placeOf(path, name)).catch(unlessMissing)) !== null) return true;
    for (let end = name.indexOf("/"); end !== -1; end = name.indexOf("/", end + 1)) folders.add(name.slice(0, end));
  }
  for (const folder of folders) {
    const found = await lstat(placeOf(path, folder)).catch(unlessMissing);
    if (found !== null && !found.isDirectory() && !deleted.has(folder)) return true;
  }
  return false;
}

/** For `catch`: null if there is nothing at a path. */
function unlessMissing(error: unknown): null {
  if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return null;
  throw error;
}

/** Also fetches the source's other branches: what others merged from one of them is not the run's work. */
async function fetchTo(ref: string, branch: string, source: LocatedSource, remote: Remote): Promise<void> {
  const upload = source.local ? [localUploadPack] : [];
  const how = ["--quiet", "--prune", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"];
  const what = ["--", source.location, `+${branch}:${ref}`, "+refs/heads/*:refs/remotes/origin/*"];
  const fetch = [...source.settings, "fetch", ...how, ...upload, ...what];
  const list = () => listRefs(remote.cwd, ["refs/remotes/origin/"], remote);
  const before = await list();
  await withoutLeftLocks(remote.cwd, () => runGit(fetch, { ...remote, timeoutMs: 300_000 }));
  await noteReplaced(remote.cwd, before, await list());
}
