import { lstat, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** A place inside the working folder, or the reason why a path is refused. */
export type PathInTree = { file: string } | { refusal: string };

/**
 * The place that a path in a prompt leads to. Refused: empty and absolute paths, paths that climb with `..`, anything in a `.git`
 * folder, symbolic links that lead out of `cwd`, into `.git` or nowhere, and anything that exists but is not a regular file.
 * `file` is absolute and free of symbolic links; it and its last folders need not exist.
 */
export async function resolveInTree(cwd: string, path: string): Promise<PathInTree> {
  if (path === "" || path.endsWith("/")) return { refusal: "the path names no file" };
  if (path.includes("\0")) return { refusal: "the path contains a NUL character" };
  if (isAbsolute(path)) return { refusal: "the path is absolute; only paths inside the working folder are allowed" };
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes(".."))
    return { refusal: "the path goes up with `..`; only paths inside the working folder are allowed" };
  if (holdsGitFolder(parts)) return { refusal: "the path is inside a `.git` folder" };
  if (parts.length === 0) return { refusal: "the path names no file" };

  const root = await realpath(cwd);
  const file = await realPlace(resolve(root, ...parts));
  if (file === null) return { refusal: "the path leads through a symbolic link to nowhere" };
  const inside = relative(root, file);
  if (inside === "" || inside === ".." || inside.startsWith(`..${sep}`)) {
    return { refusal: "the path leads through a symbolic link out of the working folder" };
  }
  if (holdsGitFolder(inside.split(sep)))
    return { refusal: "the path leads through a symbolic link into a `.git` folder" };
  const there = await lstatOrNull(file);
  if (there === "not a folder") return { refusal: "a part of the path is a file, not a folder" };
  if (there !== null && !there.isFile()) return { refusal: "there is something that is not a regular file" };
  return { file };
}

/** The path with every symbolic link of its existing part resolved; null if a link leads nowhere. */
async function realPlace(place: string): Promise<string | null> {
  const there = await lstatOrNull(place);
  if (there !== null && there !== "not a folder") return realpath(place).catch(() => null);
  const parent = await realPlace(dirname(place));
  return parent === null ? null : join(parent, place.slice(dirname(place).length));
}

async function lstatOrNull(place: string) {
  try {
    return await lstat(place);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "ENOENT") return null;
    if (code === "ENOTDIR") return "not a folder";
    throw error;
  }
}

// Ignores case: on a case-insensitive file system `.GIT` is the same folder.
function holdsGitFolder(parts: string[]): boolean {
  return parts.some((part) => part.toLowerCase() === ".git");
}
