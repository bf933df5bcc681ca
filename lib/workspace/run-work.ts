import type { Environment } from "./environment.ts";
import { readGit, runGit } from "./git.ts";
import { findCommit, mirrorPath } from "./mirror.ts";

/** One changed path of a run's work. `mode` and `bytes` are of the new side; null where it was deleted. */
export interface ChangedPath {
  path: string;
  status: "added" | "modified" | "deleted" | "renamed";
  /** Of a symbolic link: "120000". */
  mode: string | null;
  bytes: number | null;
  /** Of a symbolic link: where it leads. */
  target: string | null;
}

/** The commits of a run, against the commit that it started from. */
export interface RunWork {
  commit: string;
  base: string | null;
  /** Commits that the base branch has by now, as last fetched, and the work has not; null where it is not known. */
  behind: number | null;
  files: number;
  insertions: number;
  deletions: number;
  /** At most {@link pathsMax}. */
  changed: ChangedPath[];
  /** Added lines, in files that are text; the first 20 MB of them. */
  added: { path: string; line: number; text: string }[];
}

const pathsMax = 10_000;
const addedBytesMax = 20 * 1024 * 1024;
const linkBytesMax = 4096;

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
  const find = (name: string) => findCommit(mirror, name, { env, signal });
  const [commit, base] = [await find(`refs/heads/errand/run-${runId}`), await find(`refs/errand/base/run-${runId}`)];
  if (commit === null || commit === base) return null;
  const from = base ?? (await readGit(["mktree"], git));
  const how = [
    "-c",
    "core.quotePath=false",
    "diff",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--submodule=short",
  ];
  const raw = await readGit([...how, "--raw", "-z", "-M", "--no-abbrev", from, commit, "--"], git);
  const figures = await readGit([...how, "--shortstat", from, commit, "--"], git);
  const { stdout } = await runGit([...how, "-U0", "--no-renames", from, commit, "--"], {
    ...git,
    outputBytesMax: addedBytesMax,
    overflow: "cut",
  });
  const paths = pathsOf(raw);
  const sizes = await sizesOf(paths.flatMap(({ blob }) => (blob === null ? [] : [blob])));
  return {
    commit,
    base,
    behind: await countBehind(),
    files: figureOf(figures, /(\d+) files? changed/),
    insertions: figureOf(figures, /(\d+) insertions?\(\+\)/),
    deletions: figureOf(figures, /(\d+) deletions?\(-\)/),
    changed: await Promise.all(
      paths.slice(0, pathsMax).map(async ({ blob, ...path }) => {
        const bytes = blob === null ? null : (sizes.get(blob) ?? null);
        const isLink = path.mode === "120000" && blob !== null && bytes !== null && bytes <= linkBytesMax;
        return { ...path, bytes, target: isLink ? await readGit(["cat-file", "blob", blob], git) : null };
      }),
    ),
    added: addedLines(stdout.toString("utf8")),
  };

  async function countBehind(): Promise<number | null> {
    if (baseBranch === null) return null;
    const branch = await find(`refs/remotes/origin/${baseBranch}`);
    return branch === null ? null : Number(await readGit(["rev-list", "--count", `${commit}..${branch}`], git));
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

type RawPath = Omit<ChangedPath, "bytes" | "target"> & { blob: string | null };

/** Reads `git diff --raw -z` (https://git-scm.com/docs/diff-format). */
function pathsOf(raw: string): RawPath[] {
  const fields = raw.split("\0");
  const paths: RawPath[] = [];
  for (let at = 0; at + 1 < fields.length; ) {
    const [, mode = "", , blob = "", status = ""] = (fields[at] ?? "").split(" ");
    const isMove = status.startsWith("R") || status.startsWith("C");
    const path = fields[at + (isMove ? 2 : 1)] ?? "";
    at += isMove ? 3 : 2;
    const isGone = status.startsWith("D");
    // A submodule is a commit of another repository.
    const hasBlob = !isGone && mode !== "160000";
    paths.push({
      path,
      status: isGone ? "deleted" : isMove ? "renamed" : status.startsWith("A") ? "added" : "modified",
      mode: isGone ? null : mode,
      blob: hasBlob ? blob : null,
    });
  }
  return paths;
}

function addedLines(diff: string): RunWork["added"] {
  const added: RunWork["added"] = [];
  let path = "";
  let line = 0;
  let isInHunk = false;
  for (const text of diff.split("\n")) {
    const hunk = /^@@ -\d+(?:,\d+)? \+(\d+)/.exec(text);
    if (text.startsWith("diff --git ")) isInHunk = false;
    else if (hunk !== null) {
      line = Number(hunk[1]);
      isInHunk = true;
    } else if (!isInHunk && text.startsWith("+++ ")) path = text.slice(4).replace(/^b\//, "");
    else if (isInHunk && text.startsWith("+")) {
      added.push({ path, line, text: text.slice(1) });
      line += 1;
    }
  }
  return added;
}

function figureOf(text: string, pattern: RegExp): number {
  return Number(pattern.exec(text)?.[1] ?? 0);
}
