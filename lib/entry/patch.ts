import { unquotedPath } from "#lib/quoted-path.ts";

/** One line of a hunk, without its sign and line feed. `isUnended`: the file ends here without a newline. */
export type PatchLine = { kind: "same" | "added" | "removed"; text: string; isUnended?: boolean };

/**
 * Changed lines with their context. Line numbers count from 1, null if the patch has none. `heading` is what git printed after
 * the @@.
 */
export type PatchHunk = { oldStart: number | null; newStart: number | null; heading: string; lines: PatchLine[] };

/** Changes of a patch to one file. */
export type PatchFile = {
  /** Null for a file that is added. */
  oldPath: string | null;
  /** Null for a file that is deleted. */
  newPath: string | null;
  status: "added" | "deleted" | "renamed" | "copied" | "modified";
  isBinary: boolean;
  /** Sizes of a binary file before and after; null if the patch does not say, 0 if there is no file. */
  oldBytes: number | null;
  newBytes: number | null;
  /** Git's modes before and after, such as 100755; null if the patch does not say, as for a file whose mode stays. */
  oldMode: string | null;
  newMode: string | null;
  added: number;
  removed: number;
  /** Empty for binary files, pure renames and mode changes. */
  hunks: PatchHunk[];
};

/** Files of a patch in its order; `isCut` if the patch was too long to read completely. */
export type Patch = { files: PatchFile[]; isCut: boolean };

const linesMax = 200_000;

/** Reads a unified diff, from git or without git's headers. Lines that belong to no file are skipped; never throws. */
export function parsePatch(text: string): Patch {
  const lines = text.split("\n", linesMax + 1);
  const isCut = lines.length > linesMax;
  const reader = new PatchReader();
  for (const line of isCut ? lines.slice(0, linesMax) : lines) reader.read(line);
  return { files: reader.files, isCut };
}

/** The path to show for a file. */
export function pathOf(file: PatchFile): string {
  return file.newPath ?? file.oldPath ?? "";
}

const hunkHeader = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?(.*)$/;

class PatchReader {
  readonly files: PatchFile[] = [];
  #file: PatchFile | null = null;
  #hunk: PatchHunk | null = null;
  /** Lines the hunk's header still announces: only these are content, otherwise a removed "-- x" would look like a header. */
  #oldLeft = 0;
  #newLeft = 0;
  /** Number of sides begun in the file's binary patch. */
  #binarySides = 0;

  read(line: string): void {
    if (this.#hunk !== null && line.startsWith("\\")) {
      const last = this.#hunk.lines.at(-1);
      if (last !== undefined) last.isUnended = true;
      return;
    }
    if (this.#hunk !== null && (this.#oldLeft > 0 || this.#newLeft > 0)) {
      if (this.#readContent(line, this.#hunk)) return;
      this.#hunk = null;
    }
    if (line.startsWith("diff --git ")) this.#begin(...gitPaths(line.slice(11)));
    else if (line.startsWith("--- ")) this.#readOldPath(line.slice(4));
    else if (line.startsWith("+++ ")) this.#readNewPath(line.slice(4));
    else if (line.startsWith("@@ ")) this.#readHunkHeader(line);
    else if (this.#file?.isBinary) this.#readBinarySize(line, this.#file);
    else if (this.#file !== null && this.#file.hunks.length === 0) readExtendedHeader(line, this.#file);
  }

  #begin(oldPath: string | null, newPath: string | null): PatchFile {
    const file: PatchFile = {
      oldPath,
      newPath,
      status: "modified",
      isBinary: false,
      oldBytes: null,
      newBytes: null,
      oldMode: null,
      newMode: null,
      added: 0,
      removed: 0,
      hunks: [],
    };
    this.files.push(file);
    this.#file = file;
    this.#hunk = null;
    this.#binarySides = 0;
    return file;
  }

  #readOldPath(written: string): void {
    // Without git's own header, this line begins the next file.
    const file = this.#file === null || this.#file.hunks.length > 0 ? this.#begin(null, null) : this.#file;
    const path = pathFrom(written, "a/");
    file.oldPath = path;
    if (path === null) file.status = "added";
  }

  #readNewPath(written: string): void {
    const file = this.#file;
    if (file === null || file.hunks.length > 0) return;
    file.newPath = pathFrom(written, "b/");
    if (file.newPath === null) file.status = "deleted";
  }

