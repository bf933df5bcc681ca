import type { HostKind } from "./host.ts";

/**
 * The repository's full name, in lower case, on the host at this address; null if the remote is on another one. Over http, scheme,
 * host, port and the path that the host is served below must be equal. Over ssh ports and paths differ, so the host's name decides.
 */
export function nameOnHost(source: string, { baseUrl, type }: { baseUrl: string; type: HostKind }): string | null {
  const base = URL.parse(baseUrl);
  const remote = placeOf(source);
  if (base === null || remote === null) return null;
  const folder = remote.origin === null ? [] : (partsOf(base.pathname, decodeURIComponent) ?? []);
  const isThere =
    remote.origin === null
      ? // GitHub and GitLab serve ssh under separate names on port 443.
        ["", "ssh.", "altssh."].some((prefix) => remote.host === prefix + base.hostname)
      : remote.origin === base.origin && folder.every((part, at) => part === remote.parts[at]);
  const parts = remote.parts.slice(folder.length);
  // Only GitLab has groups within groups.
  const isName = parts.length === 2 || (parts.length > 2 && type === "gitlab");
  return isThere && isName ? parts.join("/").toLowerCase() : null;
}

/** Where a remote address leads. `origin` is null unless it is http; `host` is in normal form. */
function placeOf(source: string): { origin: string | null; host: string; parts: string[] } | null {
  const isUrl = /^(?:https?|ssh|git):\/\//i.test(source);
  const url = isUrl ? URL.parse(source) : null;
  // user@host:owner/name, the short form of ssh
  const short = isUrl ? null : /^(?:[^@/\s]+@)?(\[[^\]/\s]+\]|[^:/\s]+):(?!\/\/)(.+)$/.exec(source);
  const named = url?.hostname ?? short?.[1];
  // Of addresses without http, the parser leaves case and other alphabets as they are.
  const host = named === undefined ? undefined : URL.parse(`http://${named}`)?.hostname;
  const parts = partsOf(url?.pathname ?? short?.[2] ?? "", url === null ? (part) => part : decodeURIComponent);
  if (host === undefined || parts === null) return null;
  return { origin: url !== null && /^https?:$/.test(url.protocol) ? url.origin : null, host, parts };
}

/** Parts of a path, the last without `.git`; null if a server might read them differently. */
function partsOf(path: string, decode: (part: string) => string): string[] | null {
  try {
    const parts = path.split("/").filter((part) => part !== "");
    const read = parts.map(decode).map((part, at) => (at === parts.length - 1 ? part.replace(/\.git$/i, "") : part));
    return read.some((part) => /^\.{0,2}$|[/\\%\p{Cc}]/u.test(part)) ? null : read;
  } catch {
    return null;
  }
}
