/** One file of a patch: `from` is null for a new file, `to` is null for a deleted one; both differ for a rename. */
export type PatchedFile = { from: string | null; to: string | null };

/**
 * The files that a unified patch names, in order, and how many leading folders `git apply` has to strip: 1 for git's
 * `a/` and `b/`, 0 for patches without prefixes. An empty list means that it is not a patch.
 */
export function gitApplyPaths(patch: string): { strip: 0 | 1; files: PatchedFile[] } {
  const headers = readPatch(patch).headers.filter(isNamed);
  const strip = headers.every((header) => header.bare || isPrefixed(header)) ? 1 : 0;
  const files = headers.map(({ bare, from, to }) =>
    bare || strip === 0 ? { from, to } : { from: withoutFirstFolder(from), to: withoutFirstFolder(to) },
  );
  return { strip, files };
}

/**
 * The patch with a carriage return at the end of each content line of some of its files: `hasReturns` says which of those that
 * {@link gitApplyPaths} returns, by position.
 */
export function withReturns(patch: string, hasReturns: readonly boolean[]): string {
  const { headers, owners } = readPatch(patch);
  const returned = new Set(headers.filter(isNamed).filter((_, index) => hasReturns[index]));
  const lines = patch.split("\n");
  return lines
    .map((line, index) => {
      const owner = owners[index] ?? null;
      if (owner === null || !returned.has(owner)) return line;
      // Neither the words "No newline at end of file" nor the line before them.
      const isLast = line.startsWith("\\") || lines[index + 1]?.startsWith("\\") === true;
      return isLast || line.endsWith("\r") ? line : `${line}\r`;
    })
    .join("\n");
}

function isNamed({ from, to }: PatchedFile): boolean {
  return from !== null || to !== null;
}

// git's prefixes come in pairs: a/ b/ by default, i/ w/, c/ i/ and such with diff.mnemonicPrefix.
function isPrefixed({ from, to }: PatchedFile): boolean {
  if (![from, to].every((path) => path === null || /^[abciow12]\//.test(path))) return false;
  return from === null || to === null || from[0] !== to[0];
}

function withoutFirstFolder(path: string | null): string | null {
  return path === null ? null : path.slice(path.indexOf("/") + 1);
}

type Header = PatchedFile & { bare: boolean };

/**
 * Paths as written: `bare` ones (renames and copies) carry no `a/` or `b/`. `owners`: of each content line the header of its file.
 */
function readPatch(patch: string): { headers: Header[]; owners: (Header | null)[] } {
  const headers: Header[] = [];
  const owners: (Header | null)[] = [];
  let gitHeader: Header | null = null;
  let removedLeft = 0;
  let addedLeft = 0;
  const lines = patch.split("\n");
  for (const [index, line] of lines.entries()) {
    if (removedLeft > 0 || addedLeft > 0) {
      owners[index] = headers.at(-1) ?? null;
      if (line.startsWith("+")) addedLeft -= 1;
      else if (line.startsWith("-")) removedLeft -= 1;
      else if (!line.startsWith("\\")) {
        removedLeft -= 1;
        addedLeft -= 1;
      }
      continue;
    }
    const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
    if (hunk) {
      removedLeft = Number(hunk[1] ?? 1);
      addedLeft = Number(hunk[2] ?? 1);
    } else if (line.startsWith("diff --git ")) {
      gitHeader = gitHeaderOf(line.slice("diff --git ".length));
      headers.push(gitHeader);
    } else if (gitHeader !== null && line.startsWith("new file mode ")) gitHeader.from = null;
    else if (gitHeader !== null && line.startsWith("deleted file mode ")) gitHeader.to = null;
    else if (gitHeader !== null && /^(?:rename|copy) from /.test(line)) {
      gitHeader.from = unquote(line.replace(/^\w+ from /, ""));
      gitHeader.bare = true;
    } else if (gitHeader !== null && /^(?:rename|copy) to /.test(line)) {
      gitHeader.to = unquote(line.replace(/^\w+ to /, ""));
      gitHeader.bare = true;
    } else if (line.startsWith("--- ") && lines[index + 1]?.startsWith("+++ ")) {
      const from = pathOfLine(line);
      const to = pathOfLine(lines[index + 1] ?? "");
      if (gitHeader?.bare) gitHeader = null;
      else if (gitHeader !== null) {
        Object.assign(gitHeader, { from, to });
        gitHeader = null;
      } else headers.push({ from, to, bare: false });
    }
  }
  return { headers, owners };
}

/** The two paths of a `diff --git` line; both null if only later lines have them, as for a rename of names with spaces. */
function gitHeaderOf(rest: string): Header {
  const quoted = /^("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|\S+)$/.exec(rest);
  if (quoted) return { from: unquote(quoted[1] ?? ""), to: unquote(quoted[2] ?? ""), bare: false };
  const half = (rest.length - 1) / 2;
  const from = rest.slice(0, half);
  const to = rest.slice(half + 1);
  const same = from.slice(from.indexOf("/")) === to.slice(to.indexOf("/"));
  return same ? { from, to, bare: false } : { from: null, to: null, bare: false };
}

/** The path of a `---` or `+++` line, without the time that some tools put after a tab; null for /dev/null. */
function pathOfLine(line: string): string | null {
  const written = line.slice(4).replace(/\r$/, "");
  const path = written.startsWith('"') ? unquote(written) : (written.split("\t", 1)[0] ?? "");
  return path === "/dev/null" ? null : path;
}

const escapes: Record<string, number> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, "\\": 92 };

/** A path as git writes it: in double quotes with C escapes, the bytes of UTF-8 in octal, or plain. */
function unquote(written: string): string {
  const match = /^"((?:[^"\\]|\\.)*)"/.exec(written);
  if (match === null) return written;
  const bytes: Buffer[] = [];
  for (const [part, octal, letter] of (match[1] ?? "").matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/g)) {
    if (octal !== undefined) bytes.push(Buffer.from([Number.parseInt(octal, 8) & 0xff]));
    else if (letter !== undefined) bytes.push(Buffer.from([escapes[letter] ?? letter.charCodeAt(0)]));
    else bytes.push(Buffer.from(part));
  }
  return Buffer.concat(bytes).toString();
}
