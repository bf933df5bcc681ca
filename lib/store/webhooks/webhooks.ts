import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import { z } from "zod";
import { WebhookDisabledReason, WebhookEvent } from "#lib/contract/integrations/webhook.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import { instantOf, instantOrNull, millisecondsOf, type Now } from "#lib/store/instant.ts";
import type { Access } from "#lib/store/runs/access.ts";
import type { Schema } from "#lib/store/schema.ts";

/** A webhook given with a run. Its secret is encrypted; `key` is random and identifies it in the encryption context. */
export type NewRunWebhook = { url: string; key: string; secret: string; events: readonly WebhookEvent[] };

/** One of the organization's webhooks. Secrets are encrypted. */
export type WebhookRow = NewRunWebhook & {
  id: number;
  /** Whether it is the default webhook, which `webhooks/agent-run` reads and changes. */
  isDefault: boolean;
  description: string | null;
  createdAt: string;
  enabled: boolean;
  disabledReason: WebhookDisabledReason | null;
  disabledAt: string | null;
  /** The previous secret, valid until `previousUntil`; null if there is none. */
  previousSecret: string | null;
  previousUntil: string | null;
};

/** What a webhook is changed to. */
export type WebhookChange = Omit<
  WebhookRow,
  "id" | "isDefault" | "description" | "createdAt" | "disabledReason" | "disabledAt"
> & {
  description?: string | null;
};

/** Which of the organization's webhooks: by its id, the default one, or a new one. */
export type WhichWebhook = number | "default" | "new";

/** The organization's webhooks. Those of runs are written with the runs (insert-run.ts, runs.ts). */
export function webhookStore({ writer, reader }: Dialect, now: Now) {
  return {
    /** One of the organization's, or null. */
    async find(
      { organizationId }: Access,
      which: Exclude<WhichWebhook, "new"> = "default",
    ): Promise<WebhookRow | null> {
      return rowOrNull(await one(reader, organizationId, which).executeTakeFirst());
    },

    /** All of the organization's, the oldest first. */
    async list({ organizationId }: Access): Promise<WebhookRow[]> {
      return (await organizationsOwn(reader, organizationId).orderBy("id").execute()).map(webhookRow);
    },

    /**
     * Creates or replaces one; clears the reason it was off. If turned off, its pending deliveries are cancelled. Pending
     * deliveries go to the new address with the new secret.
     */
    save({ organizationId }: Access, webhook: WebhookChange, which: WhichWebhook = "default"): Promise<WebhookRow> {
      return writer.transaction().execute(async (trx) => {
        const nowMs = now();
        const present = which === "new" ? undefined : await one(trx, organizationId, which).executeTakeFirst();
        const { url, key, secret, events, enabled, previousSecret, previousUntil, description } = webhook;
        const values = {
          ...(description !== undefined && { description }),
          url,
          target: targetOf(url),
          key,
          secret,
          events: JSON.stringify(events),
          enabled: enabled ? 1 : 0,
          disabled_reason: null,
          disabled_at: null,
          previous_secret: previousSecret,
          previous_until: previousUntil === null ? null : millisecondsOf(previousUntil),
        };
        if (present === undefined) {
          const owner = { organization_id: organizationId, run_id: null, is_default: which === "default" ? 1 : 0 };
          const made = trx
            .insertInto("webhooks")
            .values({ ...owner, ...values, state: "active", created_at: nowMs })
            .returningAll();
          return webhookRow(await made.executeTakeFirstOrThrow());
        }
        if (!enabled) await cancelPending(trx, present.id, "The webhook was turned off.", nowMs);
        const changed = trx
          .updateTable("webhooks")
          .set(({ eb }) => ({ ...values, revision: eb("revision", "+", 1) }))
          .where("id", "=", present.id)
          .returningAll();
        return webhookRow(await changed.executeTakeFirstOrThrow());
      });
    },

    /** Deletes one with its secrets and cancels its pending deliveries; false if there is none. */
    remove({ organizationId }: Access, which: Exclude<WhichWebhook, "new"> = "default"): Promise<boolean> {
      return writer.transaction().execute(async (trx) => {
        const present = await one(trx, organizationId, which).executeTakeFirst();
        if (present === undefined) return false;
        await trx
          .updateTable("webhooks")
          .set({ state: "deleted", secret: null, previous_secret: null, previous_until: null })
          .where("id", "=", present.id)
          .execute();
        await cancelPending(trx, present.id, "The webhook was deleted.", now());
        return true;
      });
    },
  };
}

