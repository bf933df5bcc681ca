import { lstat, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * The object id of HEAD in a `.git` folder, read without git, because the folder is the agent's and git would obey its settings.
 * null when HEAD is unborn or stored in a format not supported here (reftable).
 */
export async function readAgentHead(git: string): Promise<string | null> {
  let name = "HEAD";
  for (let depth = 0; depth < 5; depth += 1) {
    const value = (await readRegular(join(git, name)))?.trim() ?? (await readPacked(git, name));
    if (value === null) return null;
    if (isObjectId(value)) return value;
    const next = /^ref:\s*(refs\/\S+)$/.exec(value)?.[1];
    if (next === undefined || next.split("/").includes("..")) return null;
    name = next;
  }
  return null;
}

/**
 * Puts the checkout on its run's branch at `commit`, with `index` as its index, and ends what the agent left unfinished (a merge,
 * a rebase, locks of a killed git), so that the next turn begins in a clean state. If the branch cannot be created because the
 * agent made one called `errand`, HEAD is detached at the commit.
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
  for (const name of [...leftovers, ...states, "rebase-apply", "sequencer"]) {
    await rm(join(git, name), { recursive: true, force: true });
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
  await rename(index, join(git, "index"));
}

/** The text of a regular file of at most 64 KB; null for anything else, such as a pipe that never answers. */
async function readRegular(path: string): Promise<string | null> {
  const found = await lstat(path).catch(() => null);
  if (!found?.isFile() || found.size > 64 * 1024) return null;
  return readFile(path, "utf8");
}

async function readPacked(git: string, name: string): Promise<string | null> {
  const path = join(git, "packed-refs");
  if (!(await lstat(path).catch(() => null))?.isFile()) return null;
  for (const line of (await readFile(path, "utf8")).split("\n")) {
    const [value = "", packed] = line.split(" ");
    if (packed === name && isObjectId(value)) return value;
  }
  return null;
}

function isObjectId(value: string): boolean {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(value);
}

async function replaceFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const made = `${path}.errand-new`;
  await rm(made, { recursive: true, force: true });
  await writeFile(made, text);
  await rename(made, path);
}
