import { z } from "zod";
import { Instant, Text } from "#lib/contract/text.ts";
import { deliveryStates, webhookEvents } from "#lib/contract/words.ts";

export const WebhookEvent = z.enum(webhookEvents);
export type WebhookEvent = z.infer<typeof WebhookEvent>;

/** How many days deliveries are stored and can be sent again. */
export const deliveryDays = 30;

/** How long delivery is attempted, in seconds from the first attempt. */
export const deliveryTriedS = 24 * 3600;

/** Gaps between attempts in seconds, as in Standard Webhooks; the last attempt is 24 hours after the first. */
export const deliveryGapsS: readonly number[] = [5, 300, 1800, 7200, 18_000, 36_000];

/** Maximum number of webhooks per run. */
export const runWebhooksMax = 10;

/** Maximum length of a webhook's address. */
export const webhookUrlMax = 2083;

/** Prefix of a base64 secret, as in Standard Webhooks. */
export const webhookSecretPrefix = "whsec_";

const secretBytesMin = 24;
const secretBytesMax = 64;

const Url = Text(webhookUrlMax)
  .min(1, "must not be empty")
  .refine((text) => isWebAddress(text), "must be an http or https address without a name or password");

const Secret = Text(256)
  .min(1, "must not be empty")
  .describe(
    `Signs events. If it is ${webhookSecretPrefix} followed by base64 of ${secretBytesMin} to ${secretBytesMax} bytes, the decoded bytes are the key; any other text is used as it is`,
  );

const Events = z
  .array(WebhookEvent)
  .min(1, "must name at least one event")
  .max(WebhookEvent.options.length)
  .refine((events) => new Set(events).size === events.length, "must name each event once");

/** A webhook for one run, instead of the organization's. */
export const WebhookOverride = z.object({
  url: Url.describe("Target of the events: an http or https address"),
  secret: Secret.nullish().meta({ description: "Generated if absent, and shown only in this response" }),
  events: Events.nullish().meta({ description: "By default only run.finished" }),
});
z.globalRegistry.add(WebhookOverride, { id: "WebhookOverride" });
export type WebhookOverride = z.infer<typeof WebhookOverride>;

/** The `webhooks` of a new run or turn; null or an empty list keeps the organization's webhooks. */
export const WebhookOverrides = z
  .array(WebhookOverride)
  .max(runWebhooksMax)
  .refine((hooks) => new Set(hooks.map(({ url }) => url)).size === hooks.length, "must name each address once");

