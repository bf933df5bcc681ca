import type { Caller, Member } from "#lib/contract/caller.ts";
import type { Role } from "#lib/contract/organization.ts";
import type { RateSettings } from "#lib/contract/rate-limits.ts";
import type { RunLimits } from "#lib/contract/run-limits.ts";
import type { OidcProvider } from "#lib/oidc/provider.ts";
import type { Outbound } from "#lib/outbound/outbound.ts";
import type { LogScanner } from "#lib/search/find-threads.ts";
import type { Seal } from "#lib/secrets/seal.ts";
import type { Store } from "#lib/store/store.ts";
import type { ChangeSignal } from "#lib/tail/change-signal.ts";
import type { RunAnalyst } from "./analysis-threads.ts";
import type { Caches } from "./caches.ts";
import type { OidcRules } from "./oidc-people.ts";

/** What a source shows when it is asked: the branch that runs begin from, and at most 1,000 names. */
export type RepositoryReport = { defaultBranch: string | null; branches: string[]; empty: boolean };

/** The parts that verbs work with, the same for every request. */
export type ServiceParts = {
  store: Store;
  scanner: LogScanner;
  /** What was read and searched lately. */
  caches: Caches;
  /** Tells that the store may have changed. */
  changes: ChangeSignal;
  analyst: RunAnalyst;
  /** Seals what must be used again later: secrets of integrations and webhooks. */
  seal: Seal;
  /** The origin of links, without a slash at its end. */
  publicUrl: string;
  /**
   * Asks a repository's source. Where it cannot be used, throws an Error whose `code` begins with `source_` and whose message
   * may be shown.
   */
  inspectRepository(source: string, signal: AbortSignal): Promise<RepositoryReport>;
  /** Sends to addresses that users give; nothing else does. */
  outbound: Outbound;
  passwords: Passwords;
  /** Sign-in by OpenID Connect; null where it is not set up. */
  oidc: { provider: OidcProvider; rules: OidcRules } | null;
  /** The configured limits of runs, which the API's description tells. */
  runLimits: RunLimits;
  logger: { warn(fields: object, message: string): void };
  now(): Date;
};

/**
 * Hashes and checks passwords, off the event loop, in a tenth of a second or more; without a kept one the answer is no after the same work.
 * Both throw 503 where too many wait.
 */
export type Passwords = {
  hash(password: string): Promise<string>;
  verify(password: string, kept: string | null): Promise<boolean>;
};

/** Makes and hashes secrets; the verbs hand them to the store and to the caller, and never keep one. */
export type Secrets = {
  mintToken(): { secret: string; hash: Uint8Array; hint: string };
  /** Of a link to a run. */
  mintShare(): { secret: string; hash: Uint8Array; hint: string };
  mintSession(): { secret: string; hash: Uint8Array };
  /** Of an invitation or a reset link. */
  mintPersonCode(): { code: string; hash: Uint8Array; hint: string };
  hashSecret(secret: string): Uint8Array;
  /** How long a session lives. */
  sessionSeconds: number;
};

/** What every verb gets. */
export type ServiceContext = ServiceParts & {
  secrets: Secrets;
  /** The configured rate limits, which the API's description tells. */
  rates: RateSettings;
  /** Aborted when the client has gone. */
  signal: AbortSignal;
  /** The secret in the session cookie, whether or not it is still good; null where there is none. */
  sessionSecret: string | null;
  /** The Last-Event-ID of a stream that connects again, or null. */
  lastEventId: string | null;
  /** The If-Match of a change, or null. */
  ifMatch: string | null;
  /** Where the request comes from, as far as that is known. The address is the one that limits count. */
  origin: { address: string | null; userAgent: string | null };
};

/** What a verb gets when the caller is known. */
export type CallerContext = ServiceContext & { caller: Caller };

/** What a verb gets below an organization: the caller is a member and has the operation's scope. `access` is for the store. */
export type OrganizationContext = CallerContext & {
  member: Member;
  access: { organizationId: number; userId: number; role: Role };
  /**
   * Asks anew whether this request would be let in: false once its token or session has ended, or its person may no longer do
   * this here. For what goes on after it was let in. Throws where the store cannot answer.
   */
  isStillAllowed: () => Promise<boolean>;
};
