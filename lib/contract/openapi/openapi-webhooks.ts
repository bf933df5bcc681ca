import { WebhookEvent } from "#lib/contract/integrations/webhook.ts";
import { WebhookMessage, WebhookTestMessage, webhookEventWords } from "#lib/contract/integrations/webhook-message.ts";
import { toSchema } from "./openapi-schemas.ts";

type Json = Record<string, unknown>;

/** The `webhooks` of openapi.json: what Errand sends. */
export function describeWebhooks(schemas: Record<string, Json>): Json {
  const header = (name: string, description: string, required = true) => {
    return { name, in: "header", required, description, schema: { type: "string" } };
  };
  const sent = [
    ...WebhookEvent.options.map((event) => ({ event, summary: webhookEventWords[event], body: WebhookMessage })),
    { event: "webhook.test", summary: "Somebody tests a webhook", body: WebhookTestMessage },
  ];
  const described = sent.map(({ event, summary, body }): [string, Json] => {
    const name = event.replace(/(?:^|\.)(.)/g, (_, letter: string) => letter.toUpperCase());
    const post = {
      operationId: `on${name}`,
      summary,
      parameters: [
        header("webhook-id", "The same in every attempt to deliver the event"),
        header("webhook-timestamp", "When it was sent, in seconds since 1970"),
        header("webhook-signature", "Signatures according to Standard Webhooks, separated by spaces", false),
      ],
      requestBody: {
        required: true,
        content: { "application/json": { schema: toSchema(body, "output", schemas) } },
      },
      responses: {
        "2XX": {
          description:
            body === WebhookTestMessage
              ? "Received. A test is not retried"
              : "Received. 410 turns the webhook off; after any other answer the delivery is retried",
        },
      },
      security: [],
    };
    return [event, { post }];
  });
  return Object.fromEntries(described);
}