/** Webhooks in the response to a new run or turn. */
export const RunWebhook = z.object({
  url: z.string().describe("Target of the events"),
  events: z.array(WebhookEvent).describe("Events to send"),
  secret: z.string().nullable().describe("The secret, only if it was just created; it is not shown again"),
});
z.globalRegistry.add(RunWebhook, { id: "RunWebhook", example: { secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" } });
export type RunWebhook = z.infer<typeof RunWebhook>;

/** Request body of `POST webhooks/agent-run`. */
export const WebhookConfigRequest = z
  .object({
    url: Url.describe("Target of the events: an http or https address").meta({
      example: "https://hooks.example.com/errand",
    }),
    secret: Secret.nullish().meta({
      description:
        "By default the current one stays; if there is none, one is generated and shown only in this response. After a replacement each delivery is signed with both for 24 hours",
    }),
    enabled: z.boolean().default(true).describe("false keeps it but sends nothing"),
    events: Events.nullish().meta({ description: "By default unchanged; for a new webhook, run.finished" }),
    rotate_secret: z
      .boolean()
      .default(false)
      .describe("Generates a new secret. For 24 hours each delivery is signed with both, the new one first"),
  })
  .refine(({ secret, rotate_secret }) => !rotate_secret || secret == null, {
    path: ["rotate_secret"],
    message: "cannot be combined with secret",
  });
z.globalRegistry.add(WebhookConfigRequest, { id: "WebhookConfigRequest" });
export type WebhookConfigRequest = z.infer<typeof WebhookConfigRequest>;

/** Why a webhook was turned off automatically: `gone` = its target answered 410. */
export const WebhookDisabledReason = z.enum(["gone"]);
export type WebhookDisabledReason = z.infer<typeof WebhookDisabledReason>;

/** The organization's default webhook; `url` is null if there is none. */
export const WebhookConfigResponse = z.object({
  url: z
    .string()
    .nullable()
    .describe("Target of the events; null: there is no webhook")
    .meta({ example: "https://hooks.example.com/errand" }),
  enabled: z.boolean().describe("Whether events are sent"),
  has_secret: z.boolean().describe("Whether a secret is stored; it is never returned"),
  events: z
    .array(WebhookEvent)
    .describe("Events that are sent")
    .meta({ example: ["run.finished"] }),
  disabled_reason: WebhookDisabledReason.nullable()
    .describe(
      "Why it was turned off automatically: gone = its target answered 410. Saving the webhook turns it on again",
    )
    .meta({ example: null }),
  disabled_at: Instant.nullable().describe("When it was turned off automatically, or null").meta({ example: null }),
  previous_secret_until: Instant.nullable()
    .describe("Until then deliveries are also signed with the previous secret")
    .meta({ example: null }),
});
z.globalRegistry.add(WebhookConfigResponse, { id: "WebhookConfigResponse" });
export type WebhookConfigResponse = z.infer<typeof WebhookConfigResponse>;

const description = Text(200).nullish().describe("What it is for, for people");
const given = {
  url: WebhookConfigRequest.shape.url,
  events: Events.nullish().meta({ description: "Events to send; by default only run.finished" }),
  enabled: WebhookConfigRequest.shape.enabled,
  description,
};

/** Request body of `POST webhooks/endpoints`. */
export const CreateWebhookEndpoint = z.object({
  ...given,
  secret: Secret.nullish().meta({ description: "Generated if absent, and shown only in this response" }),
});
z.globalRegistry.add(CreateWebhookEndpoint, { id: "CreateWebhookEndpoint" });
export type CreateWebhookEndpoint = z.infer<typeof CreateWebhookEndpoint>;

/** Request body of `PATCH webhooks/endpoints/{endpoint_id}`: what is left out stays. */
export const UpdateWebhookEndpoint = z
  .object({
    url: given.url.optional(),
    events: Events.optional().meta({ description: "Events to send" }),
    enabled: z.boolean().optional().describe("false keeps it but sends nothing; true turns it on again"),
    description,
    secret: Secret.optional().meta({
      description: "Replaces the secret. For 24 hours each delivery is signed with both, the new one first",
    }),
    rotate_secret: WebhookConfigRequest.shape.rotate_secret,
  })
  .refine(({ secret, rotate_secret }) => !rotate_secret || secret === undefined, {
    path: ["rotate_secret"],
    message: "cannot be combined with secret",
  });
z.globalRegistry.add(UpdateWebhookEndpoint, { id: "UpdateWebhookEndpoint", example: { events: ["run.finished"] } });
export type UpdateWebhookEndpoint = z.infer<typeof UpdateWebhookEndpoint>;

/** One of the organization's webhooks. */
export const WebhookEndpoint = z.object({
  id: z.int().describe("The webhook"),
  url: z.string().describe("Target of the events").meta({ example: "https://hooks.example.com/errand" }),
  description: z.string().nullable().describe("What it is for, or null").meta({ example: "Deployments" }),
  is_default: z.boolean().describe("Whether it is the default webhook, which `webhooks/agent-run` reads and changes"),
  created_at: Instant.describe("When it was created"),
  ...WebhookConfigResponse.omit({ url: true, has_secret: true }).shape,
});
z.globalRegistry.add(WebhookEndpoint, { id: "WebhookEndpoint" });
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

/** Request body of `POST webhooks/agent-run/test`. */
export const WebhookTestRequest = z.object({
  endpoint_id: z.int().min(1).optional().describe("Webhook whose secret signs the test, if `secret` is absent"),
  url: Url.describe("Target of the test: an http or https address").meta({
    example: "https://hooks.example.com/errand",
  }),
  secret: Secret.nullish().meta({
    description:
      "By default the secret of the webhook `endpoint_id`, or else of the default webhook; without either, the test is not signed",
  }),
});
z.globalRegistry.add(WebhookTestRequest, { id: "WebhookTestRequest" });
export type WebhookTestRequest = z.infer<typeof WebhookTestRequest>;

/** A target's response to a test. */
export const WebhookTestResult = z.object({
  delivered: z.boolean().describe("Whether the target responded with 200 to 299"),
  signed: z.boolean().describe("Whether the test was signed"),
  status: z.int().nullable().describe("Status of the target's response; null if there was none").meta({ example: 200 }),
  answer: z.string().nullable().describe("The first 1,000 characters of its response").meta({ example: "ok" }),
  error: z.string().nullable().describe("Why it was not delivered, or null"),
  duration_ms: z.int().describe("How long it took, in milliseconds").meta({ example: 5200 }),
});
z.globalRegistry.add(WebhookTestResult, { id: "WebhookTestResult" });
export type WebhookTestResult = z.infer<typeof WebhookTestResult>;

export const DeliveryState = z.enum(deliveryStates);
export type DeliveryState = z.infer<typeof DeliveryState>;

/** Delivery of one event to one webhook. */
export const WebhookDelivery = z.object({
  id: z.int().describe("The delivery's id, for sending it again"),
  webhook_id: z.string().describe("The webhook-id header: the same for every attempt"),
  event: WebhookEvent.describe("Kind of event").meta({ example: "run.finished" }),
  agent_run_id: z.int().describe("The run it is about"),
  url: z.string().describe("Target address").meta({ example: "https://hooks.example.com/errand" }),
  endpoint_id: z.int().nullable().describe("Id of the organization's webhook; null for a webhook of the run"),
  of_run: z.boolean().describe("Whether the webhook belongs to the run; otherwise it is the organization's"),
  state: DeliveryState.describe(
    "pending: will be tried again; delivered: the target accepted it; failed: not delivered within 24 hours, or refused with 410; cancelled: its webhook was deleted or turned off",
  ).meta({ example: "delivered" }),
  late: z.boolean().describe("Whether a later event of the run was sent before it, as the webhook-late header says"),
  attempts: z.int().describe("Number of attempts"),
  created_at: Instant.describe("When it happened"),
  attempted_at: Instant.nullable().describe("Time of the last attempt").meta({ example: "2026-01-31T09:04:31.000Z" }),
  next_attempt_at: Instant.nullable().describe("Time of the next attempt; null if there is none"),
  status: z.int().nullable().describe("Status of the target's last response; null if there was none"),
  answer: z.string().nullable().describe("The first 1,000 characters of that response").meta({ example: "ok" }),
  error: z.string().nullable().describe("Why the last attempt failed, or null"),
});
z.globalRegistry.add(WebhookDelivery, {
  id: "WebhookDelivery",
  example: {
    webhook_id: "msg_5f0c3d2e1b6a49788c0d1e2f3a4b5c6d",
    endpoint_id: 1,
    of_run: false,
    late: false,
    next_attempt_at: null,
    status: 200,
  },
});
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}

/** Whether a secret is one of Standard Webhooks: the key is then what it encodes. */
export function isStandardSecret(text: string): boolean {
  const [, encoded = "", padding = ""] = /^whsec_([A-Za-z0-9+/]+)(={0,2})$/.exec(text) ?? [];
  if (encoded.length % 4 === 1 || (padding !== "" && (encoded.length + padding.length) % 4 !== 0)) return false;
  const bytes = Math.floor((encoded.length * 3) / 4);
  return bytes >= secretBytesMin && bytes <= secretBytesMax;
}
