import type { Environment } from "#lib/workspace/environment.ts";
import { readGit, runGit } from "#lib/workspace/git.ts";
import { type ReadFiles, type SourceTree, signBytesMax } from "./source-tree.ts";

const listBytesMax = 256 * 1024 * 1024;

/** Location of a commit: a git directory (a mirror, or the `.git` of a checkout) and a revision in it. */
export type CommitPlace = { gitDir: string; revision: string; env: Environment; signal?: AbortSignal | undefined };

/**
 * Files of a commit, read as git objects: no checkout, no hooks, no filters, nothing of the repository is executed. Null if the
 * revision is not a commit (an empty repository). Names that are not UTF-8 or contain control characters are left out: they
 * could not be shown as evidence. Throws GitError.
 */
export async function openCommit(place: CommitPlace): Promise<{ commit: string; tree: SourceTree } | null> {
  const git = { cwd: place.gitDir, env: place.env, signal: place.signal, variables: { GIT_DIR: place.gitDir } };
  const wanted = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${place.revision}^{commit}`];
  const commit = await readGit(wanted, git).catch((error: unknown) => {
    if (error instanceof Error && "exitCode" in error && error.exitCode === 1) return null;
    throw error;
  });
  if (commit === null) return null;
  const { stdout } = await runGit(["ls-tree", "-r", "-z", "--full-tree", commit], {
    ...git,
    outputBytesMax: listBytesMax,
  });
  const blobs = parseList(stdout);
  const read = async (paths: string[]): Promise<ReadFiles> => {
    const ids = paths.flatMap((path) => blobs.get(path) ?? []);
    const none = { texts: new Map<string, string>(), tooLarge: new Set<string>() };
    if (ids.length === 0) return none;
    const sizes = await runGit(["cat-file", "--batch-check=%(objectname) %(objectsize)"], {
      ...git,
      stdin: `${ids.join("\n")}\n`,
    });
    const sizeOf = parseSizes(sizes.stdout);
    const idOf = (path: string) => blobs.get(path) ?? "";
    const isLarge = (id: string) => (sizeOf.get(id) ?? 0) > signBytesMax;
    const tooLarge = new Set(paths.filter((path) => isLarge(idOf(path))));
    const small = [...sizeOf.keys()].filter((id) => !isLarge(id));
    if (small.length === 0) return { ...none, tooLarge };
    const { stdout: objects } = await runGit(["cat-file", "--batch"], { ...git, stdin: `${small.join("\n")}\n` });
    const texts = parseObjects(objects);
    const read = paths.flatMap((path) => {
      const text = texts.get(idOf(path));
      return text === undefined ? [] : [[path, text] as const];
    });
    return { texts: new Map(read), tooLarge };
  };
  return { commit, tree: { paths: [...blobs.keys()], read } };
}

/** Regular files by path, with their object ids. A line of ls-tree: `<mode> <type> <id>\t<path>`, ended by NUL. */
function parseList(list: Buffer): Map<string, string> {
  const blobs = new Map<string, string>();
  const text = list.toString("utf8");
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf("\0", start);
    if (end === -1) break;
    // 100644 and 100755; 120000 is a symbolic link, 160000 a submodule.
    if (text.startsWith("100", start)) {
      const tab = text.indexOf("\t", start);
      const path = text.slice(tab + 1, end);
      if (plain.test(path) || !unreadable.test(path)) blobs.set(path, text.slice(start + 12, tab));
    }
    start = end + 1;
  }
  return blobs;
}

/** Spares most names the slower check for undisplayable characters. */
const plain = /^[ -~]*$/;
const unreadable = /[\p{Cc}\u{fffd}\u2028\u2029]/u;

/** Size of each object, from the output of cat-file --batch-check: a line `<id> <size>` each; missing ones are left out. */
function parseSizes(output: Buffer): Map<string, number> {
  const lines = output.toString("latin1").split("\n");
  const sizes = lines.map((line) => line.split(" ")).map(([id = "", size]) => [id, Number(size)] as const);
  return new Map(sizes.filter(([id, size]) => id !== "" && Number.isInteger(size)));
}

/** The output of cat-file --batch: for each object `<id> <type> <size>\n`, that many bytes, and a line feed. */
function parseObjects(output: Buffer): Map<string, string> {
  const texts = new Map<string, string>();
  for (let start = 0; start < output.length; ) {
    const lineEnd = output.indexOf(10, start);
    if (lineEnd === -1) break;
    const [id = "", , size] = output.toString("latin1", start, lineEnd).split(" ");
    const bytes = Number(size);
    if (!Number.isInteger(bytes)) {
      start = lineEnd + 1;
      continue;
    }
    texts.set(id, output.toString("utf8", lineEnd + 1, lineEnd + 1 + bytes));
    start = lineEnd + 2 + bytes;
  }
  return texts;
}
