import type { WebhookEvent } from "#lib/contract/integrations/webhook.ts";
import type { Fixture } from "#lib/store/conformance.fixture.ts";
import type { DeliveryReport } from "./delivery-store.ts";
import type { NewRunWebhook } from "./webhooks.ts";

/** Every delivery. */
export const all = { skip: 0, limit: 100 };
export const everyEvent: WebhookEvent[] = ["run.started", "run.waiting", "run.finished"];
/** In milliseconds. */
export const minute = 60_000;

/** A webhook as saved. */
export const plain = {
  url: "https://hooks.example/a",
  key: "key-a",
  secret: "sealed-a",
  events: everyEvent,
  enabled: true,
  previousSecret: null,
  previousUntil: null,
};
/** A webhook as given with a run. */
export const given = (name: string, events: WebhookEvent[] = everyEvent): NewRunWebhook => ({
  url: `https://hooks.example/${name}`,
  key: `key-${name}`,
  secret: `sealed-${name}`,
  events,
});

export const delivered: DeliveryReport = { kind: "delivered", status: 200, answer: "ok", error: null };
export const failed = (retryAt: string | null): DeliveryReport => ({
  kind: "failed",
  status: 500,
  answer: "no",
  error: "The target answered 500.",
  retryAt,
});

/** The fixture's clock, in milliseconds after its start. */
export function instant(ms: number): string {
  return new Date(Date.parse("2026-01-31T12:00:00.000Z") + ms).toISOString();
}

/** Delivers everything due, in the order in which it may be sent. */
export async function drain({ store }: Fixture) {
  const heard = [];
  for (;;) {
    const claimed = await store.deliveries.claim("engine", 5000, []);
    if (claimed === null) return heard;
    heard.push(claimed);
    await store.deliveries.report(claimed, delivered);
  }
}

/** The one delivery that there is. */
export async function only({ store, access }: Fixture) {
  const { items } = await store.deliveries.list(access, {}, all);
  const [row] = items;
  if (row === undefined || items.length > 1) throw new Error(`${items.length} deliveries`);
  return row;
}
