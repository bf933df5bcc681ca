import type { Host } from "#lib/host/host.ts";
import { openIntegration } from "#lib/host/open-integration.ts";
import { findPullTarget } from "#lib/host/pull-target.ts";
import type { IntegrationRow } from "#lib/store/integrations/integrations.ts";
import type { PullRow } from "#lib/store/pulls/pull-rows.ts";
import type { RepositoryRow } from "#lib/store/store.ts";
import type { PullParts } from "./parts.ts";

/** Where a pull request goes: a connected host, a remote that only takes the branch, or a host that cannot be used, and why. */
export type Target =
  | { kind: "host"; host: Host; integration: IntegrationRow; fullName: string }
  | { kind: "plain" }
  | { kind: "unusable"; code: string; message: string; hint: string };

/** Opens the host of the repository's source. Throws a HostError. */
export async function openTarget(
  parts: PullParts,
  { organizationId, integrationId }: PullRow,
  { source }: Pick<RepositoryRow, "source">,
): Promise<Target> {
  const integrations = await parts.store.integrations.list({ organizationId, userId: null });
  const found = findPullTarget(integrations, source, integrationId);
  if (found.kind === "unclear") {
    const message = "It is not clear which code host the repository is on.";
    return { kind: "unusable", code: "host_unclear", message, hint: found.why };
  }
  if (found.kind !== "host") return { kind: "plain" };
  if (found.integration === null) {
    const message = "The code host is not connected.";
    return { kind: "unusable", code: "not_connected", message, hint: "Connect it under Integrations." };
  }
  const opened = openIntegration(found.integration, parts);
  if (opened.kind !== "host") return { kind: "plain" };
  return { kind: "host", host: opened.host, integration: found.integration, fullName: found.fullName };
}
