import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { chmod, lstat, mkdir, realpath, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readPlain } from "./read-plain.ts";
import { removeTree } from "./remove-checkout.ts";

/** A file with a sign-in or settings of the service's user, and its place in an agent's home. */
export interface CarriedFile {
  /** Absolute path, or that of a link to it; null removes an earlier turn's file, which the agent may no longer have. */
  from: string | null;
  /** Path below the home, without "..". */
  to: string;
  /** Whether the agent's changes are copied back. */
  renews: boolean;
}

/** Files that were copied into a home. */
export interface CarriedFiles {
  /**
   * Copies back files that the agent has renewed, if they are still JSON and the service's own have not changed since. No process
   * of the run may be at work. Can be repeated. Never throws.
   */
  carryBack(): Promise<void>;
  /** False if the service's user's files have changed since the agent was given them. */
  areCurrent(): Promise<boolean>;
}

const bytesMax = 1024 * 1024;

/**
 * Copies files into the home of a run's agent; those that do not exist are removed there too. No process of the run may be alive:
 * anything an agent put in place of a folder is removed, never followed.
 */
export async function carryFiles(files: readonly CarriedFile[], home: string): Promise<CarriedFiles> {
  const given: { from: string; text: string | null }[] = [];
  const carried: { from: string; path: string; text: string }[] = [];
  for (const { from, to, renews } of files) {
    const path = join(home, to);
    const text = from === null ? null : await readOwn(from);
    await makeFolders(home, to);
    await removeTree(path);
    if (from === null) continue;
    const file = { from, path, text };
    given.push(file);
    if (text === null) continue;
    await writeFile(path, text, { mode: 0o600, flag: "wx" });
    if (renews) carried.push(Object.assign(file, { text }));
  }
  return {
    carryBack: async () => {
      for (const file of carried) file.text = await carryBack(home, file).catch(() => file.text);
    },
    areCurrent: async () => {
      for (const { from, text } of given) if ((await readOwn(from)) !== text) return false;
      return true;
    },
  };
}

/** Returns the text that the service's user's file and the agent's now share, or `text` if nothing was copied. */
async function carryBack(
  home: string,
  { from: named, path, text }: { from: string; path: string; text: string },
): Promise<string> {
  if (!(await areFolders(home, path))) return text;
  // A link stays a link: what it leads to is replaced.
  const from = await realpath(named);
  const renewed = await readPlain(path, bytesMax);
  if (renewed === null || renewed === text || !isJson(renewed) || (await readPlain(from, bytesMax)) !== text)
    return text;
  const made = `${from}.${randomUUID()}`;
  try {
    await writeFile(made, renewed, { mode: 0o600, flag: "wx" });
    await chmod(made, (await lstat(from)).mode & 0o777);
    await rename(made, from);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EBUSY")) throw error;
    // A file mounted by itself, as into a container, cannot be replaced.
    await writeFile(from, renewed, { flag: constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW });
  } finally {
    await rm(made, { force: true });
  }
  return renewed;
}

/** The text of a file of the service's user, who may have a link in its place, as in containers that are given secrets; or null. */
async function readOwn(path: string): Promise<string | null> {
  const real = await realpath(path).catch(() => null);
  return real === null ? null : readPlain(real, bytesMax);
}

/** Creates the parent folders of a file in a home, and removes anything else in their place. */
async function makeFolders(home: string, to: string): Promise<void> {
  let folder = home;
  for (const name of dirname(to).split("/")) {
    folder = join(folder, name);
    if ((await lstat(folder).catch(() => null))?.isDirectory()) continue;
    await rm(folder, { force: true });
    await mkdir(folder, { mode: 0o700 });
  }
}

async function areFolders(home: string, path: string): Promise<boolean> {
  for (let folder = dirname(path); folder !== home; folder = dirname(folder)) {
    if (!(await lstat(folder).catch(() => null))?.isDirectory()) return false;
  }
  return true;
}

function isJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}
