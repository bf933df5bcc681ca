import type { DenialRule } from "./network.ts";

/** Why a connection was refused, as text for people. */
export const denialWords: Record<DenialRule, string> = {
  network_off: "Network is off",
  host_not_allowed: "Host not allowed",
  port_not_allowed: "Port not allowed",
  private_address: "Private address",
  metadata_address: "Cloud metadata address",
  key_unknown: "Not a key of this run",
};
