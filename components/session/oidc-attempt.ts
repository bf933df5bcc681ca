import { fieldsOf, textField } from "#lib/contract/json-fields.ts";

/** A sign-in by OpenID Connect that this browser has begun: what proves that, and where to go then. */
export type OidcAttempt = { secret: string; next: string };

const key = "errand-oidc";

/** Keeps an attempt in this tab until the provider leads back. Throws where the browser keeps nothing. */
export function keepOidcAttempt(attempt: OidcAttempt): void {
  sessionStorage.setItem(key, JSON.stringify(attempt));
}

/** The attempt of this tab, or null; it is gone then, for it works once. */
export function takeOidcAttempt(): OidcAttempt | null {
  try {
    const kept = sessionStorage.getItem(key);
    sessionStorage.removeItem(key);
    if (kept === null) return null;
    const fields = fieldsOf(JSON.parse(kept));
    const [secret, next] = [textField(fields, "secret"), textField(fields, "next")];
    return secret === null || next === null ? null : { secret, next };
  } catch {
    return null;
  }
}
