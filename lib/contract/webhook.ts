import { z } from "zod";
import { Instant, Text } from "./text.ts";

/** What happens to a run that a webhook may hear of. */
export const WebhookEvent = z.enum(["run.started", "run.waiting", "run.finished"]);
export type WebhookEvent = z.infer<typeof WebhookEvent>;

/** What a webhook hears of where nothing else is said: the reference service knows the end of a run only. */
export const webhookEventsDefault: readonly WebhookEvent[] = ["run.finished"];

/** For how many days deliveries are kept and can be sent again. */
export const deliveryDays = 30;

/** How long a delivery is tried from its first attempt on, in seconds. */
export const deliveryTriedS = 24 * 3600;

/** Gaps between attempts in seconds, as Standard Webhooks has them; the last attempt is 24 hours after the first. */
export const deliveryGapsS: readonly number[] = [5, 300, 1800, 7200, 18_000, 36_000];

/** How many webhooks one run may have. */
export const runWebhooksMax = 10;

/** The longest address of a webhook. */
export const webhookUrlMax = 2083;

/** What begins a secret that is base64, as Standard Webhooks writes it. */
export const webhookSecretPrefix = "whsec_";

const secretBytesMin = 24;
const secretBytesMax = 64;

const Url = Text(webhookUrlMax)
  .min(1, "must not be empty")
  .refine((text) => isWebAddress(text), "must be an http or https address without a name or password");

const Secret = z
  .string()
  .min(1, "must not be empty")
  .max(256, "must have at most 256 characters")
  .regex(/^[\x21-\x7e]*$/, "must have printable ASCII characters only, no spaces")
  .refine(
    (text) => !text.startsWith(webhookSecretPrefix) || isStandardSecret(text),
    `after ${webhookSecretPrefix} must be base64 of ${secretBytesMin} to ${secretBytesMax} bytes`,
  )
  .describe(
    `Signs what is sent. ${webhookSecretPrefix}… is decoded (base64, ${secretBytesMin} to ${secretBytesMax} bytes), any other text is used as it is`,
  );

const Events = z
  .array(WebhookEvent)
  .min(1, "must name at least one event")
  .max(WebhookEvent.options.length)
  .refine((events) => new Set(events).size === events.length, "must name each event once");

/** A webhook for one run, in place of the organization's. */
export const WebhookOverride = z.object({
  url: Url.describe("Target of the events: an http or https address"),
  secret: Secret.nullish().meta({ description: "Without it one is made, and shown in this answer alone" }),
  events: Events.nullish().meta({ description: "Without it run.finished alone" }),
});
export type WebhookOverride = z.infer<typeof WebhookOverride>;

/** The `webhooks` of a new run or turn; null or an empty list leave the organization's webhook in force. */
export const WebhookOverrides = z
  .array(WebhookOverride)
  .max(runWebhooksMax)
  .refine((hooks) => new Set(hooks.map(({ url }) => url)).size === hooks.length, "must name each address once");

/** What the answer to a new run or turn says of its webhooks. */
export const RunWebhook = z.object({
  url: z.string().describe("Target of the events"),
  events: z.array(WebhookEvent).describe("Events that are sent"),
  secret: z.string().nullable().describe("Only where it was just made; it is not shown again"),
});
export type RunWebhook = z.infer<typeof RunWebhook>;

/** Request body of `POST webhooks/agent-run`. */
export const WebhookConfigRequest = z
  .object({
    url: Url.describe("Target of the events: an http or https address"),
    secret: Secret.nullish().meta({
      description: "Without it the present one stays; where there is none, one is made and shown in this answer alone",
    }),
    enabled: z.boolean().default(true).describe("false keeps it and sends nothing"),
    events: Events.nullish().meta({ description: "Without it they stay as they are; for a new webhook run.finished" }),
    rotate_secret: z
      .boolean()
      .default(false)
      .describe("Makes a new secret. For 24 hours each delivery is signed with both, the new one first"),
  })
  .refine(({ secret, rotate_secret }) => !rotate_secret || secret == null, {
    path: ["rotate_secret"],
    message: "cannot be combined with secret",
  });
