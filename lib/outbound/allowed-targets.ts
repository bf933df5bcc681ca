import { BlockList, isIP } from "node:net";
import { addNetwork } from "#lib/address-list.ts";
import { isHostName } from "#lib/host-name.ts";

/** Targets in private ranges that the installation allows: networks, names, and domains with their subdomains. */
export type AllowedTargets = { networks: BlockList; names: Set<string>; domains: string[] };

/** No exceptions: only public addresses are called. */
export const nothingAllowed: AllowedTargets = { networks: new BlockList(), names: new Set(), domains: [] };

/**
 * Reads a list of networks, addresses and names (`10.0.0.0/8, git.corp, *.hooks.corp`), separated by commas; returns the first
 * invalid word, if any.
 */
export function readAllowedTargets(text: string): { allowed: AllowedTargets } | { unreadable: string } {
  const allowed: AllowedTargets = { networks: new BlockList(), names: new Set(), domains: [] };
  for (const given of text.split(",").map((part) => part.trim())) {
    if (given === "" || addNetwork(allowed.networks, given)) continue;
    const name = given.toLowerCase();
    if (!isHostName(name.replace(/^\*\./, ""))) return { unreadable: given };
    if (name.startsWith("*.")) allowed.domains.push(name.slice(1));
    else allowed.names.add(name);
  }
  return { allowed };
}

/** Whether the name may be called, whatever its address. */
export function isAllowedName({ names, domains }: AllowedTargets, hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, "");
  return names.has(name) || domains.some((domain) => name.endsWith(domain));
}

/** Whether the address (as text, without brackets) is public or allowed. False for anything that is not an address. */
export function isAllowedAddress({ networks }: AllowedTargets, given: string): boolean {
  const address = given.replace(/%.*$/, "");
  const version = isIP(address);
  if (version === 0) return false;
  if (networks.check(address, version === 4 ? "ipv4" : "ipv6")) return true;
  if (version === 4) return !reserved.check(address, "ipv4");
  // Addresses with an embedded IPv4 address (mapped, NAT64) are outside the global range or in the list.
  return globalUnicast.check(address, "ipv6") && !reserved.check(address, "ipv6");
}

function networksOf(words: string): BlockList {
  const list = new BlockList();
  for (const word of words.trim().split(/\s+/)) {
    if (!addNetwork(list, word)) throw new Error(`"${word}" is no network`);
  }
  return list;
}

/** Networks that are not the public internet: the special-purpose registries of IANA (RFC 6890), and multicast. */
const reserved = networksOf(`
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24
  192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
  2001::/23 2001:db8::/32 2002::/16 3fff::/20
`);
const globalUnicast = networksOf("2000::/3");

/** Message about an address in a private network that the setting does not name. */
export const isPrivate =
  "leads to a private network, which Errand does not allow (add it to ERRAND_OUTBOUND_ALLOW and restart)";
