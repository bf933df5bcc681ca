/**
 * Names derived from a source: its last part without `.git`; and, as full name, with the part before it, `owner/name`.
 * For an address, the parts are those of its path. Never empty.
 */
export function nameOfSource(source: string): { name: string; fullName: string } {
  const parts = pathOf(source)
    .split("/")
    .filter((part) => part !== "" && part !== ".git");
  const name = (parts.at(-1) ?? "").replace(/\.git$/, "") || "repository";
  const owner = parts.at(-2);
  return { name, fullName: owner === undefined ? name : `${owner}/${name}` };
}

function pathOf(source: string): string {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(source) ? URL.parse(source) : null;
  if (url !== null) return decoded(url.pathname);
  // user@host:owner/name, the short form of ssh
  return source.startsWith("/") ? source : source.slice(source.indexOf(":") + 1);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
