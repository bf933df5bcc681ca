/** Who a provider says that somebody is. `subject` is theirs for ever at that issuer; the rest may change. */
export type OidcIdentity = {
  issuer: string;
  subject: string;
  email: string | null;
  isEmailVerified: boolean;
  name: string | null;
  groups: string[];
};

/** What ties a provider's answer to the question; all of it random, and known to one browser and to us. */
export type OidcProof = { state: string; nonce: string; verifier: string };

/** A provider of OpenID Connect, which leads back to `redirectUri`. Both calls throw {@link OidcError}. */
export type OidcProvider = {
  name: string;
  /** The address at which the person signs in. */
  begin(redirectUri: string, proof: OidcProof): Promise<string>;
  /** Verifies the answer, which is the query of the address that the provider led back to. */
  finish(redirectUri: string, query: string, proof: OidcProof): Promise<OidcIdentity>;
};

/**
 * Why a sign-in failed: the provider is down or broken, it said no, or what it said cannot be verified. The message may be shown.
 */
export class OidcError extends Error {
  readonly reason: "unreachable" | "refused" | "unverified";

  constructor(reason: OidcError["reason"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "OidcError";
    this.reason = reason;
  }
}
