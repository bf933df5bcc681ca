import { inflateSync } from "node:zlib";

/** The contents that a binary patch of a diff gives: each side's data as text, `literal 120` or `delta 12` before its lines. */
export type BinarySide = { header: string; data: string };

/**
 * The bytes in each side of a binary patch as git writes it: of `literal` the file, of `delta` what it inserts, with what it copies
 * if the other side has that. Null if the data is malformed or has more than `bytesMax` bytes.
 */
export function bytesOfSides(sides: readonly BinarySide[], bytesMax: number): Buffer[] | null {
  try {
    const inflated = sides.map(({ header, data }) => {
      const size = Number(header.split(" ")[1]);
      if (!(size <= bytesMax)) throw new RangeError();
      return { isDelta: header.startsWith("delta"), bytes: inflate(data, size) };
    });
    return inflated.map(({ isDelta, bytes }, side) => {
      if (!isDelta) return bytes;
      const other = inflated[1 - side];
      return applied(bytes, other?.isDelta === false ? other.bytes : null, bytesMax);
    });
  } catch {
    return null;
  }
}

const inflate = (data: string, size: number) =>
  inflateSync(Buffer.concat(data.split("\n").map(lineBytes)), { maxOutputLength: Math.max(1, size) });

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
const digitOf = Array.from({ length: 128 }, (_, code) => digits.indexOf(String.fromCharCode(code))).map((digit) =>
  digit === -1 ? Number.POSITIVE_INFINITY : digit,
);

/**
 * A line in git's base85: the number of its bytes as a letter, then five digits for each four bytes. Throws RangeError if it is
 * malformed. A diff may have hundreds of thousands of lines.
 */
function lineBytes(line: string): Buffer {
  const letter = line.charCodeAt(0);
  const bytes = Buffer.alloc(((line.length - 1) / 5) * 4);
  for (let at = 1; at < line.length; at += 5) {
    let value = 0;
    for (let digit = at; digit < at + 5; digit += 1)
      value = value * 85 + (digitOf[line.charCodeAt(digit)] ?? Number.POSITIVE_INFINITY);
    bytes.writeUInt32BE(value, ((at - 1) / 5) * 4);
  }
  return bytes.subarray(0, letter >= 97 ? letter - 70 : letter - 64);
}

/** What a delta (gitformat-pack) makes of `source`; null: only what it inserts. */
function applied(delta: Buffer, source: Buffer | null, bytesMax: number): Buffer {
  let at = 0;
  const next = () => delta[at++] ?? 0;
  // The sizes of both files come first.
  for (const _size of ["source", "target"]) while (next() >= 128);
  const pieces: Buffer[] = [];
  let length = 0;
  while (at < delta.length) {
    const instruction = next();
    let piece = delta.subarray(at, at + instruction);
    if (instruction < 128) at += instruction;
    else {
      const number = (bits: readonly number[]) =>
        bits.reduce((sum, bit, place) => sum + (instruction & (1 << bit) ? next() * 256 ** place : 0), 0);
      const offset = number([0, 1, 2, 3]);
      const size = number([4, 5, 6]) || 0x10000;
      piece = source?.subarray(offset, offset + size) ?? Buffer.alloc(0);
    }
    length += piece.length;
    if (length > bytesMax) throw new RangeError();
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
