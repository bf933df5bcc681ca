import { findKeyAt, findOtherKeys, keyBeginnings } from "./secret-shapes.ts";

/** Beginnings of keys without an issuer's prefix that are still unambiguous. */
const certain = ["PRIVATE KEY-----", "AKIA", "ASIA"];

/**
 * Whether a line contains a well-known kind of key. Passwords and tokens recognizable only by their variable's name do not count,
 * because tests contain such.
 */
export function holdsKey(line: string): boolean {
  for (const beginning of keyBeginnings) {
    for (let at = line.indexOf(beginning); at !== -1; ) {
      const { span, end } = findKeyAt(line, at, beginning);
      if (span !== null) return true;
      // A run that was examined once is not examined again, however long it is.
      at = line.indexOf(beginning, end);
    }
  }
  return certain.some((part) => line.includes(part)) && [...findOtherKeys(line)].length > 0;
}
