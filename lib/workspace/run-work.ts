import { baseRef, findChangesBase } from "./changes-base.ts";
import type { Environment } from "./environment.ts";
import { readGit, runGit } from "./git.ts";
import { findUnknownLinks } from "./gitmodules.ts";
import { findCommits, mirrorPath } from "./mirror.ts";
import { emptyTreeLike } from "./object-id.ts";
import {
  type AddedLine,
  addedLines,
  binaryPaths,
  type ChangedPath,
  filesByCommit,
  linesByCommit,
  pathsOf,
} from "./parse-log.ts";
import { pushedRef } from "./push-branch.ts";
import { figuresIn } from "./run-diff.ts";
import { findRunRecord } from "./run-record.ts";

/** A run's commits, compared with what its changes are compared with (see changes-base.ts). */
export interface RunWork {
  commit: string;
  base: string | null;
  /** Commits that the base branch, as last fetched, has and the work does not; null if unknown. */
  behind: number | null;
  files: number;
  insertions: number;
  deletions: number;
  /** At most {@link pathsMax}. */
  changed: ChangedPath[];
  /** Added lines, in files that are text; the first 20 MB of them. */
  added: AddedLine[];
  /**
   * Lines that one commit added and a later one removed: they are pushed too. `line` is the line number in the first of these; at
   * most 20 MB. Of a merge, what it adds to all of its parents.
   */
  passing: (AddedLine & { commit: string })[];
  /** Files of earlier commits that are not in the final state, the 100 largest: they are pushed too. */
  passingFiles: { path: string; bytes: number; commit: string }[];
  /** Lines of files that are no text, also of files in {@link passingFiles}, which have a commit; at most 20 MB. */
  binaries: { path: string; commit: string | null; lines: string[] }[];
  /** The messages of the commits that would be pushed; `header`: author, committer and whatever else is before them. */
  messages: { commit: string; header: string; text: string }[];
  /** Whether something was left out because of the bounds above. */
  isCut: boolean;
}

const pathsMax = 10_000;
const addedBytesMax = 20 * 1024 * 1024;
const linkBytesMax = 4096;
const passingFilesMax = 100;
/** The repository cannot choose programs that take part in the diff. */
const plain = ["--no-ext-diff", "--no-textconv", "--no-color", "--submodule=short"];

