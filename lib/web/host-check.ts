import { isIP } from "node:net";

/** Accepted Host headers, so that a foreign name pointed at this service (DNS rebinding) reaches nothing. */
export type HostRule = (host: string | undefined) => boolean;

/**
 * Accepts this machine's own names, the listening address, the public address and the extra names, with any port. If the
 * service listens on every address, plain IP addresses are accepted too: rebinding needs a name.
 */
export function hostRule(settings: { host: string; publicUrl: string | null; allowedHosts: string[] }): HostRule {
  const names = new Set(["localhost", "127.0.0.1", "[::1]", bracketed(settings.host.toLowerCase())]);
  if (settings.publicUrl !== null) names.add(new URL(settings.publicUrl).hostname);
  for (const name of settings.allowedHosts) names.add(nameOf(name.toLowerCase()));
  const anyAddress = settings.host === "0.0.0.0" || settings.host === "::";
  return (host) => {
    if (host === undefined) return false;
    const name = nameOf(host.toLowerCase());
    return names.has(name) || (anyAddress && isIP(name.replace(/^\[|\]$/g, "")) !== 0);
  };
}

function nameOf(host: string): string {
  return host.replace(/:\d*$/, "");
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
