import type { IntegrationRow } from "#lib/store/integrations/integrations.ts";
import type { Store } from "#lib/store/store.ts";
import { addressOf, adviceOf, type IntegrationParts, openIntegration } from "./open-integration.ts";
import { findPullTarget } from "./pull-target.ts";

/** Credential for git. `hint`: what to do if the host does not accept it; `base`: the host's address. */
export type GitAuthorization = { header: string; hint: string; base?: string };

/**
 * Authorization header with which git may read and write this remote: the token of the integration whose host it is on. Null for
 * other remotes, for those not reached by http, and for an address that contains a user name. The token goes to no other origin.
 * `refused`: the header that the host has just refused; an App's token gets a successor. Throws a HostError.
 */
export async function findGitAuthorization(
  integrations: readonly IntegrationRow[],
  source: string,
  parts: IntegrationParts,
  signal: AbortSignal,
  refused?: string,
): Promise<GitAuthorization | null> {
  const remote = /^https?:\/\//i.test(source) ? URL.parse(source) : null;
  if (remote === null || remote.username !== "" || remote.password !== "") return null;
  const target = findPullTarget(integrations, source);
  const row = target.kind === "host" ? target.integration : null;
  if (row === null) return null;
  const opened = openIntegration(row, parts);
  if (opened.kind !== "host") return null;
  const before = refused === undefined ? "" : Buffer.from(refused.replace(/^Basic /, ""), "base64").toString();
  const token = await opened.host.gitToken(signal, before.slice(userName.length + 1));
  const hint = opened.host.unauthorizedHint ?? "Enter a new token under Integrations.";
  const header = `Basic ${Buffer.from(`${userName}:${token}`).toString("base64")}`;
  return { header, hint, base: addressOf(row) };
}

/** Each host takes a token as the password; GitHub Apps need this user name, the others ignore it. */
const userName = "x-access-token";

/** Whether these words of git say that the remote did not accept the credential. */
export function isUnauthorized(words: string): boolean {
  return /returned error: 401|Authentication failed|could not read (?:Username|Password)/i.test(words);
}

/**
 * Pushes with the integration's credential, and once more with its successor if the host has ended it. Throws a HostError, and
 * what the push throws.
 */
export async function pushAuthorized<Outcome extends { reason: string | null }>(
  find: (refused?: string) => Promise<GitAuthorization | null>,
  push: (header: string | null) => Promise<Outcome>,
): Promise<{ outcome: Outcome; authorization: GitAuthorization | null }> {
  const first = await find();
  const isRefused = (words: string | null) => first !== null && words !== null && isUnauthorized(words);
  const known = await push(first?.header ?? null).then(
    (outcome) => ({ outcome, isRefused: isRefused(outcome.reason) }),
    (error: unknown) => ({ error, isRefused: error instanceof Error && isRefused(error.message) }),
  );
  const second = known.isRefused ? await find(first?.header) : first;
  if (second !== null && second.header !== first?.header) {
    return { outcome: await push(second.header), authorization: second };
  }
  if ("error" in known) throw known.error;
  return { outcome: known.outcome, authorization: first };
}

/**
 * Credential with which an organization reads a private source: the header's value, or why there is none, as a sentence that may
 * be shown. Looked up each time, so that a new token, or a disconnected host, takes effect with the next read. `refused`: see
 * {@link findGitAuthorization}.
 */
export function sourceCredentialsFrom(store: Pick<Store, "integrations">, parts: IntegrationParts) {
  return async (
    organizationId: number,
    source: string,
    signal: AbortSignal,
    refused?: string,
  ): Promise<GitAuthorization | { lacks: string }> => {
    const integrations = await store.integrations.list({ organizationId, userId: null });
    try {
      const found = await findGitAuthorization(integrations, source, parts, signal, refused);
      return found ?? { lacks: "Connect its code host under Integrations." };
    } catch (error) {
      signal.throwIfAborted();
      return { lacks: adviceOf(error) };
    }
  };
}
