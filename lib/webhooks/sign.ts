import { createHmac, randomBytes } from "node:crypto";
import { isStandardSecret, webhookSecretPrefix } from "#lib/contract/integrations/webhook.ts";

/** A new secret in Standard Webhooks' format: `whsec_` and 32 random bytes in base64. */
export function newWebhookSecret(): string {
  return `${webhookSecretPrefix}${randomBytes(32).toString("base64")}`;
}

/**
 * The header `webhook-signature` of Standard Webhooks: for each secret `v1,` and HMAC-SHA256 of `id.seconds.body`, separated by
 * spaces. `whsec_…` with base64 of the right length is decoded, any other secret is the key itself.
 */
export function webhookSignature(secrets: readonly string[], id: string, seconds: number, body: string): string {
  return secrets
    .map((secret) => createHmac("sha256", keyOf(secret)).update(`${id}.${seconds}.${body}`).digest("base64"))
    .map((signature) => `v1,${signature}`)
    .join(" ");
}

function keyOf(secret: string): Buffer {
  if (!isStandardSecret(secret)) return Buffer.from(secret, "utf8");
  return Buffer.from(secret.slice(webhookSecretPrefix.length), "base64");
}
