import { randomUUID } from "node:crypto";
import { webhooksMax } from "#lib/contract/bounds.ts";
import { ApiError, invalidField, notFound } from "#lib/contract/error.ts";
import type {
  CreateWebhookEndpoint,
  UpdateWebhookEndpoint,
  WebhookConfigRequest,
  WebhookConfigResponse,
  WebhookEndpoint,
  WebhookEvent,
  WebhookTestRequest,
  WebhookTestResult,
} from "#lib/contract/integrations/webhook.ts";
import type { ListEventsQuery } from "#lib/contract/integrations/webhook-operations.ts";
import { webhookEventsDefault } from "#lib/contract/words.ts";
import type { EventFilter } from "#lib/store/webhooks/webhook-events.ts";
import type { WebhookRow, WhichWebhook } from "#lib/store/webhooks/webhooks.ts";
import { webhookSealContext } from "#lib/webhooks/message-body.ts";
import { sendWebhookMessage, unreadableSecret } from "#lib/webhooks/send-message.ts";
import { newWebhookSecret } from "#lib/webhooks/sign.ts";
import { recordAct } from "./audit.ts";
import { requireMatch } from "./if-match.ts";
import { presentRun, viewOf } from "./present-run.ts";
import { Tagged } from "./reply.ts";
import type { OrganizationContext } from "./service-context.ts";

/** How long the previous secret signs too. */
const previousSecretMs = 24 * 3_600_000;

/** The organization's default webhook. */
export async function getWebhook(context: OrganizationContext): Promise<WebhookConfigResponse> {
  return present(await context.store.webhooks.find(context.access), context);
}

/** A webhook with its new secret, which only this response has: its ETag is that of a read. */
function withSecret(shown: WebhookConfigResponse | WebhookEndpoint, secret: string | null): Tagged {
  return new Tagged({ ...shown, secret }, shown);
}

/** Requested settings. A field left out keeps its value, or gets its default in a new webhook. */
type WebhookInput = Partial<Omit<WebhookConfigRequest, "events">> & {
  events?: readonly WebhookEvent[] | null;
  description?: string | null;
};

/** Creates or changes it; `secret` is the generated one, or null. 400 for an address this installation does not call. */
async function save(
  context: OrganizationContext,
  store: OrganizationContext["store"],
  { before, which, asked }: { before: WebhookRow | null; which: WhichWebhook; asked: WebhookInput },
): Promise<{ row: WebhookRow; secret: string | null }> {
  const url = asked.url ?? before?.url ?? "";
  if (asked.url !== undefined) refuseAddress(context, url);
  const key = before?.key ?? randomUUID();
  const made = asked.rotate_secret || (before === null && asked.secret == null) ? newWebhookSecret() : null;
  // The secret that it has already: nothing changes, and the previous one goes on.
  const isSame = before !== null && asked.secret != null && hasSecret(context, before, asked.secret);
  const given = made ?? (isSame ? null : (asked.secret ?? null));
  const sealed = given === null ? null : context.seal.seal(given, contextOf(context, key));
  // A change turns on again a webhook that was turned off after a 410.
  const enabled = asked.enabled ?? (before === null || before.enabled || before.disabledReason !== null);
  const row = await store.webhooks.save(
    context.access,
    {
      ...{ url, key, enabled, events: asked.events ?? before?.events ?? webhookEventsDefault },
      ...(asked.description !== undefined && { description: asked.description }),
      ...(sealed === null && before !== null
        ? { secret: before.secret, previousSecret: before.previousSecret, previousUntil: before.previousUntil }
        : { secret: sealed ?? "", ...previousOf(context, before) }),
    },
    which,
  );
  await recordAct(store, context, {
    act: "webhook.changed",
    object: { type: "webhook", id: row.id, name: new URL(row.url).host },
    details: { enabled: row.enabled, events: row.events, secret_changed: sealed !== null },
  });
  return { row, secret: made };
}

async function remove(context: OrganizationContext, store: OrganizationContext["store"], { id, url }: WebhookRow) {
  await store.webhooks.remove(context.access, id);
  await recordAct(store, context, { act: "webhook.removed", object: { type: "webhook", id, name: new URL(url).host } });
}

/** Creates or changes the default one; only this response contains a generated secret. 400 for a refused address, 412. */
export async function setWebhook(
  context: OrganizationContext,
  { body: asked }: { body: WebhookConfigRequest },
): Promise<Tagged> {
  return await context.store.transaction(async (store) => {
    const before = await store.webhooks.find(context.access);
    await requireMatch(context, () => present(before, context));
    const { row, secret } = await save(context, store, { before, which: "default", asked });
    return withSecret(present(row, context), secret);
  });
}

