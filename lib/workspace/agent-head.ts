import { lstat, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isObjectId } from "./object-id.ts";
import { readPlain } from "./read-plain.ts";
import { removeTree } from "./remove-checkout.ts";

/** A loose reference is a line. */
const bytesMax = 64 * 1024;
const packedBytesMax = 16 * 1024 * 1024;

/**
 * The object id of HEAD, or of a worktree's, in a `.git` folder, read without git, because the folder is the agent's and git would
 * obey its settings. Null when HEAD is unborn or stored in a format not supported here (reftable).
 */
export async function readAgentHead(git: string, head = "HEAD"): Promise<string | null> {
  let name = head;
  for (let depth = 0; depth < 5; depth += 1) {
    const value = (await readPlain(join(git, name), bytesMax))?.trim() ?? (await readPackedRefs(git))?.get(name);
    if (value === undefined) return null;
    if (isObjectId(value)) return value;
    const next = /^ref:\s*(refs\/\S+)$/.exec(value)?.[1];
    if (next === undefined || next.split("/").includes("..")) return null;
    name = next;
  }
  return null;
}

/**
 * Puts the checkout on its run's branch at `commit`, with `index` as its index, and ends what the agent left unfinished (a merge,
 * a rebase, a bisection, locks of a killed git), so that the next turn begins in a clean state. If the branch cannot be created
 * because the agent made one called `errand`, HEAD is detached at the commit.
 */
export async function moveAgentHead(options: {
  git: string;
  branch: string;
  commit: string | null;
  index: string;
}): Promise<void> {
  const { git, branch, commit, index } = options;
  const leftovers = ["index.lock", "HEAD.lock", "packed-refs.lock", "config.lock", "shallow.lock", "rebase-merge"];
  const states = ["MERGE_HEAD", "MERGE_MSG", "MERGE_MODE", "AUTO_MERGE", "CHERRY_PICK_HEAD", "REVERT_HEAD"];
  const search = ["LOG", "START", "NAMES", "TERMS", "EXPECTED_REV", "ANCESTORS_OK", "HEAD"].map(
    (name) => `BISECT_${name}`,
  );
  for (const name of [...leftovers, ...states, ...search, "rebase-apply", "sequencer"]) {
    await removeTree(join(git, name));
  }
  let head = `ref: refs/heads/${branch}\n`;
  if (commit !== null) {
    try {
      await rm(join(git, `refs/heads/${branch}.lock`), { force: true });
      await replaceFile(join(git, "refs/heads", branch), `${commit}\n`);
    } catch {
      head = `${commit}\n`;
    }
  }
  await replaceFile(join(git, "HEAD"), head);
  await moveOver(index, join(git, "index"));
}

/** Renames a file over whatever is there, a folder too. */
async function moveOver(from: string, to: string): Promise<void> {
  await rename(from, to).catch(async () => {
    await removeTree(to);
    await rename(from, to);
  });
}

/** References that git has packed, with their object ids; null if the file is larger than 16 MB (some 200,000 of them). */
export async function readPackedRefs(git: string, encoding?: BufferEncoding): Promise<Map<string, string> | null> {
  const path = join(git, "packed-refs");
  const text = await readPlain(path, packedBytesMax, encoding);
  if (text === null && (await lstat(path).catch(() => null)) !== null) return null;
  const refs = new Map<string, string>();
  for (const line of text?.split("\n") ?? []) {
    const [value = "", name] = line.split(" ");
    if (name !== undefined && isObjectId(value)) refs.set(name, value);
  }
  return refs;
}

/** Writes a file of a `.git` atomically. */
export async function replaceFile(path: string, text: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const made = `${path}.errand-new`;
  await removeTree(made);
  await writeFile(made, text);
  await moveOver(made, path);
}
