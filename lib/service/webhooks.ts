import { randomUUID } from "node:crypto";
import { invalidField } from "#lib/contract/error.ts";
import type {
  WebhookConfigRequest,
  WebhookConfigResponse,
  WebhookTestRequest,
  WebhookTestResult,
} from "#lib/contract/integrations/webhook.ts";
import { webhookEventsDefault } from "#lib/contract/words.ts";
import type { WebhookRow } from "#lib/store/webhooks/webhooks.ts";
import { webhookSealContext } from "#lib/webhooks/message-body.ts";
import { sendWebhookMessage, unreadableSecret } from "#lib/webhooks/send-message.ts";
import { newWebhookSecret } from "#lib/webhooks/sign.ts";
import { recordAct } from "./audit.ts";
import { requireMatch } from "./if-match.ts";
import type { OrganizationContext } from "./service-context.ts";

/** How long the previous secret signs too. */
const previousSecretMs = 24 * 3_600_000;

/** The organization's webhook. */
export async function getWebhook(context: OrganizationContext): Promise<WebhookConfigResponse> {
  return present(await context.store.webhooks.find(context.access), context);
}

/**
 * Creates or changes it; only this response contains a generated secret. 400 for an address this installation does not
 * call.
 */
export async function setWebhook(
  context: OrganizationContext,
  { body }: { body: WebhookConfigRequest },
): Promise<WebhookConfigResponse & { secret: string | null }> {
  refuseAddress(context, body.url);
  return await context.store.transaction(async (store) => {
    const before = await store.webhooks.find(context.access);
    await requireMatch(context, () => present(before, context));
    const key = before?.key ?? randomUUID();
    const made = body.rotate_secret || (before === null && body.secret == null) ? newWebhookSecret() : null;
    const given = made ?? body.secret ?? null;
    const sealed = given === null ? null : context.seal.seal(given, contextOf(context, key));
    const row = await store.webhooks.save(context.access, {
      url: body.url,
      key,
      events: body.events ?? before?.events ?? webhookEventsDefault,
      enabled: body.enabled,
      ...(sealed === null && before !== null
        ? { secret: before.secret, previousSecret: before.previousSecret, previousUntil: before.previousUntil }
        : { secret: sealed ?? "", ...previousOf(context, before) }),
    });
    await recordAct(store, context, {
      act: "webhook.changed",
      object: { type: "webhook", id: row.id, name: new URL(row.url).host },
      details: { enabled: row.enabled, events: row.events, secret_changed: sealed !== null },
    });
    return { ...present(row, context), secret: made };
  });
}

/** Deletes it with its secret. */
export async function deleteWebhook(context: OrganizationContext): Promise<WebhookConfigResponse> {
  return await context.store.transaction(async (store) => {
    const before = await store.webhooks.find(context.access);
    await requireMatch(context, () => present(before, context));
    if (before !== null) {
      await store.webhooks.remove(context.access);
      await recordAct(store, context, {
        act: "webhook.removed",
        object: { type: "webhook", id: before.id, name: new URL(before.url).host },
      });
    }
    return present(null, context);
  });
}

/** Sends one test and waits for the response. 400 for an address this installation does not call. */
export async function testWebhook(
  context: OrganizationContext,
  { body }: { body: WebhookTestRequest },
): Promise<WebhookTestResult> {
  refuseAddress(context, body.url);
  const row = await context.store.webhooks.find(context.access);
  const asksOwn = body.secret == null && row !== null;
  const isLost = asksOwn && !context.seal.canUnseal(row.secret, contextOf(context, row.key));
  await context.store.transaction((store) =>
    recordAct(store, context, {
      act: "webhook.tested",
      object: { type: "webhook", ...(row !== null && { id: row.id }), name: new URL(body.url).host },
    }),
  );
  if (isLost) {
    return { delivered: false, signed: false, status: null, answer: null, error: unreadableSecret, duration_ms: 0 };
  }
  const secrets = asksOwn ? ownSecrets(context, row) : body.secret == null ? [] : [body.secret];
  const startedMs = performance.now();
  const now = context.now();
  const text = JSON.stringify({
    type: "webhook.test",
    timestamp: now.toISOString(),
    data: { organization_id: context.access.organizationId, message: "A test from Errand, not about a real run." },
  });
  const id = `msg_test_${randomUUID().replaceAll("-", "")}`;
  const message = { url: body.url, id, body: text, secrets, late: false };
  const { kind, status, answer, error } = await sendWebhookMessage(
    context.outbound,
    message,
    now.getTime(),
    context.signal,
  );
  return {
    delivered: kind === "delivered",
    signed: secrets.length > 0,
    status,
    answer,
    error,
    duration_ms: Math.round(performance.now() - startedMs),
  };
}

function refuseAddress({ outbound }: OrganizationContext, url: string): void {
  const refusal = outbound.refusalOf(url);
  if (refusal !== null) throw invalidField(["url"], refusal);
}

function previousOf({ now }: OrganizationContext, before: WebhookRow | null) {
  if (before === null) return { previousSecret: null, previousUntil: null };
  const until = new Date(now().getTime() + previousSecretMs).toISOString();
  return { previousSecret: before.secret, previousUntil: until };
}

function ownSecrets(context: OrganizationContext, row: WebhookRow): string[] {
  return [context.seal.unseal(row.secret, contextOf(context, row.key))];
}

function contextOf({ access }: OrganizationContext, key: string): string {
  return webhookSealContext(access.organizationId, key);
}

function present(row: WebhookRow | null, { now }: OrganizationContext): WebhookConfigResponse {
  if (row === null) {
    return {
      url: null,
      enabled: false,
      has_secret: false,
      events: [...webhookEventsDefault],
      disabled_reason: null,
      disabled_at: null,
      previous_secret_until: null,
    };
  }
  const until = row.previousUntil;
  return {
    url: row.url,
    enabled: row.enabled,
    has_secret: true,
    events: [...row.events],
    disabled_reason: row.disabledReason,
    disabled_at: row.disabledAt,
    previous_secret_until: until !== null && until > now().toISOString() ? until : null,
  };
}
