import type { PullTarget } from "#lib/contract/pull-settings.ts";
import { integrationAddresses } from "#lib/contract/words.ts";
import { isFolderSource } from "#lib/shown-source.ts";
import type { IntegrationRow } from "#lib/store/integrations.ts";
import type { HostKind } from "./host.ts";
import { placeOfRemote } from "./host.ts";
import { addressOf } from "./open-integration.ts";

/** Target of a source's pull requests; with the integration and the repository's name on the host, if that is connected. */
export type FoundTarget =
  | { kind: "host"; type: HostKind; integration: IntegrationRow; fullName: string }
  | { kind: "host"; type: HostKind; integration: null; fullName: string }
  | { kind: "remote" | "folder"; type: null };

const hostKinds: readonly HostKind[] = ["github", "gitlab", "forgejo"];

/** Finds the target by the source's address: the host of an integration, or a public host that is not connected. */
export function findPullTarget(integrations: readonly IntegrationRow[], source: string): FoundTarget {
  if (isFolderSource(source)) return { kind: "folder", type: null };
  const place = placeOfRemote(source);
  if (place === null) return { kind: "remote", type: null };
  for (const type of hostKinds) {
    const integration = integrations.find((row) => row.type === type && row.secretSealed !== null) ?? null;
    const fullName = nameAt(integration === null ? integrationAddresses[type] : addressOf(integration), place);
    if (fullName !== null) return { kind: "host", type, integration, fullName };
  }
  return { kind: "remote", type: null };
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

/** The repository's name on the host at this address; null if it is on another. */
function nameAt(baseUrl: string, place: { host: string; fullName: string }): string | null {
  const base = URL.parse(baseUrl);
  const host = base?.hostname.toLowerCase();
  // GitHub and others serve ssh under a separate name on port 443.
  if (base === null || host === undefined || (place.host !== host && place.host !== `ssh.${host}`)) return null;
  // A host may be served below a path, which its https remotes have too.
  const prefix = base.pathname.replace(/^\/+|\/+$/g, "").toLowerCase();
  const isBelow = prefix !== "" && place.fullName.startsWith(`${prefix}/`);
  return isBelow ? place.fullName.slice(prefix.length + 1) : place.fullName;
}