/**
 * Gives a run its own webhooks, replacing earlier ones. One with the same address continues, with the new secret and events;
 * pending deliveries of replaced ones are still sent. An empty list changes nothing.
 */
export async function setRunWebhooks(
  trx: Transaction<Schema>,
  run: { organizationId: number; id: number },
  webhooks: readonly NewRunWebhook[],
  nowMs: number,
): Promise<void> {
  if (webhooks.length === 0) return;
  const present = await trx
    .selectFrom("webhooks")
    .select(["id", "url"])
    .where("organization_id", "=", run.organizationId)
    .where("run_id", "=", run.id)
    .where("state", "=", active)
    .execute();
  const urls = new Set(webhooks.map(({ url }) => url));
  for (const { id } of present.filter(({ url }) => !urls.has(url))) {
    await trx.updateTable("webhooks").set({ state: "replaced" }).where("id", "=", id).execute();
  }
  for (const { url, key, secret, events } of webhooks) {
    const values = {
      key,
      secret,
      events: JSON.stringify(events),
      enabled: 1,
      disabled_reason: null,
      disabled_at: null,
    };
    const same = present.find((one) => one.url === url);
    if (same === undefined) {
      await trx
        .insertInto("webhooks")
        .values({
          organization_id: run.organizationId,
          run_id: run.id,
          url,
          target: targetOf(url),
          ...values,
          state: "active",
          created_at: nowMs,
        })
        .execute();
    } else {
      await trx
        .updateTable("webhooks")
        .set(({ eb }) => ({ ...values, revision: eb("revision", "+", 1) }))
        .where("id", "=", same.id)
        .execute();
    }
  }
}

/** Cancels the pending deliveries of a webhook, with the reason. A delivery being sent right now may still arrive. */
export async function cancelPending(
  trx: Transaction<Schema>,
  webhookId: number,
  reason: string,
  nowMs: number,
): Promise<void> {
  await trx
    .updateTable("webhook_deliveries")
    .set({ state: "cancelled", error: reason, ended_at: nowMs })
    .where("webhook_id", "=", webhookId)
    .where("state", "=", pendingState)
    .execute();
}

/** Literals, so that the indexes of active and pending rows are used. */
export const active = sql.lit("active" as const);
export const pendingState = sql.lit("pending" as const);

/** The list of events in a row. */
export const Events = z.array(WebhookEvent);

function organizationsOwn(database: Kysely<Schema>, organizationId: number) {
  return database
    .selectFrom("webhooks")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("run_id", "is", null)
    .where("state", "=", active);
}

function one(database: Kysely<Schema>, organizationId: number, which: number | "default") {
  const own = organizationsOwn(database, organizationId);
  return which === "default" ? own.where("is_default", "=", 1) : own.where("id", "=", which);
}

type Selected = Selectable<Schema["webhooks"]>;

function rowOrNull(row: Selected | undefined): WebhookRow | null {
  return row === undefined ? null : webhookRow(row);
}

function webhookRow(row: Selected): WebhookRow {
  // Only a deleted webhook has no secret, and no such row is selected.
  const { secret } = row;
  if (secret === null) throw new Error(`Webhook ${row.id} has no secret`);
  return {
    id: row.id,
    isDefault: row.is_default === 1,
    description: row.description,
    createdAt: instantOf(row.created_at),
    url: row.url,
    key: row.key,
    secret,
    events: Events.parse(JSON.parse(row.events)),
    enabled: row.enabled === 1,
    disabledReason: row.disabled_reason === null ? null : WebhookDisabledReason.parse(row.disabled_reason),
    disabledAt: instantOrNull(row.disabled_at),
    previousSecret: row.previous_secret,
    previousUntil: instantOrNull(row.previous_until),
  };
}

/** Groups addresses on the same server: by host and port. */
function targetOf(url: string): string {
  return new URL(url).host;
}
