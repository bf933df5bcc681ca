import type { Denial, NetworkMode } from "#lib/contract/repositories/network.ts";

/** Network modes, strictest first. */
export const networkModes: readonly NetworkMode[] = ["off", "allowed", "open"];

export const networkWords: Record<NetworkMode, { label: string; description: string }> = {
  off: { label: "Off", description: "Agents reach only the services for which a key is saved below." },
  allowed: {
    label: "Allowed hosts",
    description: "Agents reach the hosts below, package registries, the hosts of repositories and of their own models.",
  },
  open: { label: "Open", description: "Agents reach every public host on ports 80 and 443." },
};

/** The rule that would allow a refused connection; null if no rule can. */
export function ruleFor({ host, rule }: Pick<Denial, "host" | "rule">): { host: string; port: number } | null {
  if (rule !== "host_not_allowed" && rule !== "port_not_allowed") return null;
  const [, name = "", port = ""] = /^(.*):(\d+)$/.exec(host) ?? [];
  if (name === "") return null;
  return { host: name.replace(/^\[(.*)\]$/, "$1"), port: Number(port) };
}
