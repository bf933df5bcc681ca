import { BlockList, isIP } from "node:net";

/**
 * Reads a list of addresses and networks (`10.0.0.0/8, ::1`), separated by commas; else gives the first word that is neither.
 */
export function readProxies(text: string): { proxies: BlockList } | { unreadable: string } {
  const proxies = new BlockList();
  for (const word of text.split(",").map((part) => part.trim())) {
    if (word === "") continue;
    const [, address = "", prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(word) ?? [];
    const version = isIP(address);
    const bits = version === 4 ? 32 : 128;
    if (version === 0 || Number(prefix ?? bits) > bits) return { unreadable: word };
    proxies.addSubnet(address, Number(prefix ?? bits), version === 4 ? "ipv4" : "ipv6");
  }
  return { proxies };
}
