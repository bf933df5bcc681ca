const mark = Buffer.from("\nGIT binary patch\n");

/**
 * The diff without the contents of binary files: `GIT binary patch` and the size of each side stay (`literal 120` if
 * git gives it; `delta` is followed by the size of the difference). `git apply` does not accept it.
 */
export function withoutBinaryContents(diff: Uint8Array): Uint8Array {
  const bytes = Buffer.from(diff.buffer, diff.byteOffset, diff.byteLength);
  const kept: Uint8Array[] = [];
  let from = 0;
  for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, from)) {
    kept.push(bytes.subarray(from, at + mark.length));
    from = at + mark.length;
    // Data that makes the new file, then data that restores the old one, each up to an empty line.
    for (const _side of ["new", "old"]) {
      const end = bytes.indexOf("\n", from);
      const header = bytes.toString("latin1", from, end === -1 ? from : end);
      if (!/^(?:literal|delta) \d+$/.test(header)) break;
      kept.push(Buffer.from(`${header}\n\n`));
      const after = bytes.indexOf("\n\n", end);
      from = after === -1 ? bytes.length : after + 2;
    }
  }
  return kept.length === 0 ? diff : Buffer.concat([...kept, bytes.subarray(from)]);
}