  /** The new file's side comes first. A delta gives its own size, not the file's. */
  #readBinarySize(line: string, file: PatchFile): void {
    const found = /^(literal|delta) (\d{1,15})\r?$/.exec(line);
    if (found === null) return;
    const size = found[1] === "literal" ? Number(found[2]) : null;
    if (this.#binarySides === 0) file.newBytes = size;
    else file.oldBytes = size;
    this.#binarySides += 1;
  }

  #readHunkHeader(line: string): void {
    const found = hunkHeader.exec(line.endsWith("\r") ? line.slice(0, -1) : line);
    if (found === null || this.#file === null) return;
    this.#hunk = { oldStart: Number(found[1]), newStart: Number(found[3]), heading: found[5] ?? "", lines: [] };
    this.#oldLeft = Number(found[2] ?? 1);
    this.#newLeft = Number(found[4] ?? 1);
    this.#file.hunks.push(this.#hunk);
  }

  /** False if the line cannot be content, and the hunk has ended early. */
  #readContent(line: string, hunk: PatchHunk): boolean {
    const sign = line[0];
    // Editors and mail programs strip the space of an empty unchanged line.
    if (sign === " " || sign === undefined || line === "\r") {
      hunk.lines.push({ kind: "same", text: line.slice(1) });
      this.#oldLeft -= 1;
      this.#newLeft -= 1;
    } else if (sign === "+" && this.#newLeft > 0) {
      hunk.lines.push({ kind: "added", text: line.slice(1) });
      this.#newLeft -= 1;
      if (this.#file !== null) this.#file.added += 1;
    } else if (sign === "-" && this.#oldLeft > 0) {
      hunk.lines.push({ kind: "removed", text: line.slice(1) });
      this.#oldLeft -= 1;
      if (this.#file !== null) this.#file.removed += 1;
    } else return false;
    return true;
  }
}

function readExtendedHeader(line: string, file: PatchFile): void {
  const mode = /^(old|new|new file|deleted file) mode (\d{6})\r?$/.exec(line);
  if (mode?.[1]?.startsWith("new")) file.newMode = mode[2] ?? null;
  else if (mode !== null) file.oldMode = mode[2] ?? null;
  const rest = (prefix: string) => (line.startsWith(prefix) ? unquotedPath(line.slice(prefix.length)) : null);
  if (line.startsWith("new file mode")) {
    file.status = "added";
    file.oldPath = null;
  } else if (line.startsWith("deleted file mode")) {
    file.status = "deleted";
    file.newPath = null;
  } else if (line.startsWith("rename ") || line.startsWith("copy ")) {
    file.status = line.startsWith("rename ") ? "renamed" : "copied";
    file.oldPath = rest("rename from ") ?? rest("copy from ") ?? file.oldPath;
    file.newPath = rest("rename to ") ?? rest("copy to ") ?? file.newPath;
  } else if (line.startsWith("GIT binary patch") || /^Binary files .* differ\r?$/.test(line)) {
    file.isBinary = true;
  }
}

/** The two paths of `a/x b/x`. Unquoted ones with spaces are split where both halves name the same file. */
function gitPaths(written: string): [string | null, string | null] {
  const rest = written.endsWith("\r") ? written.slice(0, -1) : written;
  const quoted = /^("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|\S+)$/.exec(rest);
  if (quoted !== null) return [pathFrom(quoted[1] ?? "", "a/"), pathFrom(quoted[2] ?? "", "b/")];
  const middle = (rest.length - 1) / 2;
  const [left, right] = [rest.slice(0, middle), rest.slice(middle + 1)];
  return left.slice(2) === right.slice(2) ? [pathFrom(left, "a/"), pathFrom(right, "b/")] : [rest, rest];
}

function pathFrom(written: string, prefix: string): string | null {
  // diff -u puts a tab and a date after the path.
  const path = unquotedPath(written.split("\t")[0] ?? "");
  if (path === "/dev/null") return null;
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}
