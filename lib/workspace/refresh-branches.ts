import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { readAgentHead, readPackedRefs, replaceFile } from "./agent-head.ts";
import type { Checkout } from "./checkout.ts";
import { type GitContext, readGit } from "./git.ts";
import { isAncestorOf, withMirrorLock } from "./mirror.ts";
import { readPlain } from "./read-plain.ts";
import { runProgram } from "./run-program.ts";
import { packedRefs } from "./served-mirror.ts";
import { isFolder, sharedObjects } from "./shared-objects.ts";

const branches = "refs/remotes/origin/";
const copyMs = 120_000;

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
    const format = "--format=%(refname) %(objectname)";
    const listed = await readGit(["for-each-ref", format, branches], { cwd: mirror, env, signal }, "latin1");
    const current = listed === "" ? [] : listed.split("\n").map((line) => line.split(" ") as [string, string]);
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

/**
 * Links what the mirror's objects have more, as a clone does; where files cannot be linked, copies it. The mirror's lock must be held.
 */
export async function linkObjects({ path, mirror }: Checkout, signal: AbortSignal | undefined): Promise<void> {
  const shared = join(path, ".git", sharedObjects);
  const to = (await isFolder(shared)) ? shared : join(path, ".git/objects");
  const what = ["--archive", "--no-clobber", "--", `${mirror}/objects/.`, to];
  const copy = (...how: string[]) => runProgram("cp", [...how, ...what], { limitMs: copyMs, signal });
  await mkdir(to, { recursive: true });
  if (!(await copy("--link")).isDone) await copy();
}
