import { rm } from "node:fs/promises";
import { join } from "node:path";
import { readAgentHead, readPackedRefs, replaceFile } from "./agent-head.ts";
import type { Checkout } from "./checkout.ts";
import type { GitContext } from "./git.ts";
import { isAncestorOf, listRefs, withMirrorLock } from "./mirror.ts";
import { readPlain } from "./read-plain.ts";
import { packedRefs } from "./served-mirror.ts";
import { isFolder, linkObjects } from "./shared-objects.ts";

const branches = "refs/remotes/origin/";

/**
 * Gives a checkout the source's branches as the mirror has them now, with their objects; the base branch, if it is not checked out,
 * moves forward to the source's. Everything is done without git, which would obey the agent's settings: {@link makeGitPlain} must
 * have made the `.git` plain. Does nothing if it is damaged; it is then made again at the end of the turn.
 */
export async function refreshBranches(checkout: Checkout, { env, signal }: GitContext): Promise<void> {
  const { mirror } = checkout;
  const git = join(checkout.path, ".git");
  if (!(await isFolder(join(git, "objects"))) || !(await isFolder(join(git, "refs")))) return;
  await withMirrorLock({ path: mirror, signal }, async () => {
    const current = [...(await listRefs(mirror, [branches], { env, signal }))];
    const packed = await readPackedRefs(git, "latin1");
    if (packed === null) return;
    const [known, others] = [true, false].map((isOfSource) =>
      [...packed].filter(([name]) => name.startsWith(branches) === isOfSource),
    );
    if (String(known) === String(current) && !(await isFolder(join(git, branches)))) return;
    await linkObjects(checkout, signal);
    const text = packedRefs(new Map([...(others ?? []), ...current]));
    await replaceFile(join(git, "packed-refs"), Buffer.from(text, "latin1"));
    await rm(join(git, branches), { recursive: true, force: true });
    await moveBase(new Map(current));
  });

  /** An agent that is told to merge `main` means the source's. */
  async function moveBase(current: ReadonlyMap<string, string>): Promise<void> {
    const { baseBranch } = checkout;
    const there = current.get(`${branches}${Buffer.from(baseBranch ?? "").toString("latin1")}`);
    const path = `refs/heads/${baseBranch}`;
    const here = await readAgentHead(git, path);
    const isCheckedOut =
      (await readPlain(join(git, "HEAD"), 4096))?.trim() === `ref: ${path}` || (await isFolder(join(git, "worktrees")));
    if (there === undefined || here === null || here === there || isCheckedOut) return;
    const isOlder = await isAncestorOf(mirror, here, there, { env, signal }).catch(() => false);
    if (isOlder) await replaceFile(join(git, path), `${there}\n`).catch(() => undefined);
  }
}
