import type { AgentProfile } from "#lib/agents/agent.ts";
import { agentEnvironment } from "#lib/agents/environment.ts";
import { readKeyHost } from "#lib/egress/keys.ts";
import { resolveTarget, targetText } from "#lib/egress/resolve.ts";
import { addressOf } from "./key-settings.ts";
import type { NetworkParts } from "./run-network.ts";

/**
 * Why an agent could not reach its models behind the wall: the service's environment names an address for them in a private
 * network that the instance's owner does not permit. A sentence; null if no obstacle is known.
 */
export async function findOutOfReach(
  profile: Pick<AgentProfile, "keys" | "env" | "modeEnv" | "passEnv" | "homeVariable">,
  { permitted, environment, find }: Pick<NetworkParts, "permitted" | "environment" | "find">,
): Promise<string | null> {
  const own = agentEnvironment(environment, profile, null);
  const named = new Set(profile.keys.flatMap((use) => addressOf(use, own) ?? []));
  for (const address of named) {
    const url = URL.parse(address);
    if (url === null || !/^https?:$/.test(url.protocol)) continue;
    const pair = `${url.hostname}:${url.port || (url.protocol === "http:" ? 80 : 443)}`;
    const words = `The wall lets it reach ${url.origin} only with ERRAND_EGRESS_PRIVATE=${pair}.`;
    const host = readKeyHost(`${url.protocol === "http:" ? "http://" : ""}${url.host}`, permitted);
    if (host === null) return words;
    if (permitted.has(targetText(host.target))) continue;
    const found = await resolveTarget(host.target, permitted, find);
    if ("denied" in found && found.denied === "private") return words;
  }
  return null;
}
