import type { IncomingMessage } from "node:http";
import { type BlockList, isIP } from "node:net";

/**
 * The address a request counts for: that of the connection or, behind a trusted proxy, the nearest address in X-Forwarded-For
 * that is not a trusted proxy's. The list is read from the right, because only its end was written by someone trusted. IPv6
 * counts by its 64-bit network, which is what one customer has. Null for a connection without an address (a Unix socket, or a
 * closed one).
 */
export function clientAddress(
  remote: string | undefined,
  forwardedFor: string | string[] | undefined,
  trusted: BlockList,
): string | null {
  let address = readAddress(remote ?? "");
  if (address === null) return null;
  const forwarded = [forwardedFor ?? []].flat().join(",").split(",");
  while (isTrusted(address, trusted)) {
    const before = readAddress(forwarded.pop() ?? "");
    if (before === null) break;
    address = before;
  }
  return address.includes(":") ? networkOf(address) : address;
}

const forwardingHeaders = ["x-forwarded-for", "x-forwarded-host", "x-real-ip", "forwarded", "via"];

/**
 * True if the connection itself comes from this machine and no header says that it was forwarded: a header never makes a
 * request local, and a proxy on this machine cannot make others look local.
 */
export function isFromThisMachine({ socket, headers }: Pick<IncomingMessage, "socket" | "headers">): boolean {
  const address = readAddress(socket.remoteAddress ?? "");
  const isLoopback = address === "::1" || (address?.startsWith("127.") ?? false);
  return isLoopback && forwardingHeaders.every((name) => headers[name] === undefined);
}

function isTrusted(address: string, trusted: BlockList): boolean {
  return trusted.check(address, address.includes(":") ? "ipv6" : "ipv4");
}

const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** An IP address without a port, brackets or zone; IPv4 in IPv6 as IPv4. Null for anything else. */
function readAddress(text: string): string | null {
  const trimmed = text.trim();
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed)?.[1] ?? /^([\d.]+):\d+$/.exec(trimmed)?.[1] ?? trimmed;
  const address = bare.replace(/%.*$/, "");
  if (isIP(address) === 0) return null;
  return mapped.exec(address)?.[1] ?? address.toLowerCase();
}

/** First 64 bits of an IPv6 address, as a network. */
function networkOf(address: string): string {
  const [head = "", tail] = address.split("::");
  const groups = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  // An IPv4 address at the end replaces two groups.
  const missing = 8 - groups.length - after.length - (address.includes(".") ? 1 : 0);
  const all = tail === undefined ? groups : [...groups, ...Array<string>(missing).fill("0"), ...after];
  const network = all.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/64`;
}
