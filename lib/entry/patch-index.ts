import { type PatchFile, type PatchHunk, parsePatch } from "./patch.ts";

/** A file of a patch whose lines are read only when somebody asks for them. */
export type IndexedFile = PatchFile & {
  /** Lines of its hunks, and one for each hunk's heading. */
  readonly rows: number;
};

/**
 * Files of a patch that git wrote, in its order, at the memory of their headers: `hunks` reads a file's part of the text each time.
 * Text without `diff --git` has no files.
 */
export function indexPatch(text: string): IndexedFile[] {
  const files: IndexedFile[] = [];
  // Content lines begin with a sign, and binary contents have no spaces, so these words at the beginning of a line begin a file.
  let at = text.startsWith(opening) ? 0 : nextStart(text, 0);
  while (at !== -1) {
    const next = nextStart(text, at);
    const file = readFile(text, at, next === -1 ? text.length : next);
    if (file !== null) files.push(file);
    at = next;
  }
  return files;
}

const opening = "diff --git ";

function nextStart(text: string, from: number): number {
  const found = text.indexOf(`\n${opening}`, from);
  return found === -1 ? -1 : found + 1;
}

function readFile(text: string, from: number, to: number): IndexedFile | null {
  // Only in this file's part: otherwise each file without hunks, such as a rename, would search all the text after it.
  const hunks = text.slice(from, to).indexOf("\n@@ ");
  const bodyAt = hunks === -1 ? to : from + hunks + 1;
  const [header] = parsePatch(text.slice(from, bodyAt)).files;
  if (header === undefined) return null;
  return new Indexed(header, text, { from, bodyAt, to });
}

class Indexed implements IndexedFile {
  readonly oldPath: string | null;
  readonly newPath: string | null;
  readonly status: PatchFile["status"];
  readonly isBinary: boolean;
  readonly oldBytes: number | null;
  readonly newBytes: number | null;
  readonly oldMode: string | null;
  readonly newMode: string | null;
  readonly added: number;
  readonly removed: number;
  readonly rows: number;
  readonly #text: string;
  readonly #from: number;
  readonly #to: number;

  constructor(header: PatchFile, text: string, { from, bodyAt, to }: { from: number; bodyAt: number; to: number }) {
    this.oldPath = header.oldPath;
    this.newPath = header.newPath;
    this.status = header.status;
    this.isBinary = header.isBinary;
    this.oldBytes = header.oldBytes;
    this.newBytes = header.newBytes;
    this.oldMode = header.oldMode;
    this.newMode = header.newMode;
    this.#text = text;
    this.#from = from;
    this.#to = to;
    [this.added, this.removed, this.rows] = countLines(text, bodyAt, to);
  }

  get hunks(): PatchHunk[] {
    return parsePatch(this.#text.slice(this.#from, this.#to)).files[0]?.hunks ?? [];
  }
}

function countLines(text: string, from: number, to: number): [added: number, removed: number, rows: number] {
  let [added, removed, rows] = [0, 0, 0];
  for (let at = from; at < to; ) {
    const sign = text[at];
    if (sign === "+") added += 1;
    else if (sign === "-") removed += 1;
    // `\ No newline at end of file` is not counted.
    if (sign !== "\\") rows += 1;
    const end = text.indexOf("\n", at);
    at = end === -1 ? to : end + 1;
  }
  return [added, removed, rows];
}
