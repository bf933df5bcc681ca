import { type LookupAddress, lookup } from "node:dns";
import { isIP } from "node:net";
import {
  type AllowedTargets,
  isAllowedAddress,
  isAllowedName,
  isPrivate,
  nothingAllowed,
} from "#lib/outbound/allowed-targets.ts";
import type { Environment } from "./environment.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** A source on a web or git server whose address was checked. */
export type CheckedHost = {
  /** The address in unambiguous normal form. */
  location: string;
  /** Arguments before the git command that make it connect to the checked addresses. */
  settings: string[];
};

/**
 * Checks where an http, https or git address leads, by the rules for webhooks: public addresses, and those that the installation
 * allows (ERRAND_OUTBOUND_ALLOW). Null for other addresses: ssh needs a key and a known host. Over http git connects to the
 * checked address, whatever DNS answers next time (git 2.37; older ones look up the name again). Throws WorkspaceError
 * `source_invalid` or `source_unavailable`.
 */
export async function checkHost(
  source: { location: string; shown: string },
  { allowed = nothingAllowed, env }: { allowed?: AllowedTargets | undefined; env: Environment },
): Promise<CheckedHost | null> {
  const url = URL.parse(source.location);
  if (url === null || !/^(https?|git):$/.test(url.protocol)) return null;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isWeb = url.protocol !== "git:";
  const checked = { location: isWeb ? url.href : source.location, settings: [] };
  if (isAllowedName(allowed, host)) return checked;
  const isUsable = (address: string) => isAllowedAddress(allowed, address);
  if (isIP(host) !== 0) {
    if (!isUsable(host)) throw leadsInside(source.shown);
    return checked;
  }
  const found = await addressesOf(host);
  if (found.length === 0) {
    if (isWeb && hasProxy(env)) return checked;
    const why = `"${source.shown}" cannot be read as a git repository: the name "${host}" was not found.`;
    throw new WorkspaceError("source_unavailable", why);
  }
  const usable = found.filter(({ address }) => isUsable(address));
  if (usable.length === 0) throw leadsInside(source.shown);
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  const addresses = usable.map(({ address, family }) => (family === 6 ? `[${address}]` : address)).join(",");
  return isWeb ? { ...checked, settings: ["-c", `http.curloptResolve=${host}:${port}:${addresses}`] } : checked;
}

function leadsInside(shown: string): WorkspaceError {
  return new WorkspaceError("source_invalid", `"${shown}" ${isPrivate}.`);
}

function addressesOf(host: string): Promise<LookupAddress[]> {
  return new Promise((resolve) => lookup(host, { all: true }, (error, found) => resolve(error === null ? found : [])));
}

/** Behind a proxy, only the proxy may be able to resolve names. */
function hasProxy(env: Environment): boolean {
  const names = ["http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY"];
  return names.some((name) => (env[name] ?? "") !== "");
}
