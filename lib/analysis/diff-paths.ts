/**
 * Paths changed by a git diff, including binary and empty files; for a renamed file the old and the new one. The diff's bytes
 * need not be UTF-8.
 */
export function pathsOfDiff(diff: Uint8Array): Set<string> {
  const paths = new Set<string>();
  let isHeader = false;
  for (const line of Buffer.from(diff).toString().split("\n")) {
    if (line.startsWith("diff --git ")) isHeader = true;
    else if (line.startsWith("@@") || line.startsWith("GIT binary patch")) isHeader = false;
    if (!isHeader) continue;
    for (const path of pathsIn(line)) paths.add(path);
  }
  return paths;
}

/** For a file without lines, only the first header line has its name: twice the same. */
function pathsIn(line: string): string[] {
  const same = /^diff --git (?:a\/(.+) b\/\1|"a\/(.+)" "b\/\2")$/.exec(line);
  if (same !== null) return [same[1] ?? unquoted(same[2] ?? "")];
  const [, quoted, plain] = /^(?:\+\+\+ |--- |(?:rename|copy) (?:from|to) )(?:"(.+)"|(.+?))\t?$/.exec(line) ?? [];
  const named = quoted === undefined ? plain : unquoted(quoted);
  if (named === undefined || named === "/dev/null") return [];
  return [/^(?:\+\+\+|---) /.test(line) ? named.replace(/^[ab]\//, "") : named];
}

/** A path as git quotes it: bytes beyond ASCII as three octal digits, a few others by letters. */
function unquoted(path: string): string {
  const letters: Record<string, string> = { n: "\n", t: "\t", r: "\r" };
  const bytes = path.replace(/\\([0-7]{3})|\\(.)/g, (_, octal?: string, letter = "") =>
    octal === undefined ? (letters[letter] ?? letter) : String.fromCharCode(Number.parseInt(octal, 8)),
  );
  return /\\[0-7]{3}/.test(path) ? Buffer.from(bytes, "latin1").toString() : bytes;
}
