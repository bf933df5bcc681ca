import type { ValueMask } from "#lib/entry/mask-values.ts";
import { type BinarySide, bytesOfSides } from "./binary-sides.ts";

const mark = Buffer.from("\nGIT binary patch\n");

/**
 * The diff without the contents of binary files: `GIT binary patch` and the size of each side stay (`literal 120` if
 * git gives it; `delta` is followed by the size of the difference). `git apply` does not accept it.
 */
export function withoutBinaryContents(diff: Uint8Array): Uint8Array {
  return withoutContents(diff, () => true);
}

/** Larger contents cannot be searched in a reasonable time. */
const searchedBytesMax = 64 * 1024 * 1024;

/**
 * Masks a diff. Of a binary file in which either side has a secret, the contents are left out as by {@link withoutBinaryContents}:
 * they are encoded. So they are if they cannot be searched: malformed, or over 64 MB in all.
 */
export function maskDiff({ bytes: mask }: Pick<ValueMask, "bytes">, diff: Uint8Array): Uint8Array {
  let left = searchedBytesMax;
  const hasSecret = (sides: BinarySide[]) => {
    const contents = bytesOfSides(sides, left);
    left -= contents?.reduce((sum, { length }) => sum + length, 0) ?? 0;
    return left < 0 || contents === null || contents.some((content) => mask(content) !== content);
  };
  return mask(withoutContents(diff, hasSecret));
}

function withoutContents(diff: Uint8Array, isLeftOut: (sides: BinarySide[]) => boolean): Uint8Array {
  const bytes = Buffer.from(diff.buffer, diff.byteOffset, diff.byteLength);
  const kept: Uint8Array[] = [];
  let from = 0;
  for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, from)) {
    kept.push(bytes.subarray(from, at + mark.length));
    from = at + mark.length;
    const start = from;
    const sides: BinarySide[] = [];
    // Data that makes the new file, then data that restores the old one, each up to an empty line.
    for (const _side of ["new", "old"]) {
      const end = bytes.indexOf("\n", from);
      const header = bytes.toString("latin1", from, end === -1 ? from : end);
      if (!/^(?:literal|delta) \d+$/.test(header)) break;
      const after = bytes.indexOf("\n\n", end);
      from = after === -1 ? bytes.length : after + 2;
      sides.push({ header, data: bytes.toString("latin1", end + 1, after === -1 ? from : Math.max(after, end + 1)) });
    }
    kept.push(
      isLeftOut(sides) ? Buffer.from(sides.map(({ header }) => `${header}\n\n`).join("")) : bytes.subarray(start, from),
    );
  }
  return kept.length === 0 ? diff : Buffer.concat([...kept, bytes.subarray(from)]);
}
