import { copyFile, lstat, utimes } from "node:fs/promises";

/** An index of a million files has 100 MB. */
const indexBytesMax = 256 * 1024 * 1024;

/** What an index says. Paths have one character a byte. */
export interface IndexEntries {
  paths: string[];
  /** Links to commits of other repositories (mode 160000), with the commits. */
  links: Map<string, string>;
  /** Files of which git was told to ignore changes (`assume-unchanged`, `skip-worktree`). `mayBeMissing`: as in a sparse checkout. */
  hidden: Map<string, { id: string; mayBeMissing: boolean }>;
  /** Files with a merge conflict. */
  unmerged: string[];
}

/**
 * Copies an agent's index; false if there is none, or something else in its place. Starting from it leaves unchanged files
 * unchanged: git compares their size and times, not content that other line-ending rules would change. The index's own time must
 * be kept, because git trusts files older than it.
 */
export async function copyIndex(from: string, to: string): Promise<boolean> {
  const found = await lstat(from).catch(() => null);
  if (!found?.isFile() || found.size > indexBytesMax) return false;
  await copyFile(from, to);
  await utimes(to, found.atime, new Date(Math.floor(found.mtimeMs)));
  return true;
}

/** The git command whose output {@link readIndex} reads; with `--modified` and `--others` it lists changed and new files too. */
export const listIndex = ["ls-files", "-z", "--stage", "-v"] as const;

/** Reads the output of {@link listIndex}. */
export function readIndex(listed: Buffer): IndexEntries & { changed: string[] } {
  const read: IndexEntries & { changed: string[] } = {
    ...{ paths: [], links: new Map(), hidden: new Map(), unmerged: [], changed: [] },
  };
  const unmerged = new Set<string>();
  const changed = new Set<string>();
  for (const line of listed.toString("latin1").split("\0")) {
    // A letter (small: assume-unchanged; S: skip-worktree; C: changed), mode, object id, stage, a tab, path. For a new file: ?, path.
    if (line.startsWith("? ")) {
      changed.add(line.slice(2));
      continue;
    }
    const tab = line.indexOf("\t");
    if (tab === -1) continue;
    const [letter = "", mode = "", id = "", stage] = line.slice(0, tab).split(" ");
    const path = line.slice(tab + 1);
    if (letter === "C") {
      changed.add(path);
      continue;
    }
    read.paths.push(path);
    if (mode === "160000") read.links.set(path, id);
    else if (/[a-zS]/.test(letter)) read.hidden.set(path, { id, mayBeMissing: letter === "S" || letter === "s" });
    if (stage !== "0") unmerged.add(path);
  }
  return { ...read, unmerged: [...unmerged], changed: [...changed] };
}
