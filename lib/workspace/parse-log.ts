import { unquotedPath } from "#lib/quoted-path.ts";

/** One changed path of a run's work. `mode` and `bytes` describe the new side; null if the path was deleted. */
export interface ChangedPath {
  path: string;
  status: "added" | "modified" | "deleted" | "renamed";
  /** "120000" for a symbolic link, "160000" for a link to a commit of another repository. */
  mode: string | null;
  bytes: number | null;
  /** Target of a symbolic link. */
  target: string | null;
  /** Whether it links to a commit of a repository that .gitmodules does not name, so that nobody can fetch it. */
  isUnknownLink: boolean;
}

/** A line of a file, counted from 1. */
export type AddedLine = { path: string; line: number; text: string };

export type RawPath = Omit<ChangedPath, "bytes" | "target" | "isUnknownLink"> & { blob: string | null };

/** Reads `git diff --raw -z`; the text after the last path is left out (https://git-scm.com/docs/diff-format). */
export function pathsOf(raw: string): RawPath[] {
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

/** Contents that commits have: `isBinary` if git takes them for no text. */
type CommittedFile = { commit: string; path: string; blob: string; isBinary: boolean };

/**
 * Reads `git log -z -c --raw --numstat --format='commit %H'`; deleted paths and submodules have no blob. Of a merge it lists what differs
 * from all parents.
 */
export function filesByCommit(log: string): CommittedFile[] {
  const found: Omit<CommittedFile, "isBinary">[] = [];
  // The figures of a merge come before its files, those of other commits after.
  const binaries = new Set<string>();
  let commit = "";
  const fields = log.split("\0");
  for (let at = 0; at < fields.length; at += 1) {
    const field = fields[at]?.trimStart() ?? "";
    if (field.startsWith("commit ")) commit = field.slice("commit ".length);
    else if (field.startsWith("-\t-\t")) binaries.add(`${commit}\0${field.slice(4)}`);
    else if (field.startsWith(":")) {
      at += 1;
      const parents = field.lastIndexOf(":") + 1;
      const words = field.slice(parents).split(" ");
      const mode = words[parents] ?? "";
      const blob = words[2 * parents + 1] ?? "";
      if (mode !== "000000" && mode !== "160000") found.push({ commit, path: fields[at] ?? "", blob });
    }
  }
  return found.map((file) => ({ ...file, isBinary: binaries.has(`${file.commit}\0${file.path}`) }));
}

/** Paths of files that are no text, from `git diff --numstat -p`. */
export function binaryPaths(diff: string): Set<string> {
  const figures = diff.slice(0, diff.startsWith("diff ") ? 0 : diff.indexOf("\ndiff ")).split("\n");
  return new Set(figures.flatMap((line) => (line.startsWith("-\t-\t") ? [unquotedPath(line.slice(4))] : [])));
}

/** Lines that a diff adds; of a merge, as `git log -c` shows it, those that are in no parent. */
export function addedLines(diff: string): AddedLine[] {
  const added: AddedLine[] = [];
  let path = "";
  let line = 0;
  /** Columns before a line: one for each parent. 0 outside of a hunk. */
  let columns = 0;
  for (const text of diff.split("\n")) {
    const hunk = /^(@@+) (?:-\d+(?:,\d+)? )+\+(\d+)/.exec(text);
    if (/^diff --(?:git|cc|combined) /.test(text)) columns = 0;
    else if (hunk !== null) {
      line = Number(hunk[2]);
      columns = (hunk[1]?.length ?? 2) - 1;
    } else if (columns === 0 && text.startsWith("+++ ")) {
      // git ends a path that has spaces with a tab.
      path = unquotedPath(text.slice(4).split("\t")[0] ?? "").replace(/^b\//, "");
    } else if (columns > 0 && /^[+ ]+$/.test(text.slice(0, columns))) {
      if (text.startsWith("+".repeat(columns))) added.push({ path, line, text: text.slice(columns) });
      line += 1;
    }
  }
  return added;
}

/** {@link addedLines} of a log whose commits begin with `commit <id>`. */
export function linesByCommit(log: string): (AddedLine & { commit: string })[] {
  return log.split(/^commit (?=[0-9a-f]{40,64}$)/m).flatMap((part) => {
    const commit = part.slice(0, part.indexOf("\n"));
    return addedLines(part).map((line) => ({ ...line, commit }));
  });
}
