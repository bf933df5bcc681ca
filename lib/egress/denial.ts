import type { DenialRule } from "#lib/contract/repositories/network.ts";
import { type Target, targetText } from "./resolve.ts";

/** A connection that was refused. */
export type Denial = Target & { rule: DenialRule };

const reasons: Record<DenialRule, string> = {
  network_off: "this run has no network",
  host_not_allowed: "this run may reach allowed hosts only, and this host is not among them",
  port_not_allowed: "this run may reach this host on other ports only",
  private_address: "it leads to a private network",
  metadata_address: "it leads to a cloud metadata address, which no run may reach",
  key_unknown: "the key is not one of this run",
};

/** Body of the 403 response: what was refused, why, and how it can be allowed. */
export function denialWords(denial: Denial, howToAllow: string): string {
  const { rule } = denial;
  const way =
    rule === "host_not_allowed" || rule === "port_not_allowed"
      ? ` ${howToAllow}`
      : rule === "private_address"
        ? " The person who runs Errand can allow this host and port with ERRAND_EGRESS_PRIVATE."
        : rule === "network_off"
          ? " An admin can change the network of this repository or organization."
          : "";
  return `Errand did not connect to ${targetText(denial)}: ${reasons[rule]} (${rule}).${way}\n`;
}
