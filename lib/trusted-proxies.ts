import { BlockList } from "node:net";
import { addNetwork } from "./address-list.ts";

/**
 * Reads a list of addresses and networks (`10.0.0.0/8, ::1`), separated by commas; returns the first word that is neither, if
 * any.
 */
export function readProxies(text: string): { proxies: BlockList } | { unreadable: string } {
  const proxies = new BlockList();
  for (const word of text.split(",").map((part) => part.trim())) {
    if (word !== "" && !addNetwork(proxies, word)) return { unreadable: word };
  }
  return { proxies };
}
