import { copyFile, link, lstat, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile } from "./agent-head.ts";
import type { Checkout } from "./checkout.ts";
import type { Environment } from "./environment.ts";
import { runGit } from "./git.ts";
import { isAncestorOf, withMirrorLock } from "./mirror.ts";
import { isFolder, sharedObjects } from "./shared-objects.ts";

/** A longer `packed-refs` is not Errand's. */
const packedBytesMax = 64 * 1024 * 1024;
const branches = "refs/remotes/origin/";

/**
 * Gives a checkout the source's branches as the mirror has them now, with their objects; the base branch, if it is not checked out,
 * moves forward to the source's. Everything is done without git, which would obey the agent's settings: {@link makeGitPlain} must
 * have made the `.git` plain. Does nothing if it is damaged; it is then made again at the end of the turn.
 */
export async function refreshBranches(
  checkout: Checkout,
  { env, signal }: { env: Environment; signal?: AbortSignal | undefined },
): Promise<void> {
  const { mirror } = checkout;
  const git = join(checkout.path, ".git");
  const objects = join(git, "objects");
  if (!(await isFolder(objects)) || !(await isFolder(join(git, "refs")))) return;
  await withMirrorLock({ path: mirror, signal }, async () => {
    const format = "--format=%(objectname) %(refname)";
    const { stdout } = await runGit(["for-each-ref", format, branches], { cwd: mirror, env, signal });
    const current = linesOf(stdout.toString("latin1"));
    const packed = await readPacked(join(git, "packed-refs"));
    if (packed === null) return;
    const isKnown = packed.refs.filter((ref) => nameOf(ref).startsWith(branches)).join("\n") === current.join("\n");
    const hasOwn = await isFolder(join(git, branches));
    if (isKnown && !hasOwn) return;
    const shared = join(git, sharedObjects);
    await linkObjects(join(mirror, "objects"), (await isFolder(shared)) ? shared : objects);
    const others = packed.refs.filter((ref) => !nameOf(ref).startsWith(branches));
    const refs = [...others, ...current].sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
    const text = [...packed.head, ...refs].map((line) => `${line}\n`).join("");
    await replaceFile(join(git, "packed-refs"), Buffer.from(text, "latin1"));
    await rm(join(git, branches), { recursive: true, force: true });
    await moveBase(packed.refs, current);
  });

  /** An agent that is told to merge `main` means the source's. */
  async function moveBase(packed: string[], current: string[]): Promise<void> {
    const name = `refs/heads/${Buffer.from(checkout.baseBranch ?? "").toString("latin1")}`;
    const path = join(git, "refs/heads", checkout.baseBranch ?? "");
    const find = (refs: string[], wanted: string) => refs.find((ref) => nameOf(ref) === wanted)?.split(" ", 1)[0];
    const there = find(current, name.replace("refs/heads/", branches));
    const here = (await readSmall(path)) ?? find(packed, name);
    const isCheckedOut =
      (await readSmall(join(git, "HEAD"))) === `ref: ${name}` || (await isFolder(join(git, "worktrees")));
    if (checkout.baseBranch === null || there === undefined || here === undefined || isCheckedOut) return;
    if (!/^[0-9a-f]{40,64}$/.test(here) || here === there) return;
    const isOlder = await isAncestorOf(mirror, here, there, { env, signal }).catch(() => false);
    if (isOlder) await replaceFile(path, `${there}\n`).catch(() => undefined);
  }
}

const linesOf = (text: string) => text.split("\n").filter((line) => line !== "");
const nameOf = (ref: string) => ref.split("\n", 1)[0]?.slice(ref.indexOf(" ") + 1) ?? "";

/** The header, and the references, each with the line of what its tag points at; null if the file is not one that git writes. */
async function readPacked(path: string): Promise<{ head: string[]; refs: string[] } | null> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return { head: [], refs: [] };
  if (!found.isFile() || found.size > packedBytesMax) return null;
  const refs: string[] = [];
  const head: string[] = [];
  for (const line of linesOf(await readFile(path, "latin1"))) {
    if (line.startsWith("#")) head.push(line);
    else if (line.startsWith("^")) refs.push(`${refs.pop() ?? ""}\n${line}`);
    else refs.push(line);
  }
  return { head, refs };
}

async function readSmall(path: string): Promise<string | null> {
  const found = await lstat(path).catch(() => null);
  return found?.isFile() && found.size < 4096 ? (await readFile(path, "latin1")).trim() : null;
}

/** Links what a repository's objects have more, as a clone does; where files cannot be linked, copies it. */
async function linkObjects(from: string, to: string): Promise<void> {
  for (const folder of await readdir(from)) {
    if (!/^([0-9a-f]{2}|pack)$/.test(folder)) continue;
    const there = new Set(await readdir(join(to, folder)).catch(() => []));
    const names = (await readdir(join(from, folder))).filter((name) => !there.has(name) && isObject.test(name));
    if (names.length > 0) await mkdir(join(to, folder), { recursive: true });
    // git reads a pack once its index is there.
    for (const name of names.sort((one, other) => Number(one.endsWith(".idx")) - Number(other.endsWith(".idx")))) {
      const [source, target] = [join(from, folder, name), join(to, folder, name)];
      await link(source, target).catch(() => copyFile(source, target));
    }
  }
}

const isObject = /^([0-9a-f]{38}|[0-9a-f]{62}|pack-[0-9a-f]+\.(pack|idx|rev))$/;
