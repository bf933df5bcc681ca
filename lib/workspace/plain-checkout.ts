import { chmod, lstat, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { findEnvironment, findMs, makeGitPlain, plainGitRules, restoreAlternates } from "./plain-git.ts";
import { readPlain } from "./read-plain.ts";
import { runProgram } from "./run-program.ts";
import { isFolder } from "./shared-objects.ts";

/** git reads them for every file; it would take hours for some that are larger. */
const rulesBytesMax = 1024 * 1024;
const gitFileBytesMax = 4096;
/** Most ignore files of a turn that are read. */
const rulesReadMax = 100;
/** A line that hides every file. */
const hidingAll = /^(?:\*|\/\*|\*\*|\/\*\*|\*\.\*)\s*$/m;
/** Removes files of the current folder, even without permission to write in it. By relative names: an absolute one may be too long. */
const removeHere = 'rm -f -- "$@" 2>/dev/null || { [ -w . ] || { chmod u+w . && rm -f -- "$@"; chmod u-w .; }; }';

/** What was found in a checkout. Paths are relative to it, one character a byte. */
export interface PlainCheckout {
  /** Folders with a `.git` of their own, in ignored folders too. */
  repositories: string[];
  /** Ignore and attribute files that were too large, under the names that they have now. */
  setAside: string[];
  /** Whether an ignore file that hides every file has been written since the turn began. */
  hidesAll: boolean;
}

/**
 * Makes the files of a checkout in which an agent has worked readable by git in bounded time. Folders become readable for their
 * owner. Of the names that git reads (`.gitignore`, everything in a `.git` at any depth, …) only files and folders stay: git would
 * wait for a pipe, and follow a link out of the checkout. `.gitignore`, `.gitattributes` and
 * `.gitmodules` of more than 1 MB are renamed. What this user may not change stays as it is. No process of the run may be at work.
 */
export async function makeCheckoutPlain(path: string, signal?: AbortSignal): Promise<PlainCheckout> {
  await openFolder(path);
  const git = join(path, ".git");
  const began = (await lstat(join(git, "HEAD")).catch(() => null))?.mtimeMs ?? 0;
  const special = ["!", "-type", "d", "!", "-type", "f"];
  const remove = ["-execdir", "sh", "-c", removeHere, "sh", "{}", "+"];
  const rules = [
    ...[".", "(", "-path", "./.git", "-o", "-path", "./.git/*", ")", "(", ...plainGitRules, "-o", "-true", ")"],
    ...["-o", "-type", "d", "!", "-perm", "-500", "-execdir", "chmod", "u+rx", "{}", ";", "!", "-name", ".git"],
    // The agent's git writes HEAD when it switches, and Errand at the end of each turn.
    ...["-o", "-type", "f", "-name", ".gitignore", "-newermt", `@${began / 1000}`, "-printf", "r%p\\0", "-false"],
    ...["-o", ...special, "(", "-path", "*/.git/*", "-o", "-name", ".git", ")", ...remove],
    ...["-o", ...special, "!", "-type", "l", "(", "-name", ".git*", "-o", "-name", ".mailmap", ")", ...remove],
    ...["-o", "-path", "*/.git/commondir", "-type", "f", ...remove],
    ...["-o", "-type", "f", "-name", ".git*", "!", "-perm", "-400", "-execdir", "chmod", "u+r", "{}", "+"],
    ...["-o", "-name", ".git", "-print0"],
    ...["-o", "-type", "f", "(", "-name", ".gitignore", "-o", "-name", ".gitattributes"],
    ...["-o", "-name", ".gitmodules", ")"],
    ...["-size", `+${rulesBytesMax}c`, "-print0"],
  ];
  // It may fail at some folder, and goes on. In `.git` it must not.
  const { printed, isDone } = await runProgram("find", rules, {
    cwd: path,
    limitMs: findMs,
    env: findEnvironment(),
    signal,
  });
  if (!isDone) await makeGitPlain(git, signal);
  else if (await isFolder(git)) await restoreAlternates(git);
  const names = printed.split("\0").slice(0, -1);
  const ruled = names.filter((name) => name.startsWith("r")).slice(0, rulesReadMax);
  const found: PlainCheckout = { repositories: [], setAside: [], hidesAll: await anyHidesAll(path, ruled) };
  const exclude = join(git, "info/exclude");
  if (((await lstat(exclude).catch(() => null))?.size ?? 0) > rulesBytesMax) {
    const ending = await freeEnding(Buffer.from(exclude).toString("latin1"));
    if (await changeFolderOf(Buffer.from(exclude).toString("latin1"), () => rename(exclude, `${exclude}${ending}`)))
      found.setAside.push(`.git/info/exclude${ending}`);
  }
  for (const name of names) {
    signal?.throwIfAborted();
    if (name.startsWith("r")) continue;
    // One character a byte: names need not be UTF-8.
    const place = `${Buffer.from(path).toString("latin1")}${name.slice(1)}`;
    const there = await lstat(bytes(place)).catch(() => null);
    if (there === null) continue;
    if (name.endsWith("/.git") && ((there.isFile() && there.size > gitFileBytesMax) || (await leadsToPipe(place)))) {
      await changeFolderOf(place, () => rm(bytes(place), { force: true }));
    } else if (name.endsWith("/.git")) found.repositories.push(name.slice(2, -"/.git".length));
    else {
      const ending = await freeEnding(place);
      if (await changeFolderOf(place, () => rename(bytes(place), bytes(`${place}${ending}`))))
        found.setAside.push(`${name.slice(2)}${ending}`);
    }
  }
  return found;
}

async function anyHidesAll(path: string, names: readonly string[]): Promise<boolean> {
  for (const name of names) {
    const place = `${Buffer.from(path).toString("latin1")}${name.slice(2)}`;
    if (hidingAll.test((await readPlain(bytes(place), rulesBytesMax, "latin1")) ?? "")) return true;
  }
  return false;
}

const bytes = (latin1: string) => Buffer.from(latin1, "latin1");

/** `.too-large`, with a number if there is something under that name. */
async function freeEnding(place: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? ".too-large" : `.too-large-${number}`;
    if ((await lstat(bytes(`${place}${ending}`)).catch(() => null)) === null) return ending;
  }
}

