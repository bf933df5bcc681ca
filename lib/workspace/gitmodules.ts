import { type GitOptions, runGit, unlessFailed } from "./git.ts";

/**
 * What a .gitmodules says about submodules: their folders, and their addresses if it has them. `from` is a revision's blob, or a text.
 * None if it is missing or broken. Throws GitError.
 */
export async function readGitmodules(
  from: { blob: string } | { text: Uint8Array },
  git: GitOptions,
  encoding: BufferEncoding = "utf8",
): Promise<Map<string, string | null>> {
  const file = "blob" in from ? ["--blob", from.blob] : ["--file", "-"];
  const wanted = ["config", ...file, "--null", "--get-regexp", "^submodule\\..*\\.(path|url)$"];
  const how = { ...git, outputBytesMax: 1024 * 1024, overflow: "cut" } as const;
  const found = await runGit(wanted, "text" in from ? { ...how, stdin: from.text } : how).catch(unlessFailed);
  const named = new Map<string, { path?: string; url?: string }>();
  for (const setting of found?.stdout.toString(encoding).split("\0") ?? []) {
    const [, name = "", field = "", value = ""] = /^submodule\.(.*)\.(path|url)\n(.*)$/s.exec(setting) ?? [];
    if (name !== "") named.set(name, { ...named.get(name), [field]: value });
  }
  return new Map(
    [...named.values()].flatMap(({ path, url }) =>
      path === undefined ? [] : [[path.replace(/\/+$/, ""), url ?? null]],
    ),
  );
}

/**
 * Of changed paths those that link to a commit of a repository (mode 160000) which .gitmodules in `commit` does not name, so that
 * nobody can fetch it. Throws GitError.
 */
export async function findUnknownLinks(
  commit: string,
  changed: readonly { path: string; mode: string | null }[],
  git: GitOptions,
): Promise<ReadonlySet<string>> {
  const links = changed.flatMap(({ path, mode }) => (mode === "160000" ? [path] : []));
  if (links.length === 0) return new Set();
  const declared = await readGitmodules({ blob: `${commit}:.gitmodules` }, git);
  return new Set(links.filter((path) => !declared.has(path)));
}
