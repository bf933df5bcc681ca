import { join } from "node:path";
import { moveAgentHead, readAgentHead } from "./agent-head.ts";
import { copyIndex } from "./agent-index.ts";
import { type Checkout, type CheckoutOptions, findCheckout } from "./checkout.ts";
import { withCheckoutGit } from "./checkout-git.ts";
import { checkoutPlace } from "./checkout-place.ts";
import { lacksSpace } from "./full-disk.ts";
import { type GitContext, runGit } from "./git.ts";
import { atMost } from "./hidden-files.ts";
import { listIgnored } from "./ignored-paths.ts";
import { findLeftBehind } from "./left-behind.ts";
import { type LeftOut, leftOutAs } from "./left-out.ts";
import { findRef, keptCommit, withMirrorLock } from "./mirror.ts";
import { removeTree } from "./remove-checkout.ts";
import { linkObjects } from "./shared-objects.ts";

type Place = Pick<CheckoutOptions, "dataDir" | "runId" | "repoId">;

/** Whether others pushed on top of the run's commits since its checkout was made. */
export async function isOutdated(place: Place): Promise<boolean> {
  const { mirror, runId } = checkoutPlace(place.dataDir, place.runId, place.repoId);
  return (await findRef(mirror, followedRef(runId))) !== null;
}

/**
 * Moves an outdated checkout to the run's branch, see follow-branch.ts: it contains nothing else but commits of the run and what no
 * commit takes, which stays. If it cannot be moved, it is removed, and the result is what was lost. No process of the run may be at
 * work.
 */
export async function updateCheckout({ env, signal, ...place }: Place & GitContext): Promise<LeftOut[]> {
  const checkout = await findCheckout(place);
  const { mirror, runId } = checkoutPlace(place.dataDir, place.runId, place.repoId);
  const lost = checkout === null ? [] : await update(checkout, { env, signal });
  await withMirrorLock({ path: mirror, signal }, () =>
    runGit(["update-ref", "-d", followedRef(runId)], { cwd: mirror, env }),
  );
  return lost;
}

async function update(checkout: Checkout, context: GitContext): Promise<LeftOut[]> {
  try {
    const commit = await keptCommit(checkout);
    // Files of submodules belong to one commit.
    if (commit !== null && checkout.submodules === undefined) {
      await withMirrorLock({ path: checkout.mirror, ...context }, () => linkObjects(checkout, context.signal));
      await moveCheckout(checkout, commit, context);
      return [];
    }
  } catch (error) {
    context.signal?.throwIfAborted();
    // Then it can be moved later.
    if (lacksSpace(error)) throw error;
  }
  const { path } = checkout;
  const commit = await keptCommit(checkout);
  const left = { path: join(path, ".git"), commit, flattened: null };
  const looked = withCheckoutGit(checkout, { name: "looking", ...context }, async ({ git }) => {
    if (commit !== null) await runGit(["read-tree", commit], git);
    const ignored = await listIgnored({ ...git, ...atMost }, "latin1");
    const behind = await findLeftBehind(git, checkout, left);
    return [...behind, ...ignored.map((name) => leftOutAs("ignored", name))];
  });
  const lost = await looked.catch(() => [leftOutAs("unread", ".")]);
  context.signal?.throwIfAborted();
  await removeTree(path);
  return lost;
}

/**
 * Puts a checkout's files and branch at a commit, whatever they were; other branches, stashed changes and ignored files stay. `cleans`:
 * new files go too. No process of the run may be at work. Throws GitError.
 */
export async function moveCheckout(
  checkout: Checkout,
  commit: string,
  { cleans = false, ...context }: GitContext & { cleans?: boolean },
): Promise<void> {
  const directory = join(checkout.path, ".git");
  await withCheckoutGit(checkout, { name: "looking", ...context }, async ({ git }) => {
    const index = git.variables.GIT_INDEX_FILE ?? "";
    const head = await readAgentHead(directory);
    const hasIndex = await copyIndex(join(directory, "index"), index);
    if (!hasIndex && head !== null) await runGit(["read-tree", head], git);
    await runGit(["read-tree", "--reset", "-u", commit], { ...git, timeoutMs: 600_000 });
    if (cleans) await runGit(["clean", "-fdq"], { ...git, timeoutMs: 600_000 });
    await moveAgentHead({ git: directory, branch: checkout.branch, commit, index });
  });
}

const followedRef = (runId: string) => `refs/errand/followed/run-${runId}`;
