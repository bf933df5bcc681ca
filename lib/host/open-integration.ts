import { z } from "zod";
import { type Linear, openLinear } from "#lib/chat/linear.ts";
import { openSlack, type Slack } from "#lib/chat/slack.ts";
import { integrationAddresses, integrationTitles } from "#lib/contract/words.ts";
import { type Seal, SealError } from "#lib/secrets/seal.ts";
import type { IntegrationCheck, IntegrationRow } from "#lib/store/integrations/integrations.ts";
import { HostError, type Send } from "./call-host.ts";
import type { Host, HostCredential, HostKind } from "./host.ts";
import type { InstallationTokens } from "./installation-tokens.ts";
import { openHost } from "./open-host.ts";

/** The decrypted secret of an integration: JSON of one of these. */
export const IntegrationSecret = z.union([
  z.strictObject({ token: z.string() }),
  z.strictObject({ app_id: z.int(), private_key: z.string() }),
]);
export type IntegrationSecret = z.infer<typeof IntegrationSecret>;

/** Encryption context of an integration's secrets: they cannot be decrypted as another organization's or type's. */
export function sealContextOf(
  { organizationId, type }: Pick<IntegrationRow, "organizationId" | "type">,
  which: "secret" | "hook",
): string {
  return `integration:${organizationId}:${type}:${which}`;
}

/** A connected service, ready to be called. */
export type OpenedIntegration =
  | { kind: "host"; host: Host; hostKind: HostKind }
  | { kind: "slack"; slack: Slack }
  | { kind: "linear"; linear: Linear };

/** Dependencies of calls: decryption, the guarded HTTP client, and reusable tokens, if any. */
export type IntegrationParts = { seal: Seal; send: Send; tokens?: InstallationTokens };

/** Address where people open the service, without a trailing slash. */
export function addressOf({ baseUrl, type }: Pick<IntegrationRow, "baseUrl" | "type">): string {
  return baseUrl ?? integrationAddresses[type];
}

/** Opens an integration's connection. Throws a HostError if there is no usable secret. */
export function openIntegration(row: IntegrationRow, { seal, send, tokens }: IntegrationParts): OpenedIntegration {
  const title = integrationTitles[row.type];
  if (row.secretSealed === null) throw new HostError(`${title} has no secret: enter one.`);
  const secret = IntegrationSecret.parse(JSON.parse(unsealed(row, row.secretSealed, seal)));
  const baseUrl = addressOf(row);
  switch (row.type) {
    case "slack":
      return { kind: "slack", slack: openSlack({ baseUrl, send, token: tokenOf(secret) }) };
    case "linear":
      return { kind: "linear", linear: openLinear({ baseUrl, send, token: tokenOf(secret) }) };
    default: {
      const credential = credentialOf(row, secret);
      return {
        kind: "host",
        hostKind: row.type,
        host: openHost(row.type, { baseUrl, send, credential, ...(tokens === undefined ? {} : { tokens }) }),
      };
    }
  }
}

/** Every member may read the failure; the words of a SealError are for the log. */
function unsealed(row: IntegrationRow, sealed: string, seal: Seal): string {
  try {
    return seal.unseal(sealed, sealContextOf(row, "secret"));
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    throw new HostError(`${integrationTitles[row.type]}'s secret cannot be decrypted: enter it again.`);
  }
}

function tokenOf(secret: IntegrationSecret): string {
  if ("token" in secret) return secret.token;
  throw new HostError("The stored secret is not a token: enter it again.");
}

function credentialOf({ installationId }: IntegrationRow, secret: IntegrationSecret): HostCredential {
  if ("token" in secret) return { kind: "token", token: secret.token };
  if (installationId === null) throw new HostError("The GitHub App has no installation: enter its installation id.");
  return { kind: "app", appId: secret.app_id, privateKey: secret.private_key, installationId };
}

/** Asks the service for the secret's account. Throws only if the signal aborts. */
export async function checkIntegration(
  row: IntegrationRow,
  parts: IntegrationParts,
  signal: AbortSignal,
): Promise<IntegrationCheck> {
  try {
    const opened = openIntegration(row, parts);
    if (opened.kind === "host") {
      const { login, kind, botId } = await opened.host.identity(signal);
      return { active: true, account: login, accountKind: kind, accountId: botId };
    }
    const who = await (opened.kind === "slack" ? opened.slack : opened.linear).identity(signal);
    // Events contain ids: an author is distinguished from the service itself by id.
    return {
      active: true,
      account: `${who.login} (${who.userId})`,
      accountKind: opened.kind === "slack" ? "bot" : "user",
    };
  } catch (error) {
    signal.throwIfAborted();
    return { active: false, error: adviceOf(error) };
  }
}

/** {@link failureOf}, and what to do about it if that is known. */
export function adviceOf(error: unknown): string {
  const hint = error instanceof HostError ? error.hint : null;
  return hint === null ? failureOf(error) : `${failureOf(error)} ${hint}`;
}

/** The failure, as a sentence that may be shown. */
export function failureOf(error: unknown): string {
  if (error instanceof HostError) return error.message;
  // The HTTP client describes the failure in words, with a reason for programs.
  if (error instanceof Error && "reason" in error) return error.message;
  throw error;
}
