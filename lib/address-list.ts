import { type BlockList, isIP } from "node:net";

/** Adds an address or a network (`::1`, `10.0.0.0/8`) to a list; false if the word is neither. */
export function addNetwork(list: BlockList, word: string): boolean {
  const [, address = "", prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(word) ?? [];
  const version = isIP(address);
  const bits = version === 4 ? 32 : 128;
  if (version === 0 || address.includes("%") || Number(prefix ?? bits) > bits) return false;
  list.addSubnet(address, Number(prefix ?? bits), version === 4 ? "ipv4" : "ipv6");
  return true;
}
