import { execFile } from "node:child_process";
import { mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { withMirrorLock } from "./mirror.ts";
import { WorkspaceError } from "./workspace-error.ts";

/**
 * Copies every mirror of a data folder into a new folder: by hard links if it is on the same disk, because git never changes an
 * existing file. A mirror may be a symbolic link to another disk. Nobody changes one while it is copied. Returns their number.
 */
export async function linkMirrors(dataDir: string, to: string): Promise<number> {
  const mirrors = join(dataDir, "mirrors");
  const names = (await readdir(mirrors).catch(() => [])).filter((name) => /^[\w-]+\.git$/.test(name));
  await mkdir(to, { recursive: true, mode: 0o700 });
  const { dev } = await stat(to);
  let linked = 0;
  for (const name of names) {
    const path = join(mirrors, name);
    const copy = async () => {
      const link = (await stat(path)).dev === dev ? ["--link"] : [];
      await promisify(execFile)("cp", ["--archive", "--dereference", ...link, "--", path, join(to, name)]);
    };
    await withMirrorLock({ path }, copy).then(
      () => {
        linked += 1;
      },
      async (error: unknown) => {
        // It may have been deleted in the meantime.
        if (!(await readdir(mirrors)).includes(name)) return;
        const said = error instanceof Error && "stderr" in error ? String(error.stderr).trim().split("\n")[0] : "";
        throw new WorkspaceError("git_failed", `The mirror ${path} could not be copied: ${said || String(error)}`, {
          cause: error,
        });
      },
    );
  }
  return linked;
}

/**
 * The highest ids of runs and repositories that a folder of mirrors knows, 0 if it knows none: by its mirrors' names, and by the
 * records of runs in them.
 */
export async function findHighestIds(mirrors: string): Promise<{ runs: number; repositories: number }> {
  let [runs, repositories] = [0, 0];
  for (const name of await readdir(mirrors).catch(() => [])) {
    repositories = Math.max(repositories, idIn(name, /^(\d+)\.git$/));
    runs = Math.max(runs, idIn(name, /^run-(\d+)\.git$/));
    const records = await readdir(join(mirrors, name, "errand")).catch(() => []);
    for (const record of records) runs = Math.max(runs, idIn(record, /^run-(\d+)\.json/));
  }
  return { runs, repositories };
}

function idIn(name: string, pattern: RegExp): number {
  return Number(pattern.exec(name)?.[1] ?? 0);
}
