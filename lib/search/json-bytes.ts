export const quote = 0x22;
export const backslash = 0x5c;
export const comma = 0x2c;
export const minus = 0x2d;
export const zero = 0x30;
export const nine = 0x39;
export const letterU = 0x75;
export const openBracket = 0x5b;
export const closeBracket = 0x5d;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;
/** Characters for JSON's escapes, by the byte after the backslash. */
export const escapes = Uint8Array.from({ length: 256 }, (_, byte) => {
  const place = "bfnrt".indexOf(String.fromCharCode(byte));
  return place === -1 ? byte : (Buffer.from("\b\f\n\r\t")[place] ?? byte);
});
const digits = Uint8Array.from({ length: 256 }, (_, byte) => Number.parseInt(String.fromCharCode(byte), 16) || 0);
export const isNumber = Uint8Array.from({ length: 256 }, (_, byte) =>
  "+-.eE0123456789".includes(String.fromCharCode(byte)) ? 1 : 0,
);

/** Marks bytes in {@link lower} that need a closer look; no string in JSON contains a 0. */
export const special = 0;
/** Lead bytes of UTF-8 whose letters have no capital form. */
const caselessLeads = [
  0xc2,
  0xe0,
  ...numbersFrom(0xd7, 0xdf),
  ...numbersFrom(0xe3, 0xe9),
  ...numbersFrom(0xeb, 0xee),
  ...numbersFrom(0xf1, 0xf4),
];
/** The lower-case form of each byte, or {@link special}. */
export const lower = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === quote || byte === backslash) return special;
  if (byte >= 0x41 && byte <= 0x5a) return byte + 0x20;
  return byte < 0xc0 || caselessLeads.includes(byte) ? byte : special;
});

function numbersFrom(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** Whether no letter whose UTF-8 begins with these bytes changes in lower case, whatever follows. */
export function isCaseless(first: number, second: number): boolean {
  if (first === 0xc3) return second >= 0x9f;
  // Signs, arrows and boxes; there are letters in between.
  if (first === 0xe2) return second <= 0x83 || (second >= 0x8c && second <= 0x91) || (second >= 0x94 && second <= 0xaf);
  if (first === 0xef) return second !== 0xbc;
  if (first === 0xf0) return second === 0x9f || second >= 0xa0;
  return lower[first] !== special;
}

/** Value of four hexadecimal digits. */
export function codeAt(json: Uint8Array, start: number): number {
  let code = 0;
  for (let index = start; index < start + 4; index += 1) code = code * 16 + (digits[json[index] as number] as number);
  return code;
}

/** Whether these bytes of the JSON are the name. */
export function isSame(json: Uint8Array, start: number, stop: number, name: Uint8Array): boolean {
  if (stop - start !== name.length) return false;
  for (let index = 0; index < name.length; index += 1) if (json[start + index] !== name[index]) return false;
  return true;
}
