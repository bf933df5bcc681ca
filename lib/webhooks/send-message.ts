import type { Outbound, OutboundAnswer } from "#lib/outbound/outbound.ts";
import { OutboundError } from "#lib/outbound/outbound-error.ts";
import { retryAfterMsOf } from "./schedule.ts";
import { webhookSignature } from "./sign.ts";

/** A message to a webhook. `late`: a later event of the same run was sent before it. */
export type WebhookMessage = {
  url: string;
  /** The header webhook-id. */
  id: string;
  body: string;
  /** Every one of them signs; without any there is no signature. */
  secrets: readonly string[];
  late: boolean;
};

/** Result of an attempt. `status` null: no response. `gone`: the target wants no more (410). */
export type SendOutcome = {
  kind: "delivered" | "gone" | "failed";
  status: number | null;
  answer: string | null;
  error: string | null;
  retryAfterMs: number | null;
};

/** Why a message is not sent, as its `error`. */
export const unreadableSecret = "Not sent: its secret cannot be decrypted. Enter it again.";

/** Time limit of an attempt, as Standard Webhooks advises. */
export const attemptMs = 15_000;
const answerBytesMax = 4096;
const answerCharactersMax = 1000;

/** Sends one message according to Standard Webhooks. Throws only the signal's reason, if it aborts. */
export async function sendWebhookMessage(
  outbound: Outbound,
  message: WebhookMessage,
  nowMs: number,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const seconds = Math.floor(nowMs / 1000);
  const { id, url, body, secrets, late } = message;
  const headers: Record<string, string> = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
  };
  if (secrets.length > 0) headers["webhook-signature"] = webhookSignature(secrets, id, seconds, body);
  if (late) headers["webhook-late"] = "true";
  try {
    const request = { method: "POST", url, headers, body, timeoutMs: attemptMs, answerBytesMax, signal } as const;
    return outcomeOf(await outbound.send(request), nowMs);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof OutboundError)) throw error;
    return { kind: "failed", status: null, answer: null, error: error.message, retryAfterMs: null };
  }
}

function outcomeOf({ status, headers, body }: OutboundAnswer, nowMs: number): SendOutcome {
  const answer = textOf(body);
  if (status >= 200 && status < 300) return { kind: "delivered", status, answer, error: null, retryAfterMs: null };
  const retryAfterMs = retryAfterMsOf(headers["retry-after"], nowMs);
  if (status === 410)
    return {
      kind: "gone",
      status,
      answer,
      error: "The target responded with 410 Gone, so no more events are sent to it.",
      retryAfterMs,
    };
  const redirect = status >= 300 && status < 400 ? "; redirects are not followed" : "";
  return { kind: "failed", status, answer, error: `The target answered ${status}${redirect}.`, retryAfterMs };
}

/** First characters of a response, whatever its bytes: well-formed, without NUL. */
function textOf(body: Uint8Array): string {
  const text = new TextDecoder().decode(body).slice(0, answerCharactersMax);
  return text.toWellFormed().replaceAll("\u0000", "\ufffd");
}