/** Does something in the folder of a file, even if it has no permission to write. False if this user may not. */
async function changeFolderOf(place: string, change: () => Promise<void>): Promise<boolean> {
  const folder = bytes(dirname(place));
  const isDone = () =>
    change().then(
      () => true,
      () => false,
    );
  if (await isDone()) return true;
  const mode = (await lstat(folder).catch(() => null))?.mode;
  if (mode === undefined) return false;
  await chmod(folder, (mode & 0o7777) | 0o200).catch(() => undefined);
  try {
    return await isDone();
  } finally {
    await chmod(folder, mode & 0o7777).catch(() => undefined);
  }
}

/** Makes a folder usable for its owner. Does nothing if it is missing or somebody else's. */
export async function openFolder(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (!found?.isDirectory() || (found.mode & 0o700) === 0o700) return;
  await chmod(path, (found.mode & 0o777) | 0o700).catch(() => undefined);
}

/** Whether a `.git` is a file that names a folder in which git would read something else than small files. */
async function leadsToPipe(file: string): Promise<boolean> {
  const text = await readPlain(bytes(file), gitFileBytesMax, "latin1");
  const named = /^gitdir: (.*?)[\r\n]*$/s.exec(text ?? "")?.[1];
  if (named === undefined) return false;
  for (const name of ["HEAD", "commondir"]) {
    const there = await stat(bytes(join(resolve(dirname(file), named), name))).catch(() => null);
    if (there !== null && (!there.isFile() || there.size > gitFileBytesMax)) return true;
  }
  return false;
}
