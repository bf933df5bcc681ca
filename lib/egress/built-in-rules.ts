import { type EgressRule, registryRules, ruleOfAddress } from "./rules.ts";

/** What runs may reach without a rule: package registries and the hosts of the repositories, given where these come from. */
export function builtInRules(sources: readonly string[]): EgressRule[] {
  const hosts = new Map<string, EgressRule>();
  for (const source of sources) {
    const rule = ruleOfAddress(source);
    if (rule !== null) hosts.set(`${rule.host}:${rule.port}`, rule);
  }
  return [...registryRules, ...hosts.values()];
}
