import { randomUUID } from "node:crypto";
import { invalidField } from "#lib/contract/error.ts";
import type { RunWebhook, WebhookOverride } from "#lib/contract/integrations/webhook.ts";
import { webhookEventsDefault } from "#lib/contract/words.ts";
import type { NewRunWebhook } from "#lib/store/webhooks/webhooks.ts";
import { webhookSealContext } from "#lib/webhooks/message-body.ts";
import { newWebhookSecret } from "#lib/webhooks/sign.ts";
import type { OrganizationContext } from "./service-context.ts";

/** Webhooks of a new run or turn: for the store, and as the response shows them. */
export type GivenWebhooks = { rows: NewRunWebhook[]; shown: RunWebhook[] };

/**
 * Checks the addresses, generates missing secrets and encrypts them all. 400 for an address this installation does not
 * call.
 */
export function prepareRunWebhooks(
  context: OrganizationContext,
  overrides: readonly WebhookOverride[] | null | undefined,
): GivenWebhooks {
  const given: GivenWebhooks = { rows: [], shown: [] };
  for (const [index, { url, secret, events }] of (overrides ?? []).entries()) {
    const refusal = context.outbound.refusalOf(url);
    if (refusal !== null) throw invalidField(["webhooks", index, "url"], refusal);
    const made = secret == null ? newWebhookSecret() : null;
    const key = randomUUID();
    const sealed = context.seal.seal(secret ?? made ?? "", webhookSealContext(context.access.organizationId, key));
    const heard = events ?? [...webhookEventsDefault];
    given.rows.push({ url, key, secret: sealed, events: heard });
    given.shown.push({ url, events: heard, secret: made });
  }
  return given;
}

/** Response for a new run or turn: with its webhooks if it was given some. */
export function withWebhooks<T extends object>(run: T, { shown }: GivenWebhooks): T {
  return shown.length === 0 ? run : { ...run, webhooks: shown };
}
