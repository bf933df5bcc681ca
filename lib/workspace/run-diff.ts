import type { Environment } from "./environment.ts";
import { runGit } from "./git.ts";
import { emptyTreeLike } from "./object-id.ts";

/** The changes between two states of a repository. */
export interface RunDiff {
  /**
   * Unified diff with `a/` and `b/`, renames found, binary files with their contents: `git apply` takes it. The bytes are those
   * of the files, in whatever encoding.
   */
  diff: Uint8Array;
  /** Counts over all files, even if the diff is truncated. */
  filesChanged: number;
  insertions: number;
  deletions: number;
  /**
   * Whether the diff was longer than bytesMax: then binary files are only named, and if it is still too long it ends after the
   * last file that fits completely.
   */
  truncated: boolean;
}

/** Computes the diff in a repository of the service; null as `from` or `to` means an empty tree. Throws GitError. */
export async function computeDiff(options: {
  repository: string;
  from: string | null;
  to: string | null;
  /** Default 20 MB. */
  bytesMax?: number | undefined;
  variables?: Record<string, string> | undefined;
  env: Environment;
  signal?: AbortSignal | undefined;
}): Promise<RunDiff> {
  const { repository, variables = {}, env, signal } = options;
  const from = options.from ?? emptyTreeLike(options.to ?? "");
  const to = options.to ?? emptyTreeLike(from);
  if (from === to) return { diff: new Uint8Array(), filesChanged: 0, insertions: 0, deletions: 0, truncated: false };
  const how = ["--no-ext-diff", "--no-textconv", "--no-color", "--submodule=short", "-M", "--full-index"];
  const shown = ["--src-prefix=a/", "--dst-prefix=b/", "--shortstat", "--patch"];
  const read = (contents: string[]) =>
    runGit(["diff", ...how, ...contents, ...shown, from, to, "--"], {
      ...{ cwd: repository, variables, env, signal, timeoutMs: 300_000 },
      outputBytesMax: options.bytesMax ?? 20 * 1024 * 1024,
      overflow: "cut",
    });
  const complete = await read(["--binary"]);
  const { stdout, cut } = complete.cut ? await read([]) : complete;
  const figures = stdout.subarray(0, Math.max(0, stdout.indexOf("\n"))).toString("utf8");
  // The diff begins after the figures and an empty line.
  const start = stdout.indexOf("\n\n") + 2;
  const end = cut ? stdout.lastIndexOf("\ndiff --git ") + 1 : stdout.length;
  return {
    diff: start < 2 ? new Uint8Array() : stdout.subarray(start, Math.max(start, end)),
    ...figuresIn(figures),
    truncated: complete.cut,
  };
}

/** The figures of git's `--shortstat`. */
export function figuresIn(text: string): Pick<RunDiff, "filesChanged" | "insertions" | "deletions"> {
  const figure = (pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0);
  return {
    filesChanged: figure(/(\d+) files? changed/),
    insertions: figure(/(\d+) insertions?\(\+\)/),
    deletions: figure(/(\d+) deletions?\(-\)/),
  };
}
