/** The source of a repository as everyone in the organization may see it: a password or token in an address becomes `***`. */
export function shownSource(source: string): string {
  // Over http a token may be in place of the user name; over ssh the name is not secret.
  if (/^https?:/i.test(source)) return source.replace(/^([^/]*\/\/)[^/]*@/, "$1***@");
  return source.replace(/^([a-z][a-z0-9+.-]*:\/\/[^/:@]*):[^/]*@/i, "$1:***@");
}

/** Whether a source is a folder of this machine. Nothing is pushed into one unless somebody asks for it. */
export function isFolderSource(source: string): boolean {
  return source.startsWith("/");
}
