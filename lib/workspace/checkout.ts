import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile } from "./agent-head.ts";
import { validateBranchName } from "./branch-name.ts";
import { baseRef } from "./changes-base.ts";
import { type CheckoutPlace, checkoutPlace, resolvePlace } from "./checkout-place.ts";
import { runGit } from "./git.ts";
import { makeGitDirectory } from "./git-directory.ts";
import {
  branchRef,
  createMirror,
  fetchMirror,
  findRef,
  keptCommit,
  type Mirror,
  type MirrorOptions,
  readMirrored,
  withMirrorLock,
} from "./mirror.ts";
import { openFolder } from "./plain-checkout.ts";
import { removeTree } from "./remove-checkout.ts";
import { baseOf, findRunRecord, type RunRecord, writeRunRecord } from "./run-record.ts";
import { isFolder } from "./shared-objects.ts";
import type { ReadSource } from "./source.ts";
import { addSubmodules, type SubmoduleOptions } from "./submodules.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** Options of a run's checkout. */
export interface CheckoutOptions extends Omit<MirrorOptions, "repoId" | "source"> {
  /** Letters, digits, "_" and "-"; unique in the instance. */
  runId: string | number;
  /** null together with source: the run works in a new empty repository. */
  repoId: string | number | null;
  /** See parseSource. */
  source: string | null;
  /** How submodules are fetched; left out: they are not. */
  submodules?: Pick<SubmoduleOptions, "findCredential"> | undefined;
  /** A branch of the source, or `errand/run-<id>` of an earlier run; null for the source's default. */
  baseBranch: string | null;
  /** Called when the source has been fetched. */
  onFetched?: ((mirror: Mirror) => Promise<void>) | undefined;
}

/** The folder that one run works in, kept between turns. */
export interface Checkout extends RunRecord {
  runId: string;
  /** Absolute, without symbolic links. */
  path: string;
  /** `errand/run-<id>`, in the checkout and in the mirror. */
  branch: string;
  /** The bare repository with the branch. */
  mirror: string;
}

/**
 * The checkout of a run: the existing one as it is, one rebuilt from the run's branch in the mirror if the folder was deleted, or
 * a new one from a mirror fetched now. Created atomically; only new runs need the source. Throws WorkspaceError
 * `repository_unavailable`, `branch_not_found`, `branch_name_invalid` or `git_failed`.
 */
export async function createCheckout(options: CheckoutOptions): Promise<Checkout> {
  const { env, signal } = options;
  if (options.baseBranch !== null) validateBranchName(options.baseBranch);
  const wanted = checkoutPlace(options.dataDir, options.runId, options.repoId);
  await mkdir(wanted.parent, { recursive: true });
  const place = await resolvePlace(wanted);
  const existing = await findExisting(place);
  if (existing !== null) return existing;

  await removeHalfMade(place);
  const made = join(place.parent, `.making-${place.runId}-${randomUUID()}`);
  await mkdir(made);
  try {
    const { source: address } = options;
    const hasBegun = (await findRunRecord(place.mirror, place.runId)) !== null;
    const read = hasBegun || address === null ? null : await readMirrored({ ...options, source: address });
    const { record, tip } = await withMirrorLock({ path: place.mirror, signal }, async () => {
      const found = await findRunRecord(place.mirror, place.runId);
      const { record, refs } = found === null ? await beginRecord(place, options, read) : { record: found };
      const kept = found === null ? null : await keptCommit(place);
      const tip = kept ?? record.baseCommit;
      await makeGitDirectory({ ...place, path: made, commit: tip, base: baseOf(record), refs, env, signal });
      return { record, tip };
    });
    if (tip !== null) {
      await runGit(["reset", "--hard", "--quiet"], { cwd: made, env, signal, timeoutMs: 600_000 });
    }
    const { submodules: _, ...start } = record;
    const { repoId, source } = options;
    const submodules =
      options.submodules === undefined || tip === null || repoId === null || source === null
        ? []
        : await addSubmodules(
            { ...options, ...options.submodules, repoId, source },
            { ...place, commit: tip, folder: made },
          );
    const complete = submodules.length === 0 ? start : { ...start, submodules };
    if (record.submodules !== undefined || submodules.length > 0) {
      await withMirrorLock({ path: place.mirror, signal }, () => writeRunRecord(place.mirror, place.runId, complete));
    }
    await rename(made, place.path);
    return checkoutOf(place, complete);
  } catch (error) {
    await removeTree(made);
    throw error;
  }
}

