import { randomUUID } from "node:crypto";
import { lstat, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type GitContext, runGit } from "./git.ts";
import { isFolder } from "./shared-objects.ts";

/** What is served of a mirror, and how. */
export interface ServedMirrorOptions extends GitContext {
  /** The mirror's path (mirror.ts lists its contents). */
  mirror: string;
  /** The source's default branch; null if it has none. */
  defaultBranch: string | null;
}

const ofSource = "refs/remotes/origin/";
const ofRuns = "refs/heads/errand/run-";

/**
 * Path of the repository that git clients read in place of the mirror, `<mirror>/errand/served`; null if there is no mirror. It
 * has the mirror's objects, but only those refs that a clone should have: the source's branches and tags under their own names,
 * the branches of runs, and HEAD at the source's default branch. A source's branch whose name cannot stand beside a run's
 * (`errand`, `errand/run-1`, `errand/run-1/a`) is left out. Writes only what has changed.
 */
export async function prepareServedMirror(options: ServedMirrorOptions): Promise<string | null> {
  const { mirror, env, signal } = options;
  if (!(await isFolder(mirror))) return null;
  const wanted = [ofSource, "refs/heads/errand/", "refs/tags/", "refs/errand/head"];
  const listed = await runGit(["for-each-ref", "--format=%(objectname) %(refname)", ...wanted], {
    cwd: mirror,
    env,
    signal,
  });
  // Names of refs need not be UTF-8; as Latin-1 each byte is a character.
  const { refs, detached } = readRefs(listed.stdout.toString("latin1"));
  const path = join(mirror, "errand", "served");
  await mkdir(join(path, "refs"), { recursive: true });
  await link("../../objects", join(path, "objects"));
  await link("../../shallow", join(path, "shallow"));
  const oids = [...refs.values(), ...(detached === null ? [] : [detached])];
  await put(join(path, "config"), configText(oids.some((oid) => oid.length === 64)));
  await put(join(path, "packed-refs"), packedRefs(refs));
  await put(join(path, "HEAD"), `${headOf(refs, detached, options.defaultBranch)}\n`);
  return path;
}

/** Object ids by the name under which they are served, and the commit of a source without a branch at its HEAD. */
function readRefs(text: string): { refs: Map<string, string>; detached: string | null } {
  const runs = new Map<string, string>();
  const others = new Map<string, string>();
  let detached: string | null = null;
  for (const line of text.split("\n")) {
    const [oid = "", name = ""] = line.split(" ");
    if (name === "refs/errand/head") detached = oid;
    else if (name.startsWith(ofRuns)) runs.set(name, oid);
    else if (name.startsWith("refs/tags/")) others.set(name, oid);
    else if (name.startsWith(ofSource)) others.set(`refs/heads/${name.slice(ofSource.length)}`, oid);
  }
  // Git keeps a branch as a file, so no branch can be the folder of another.
  const folders = new Set([...runs.keys()].flatMap(foldersOf));
  const fits = (name: string) =>
    !runs.has(name) && !folders.has(name) && !foldersOf(name).some((folder) => runs.has(folder));
  return { refs: new Map([...runs, ...[...others].filter(([name]) => fits(name))]), detached };
}

function foldersOf(name: string): string[] {
  const parts = name.split("/");
  return parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join("/"));
}

/** Text of a `packed-refs` (https://git-scm.com/docs/git-pack-refs); one character is one byte. */
export function packedRefs(refs: Map<string, string>): string {
  const names = [...refs.keys()].sort((one, other) => (one < other ? -1 : 1));
  return ["# pack-refs with: sorted ", ...names.map((name) => `${refs.get(name)} ${name}`), ""].join("\n");
}

/** A run without a repository has only its own branch. */
function headOf(refs: Map<string, string>, detached: string | null, defaultBranch: string | null): string {
  const main = Buffer.from(`refs/heads/${defaultBranch ?? "main"}`).toString("latin1");
  if (refs.has(main)) return `ref: ${main}`;
  if (detached !== null) return detached;
  const only = refs.size === 1 ? [...refs.keys()].find((name) => name.startsWith(ofRuns)) : undefined;
  return `ref: ${only ?? main}`;
}

function configText(isSha256: boolean): string {
  const extensions = isSha256 ? "[extensions]\n\tobjectFormat = sha256\n" : "";
  return `[core]\n\trepositoryFormatVersion = ${isSha256 ? 1 : 0}\n\tbare = true\n${extensions}`;
}

async function link(target: string, path: string): Promise<void> {
  if ((await lstat(path).catch(() => null)) !== null) return;
  await symlink(target, path).catch((error) => {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  });
}

/** Writes a file that others may be reading, atomically, if its text has changed. */
async function put(path: string, text: string): Promise<void> {
  if ((await readFile(path, "latin1").catch(() => null)) === text) return;
  const made = join(dirname(path), `.making-${randomUUID()}`);
  try {
    await writeFile(made, text, "latin1");
    await rename(made, path);
  } catch (error) {
    await rm(made, { force: true });
    throw error;
  }
}
