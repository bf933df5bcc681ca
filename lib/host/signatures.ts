import { createHmac, timingSafeEqual } from "node:crypto";

/** A header of the request by its lower-case name; null if absent. */
export type GetHeader = (name: string) => string | null;

/** How far a signed time may differ from now: older messages may be replays. */
const windowSeconds = 300;

/**
 * Whether the body was signed with the secret in GitHub's way: `X-Hub-Signature-256: sha256=<hex HMAC-SHA256>`
 * (https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries).
 */
export function isSignedByGithub(headers: GetHeader, body: Uint8Array, secret: string): boolean {
  return isSameHex(headers("x-hub-signature-256")?.replace(/^sha256=/, "") ?? null, hexHmac(secret, body));
}

/**
 * Whether the body was signed in the way of Forgejo and Gitea: hex HMAC-SHA256 in `X-Forgejo-Signature` or `X-Gitea-Signature`.
 */
export function isSignedByForgejo(headers: GetHeader, body: Uint8Array, secret: string): boolean {
  return isSameHex(headers("x-forgejo-signature") ?? headers("x-gitea-signature"), hexHmac(secret, body));
}

/**
 * Whether GitLab sent this: with a Standard Webhooks signature if there is one, otherwise with the secret itself in
 * `X-Gitlab-Token` (https://docs.gitlab.com/user/project/integrations/webhooks/). A secret that begins with `whsec_` is for
 * signing, so an unsigned request is not accepted for it.
 */
export function isSentByGitlab(headers: GetHeader, body: Uint8Array, secret: string, nowMs: number): boolean {
  if (headers("webhook-signature") !== null || secret.startsWith("whsec_")) {
    return isStandardSigned(headers, body, secret, nowMs);
  }
  const token = headers("x-gitlab-token");
  return token !== null && isSame(Buffer.from(hexHmac("token", token)), Buffer.from(hexHmac("token", secret)));
}

/** Standard Webhooks: `v1,<base64 HMAC-SHA256 of id.timestamp.body>`, one of several (https://www.standardwebhooks.com). */
function isStandardSigned(headers: GetHeader, body: Uint8Array, secret: string, nowMs: number): boolean {
  const [id, timestamp] = [headers("webhook-id"), headers("webhook-timestamp")];
  if (id === null || timestamp === null || !isNear(timestamp, nowMs)) return false;
  const key = secret.startsWith("whsec_") ? Buffer.from(secret.slice(6), "base64") : Buffer.from(secret);
  const wanted = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();
  const given = (headers("webhook-signature") ?? "").split(" ").slice(0, 10);
  return given.some((each) => each.startsWith("v1,") && isSame(Buffer.from(each.slice(3), "base64"), wanted));
}

/**
 * Whether Slack sent this within the last five minutes: `v0=<hex HMAC-SHA256 of v0:timestamp:body>`
 * (https://docs.slack.dev/authentication/verifying-requests-from-slack).
 */
export function isSignedBySlack(headers: GetHeader, body: Uint8Array, secret: string, nowMs: number): boolean {
  const timestamp = headers("x-slack-request-timestamp");
  if (timestamp === null || !isNear(timestamp, nowMs)) return false;
  const wanted = createHmac("sha256", secret).update(`v0:${timestamp}:`).update(body).digest("hex");
  return isSameHex(headers("x-slack-signature")?.replace(/^v0=/, "") ?? null, wanted);
}

/** Whether Linear signed the body: hex HMAC-SHA256 in `Linear-Signature` (https://linear.app/developers/webhooks). */
export function isSignedByLinear(headers: GetHeader, body: Uint8Array, secret: string): boolean {
  return isSameHex(headers("linear-signature"), hexHmac(secret, body));
}

/** Whether a time in seconds since 1970 is within five minutes of now. */
function isNear(seconds: string, nowMs: number): boolean {
  return /^\d{1,12}$/.test(seconds) && Math.abs(nowMs / 1000 - Number(seconds)) <= windowSeconds;
}

function hexHmac(secret: string, body: Uint8Array | string): string {
  return createHmac("sha256", secret).update(body).digest("hex");
}

function isSameHex(given: string | null, wanted: string): boolean {
  return (
    given !== null && /^[0-9a-f]{64}$/i.test(given) && isSame(Buffer.from(given, "hex"), Buffer.from(wanted, "hex"))
  );
}

/** Constant time for equal lengths; the length of a signature is not secret. */
function isSame(given: Uint8Array, wanted: Uint8Array): boolean {
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
