import { constants } from "node:fs";
import { access, lstat, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type GitContext, readGit } from "./git.ts";
import type { Source } from "./parse-source.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** Throws WorkspaceError `source_not_found`, `source_not_repository` or `source_unreadable` for what is not a readable folder. */
export async function checkFolder(source: Source): Promise<void> {
  try {
    const found = await stat(source.location);
    if (!found.isDirectory()) {
      throw new WorkspaceError(
        "source_not_repository",
        `"${source.shown}" is not a git repository: it is not a folder.`,
      );
    }
    await access(source.location, constants.R_OK | constants.X_OK);
  } catch (error) {
    if (error instanceof WorkspaceError) throw error;
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") {
      throw new WorkspaceError("source_not_found", `"${source.shown}" does not exist.`);
    }
    const why = error instanceof Error ? error.message : String(error);
    throw new WorkspaceError("source_unreadable", `"${source.shown}" cannot be read: ${why}`);
  }
}

/**
 * The git directory of a folder, and that which it shares with other worktrees, as real paths. `real`: the folder's own. A folder's
 * `.git` may be a link or a file that names another folder; a worktree's has its objects elsewhere. Throws GitError.
 */
export async function gitDirectoriesOf(location: string, real: string, options: GitContext): Promise<string[]> {
  const plain = await plainGitDirectory(real);
  if (plain !== null) return [plain];
  const ask = (...what: string[]) =>
    readGit(["rev-parse", "--path-format=absolute", ...what], {
      env: options.env,
      signal: options.signal,
      cwd: location,
      variables: { GIT_CEILING_DIRECTORIES: dirname(real) },
    });
  const both = (await ask("--absolute-git-dir", "--git-common-dir")).split("\n");
  // A path may have several lines.
  const paths = both.length === 2 ? both : [await ask("--absolute-git-dir"), await ask("--git-common-dir")];
  return Promise.all(paths.map((path) => realpath(path)));
}

/** The git directory of a folder as git makes it: `.git`, with everything in it. Null for any other: git must be asked. */
async function plainGitDirectory(folder: string): Promise<string | null> {
  const path = join(folder, ".git");
  const kinds = await Promise.all(
    ["", "objects", "refs", "HEAD"].map(async (name) => {
      const found = await lstat(join(path, name)).catch(() => null);
      return found?.isDirectory() ? "folder" : found?.isFile() ? "file" : null;
    }),
  );
  const isPlain = kinds.join() === "folder,folder,folder,file";
  const isPart = (await lstat(join(path, "commondir")).catch(() => null)) !== null;
  return isPlain && !isPart ? path : null;
}
