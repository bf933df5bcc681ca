import { findKeyAt, findOtherKeys, keyBeginnings } from "./secret-shapes.ts";

/** What keys begin with that have no prefix of their issuer but no other meaning either. */
const certain = ["PRIVATE KEY-----", "AKIA", "ASIA"];

/** Whether a line holds a key of a well-known form. Passwords and tokens that only a name gives away do not count: tests have them. */
export function holdsKey(line: string): boolean {
  for (const beginning of keyBeginnings) {
    for (let at = line.indexOf(beginning); at !== -1; at = line.indexOf(beginning, at + 1)) {
      if (findKeyAt(line, at, beginning).span !== null) return true;
    }
  }
  return certain.some((part) => line.includes(part)) && [...findOtherKeys(line)].length > 0;
}
