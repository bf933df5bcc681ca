import { GitError, type GitOptions, readGit } from "./git.ts";

/**
 * Of changed paths those that link to a commit of a repository (mode 160000) which .gitmodules in `commit` does not name, so that
 * nobody can fetch it. A .gitmodules that is missing or broken names none. Throws GitError.
 */
export async function findUnknownLinks(
  commit: string,
  changed: readonly { path: string; mode: string | null }[],
  git: GitOptions,
): Promise<ReadonlySet<string>> {
  const links = changed.flatMap(({ path, mode }) => (mode === "160000" ? [path] : []));
  if (links.length === 0) return new Set();
  const named = ["config", "--blob", `${commit}:.gitmodules`, "-z", "--get-regexp", "^submodule\\..*\\.path$"];
  const settings = await readGit(named, git).catch((error) => {
    if (error instanceof GitError && error.exitCode !== null) return "";
    throw error;
  });
  const declared = new Set(settings.split("\0").map((setting) => setting.slice(setting.indexOf("\n") + 1)));
  return new Set(links.filter((path) => !declared.has(path)));
}
