import type { Caller, Member } from "#lib/contract/people/caller.ts";
import type { Role } from "#lib/contract/people/organization.ts";
import type { OidcProvider } from "#lib/oidc/provider.ts";
import type { OidcRules } from "#lib/oidc/settings.ts";
import type { Outbound } from "#lib/outbound/outbound.ts";
import type { LogScanner } from "#lib/search/find-threads.ts";
import type { Seal } from "#lib/secrets/seal.ts";
import type { RunRow, Store } from "#lib/store/store.ts";
import type { ChangeSignal } from "#lib/tail/change-signal.ts";
import type { RunAnalyst } from "./analysis-threads.ts";
import type { Caches } from "./caches.ts";
import type { Tagged } from "./reply.ts";

/** Current state of a source: its default branch, and at most 1,000 branch names. */
export type RepositoryReport = { defaultBranch: string | null; branches: string[]; empty: boolean };

/** A push of a run's branch. `authorization` is a header's value for the source's server, or null. */
export type Push = { runId: number; repoId: number; source: string; authorization: string | null };

/** How a push ended; `reason` if it was refused. */
export type PushOutcome = { status: "pushed" | "up_to_date" | "refused"; commit: string; reason: string | null };

/** The mirror with a run's commits: its repository's, or its own. */
type WorkPlace = { runId: number; repositoryId: number | null };

/** Reads what runs left in their mirrors. Both throw an Error with `code` `commit_not_found` if a commit is no longer there. */
export type KeptWork = {
  /** What a run did between two commits, see lib/workspace/kept-work.ts. Cut like the diff that is stored. */
  compare(
    range: WorkPlace & { from: string | null; to: string | null; base: string | null },
    signal: AbortSignal,
  ): Promise<{ diff: Uint8Array }>;
  /** A file of a commit, or null; its content is null if it is longer than the bound. */
  readFile(
    file: WorkPlace & { commit: string; path: string; bytesMax: number },
    signal: AbortSignal,
  ): Promise<{ bytes: number; content: Uint8Array | null } | null>;
};

/** Dependencies of service functions, the same for every request. */
export type ServiceParts = {
  store: Store;
  scanner: LogScanner;
  /** Recently read and searched data. */
  caches: Caches;
  /** Signals that the store may have changed. */
  changes: ChangeSignal;
  analyst: RunAnalyst;
  /** Encrypts values needed again later: secrets of integrations and webhooks. */
  seal: Seal;
  /** Origin of links, without a trailing slash. */
  publicUrl: string;
  /**
   * Reads a repository's source, with the organization's credential for its host if needed. If it cannot be used, throws an Error
   * whose `code` begins with `source_` and whose message may be shown.
   */
  inspectRepository(source: string, organizationId: number, signal: AbortSignal): Promise<RepositoryReport>;
  /**
   * Pushes a run's branch to its repository's source (lib/workspace/push-branch.ts). Throws an Error with `code` and a message that
   * may be shown if there is nothing to push (`branch_not_found`) or the source cannot be reached (`source_…`, `git_timeout`).
   */
  pushBranch(push: Push, signal: AbortSignal): Promise<PushOutcome>;
  /**
   * Fetches the run's repository, or makes do with what was fetched before, and stores its changes as they are now
   * (lib/engine/pull-request/note-changes.ts). Stores nothing for a run at work.
   */
  noteChanges(run: RunRow, repository: { id: number; source: string }, signal: AbortSignal): Promise<void>;
  keptWork: KeptWork;
  /** The only way to send to addresses given by users. */
  outbound: Outbound;
  passwords: Passwords;
  /** Sign-in by OpenID Connect; null if not set up. */
  oidc: { provider: OidcProvider; rules: OidcRules } | null;
  /** The API's description for an installation at this address (see describeApi). */
  describe(address: string): Tagged;
  logger: { warn(fields: object, message: string): void };
  now(): Date;
};

/**
 * Hashes and checks passwords off the event loop, in a tenth of a second or more; without a stored hash, check does the
 * same work and returns false. Both throw 503 if too many are waiting.
 */
export type Passwords = {
  hash(password: string): Promise<string>;
  verify(password: string, kept: string | null): Promise<boolean>;
};

/** Creates and hashes secrets; service functions pass them to the store and to the caller, and never keep one. */
export type Secrets = {
  mintToken(): { secret: string; hash: Uint8Array; hint: string };
  /** Secret of a run's share link. */
  mintShare(): { secret: string; hash: Uint8Array; hint: string };
  mintSession(): { secret: string; hash: Uint8Array };
  /** Secret of an invitation or a reset link. */
  mintPersonCode(): { code: string; hash: Uint8Array; hint: string };
  hashSecret(secret: string): Uint8Array;
  /** Lifetime of a session. */
  sessionSeconds: number;
};

/** Context of every service function. */
export type ServiceContext = ServiceParts & {
  secrets: Secrets;
  /** Aborted when the client has disconnected. */
  signal: AbortSignal;
  /** Secret in the session cookie, valid or not; null if there is none. */
  sessionSecret: string | null;
  /** Last-Event-ID of a reconnecting stream, or null. */
  lastEventId: string | null;
  /** The If-Match of a change, or null. */
  ifMatch: string | null;
  /** Origin of the request, as far as known. Rate limits count by this address. */
  origin: { address: string | null; userAgent: string | null };
};

/** Context of a function whose caller is authenticated. */
export type CallerContext = ServiceContext & { caller: Caller };

/**
 * Context of a function within an organization: the caller is a member and has the operation's scope. `access` is for
 * the store.
 */
export type OrganizationContext = CallerContext & {
  member: Member;
  access: { organizationId: number; userId: number; role: Role };
  /**
   * Checks again whether this request would be admitted: false once its token or session has ended, or its person may
   * no longer do this here. For long-lived requests. Throws if the store cannot respond.
   */
  isStillAllowed: () => Promise<boolean>;
};
