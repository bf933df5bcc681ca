import type { PullTarget } from "#lib/contract/repositories/pull-settings.ts";
import { integrationAddresses, integrationTitles } from "#lib/contract/words.ts";
import { isFolderSource } from "#lib/shown-source.ts";
import type { IntegrationRow } from "#lib/store/integrations/integrations.ts";
import type { HostKind } from "./host.ts";
import { addressOf } from "./open-integration.ts";
import { nameOnHost } from "./remote-name.ts";

/** A code host, and the repository's name there. `integration` is null if the host is not connected. */
export type HostTarget = { kind: "host"; type: HostKind; integration: IntegrationRow | null; fullName: string };

/**
 * Target of a source's pull requests; with the integration and the repository's name on the host, if that is connected.
 * `unclear`: several connected hosts may have it; `why` is a sentence for people.
 */
export type FoundTarget =
  | HostTarget
  | { kind: "unclear"; type: null; among: HostTarget[]; why: string }
  | { kind: "remote" | "folder"; type: null };

const hostKinds: readonly HostKind[] = ["github", "gitlab", "forgejo"];

/**
 * Finds the target by the source's address: the host of an integration, or a public host that is not connected. This alone decides
 * which host a repository is on. `known`: the integration that it was found on before, which decides if the address does not.
 */
export function findPullTarget(
  integrations: readonly IntegrationRow[],
  source: string,
  known: number | null = null,
): FoundTarget {
  if (isFolderSource(source)) return { kind: "folder", type: null };
  const found = hostKinds.flatMap((type) => {
    const integration = integrations.find((row) => row.type === type && row.secretSealed !== null) ?? null;
    const baseUrl = integration === null ? integrationAddresses[type] : addressOf(integration);
    const fullName = nameOnHost(source, { baseUrl, type });
    return fullName === null ? [] : [{ kind: "host" as const, type, integration, fullName }];
  });
  const connected = found.filter(({ integration }) => integration !== null);
  const rivals = connected.length > 0 ? connected : found;
  // Of hosts below each other on one server, the name on the inner one is shorter. Over ssh all names are equal.
  const shortest = Math.min(...rivals.map(({ fullName }) => fullName.length));
  const among = rivals.filter(({ fullName }) => fullName.length === shortest);
  const target = among.length === 1 ? among[0] : among.find(({ integration }) => integration?.id === known);
  if (target !== undefined) return target;
  if (among.length === 0) return { kind: "remote", type: null };
  const titles = among.map(({ type }) => integrationTitles[type]).join(" and ");
  const why = `${titles} are connected, and the repository's address may be on each of them. Add the repository again with its http address.`;
  return { kind: "unclear", type: null, among, why };
}

/** {@link findPullTarget} as the contract shows it. */
export function presentTarget(target: FoundTarget): PullTarget {
  const integration = target.kind === "host" ? target.integration : null;
  return {
    kind: target.kind,
    type: target.type,
    connected: integration !== null,
    account: integration?.account ?? null,
    account_kind: integration?.accountKind ?? null,
  };
}