/** Deletes the default one with its secret. */
export async function deleteWebhook(context: OrganizationContext): Promise<WebhookConfigResponse> {
  return await context.store.transaction(async (store) => {
    const before = await store.webhooks.find(context.access);
    await requireMatch(context, () => present(before, context));
    if (before !== null) await remove(context, store, before);
    return present(null, context);
  });
}

type OfEndpoint = { params: { endpoint_id: number } };

/** All webhooks of the organization. */
export async function listWebhookEndpoints(context: OrganizationContext): Promise<{ items: WebhookEndpoint[] }> {
  return { items: (await context.store.webhooks.list(context.access)).map((row) => presentEndpoint(row, context)) };
}

/** Adds one. 400 for a refused address, 409 if there are already `webhooksMax` besides the default one. */
export async function createWebhookEndpoint(
  context: OrganizationContext,
  { body }: { body: CreateWebhookEndpoint },
): Promise<WebhookEndpoint & { secret: string | null }> {
  return await context.store.transaction(async (store) => {
    const others = (await store.webhooks.list(context.access)).filter(({ isDefault }) => !isDefault);
    if (others.length >= webhooksMax) {
      const detail = `An organization has at most ${webhooksMax} webhooks besides the default one: delete one first.`;
      throw new ApiError("conflict", detail);
    }
    const { row, secret } = await save(context, store, { before: null, which: "new", asked: body });
    return { ...presentEndpoint(row, context), secret };
  });
}

/** One of the organization's webhooks, or 404. */
export async function getWebhookEndpoint(
  context: OrganizationContext,
  { params }: OfEndpoint,
): Promise<WebhookEndpoint> {
  return presentEndpoint(await findEndpoint(context, context.store, params.endpoint_id), context);
}

/** Changes one; only this response contains a generated secret. 400 for a refused address, 404, 412. */
export async function updateWebhookEndpoint(
  context: OrganizationContext,
  { params, body }: OfEndpoint & { body: UpdateWebhookEndpoint },
): Promise<Tagged> {
  return await context.store.transaction(async (store) => {
    const before = await findEndpoint(context, store, params.endpoint_id);
    await requireMatch(context, () => presentEndpoint(before, context));
    const { row, secret } = await save(context, store, { before, which: before.id, asked: body });
    return withSecret(presentEndpoint(row, context), secret);
  });
}

/** Deletes one with its secret. 404, 412. */
export async function deleteWebhookEndpoint(context: OrganizationContext, { params }: OfEndpoint) {
  return await context.store.transaction(async (store) => {
    const before = await findEndpoint(context, store, params.endpoint_id);
    await requireMatch(context, () => presentEndpoint(before, context));
    await remove(context, store, before);
    return { id: before.id };
  });
}

async function findEndpoint(context: OrganizationContext, store: OrganizationContext["store"], id: number) {
  const row = await store.webhooks.find(context.access, id);
  if (row === null) throw notFound("Webhook");
  return row;
}

/** What happened to runs, from the caller's cursor on. */
export async function listEvents(context: OrganizationContext, { query }: { query: ListEventsQuery }) {
  const filter: EventFilter = { after: query.after === undefined ? null : Number(query.after) };
  if (query.type !== undefined) filter.types = query.type;
  if (query.agent_run_id !== undefined) filter.runId = query.agent_run_id;
  const { items, hasMore, last, missed } = await context.store.events.list(context.access, filter, query.limit);
  const view = viewOf(context);
  return {
    items: items.map(({ id, messageId, type, createdAt, run }) => {
      return { id, webhook_id: messageId, type, timestamp: createdAt, data: presentRun(run, view) };
    }),
    cursor: String(last),
    has_more: hasMore,
    missed,
  };
}

/** Sends one test and waits for the response. 400 for an address this installation does not call, 404 for an unknown `endpoint_id`. */
export async function testWebhook(
  context: OrganizationContext,
  { body }: { body: WebhookTestRequest },
): Promise<WebhookTestResult> {
  refuseAddress(context, body.url);
  const { endpoint_id } = body;
  const row =
    endpoint_id === undefined
      ? await context.store.webhooks.find(context.access)
      : await findEndpoint(context, context.store, endpoint_id);
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

function hasSecret(context: OrganizationContext, row: WebhookRow, secret: string): boolean {
  return context.seal.canUnseal(row.secret, contextOf(context, row.key)) && ownSecrets(context, row)[0] === secret;
}

function contextOf({ access }: OrganizationContext, key: string): string {
  return webhookSealContext(access.organizationId, key);
}

function presentEndpoint(row: WebhookRow, context: OrganizationContext): WebhookEndpoint {
  const { has_secret: _, ...shown } = present(row, context);
  const { id, url, description, isDefault, createdAt } = row;
  return { id, ...shown, url, description, is_default: isDefault, created_at: createdAt };
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