/** The run's checkout as it is; null if there is none. Throws WorkspaceError `checkout_damaged`. */
export async function findCheckout(
  options: Pick<CheckoutOptions, "dataDir" | "runId" | "repoId">,
): Promise<Checkout | null> {
  const wanted = checkoutPlace(options.dataDir, options.runId, options.repoId);
  return (await isFolder(wanted.path)) ? findExisting(await resolvePlace(wanted)) : null;
}

async function findExisting(place: CheckoutPlace): Promise<Checkout | null> {
  // An agent whose turn was cut off may have closed it.
  await openFolder(place.path);
  const entries = await readdir(place.path).catch((error) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  });
  if (entries === null) return null;
  if (entries.length === 0) {
    await rmdir(place.path);
    return null;
  }
  const record = await findRunRecord(place.mirror, place.runId);
  if (record !== null) return checkoutOf(place, record);
  throw new WorkspaceError(
    "checkout_damaged",
    `The mirror of run ${place.runId} is gone, but its checkout is still there.`,
  );
}

function checkoutOf(place: CheckoutPlace, record: RunRecord): Checkout {
  return { ...record, runId: place.runId, path: place.path, branch: place.branch, mirror: place.mirror };
}

/** Left by a crash in an earlier attempt: only one engine at a time creates a run's checkout. */
async function removeHalfMade(place: CheckoutPlace): Promise<void> {
  for (const name of await readdir(place.parent)) {
    const isOfRun = name.startsWith(`.making-${place.runId}-`) && name.length === 45 + place.runId.length;
    if (isOfRun) await removeTree(join(place.parent, name));
  }
}

/** Where a run begins, and the references of its mirror as fetched for it. */
type Begun = { record: RunRecord; refs?: ReadonlyMap<string, string> | undefined };

/** Decides where a new run begins and records it. Call it with the mirror's lock held. `read`: the source; null if it has none. */
async function beginRecord(place: CheckoutPlace, options: CheckoutOptions, read: ReadSource | null): Promise<Begun> {
  const begun = read === null ? await beginAlone(place, options) : await beginAtSource(place, options, read);
  const { record } = begun;
  if (record.baseCommit !== null) {
    for (const name of [baseRef(place.runId), `refs/heads/${place.branch}`]) {
      await replaceFile(join(place.mirror, name), `${record.baseCommit}\n`);
    }
  }
  await writeRunRecord(place.mirror, place.runId, record);
  return begun;
}

async function beginAlone(place: CheckoutPlace, options: CheckoutOptions): Promise<Begun> {
  const { baseBranch, env, signal } = options;
  if (baseBranch !== null) throw branchNotFound(baseBranch, "a run without a repository begins in an empty one");
  const found = await readdir(place.mirror).catch(() => null);
  if (found === null) await createMirror({ path: place.mirror, objectFormat: "sha1", env, signal });
  return { record: { baseCommit: null, baseBranch: null } };
}

async function beginAtSource(place: CheckoutPlace, options: CheckoutOptions, read: ReadSource): Promise<Begun> {
  const { baseBranch } = options;
  const mirror = await fetchMirror(place.mirror, read, options);
  const { refs, defaultBranch, defaultCommit } = mirror;
  await options.onFetched?.(mirror);
  if (baseBranch === null) return { record: { baseCommit: defaultCommit, baseBranch: defaultBranch }, refs };
  const ofSource = refs.get(branchRef(baseBranch));
  if (ofSource !== undefined) return { record: { baseCommit: ofSource, baseBranch }, refs };
  const ofRun = baseBranch.startsWith("errand/run-") ? await findRef(place.mirror, `refs/heads/${baseBranch}`) : null;
  if (ofRun !== null) return { record: { baseCommit: ofRun, baseBranch }, refs };
  const known = mirror.branches.length === 0 ? "the repository has no branches yet" : `there is no such branch`;
  throw branchNotFound(baseBranch, known);
}

function branchNotFound(name: string, why: string): WorkspaceError {
  return new WorkspaceError("branch_not_found", `The branch "${name}" was not found: ${why}.`);
}
