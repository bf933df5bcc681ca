import { lstat, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { Checkout } from "./checkout.ts";
import type { Environment } from "./environment.ts";
import { GitError, runGit } from "./git.ts";
import { mirrorPath } from "./mirror.ts";

/**
 * Paths, with "/" at the end, of the submodules whose files the service put into the checkout and that are no longer as it put them: changed, added to,
 * partly deleted, or not comparable. `work` is a folder for temporary files. The agent must have ended.
 */
export async function listChangedSubmodules(
  { path: root, mirror, submodules = [] }: Checkout,
  { work, env, signal }: { work: string; env: Environment; signal?: AbortSignal | undefined },
): Promise<string[]> {
  const changed: string[] = [];
  for (const { path, commit, mirror: name } of submodules) {
    if (name === null) continue;
    const folder = join(root, path);
    // What else is in its place is committed, and a symbolic link would lead git elsewhere.
    if ((await realpath(folder).catch(() => null)) !== folder || !(await lstat(folder)).isDirectory()) continue;
    const dataDir = join(mirror, "../..");
    const variables = {
      GIT_DIR: mirrorPath(dataDir, name),
      GIT_WORK_TREE: folder,
      GIT_INDEX_FILE: join(work, "submodule-index"),
    };
    const git = { cwd: folder, variables, env, signal };
    if (!(await isUnchanged(commit, git))) changed.push(`${path}/`);
  }
  return changed;
}

async function isUnchanged(commit: string, git: Parameters<typeof runGit>[1]): Promise<boolean> {
  try {
    await runGit(["read-tree", commit], git);
    // One byte of a list is enough to know.
    const most = { outputBytesMax: 1, overflow: "cut" } as const;
    const list = ["ls-files", "-z", "--modified", "--deleted", "--others", "--exclude-standard"];
    const { stdout, cut } = await runGit(list, { ...git, ...most });
    return stdout.length === 0 && !cut;
  } catch (error) {
    if (error instanceof GitError) return false;
    throw error;
  }
}
