import { resolve } from "node:path";

/** One spelling for one place, so that it is not added twice: what differs in spaces around it, or in `//`, `..` and `/` in a path. */
export function normalizedSource(source: string): string {
  const trimmed = source.trim();
  return trimmed.startsWith("/") ? resolve(trimmed) : trimmed;
}

/** The source as everybody in the organization may see it: a password or token in an address is `***`. */
export function shownSource(source: string): string {
  // Over http a token may stand in the place of the name; over ssh the name is no secret.
  if (/^https?:/i.test(source)) return source.replace(/^([^/]*\/\/)[^/]*@/, "$1***@");
  return source.replace(/^([a-z][a-z0-9+.-]*:\/\/[^/:@]*):[^/]*@/i, "$1:***@");
}