/** Reads what a run has committed, from the mirror; null if it has no commits of its own. Throws GitError. */
export async function readRunWork(options: {
  dataDir: string;
  repoId: number;
  runId: number;
  baseBranch: string | null;
  env: Environment;
  signal: AbortSignal;
}): Promise<RunWork | null> {
  const { dataDir, repoId, runId, baseBranch, env, signal } = options;
  const mirror = mirrorPath(dataDir, repoId);
  const git = { cwd: mirror, env, signal, timeoutMs: 300_000 };
  const bounded = { ...git, outputBytesMax: addedBytesMax, overflow: "cut" } as const;
  const branch = `refs/heads/errand/run-${runId}`;
  const target = baseBranch === null ? [] : [`refs/remotes/origin/${baseBranch}`];
  const names = [branch, baseRef(runId), pushedRef(runId), ...target];
  const [commit = null, begun = null, pushed = null, onto = null] = await findCommits(mirror, names, { env, signal });
  if (commit === null || commit === begun) return null;
  const { commit: base } = await findChangesBase({ mirror, runId, baseBranch, head: commit, env, signal });
  const from = base ?? emptyTreeLike(commit);
  const how = ["diff", ...plain];
  const raw = await readGit([...how, "--raw", "-z", "-M", "--no-abbrev", "--shortstat", from, commit, "--"], git);
  const { stdout, cut } = await runGit([...how, "--numstat", "-p", "-U0", "--no-renames", from, commit, "--"], bounded);
  const paths = pathsOf(raw);
  const { filesChanged: files, insertions, deletions } = figuresIn(raw.slice(raw.lastIndexOf("\0") + 1));
  const sizes = await sizesOf(paths.flatMap(({ blob }) => (blob === null ? [] : [blob])));
  const shown = paths.slice(0, pathsMax);
  const { contents: targets } = await contentsOf(
    shown.flatMap(({ blob, mode }) => {
      const isLink = mode === "120000" && blob !== null && (sizes.get(blob) ?? linkBytesMax + 1) <= linkBytesMax;
      return isLink ? [blob] : [];
    }),
    git,
  );
  const unknown = await findUnknownLinks(commit, paths, git);
  const diff = stdout.toString("utf8");
  const added = addedLines(diff);
  const own = await ownCommits(commit);
  const passing = await passingLines(own);
  const passingBlobs = await passingFilesOf(own, new Set(paths.flatMap(({ blob }) => (blob === null ? [] : [blob]))));
  const isBinary = binaryPaths(diff);
  const final = paths.flatMap(({ blob, path }) =>
    blob !== null && isBinary.has(path) ? [{ blob, path, commit: null }] : [],
  );
  const binaries = await readBinaries([...final, ...passingBlobs.binaries]);
  return {
    commit,
    base,
    behind: await countBehind(),
    ...{ files, insertions, deletions },
    changed: shown.map(({ blob, ...path }) => ({
      ...path,
      bytes: blob === null ? null : (sizes.get(blob) ?? null),
      target: blob === null || path.mode !== "120000" ? null : (targets.get(blob) ?? null),
      isUnknownLink: unknown.has(path.path),
    })),
    added,
    passing: passing.lines,
    passingFiles: passingBlobs.files,
    binaries: binaries.files,
    messages: own.messages,
    isCut: binaries.isCut || cut || paths.length > pathsMax || own.isCut || passing.isCut || passingBlobs.isCut,
  };

  /** The branch's commits with their messages. Commits that the source already has are left out. */
  async function ownCommits(end: string): Promise<OwnCommits> {
    // A run may begin at another run's branch, which the source does not have.
    const branchBegun = (await findRunRecord(mirror, String(runId)))?.baseBranch ?? null;
    const isOfSource = begun !== null && !branchBegun?.startsWith("errand/run-");
    const known = [...(isOfSource ? [begun] : []), ...(pushed === null ? [] : [pushed])];
    const range = [end, "--not", ...known, "--remotes=origin"];
    // The objects themselves: `git log` does not show every line of a header, such as the text of a merged tag.
    const listed = await runGit(["rev-list", ...range, "--"], bounded);
    const read = await contentsOf(listed.stdout.toString("utf8").split("\n").filter(Boolean), bounded);
    const messages = [...read.contents].map(([name, object]) => {
      const end = object.indexOf("\n\n");
      return { commit: name, header: object.slice(0, end), text: object.slice(end + 2) };
    });
    return { range, messages, isCut: listed.cut || read.isCut };
  }

  /** Lines in these commits besides their final state. */
  async function passingLines({ range, messages }: OwnCommits): Promise<{ lines: RunWork["passing"]; isCut: boolean }> {
    if (messages.length < 2) return { lines: [], isCut: false };
    const log = ["log", "--format=commit %H", "-p", "-U0", "-c", "--no-renames", "--no-notes"];
    const { stdout: text, cut: isCut } = await runGit([...log, ...plain, ...range, "--"], bounded);
    const still = new Set(added.map((one) => `${one.path}\0${one.text}`));
    const lines = linesByCommit(text.toString("utf8")).filter((one) => !still.has(`${one.path}\0${one.text}`));
    return { lines, isCut };
  }

  /** Files in these commits besides those of their final state. */
  async function passingFilesOf(
    { range, messages }: OwnCommits,
    final: ReadonlySet<string>,
  ): Promise<{ files: RunWork["passingFiles"]; binaries: Binary[]; isCut: boolean }> {
    if (messages.length < 2) return { files: [], binaries: [], isCut: false };
    const each = ["-c", "--no-renames", "--no-notes"];
    const log = ["log", "-z", "--raw", "--numstat", "--format=commit %H", "--no-abbrev", ...each, ...plain];
    const read = await runGit([...log, ...range, "--"], bounded);
    const found = filesByCommit(read.stdout.toString("utf8")).filter(({ blob }) => !final.has(blob));
    const sizes = await sizesOf([...new Set(found.map(({ blob }) => blob))]);
    const files = found.map(({ commit, path, blob }) => ({ commit, path, bytes: sizes.get(blob) ?? 0 }));
    return {
      files: files.sort((one, other) => other.bytes - one.bytes).slice(0, passingFilesMax),
      binaries: found.filter((file) => file.isBinary),
      isCut: read.cut,
    };
  }

  async function readBinaries(found: Binary[]): Promise<{ files: RunWork["binaries"]; isCut: boolean }> {
    const { contents, isCut } = await contentsOf(
      found.map(({ blob }) => blob),
      bounded,
    );
    const files = found.map(({ path, commit, blob }) => ({ path, commit, lines: textsIn(contents.get(blob) ?? "") }));
    return { files, isCut };
  }

  /** Contents of objects, by their names: read by one process, however many there are. */
  async function contentsOf(
    names: string[],
    options: typeof git | typeof bounded,
  ): Promise<{ contents: Map<string, string>; isCut: boolean }> {
    const contents = new Map<string, string>();
    if (names.length === 0) return { contents, isCut: false };
    const stdin = `${[...new Set(names)].join("\n")}\n`;
    const batch = ["cat-file", "--batch=%(objectname) %(objectsize)"];
    const { stdout: all, cut: isCut } = await runGit(batch, { ...options, stdin });
    for (let at = 0, end = all.indexOf(10); end !== -1; end = all.indexOf(10, at)) {
      const [name = "", size = ""] = all.toString("latin1", at, end).split(" ");
      at = end + 1 + Number(size) + 1;
      contents.set(name, all.toString("utf8", end + 1, at - 1));
    }
    return { contents, isCut };
  }

  async function countBehind(): Promise<number | null> {
    return onto === null ? null : Number(await readGit(["rev-list", "--count", `${commit}..${onto}`], git));
  }

  async function sizesOf(blobs: string[]): Promise<Map<string, number>> {
    if (blobs.length === 0) return new Map();
    const listed = await readGit(["cat-file", "--batch-check=%(objectname) %(objectsize)"], {
      ...git,
      stdin: `${blobs.join("\n")}\n`,
    });
    return new Map(
      listed.split("\n").map((line) => {
        const [name = "", size] = line.split(" ");
        return [name, Number(size)] as const;
      }),
    );
  }
}

/** Commits of a run: the revisions that select them. */
type OwnCommits = { range: string[]; messages: RunWork["messages"]; isCut: boolean };

type Binary = { path: string; commit: string | null; blob: string };

/** The texts in bytes that are no text, in UTF-8 and in UTF-16. */
function textsIn(content: string): string[] {
  return [...content.split(/[\0\n]+/), ...content.replaceAll("\0", "").split("\n")];
}
