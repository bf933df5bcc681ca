import { posix } from "node:path";
import { parseSource } from "./parse-source.ts";

/** Address of a submodule that the service may fetch, or why it may not, as the end of a sentence. */
export type SubmoduleAddress = { source: string } | { refused: string };

/**
 * Address of a submodule from the `url` in .gitmodules and the source of the repository that names it: any http(s) address (whether
 * its host is allowed is checked with each fetch), and ssh or git addresses on the host of that source, as https if it is reached so.
 * Relative ones are resolved as git does (gitmodules(5)). Never a folder of this machine: anyone who can push could name one.
 * `base`: the address below which the source's host has its repositories, if that is known to be no bare host.
 */
export function resolveSubmodule(url: string, parent: string, base?: string): SubmoduleAddress {
  const isRelative = /^\.\.?(?:\/|$)/.test(url);
  const address = isRelative ? relativeTo(parent, url) : url;
  if (address === null) return { refused: "its address is relative to a folder on the server" };
  const source = parsed(address);
  if (source === null) return { refused: "its address in .gitmodules is not valid" };
  if (source.local) return { refused: "its address is a folder" };
  if (/^https?:/i.test(address)) return { source: address };
  const [own, other] = [hostOf(parent), hostOf(address)];
  if (own === null || own.host !== other?.host)
    return { refused: "its address is not http or https, and it is on another host" };
  const web = /^https?:/i.test(parent) ? URL.parse(parent) : null;
  if (web === null) return { source: address };
  const folder = URL.parse(base ?? "")?.pathname.replace(/\/+$/, "") ?? "";
  web.pathname = `${folder}/${other.path}`;
  return { source: web.href };
}

/** Resolves a relative address; null if the source is a folder. */
function relativeTo(parent: string, url: string): string | null {
  const source = parsed(parent);
  if (source === null || source.local) return null;
  const base = URL.parse(`${parent.replace(/\/+$/, "")}/`);
  if (/^[a-z]+:\/\//i.test(parent)) return base === null ? null : (URL.parse(url, base)?.href ?? null);
  const { host, path } = splitAtColon(parent);
  return `${host}:${posix.join(path, url)}`;
}

function parsed(address: string) {
  try {
    return parseSource(address);
  } catch {
    return null;
  }
}

/** Host name in lower case, and path without the first slash; null for a folder. */
function hostOf(address: string): { host: string; path: string } | null {
  const source = parsed(address);
  if (source === null || source.local) return null;
  const url = /^[a-z]+:\/\//i.test(address) ? URL.parse(address) : null;
  const { host, path } = url === null ? splitAtColon(address) : { host: url.hostname, path: url.pathname };
  return { host: host.replace(/^.*@/, "").toLowerCase(), path: path.replace(/^\/+/, "") };
}

/** The parts of `[user@]host:path`. */
function splitAtColon(address: string): { host: string; path: string } {
  const at = address.indexOf(":");
  return { host: address.slice(0, at), path: address.slice(at + 1) };
}
