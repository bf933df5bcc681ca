/** The provider's claims about a person. `subject` is permanent at that issuer; the rest may change. */
export type OidcIdentity = {
  issuer: string;
  subject: string;
  email: string | null;
  isEmailVerified: boolean;
  name: string | null;
  groups: string[];
};

/** Binds a provider's response to the request; all of it random, and known only to one browser and us. */
export type OidcProof = { state: string; nonce: string; verifier: string };

/** An OpenID Connect provider that redirects back to `redirectUri`. Both calls throw {@link OidcError}. */
export type OidcProvider = {
  name: string;
  /** Address where the person signs in. */
  begin(redirectUri: string, proof: OidcProof): Promise<string>;
  /** Verifies the response: the query of the address the provider redirected to. */
  finish(redirectUri: string, query: string, proof: OidcProof): Promise<OidcIdentity>;
};

/**
 * Why a sign-in failed: the provider is down or broken, it refused, or its response cannot be verified. The message may be
 * shown.
 */
export class OidcError extends Error {
  readonly reason: "unreachable" | "refused" | "unverified";

  constructor(reason: OidcError["reason"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "OidcError";
    this.reason = reason;
  }
}
