import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { type GitContext, runGit } from "./git.ts";
import { withMirrorLock, withoutLeftLocks } from "./mirror.ts";

/** Longest time for one mirror, in milliseconds: a turn that fetches waits meanwhile. */
const limitMs = 600_000;

/**
 * git's housekeeping in each mirror, which usually only checks a few counters. `onProblem` is told of a mirror where it failed; the next
 * call tries again. Throws the signal's reason.
 */
export async function tidyMirrors(
  options: GitContext & { dataDir: string; onProblem: (mirror: string, error: unknown) => void },
): Promise<void> {
  const { dataDir, onProblem, env, signal } = options;
  const folder = join(dataDir, "mirrors");
  for (const name of (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".git"))) {
    const path = join(folder, name);
    const gc = () =>
      runGit(["-c", "gc.auto=6700", "gc", "--auto", "--quiet"], { cwd: path, env, signal, timeoutMs: limitMs });
    await withMirrorLock({ path, signal }, () => withoutLeftLocks(path, gc)).catch((error: unknown) => {
      signal?.throwIfAborted();
      onProblem(name, error);
    });
  }
}
