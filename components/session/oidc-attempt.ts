import { fieldsOf, textField } from "#lib/contract/json-fields.ts";

/** A sign-in by OpenID Connect started by this browser: its proof, and where to go afterwards. */
export type OidcAttempt = { secret: string; next: string };

const key = "errand-oidc";

/** Stores an attempt in this tab until the provider redirects back. Throws if the browser stores nothing. */
export function keepOidcAttempt(attempt: OidcAttempt): void {
  sessionStorage.setItem(key, JSON.stringify(attempt));
}

/** The attempt of this tab, or null; reading deletes it, because it works once. */
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
