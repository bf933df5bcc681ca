/** Undoes git's quoting of unusual paths: C escapes, and the bytes of UTF-8 in octal. */
export function unquotedPath(written: string): string {
  const path = written.endsWith("\r") ? written.slice(0, -1) : written;
  if (path.length < 2 || !path.startsWith('"') || !path.endsWith('"')) return path;
  const bytes: number[] = [];
  for (const [part, octal, letter] of path.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/gs)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8) & 255);
    else {
      const plain = letter === undefined ? part : (escapes.get(letter) ?? letter);
      // One by one: as arguments of one call, those of a long text would not fit on the stack.
      for (const byte of new TextEncoder().encode(plain)) bytes.push(byte);
    }
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}

const escapes = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["a", "\u0007"],
  ["b", "\b"],
  ["f", "\f"],
  ["v", "\v"],
]);