export type WebhookConfigRequest = z.infer<typeof WebhookConfigRequest>;

/** Why a webhook is off although nobody turned it off: `gone` = its target answered 410. */
export const WebhookDisabledReason = z.enum(["gone"]);
export type WebhookDisabledReason = z.infer<typeof WebhookDisabledReason>;

/** The organization's webhook; `url` is null where there is none. */
export const WebhookConfigResponse = z.object({
  url: z.string().nullable().describe("Target of the events; null: there is no webhook"),
  enabled: z.boolean().describe("Whether events are sent"),
  has_secret: z.boolean().describe("The secret itself is never answered again"),
  events: z.array(WebhookEvent).describe("Events that are sent"),
  disabled_reason: WebhookDisabledReason.nullable().describe(
    "Why it was turned off by itself: gone = its target answered 410. POST turns it on again",
  ),
  disabled_at: Instant.nullable().describe("When it was turned off by itself, or null"),
  previous_secret_until: Instant.nullable().describe("Until then deliveries are signed with the secret before, too"),
});
export type WebhookConfigResponse = z.infer<typeof WebhookConfigResponse>;

/** Request body of `POST webhooks/agent-run/test`. */
export const WebhookTestRequest = z.object({
  url: Url.describe("Target of the test: an http or https address"),
  secret: Secret.nullish().meta({ description: "Without it the organization's webhook signs, where there is one" }),
});
export type WebhookTestRequest = z.infer<typeof WebhookTestRequest>;

/** What a target answered to a test. */
export const WebhookTestResult = z.object({
  delivered: z.boolean().describe("The target answered 200 to 299"),
  signed: z.boolean().describe("The test was signed with a secret"),
  status: z.int().nullable().describe("What the target answered; null where it did not"),
  answer: z.string().nullable().describe("The first 1,000 characters of its answer"),
  error: z.string().nullable().describe("Why nothing was delivered, or null"),
  duration_ms: z.int().describe("How long it took, in milliseconds"),
});
export type WebhookTestResult = z.infer<typeof WebhookTestResult>;

/**
 * The state of a delivery: it is (still) tried, it was accepted, it was tried for 24 hours in vain or refused with 410, or its
 * webhook was deleted or turned off first.
 */
export const DeliveryState = z.enum(["pending", "delivered", "failed", "cancelled"]);
export type DeliveryState = z.infer<typeof DeliveryState>;

/** One event on its way to one webhook. */
export const WebhookDelivery = z.object({
  id: z.int().describe("The delivery's id, for sending it again"),
  webhook_id: z.string().describe("The header webhook-id: the same at every attempt"),
  event: WebhookEvent.describe("Kind of event"),
  agent_run_id: z.int().describe("The run that it happened to"),
  url: z.string().describe("Target address"),
  of_run: z.boolean().describe("The webhook was given with the run; else it is the organization's"),
  state: DeliveryState.describe(
    "pending: it is still tried; delivered: the target took it; failed: tried for 24 hours in vain, or refused with 410; cancelled: its webhook was deleted or turned off",
  ),
  late: z.boolean().describe("A later event of the run was sent before it: the header webhook-late says so"),
  attempts: z.int().describe("How often it was tried"),
  created_at: Instant.describe("When it happened"),
  attempted_at: Instant.nullable().describe("The last attempt"),
  next_attempt_at: Instant.nullable().describe("When it is tried next; null where it is not"),
  status: z.int().nullable().describe("What the target answered last; null where it did not"),
  answer: z.string().nullable().describe("The first 1,000 characters of that answer"),
  error: z.string().nullable().describe("Why the last attempt failed, or null"),
});
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}

function isStandardSecret(text: string): boolean {
  const [, encoded = "", padding = ""] = /^whsec_([A-Za-z0-9+/]+)(={0,2})$/.exec(text) ?? [];
  if (encoded.length % 4 === 1 || (padding !== "" && (encoded.length + padding.length) % 4 !== 0)) return false;
  const bytes = Math.floor((encoded.length * 3) / 4);
  return bytes >= secretBytesMin && bytes <= secretBytesMax;
}
