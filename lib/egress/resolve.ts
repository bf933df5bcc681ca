import { type LookupAddress, lookup } from "node:dns";
import { BlockList, isIP } from "node:net";
import { addNetwork } from "#lib/address-list.ts";
import { isHostName } from "#lib/host-name.ts";
import { isAllowedAddress, nothingAllowed } from "#lib/outbound/allowed-targets.ts";
import type { FindAddresses } from "#lib/outbound/outbound.ts";

/** A connection's target. `host` is in the form of {@link readHost}. */
export type Target = { host: string; port: number };

/** Class of an address. At metadata addresses, clouds hand out credentials to anyone. */
export type AddressClass = "public" | "private" | "metadata";

/** Exact pairs of host and port in private networks that the instance's owner permits, as `host:port`. */
export type PermittedPairs = ReadonlySet<string>;

/** Addresses that may be dialed, or why there are none. */
export type Resolved = { addresses: LookupAddress[] } | { denied: "private" | "metadata" | "not_found" };

const findAddresses: FindAddresses = (name, found) => lookup(name, { all: true }, found);

// Metadata addresses of the large clouds; some are in public ranges, so they are listed one by one. Includes all link-local IPv4.
const metadataAddresses = listOf("169.254.0.0/16 100.100.100.200 168.63.129.16 192.0.0.192 fd00:ec2::/32");
const metadataNames = new Set(["metadata", "metadata.google.internal", "metadata.goog", "instance-data"]);
/** Private networks in common use; no other address that is not public can be permitted. */
const ownNetworks = listOf("10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 172.16.0.0/12 192.168.0.0/16 ::1 fc00::/7");

function listOf(networks: string): BlockList {
  const list = new BlockList();
  for (const network of networks.split(" ")) addNetwork(list, network);
  return list;
}

function isIn(list: BlockList, address: string): boolean {
  return isIP(address) !== 0 && list.check(address, isIP(address) === 4 ? "ipv4" : "ipv6");
}

/** The class of an address (as text, without brackets); anything that is not an address counts as private. */
export function classOf(address: string): AddressClass {
  if (isIn(metadataAddresses, readHost(address) ?? address)) return "metadata";
  return isAllowedAddress(nothingAllowed, address) ? "public" : "private";
}

/**
 * A host in the normal form used to compare and dial it: lower case, no final dot, no brackets, an address in its usual form
 * however it was written (`0x7f.1`, `2130706433`, `[::FFFF:7f00:1]`). Null if no host can have it.
 */
export function readHost(text: string): string | null {
  if (!/^[\w.:[\]-]{1,255}$/.test(text)) return null;
  const bracketed = isIP(text) === 6 ? `[${text}]` : text;
  if (!bracketed.startsWith("[") && bracketed.includes(":")) return null;
  const shown = URL.parse(`http://${bracketed}/`)?.hostname ?? "";
  const host = unmapped(shown.replace(/^\[|\]$/g, "").replace(/\.$/, ""));
  return isIP(host) !== 0 || isHostName(host) ? host : null;
}

/** As {@link readHost}, of a host that a person wrote: null for a part of an address or a number, as they are mistyped. */
export function readWrittenHost(text: string): string | null {
  const host = readHost(text);
  return host !== null && isIP(host) !== 0 && isIP(text.replace(/^\[|\]$/g, "")) === 0 ? null : host;
}

/** The IPv4 address in an IPv6 one like `::ffff:a9fe:a9fe`; anything else unchanged. */
function unmapped(host: string): string {
  const [, high, low] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/.exec(host) ?? [];
  if (high === undefined || low === undefined) return host;
  return [high, low].flatMap((half) => [Number.parseInt(half, 16) >> 8, Number.parseInt(half, 16) & 255]).join(".");
}

/** Parses `host:port` (`[::1]:80` for IPv6), the host by `read`; null if it is not valid. */
export function readTarget(text: string, portUnsaid: number | null = null, read = readHost): Target | null {
  const [, name = "", digits] = /^(\[[^\]]*\]|[^:]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = read(name);
  const port = digits === undefined ? portUnsaid : Number(digits);
  return host === null || port === null || port < 1 || port > 65_535 ? null : { host, port };
}

/** A target as text, to show and compare. */
export function targetText({ host, port }: Target): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Parses the pairs that an instance's owner permits, separated by commas; otherwise returns the first invalid one. */
export function readPermittedPairs(text: string): { pairs: PermittedPairs } | { unreadable: string } {
  const pairs = new Set<string>();
  for (const word of text.split(",").map((part) => part.trim())) {
    if (word === "") continue;
    const target = readTarget(word, null, readWrittenHost);
    if (target === null || isNever(target.host)) return { unreadable: word };
    pairs.add(targetText(target));
  }
  return { pairs };
}

/** Whether an address is neither public nor in a private network. */
function isNever(host: string): boolean {
  return isMetadata(host) || (isIP(host) !== 0 && !mayDial(host, true));
}

function isMetadata(host: string): boolean {
  return metadataNames.has(host) || (isIP(host) !== 0 && classOf(host) === "metadata");
}

/**
 * Looks up a target's addresses once; only these are dialed. Private ones are left out unless the exact pair is permitted,
 * metadata ones always.
 */
export async function resolveTarget(
  target: Target,
  permitted: PermittedPairs,
  find: FindAddresses = findAddresses,
): Promise<Resolved> {
  const { host } = target;
  if (isMetadata(host)) return { denied: "metadata" };
  const isPermitted = permitted.has(targetText(target));
  if (!isPermitted && /(?:^|\.)localhost$/.test(host)) return { denied: "private" };
  const family = isIP(host);
  const found = family === 0 ? await findAll(host, find) : [{ address: host, family }];
  if (found.length === 0) return { denied: "not_found" };
  const addresses = found.filter(({ address }) => mayDial(address, isPermitted));
  if (addresses.length > 0) return { addresses };
  return { denied: found.some(({ address }) => classOf(address) === "metadata") ? "metadata" : "private" };
}

function mayDial(address: string, isPermitted: boolean): boolean {
  const kind = classOf(address);
  return kind === "public" || (isPermitted && kind === "private" && isIn(ownNetworks, address));
}

function findAll(name: string, find: FindAddresses): Promise<LookupAddress[]> {
  return new Promise((resolve) => find(name, (error, addresses) => resolve(error === null ? addresses : [])));
}
