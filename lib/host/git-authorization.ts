import type { IntegrationRow } from "#lib/store/integrations.ts";
import type { Store } from "#lib/store/store.ts";
import { failureOf, type IntegrationParts, openIntegration } from "./open-integration.ts";
import { findPullTarget } from "./pull-target.ts";

/**
 * Authorization header with which git may read and write this remote: the token of the integration whose host it is on. Null for
 * other remotes, for those not reached by http, and for an address that contains a user name. The token goes to no other origin.
 * Throws a HostError.
 */
export async function findGitAuthorization(
  integrations: readonly IntegrationRow[],
  source: string,
  parts: IntegrationParts,
  signal: AbortSignal,
): Promise<string | null> {
  const remote = /^https?:\/\//i.test(source) ? URL.parse(source) : null;
  if (remote === null || remote.username !== "" || remote.password !== "") return null;
  const target = findPullTarget(integrations, source);
  const row = target.kind === "host" ? target.integration : null;
  if (row === null) return null;
  const opened = openIntegration(row, parts);
  if (opened.kind !== "host") return null;
  // Each host takes a token as the password; GitHub Apps need this user name, the others ignore it.
  const pair = `x-access-token:${await opened.host.gitToken(signal)}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}

/**
 * Credential with which an organization reads a private source: the header's value, or why there is none, as a sentence that may
 * be shown. Looked up each time, so that a new token, or a disconnected host, takes effect with the next read.
 */
export function sourceCredentialsFrom(store: Pick<Store, "integrations">, parts: IntegrationParts) {
  return async (
    organizationId: number,
    source: string,
    signal: AbortSignal,
  ): Promise<{ header: string } | { lacks: string }> => {
    const integrations = await store.integrations.list({ organizationId, userId: null });
    try {
      const header = await findGitAuthorization(integrations, source, parts, signal);
      return header === null ? { lacks: "Connect its code host under Integrations." } : { header };
    } catch (error) {
      signal.throwIfAborted();
      return { lacks: failureOf(error) };
    }
  };
}
