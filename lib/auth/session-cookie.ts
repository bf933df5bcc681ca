import { randomBytes } from "node:crypto";
import { hashSecret } from "./secret.ts";

/** How long a browser stays signed in, in seconds. */
export const sessionSeconds = 30 * 86_400;

const cookieName = "errand_session";
const form = /(?:^|;)\s*errand_session=([A-Za-z0-9_-]{43})\s*(?:;|$)/;

/** Creates a session's secret, 256 random bits; only `hash` is stored. */
export function mintSession(): { secret: string; hash: Uint8Array } {
  const secret = randomBytes(32).toString("base64url");
  return { secret, hash: hashSecret(secret) };
}

/** The session's secret in a Cookie header, or null. */
export function findSessionSecret(cookie: string | null): string | null {
  return cookie === null ? null : (form.exec(cookie)?.[1] ?? null);
}

/** Set-Cookie value that stores a session, or deletes it if `secret` is null. */
export function sessionCookie(secret: string | null, publicUrl: string): string {
  const secure = publicUrl.startsWith("https:") ? "; Secure" : "";
  const age = secret === null ? 0 : sessionSeconds;
  return `${cookieName}=${secret ?? ""}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${secure}`;
}
