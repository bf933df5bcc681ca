import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { lacksSpace } from "./full-disk.ts";
import { listGit, runGit } from "./git.ts";
import { readGitmodules } from "./gitmodules.ts";
import { ensureMirror, findCommit, type MirrorOptions, removeMirror } from "./mirror.ts";
import type { SourceCredential } from "./source.ts";
import { resolveSubmodule } from "./submodule-address.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** A submodule of a run's checkout. Its files are there without a `.git`, so no change of them is committed. */
export interface Submodule {
  /** Its folder, relative to the checkout. */
  path: string;
  /** The commit whose files were put there. */
  commit: string;
  /** Name of its mirror, for `mirrorPath`; null if it could not be fetched. */
  mirror: string | null;
  /** Why its folder is empty, as the end of a sentence; null if its files are there. */
  problem: string | null;
}

/** How submodules are fetched: as the repository that names them, whose id and source these are. */
export interface SubmoduleOptions extends Omit<MirrorOptions, "findCredential"> {
  findCredential?: ((source: string, refused?: string) => Promise<SourceCredential>) | undefined;
}

/** Maximum number of submodules of a checkout, those of submodules included, and how deep these may be nested. */
const submodulesMax = 100;
const depthMax = 5;

/**
 * Fetches the submodules that a commit names in .gitmodules, each into a mirror of its own, and puts their files into `folder`, at
 * the commits that the commit records. `folder` must contain that commit's files and nothing by an agent. One that cannot be fetched
 * stays empty, with the reason. Throws GitError, or the signal's reason.
 */
export async function addSubmodules(
  options: SubmoduleOptions,
  { mirror, commit, folder }: { mirror: string; commit: string; folder: string },
): Promise<Submodule[]> {
  const found: Submodule[] = [];
  await addInto(options, { mirror, commit, folder, source: options.source, prefix: "", depth: 1 }, found);
  return found;
}

/** Removes the mirrors of a repository's submodules. */
export async function removeSubmoduleMirrors(dataDir: string, repoId: string | number): Promise<void> {
  for (const name of await listSubmoduleMirrors(dataDir, repoId)) await removeMirror({ dataDir, repoId: name });
}

/** Names of the mirrors of a repository's submodules. */
export async function listSubmoduleMirrors(dataDir: string, repoId: string | number): Promise<string[]> {
  const names = await readdir(resolve(dataDir, "mirrors")).catch(() => []);
  return names
    .filter((name) => name.startsWith(`sub-${repoId}-`) && name.endsWith(".git"))
    .map((name) => name.slice(0, -4));
}

type Level = { mirror: string; commit: string; folder: string; source: string; prefix: string; depth: number };

async function addInto(options: SubmoduleOptions, level: Level, found: Submodule[]): Promise<void> {
  for (const { path, url, commit } of await listSubmodules(level, options)) {
    if (found.length >= submodulesMax) return;
    const shown = `${level.prefix}${path}`;
    const without = (problem: string) => found.push({ path: shown, commit, mirror: null, problem });
    // Only an address of another kind than the source's is resolved with what is known about its host.
    const host = /^(?:https?:|\.)/i.test(url) ? undefined : await options.findCredential?.(level.source);
    const address = resolveSubmodule(url, level.source, host !== undefined && "base" in host ? host.base : undefined);
    if ("refused" in address) {
      without(address.refused);
      continue;
    }
    const fetched = await fetchSubmodule(options, address.source, commit);
    if ("problem" in fetched) {
      without(fetched.problem);
      continue;
    }
    const folder = join(level.folder, path);
    await writeFiles(fetched.path, commit, folder, options);
    found.push({ path: shown, commit, mirror: fetched.name, problem: null });
    const inner = { mirror: fetched.path, commit, folder, source: address.source, prefix: `${shown}/` };
    if (level.depth < depthMax) await addInto(options, { ...inner, depth: level.depth + 1 }, found);
  }
}

/** The submodules of a commit that have an address. */
async function listSubmodules(
  { mirror, commit }: Level,
  { env, signal }: SubmoduleOptions,
): Promise<{ path: string; url: string; commit: string }[]> {
  const git = { cwd: mirror, env, signal };
  const named = await readGitmodules({ blob: `${commit}:.gitmodules` }, git);
  const addresses = new Map([...named].flatMap(([path, url]) => (isInside(path) && url ? [[path, url] as const] : [])));
  if (addresses.size === 0) return [];
  const wanted = ["--literal-pathspecs", "ls-tree", "-z", commit, "--", ...addresses.keys()];
  return (await listGit(wanted, git, "utf8")).flatMap((line) => {
    const [, id = "", path = ""] = /^160000 commit ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
    const url = addresses.get(path);
    return url === undefined ? [] : [{ path, url, commit: id }];
  });
}

/** git fails on other paths. */
const isInside = (path: string) => path.split("/").every((part) => part !== "" && part !== "." && part !== "..");

async function fetchSubmodule(
  options: SubmoduleOptions,
  source: string,
  commit: string,
): Promise<{ name: string; path: string } | { problem: string }> {
  const { findCredential, env, signal } = options;
  // One for each repository: another may not be allowed to read it.
  const name = `sub-${options.repoId}-${createHash("sha256").update(source).digest("hex").slice(0, 24)}`;
  const find = findCredential && ((refused?: string) => findCredential(source, refused));
  try {
    const { path } = await ensureMirror({ ...options, findCredential: find, repoId: name, source });
    if ((await findCommit(path, commit, { env, signal })) !== null) return { name, path };
    return { problem: `no branch or tag of its repository has the commit ${commit.slice(0, 12)}` };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof WorkspaceError) || error.code !== "repository_unavailable" || isFull(error)) throw error;
    return { problem: error.message.replace("The repository is not available: ", "") };
  }
}

const isFull = (error: WorkspaceError) => lacksSpace(error.cause) || lacksSpace(error);

/** Writes a commit's files, as `git reset --hard` does: line ends by .gitattributes, no program is started. */
async function writeFiles(
  mirror: string,
  commit: string,
  folder: string,
  { env, signal }: SubmoduleOptions,
): Promise<void> {
  const index = join(mirror, `.index-${randomUUID()}`);
  const git = {
    ...{ cwd: folder, env, signal, timeoutMs: 600_000 },
    variables: { GIT_DIR: mirror, GIT_WORK_TREE: folder, GIT_INDEX_FILE: index },
  };
  await mkdir(folder, { recursive: true });
  try {
    await runGit(["read-tree", "--reset", "-u", commit], git);
  } finally {
    await rm(index, { force: true });
  }
}
