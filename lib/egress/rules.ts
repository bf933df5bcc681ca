import { isIP } from "node:net";
import type { DenialRule, NetworkMode } from "#lib/contract/repositories/network.ts";
import {
  classOf,
  type PermittedPairs,
  readHost,
  readTarget,
  readWrittenHost,
  type Target,
  targetText,
} from "./resolve.ts";

/** An allowed host: a name, `*.` and a name for all its subdomains, or an address. Port null: 80 and 443. */
export type EgressRule = { host: string; port: number | null };

const webPorts = [80, 443];

/** Package registries that agents may always reach when hosts must be allowed. */
export const registryRules: readonly EgressRule[] = [
  // npm, and the headers that native packages are built with
  "registry.npmjs.org",
  "registry.yarnpkg.com",
  "nodejs.org",
  // Python
  "pypi.org",
  "files.pythonhosted.org",
  // Rust
  "crates.io",
  "index.crates.io",
  "static.crates.io",
  "static.rust-lang.org",
  // Go
  "proxy.golang.org",
  "sum.golang.org",
  // Maven and Gradle
  "repo.maven.apache.org",
  "repo1.maven.org",
  "plugins.gradle.org",
  "services.gradle.org",
  // Ruby
  "rubygems.org",
  "index.rubygems.org",
].map((host) => ({ host, port: 443 }));

/** The rules for a run's connections. */
export type EgressRules = { mode: NetworkMode; rules: readonly EgressRule[]; permitted: PermittedPairs };

/** Why a target may not be reached, by its name and port; null if its addresses must be checked. */
export function refusalOf({ mode, rules, permitted }: EgressRules, target: Target): DenialRule | null {
  if (mode === "off") return "network_off";
  if (permitted.has(targetText(target))) return null;
  const ofHost = rules.filter(({ host }) => isCovered(host, target.host));
  if (ofHost.some(({ port }) => (port === null ? webPorts.includes(target.port) : port === target.port))) return null;
  if (mode === "open") return webPorts.includes(target.port) ? null : "port_not_allowed";
  return ofHost.length === 0 ? "host_not_allowed" : "port_not_allowed";
}

/** Whether the host is the one of a rule, or below it for one with `*.`. */
export function isCovered(pattern: string, host: string): boolean {
  return pattern.startsWith("*.") ? host.endsWith(pattern.slice(1)) : host === pattern;
}

/** The rule for the host of an address like `https://api.example.com/v1` or `git@example.com:a/b`; null if it has no host. */
export function ruleOfAddress(address: string): EgressRule | null {
  const url = URL.parse(address);
  if (url !== null && /^https?:$/.test(url.protocol)) {
    return readTarget(url.host, url.protocol === "https:" ? 443 : 80);
  }
  // Git over ssh does not go through the proxy; its host is most often reached by https too.
  const [, name = ""] = /^(?:(?:ssh|git):\/\/)?(?:[^@/\s]+@)?(\w[\w.-]*)(?::(?!\/\/)|\/)/.exec(address) ?? [];
  const host = readHost(name);
  return host === null ? null : { host, port: 443 };
}

/** The host of a rule in normal form, or what is wrong with it, as in "must be …". */
export function readRuleHost(text: string): { host: string } | { wrong: string } {
  const isPrefix = text.startsWith("*.");
  const host = readWrittenHost(isPrefix ? text.slice(2) : text);
  if (host === null || (isPrefix && isIP(host) !== 0)) {
    const name = "a host name (at most 63 characters between dots, 253 in all)";
    return { wrong: `must be ${name}, *. and a host name, or a whole public IP address` };
  }
  if (isIP(host) !== 0) {
    return classOf(host) === "public" ? { host } : { wrong: "must not be an address of a private network" };
  }
  if (/(?:^|\.)localhost$/.test(host)) return { wrong: "must not be this machine" };
  if (isPrefix && !host.includes(".")) return { wrong: "must have at least two parts after *., as in *.example.com" };
  return { host: isPrefix ? `*.${host}` : host };
}
