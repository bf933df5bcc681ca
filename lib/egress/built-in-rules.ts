import { type EgressRule, registryRules, ruleOfAddress } from "./rules.ts";

/** Hosts that runs may reach without a rule: package registries and the hosts of the repositories. */
export function builtInRules(sources: readonly string[]): EgressRule[] {
  const hosts = new Map<string, EgressRule>();
  for (const source of sources) {
    const rule = ruleOfAddress(source);
    if (rule !== null) hosts.set(`${rule.host}:${rule.port}`, rule);
  }
  return [...registryRules, ...hosts.values()];
}
