import type { Agent } from "#lib/contract/agent.ts";
import type { CheckSuiteSettings } from "#lib/contract/check-suite.ts";
import type { NewEntry, RawEntry } from "#lib/contract/entry.ts";
import type { Scope } from "#lib/contract/operation.ts";
import type { Role } from "#lib/contract/organization.ts";
import type { SignInWay } from "#lib/contract/person.ts";
import type { Progress } from "#lib/contract/progress.ts";
import type { Changes, PermissionMode, Question, SourceType, Tokens } from "#lib/contract/run.ts";
import type { EndStatus, RunStatus } from "#lib/contract/run-status.ts";
import type { SetupStatus } from "#lib/contract/setup.ts";
import type { StatusStyle } from "#lib/contract/token.ts";
import type { Access } from "./access.ts";
import type { AccountStore } from "./accounts.ts";
import type { AnalysisStore } from "./analyses.ts";
import type { AnalysisRunStore } from "./analysis-runs.ts";
import type { AnnouncementStore } from "./announcements.ts";
import type { AuditStore } from "./audit.ts";
import type { ClaudeSessionStore } from "./claude-sessions.ts";
import type { ClaudeTelemetryStore } from "./claude-telemetry.ts";
import type { ConversationStore } from "./conversations.ts";
import type { EntryStore } from "./entry-store.ts";
import type { FigureStore } from "./figures.ts";
import type { GenerateRunStore } from "./generate-runs.ts";
import type { IdentityStore } from "./identities.ts";
import type { IntegrationStore } from "./integrations.ts";
import type { InvitationStore } from "./invitations.ts";
import type { LinkStore } from "./links.ts";
import type { MemberStore } from "./members.ts";
import type { SettingsRow, SettingsStore } from "./organization-settings.ts";
import type { OwnOrganizationStore } from "./own-organizations.ts";
import type { FindRunTimes } from "./run-times.ts";
import type { SessionRow } from "./sessions.ts";
import type { SetupStore } from "./setups.ts";
import type { ShareStore } from "./shares.ts";
import type { DeliveryStore } from "./webhook-deliveries.ts";
import type { NewRunWebhook, WebhookStore } from "./webhooks.ts";

/** The one door to the data. Instants are ISO 8601 strings in UTC with milliseconds; ids are positive safe integers. */
export type Store = {
  organizations: OrganizationStore;
  members: MemberStore;
  invitations: InvitationStore;
  accounts: AccountStore;
  settings: SettingsStore;
  ownOrganizations: OwnOrganizationStore;
  identities: IdentityStore;
  repositories: RepositoryStore;
  setups: SetupStore;
  runs: RunStore;
  turns: TurnStore;
  entries: EntryStore;
  analysisRuns: AnalysisRunStore;
  generateRuns: GenerateRunStore;
  external: ExternalRunStore;
  claudeSessions: ClaudeSessionStore;
  claudeTelemetry: ClaudeTelemetryStore;
  idempotency: IdempotencyStore;
  queue: QueueStore;
  agents: AgentStore;
  tokens: TokenStore;
  sessions: SessionStore;
  shares: ShareStore;
  analyses: AnalysisStore;
  audit: AuditStore;
  webhooks: WebhookStore;
  deliveries: DeliveryStore;
  /**
   * Does `work` as one: all that it writes through the store that it is given is committed together, or not at all where it throws,
   * and what it reads there it has written itself. It must use no other store meanwhile and wait for nothing else; nothing else
   * is written until it ends.
   */
  transaction<T>(work: (store: Store) => Promise<T>): Promise<T>;
  integrations: IntegrationStore;
  conversations: ConversationStore;
  announcements: AnnouncementStore;
  links: LinkStore;
  figures: FigureStore;
  /**
   * A number that changes when another process or this one has committed since the last call (a hint for followers and
   * the engine: cheap enough to ask 50 times a second). Never a promise of what changed.
   */
  version(): Promise<number>;
  /** Problems found by the database's own integrity check, empty where it is sound. Slow on large stores. */
  check(): Promise<string[]>;
  close(): Promise<void>;
};

/** Rows skipped and taken; `limit` is 1..100. */
export type Window = { skip: number; limit: number };
export type Listed<T> = { items: T[]; total: number };

// ---- organizations and people

export type OrganizationRow = { id: number; name: string; settings: SettingsRow };
/** `lastSeenAt` is of their sessions and of their tokens of the organization, to the minute. */
export type UserRow = {
  id: number;
  email: string | null;
  fullName: string | null;
  role: Role | null;
  hasPassword: boolean;
  /** A sign-in provider knows them. */
  hasIdentity: boolean;
  lastSeenAt: string | null;
};

export type OrganizationStore = {
  /** The first organization with its owner; made once, on the first start. Later calls return what is there. */
  ensureFirst(names: { organization: string; fullName: string; email: string | null }): Promise<{
    organizationId: number;
    userId: number;
    created: boolean;
  }>;
  /** The organizations in which the user is a member, by id. */
  listOfUser(userId: number, window: Window): Promise<Listed<OrganizationRow>>;
  findOrganization(organizationId: number): Promise<OrganizationRow | null>;
  /** The user's role in the organization, or null where there is no membership. */
  findRole(organizationId: number, userId: number): Promise<Role | null>;
  /** A person whatever their organizations; `role` is null. */
  findPerson(userId: number): Promise<UserRow | null>;
  listUsers(access: Access, window: Window): Promise<Listed<UserRow>>;
  findUser(access: Access, userId: number): Promise<UserRow | null>;
};

// ---- repositories

export type RepositoryRow = {
  id: number;
  organizationId: number;
  name: string;
  fullName: string;
  description: string | null;
  source: string;
  defaultBranch: string | null;
  createdAt: string;
  setupStatus: SetupStatus;
};

export type RepositoryStore = {
  /** Adds it, or returns the one of the same organization and source that is there already (`created` false). */
  add(
    access: Access,
    repository: Pick<RepositoryRow, "name" | "fullName" | "description" | "source" | "defaultBranch">,
  ): Promise<{ repository: RepositoryRow; created: boolean }>;
  find(access: Access, repositoryId: number): Promise<RepositoryRow | null>;
  /** By name, then id. `q`: text in name, full name or source, any case (for ASCII letters). */
  list(access: Access, filter: { q?: string }, window: Window): Promise<Listed<RepositoryRow>>;
  /** Changes what is given. Null where the repository is not visible. */
  update(
    access: Access,
    repositoryId: number,
    changes: { name?: string; fullName?: string; description?: string | null },
  ): Promise<RepositoryRow | null>;
  /** What its checks were set to last; null where nobody has set anything, and where it is not visible. */
  findChecks(access: Access, repositoryId: number): Promise<CheckSuiteSettings | null>;
  /** Keeps all settings of its checks. The repository must be of the organization. */
  putChecks(access: Access, repositoryId: number, settings: CheckSuiteSettings): Promise<void>;
  /** Keeps what the mirror showed last. */
  setDefaultBranch(repositoryId: number, defaultBranch: string | null): Promise<void>;
};

// ---- runs

export type RunRow = {
  id: number;
  organizationId: number;
  status: RunStatus;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  prompt: string;
  /** The answer of the last turn that had one, its number, and the run's number of entries when it came. */
  result: string | null;
  summary: string | null;
  resultTurn: number | null;
  resultSeq: number | null;
  sourceType: SourceType;
  metadata: Record<string, unknown>;
  repositoryId: number | null;
  repositoryFullName: string | null;
  baseBranch: string | null;
  branch: string | null;
  agent: string;
  model: string | null;
  permissionMode: PermissionMode;
  /** Null where only the engine's own limit holds. */
  turnTimeoutS: number | null;
  userId: number | null;
  userName: string | null;
  totalLogs: number;
  /** How many turns were asked for and not withdrawn; `queuedTurns` of them have not begun. */
  turns: number;
  queuedTurns: number;
  tokens: Tokens | null;
  costUsd: number | null;
  question: Question | null;
  changes: Changes | null;
  /** Since when events of its pull request do not wake it. */
  bannedAt: string | null;
};

/** `model` null asks for the model that the turn before asked for; for the first turn it is the agent's own choice. */
export type NewTurn = { prompt: string; images: string[]; model: string | null };

export type NewRun = NewTurn & {
  /** Stand in place of the organization's. */
  webhooks?: readonly NewRunWebhook[];
  sourceType: SourceType;
  metadata: Record<string, unknown>;
  repositoryId: number | null;
  baseBranch: string | null;
  agent: string;
  permissionMode: PermissionMode;
  turnTimeoutS?: number | null;
};

export type RunFilter = {
  statuses?: RunStatus[];
  repositoryId?: number;
  userId?: number;
  sourceType?: SourceType;
  agent?: string;
  createdAfter?: string;
  createdBefore?: string;
  /** Text in the prompt, any case (for ASCII letters). */
  q?: string;
};

export type RunStore = {
  /**
   * Writes the run as `queued` with its first turn: the row is the queue. An external one is `running` at once. The repository
   * must be of the organization. `notices` are its first entries.
   */
  create(access: Access, run: NewRun, notices?: readonly NewEntry[]): Promise<RunRow>;
  find(access: Access, runId: number): Promise<RunRow | null>;
  /** Newest first. */
  list(access: Access, filter: RunFilter, window: Window): Promise<Listed<RunRow>>;
  /** Every run that matches and has entries, newest first, with how many it has. A few microseconds a run. */
  listCounts(access: Access, filter: RunFilter): Promise<{ id: number; totalLogs: number }[]>;
  /**
   * Adds a turn: an ended run becomes `queued`, a live one keeps its status. Held turns stay held, or with `withHeld` begin before
   * it. `webhooks` replace those of the run from now on. An external run is given the message as an entry and runs on, unless it is evaluated. Null where the run is not visible.
   */
  addTurn(
    access: Access,
    runId: number,
    turn: NewTurn,
    more?: { withHeld?: boolean; webhooks?: readonly NewRunWebhook[] },
  ): Promise<RunRow | null>;
  /**
   * A queued or external run becomes `cancelled` at once with a closing entry; for a live one the wish is recorded for its engine;
   * an ended one stays. Turns that wait are held. Null where the run is not visible.
   */
  cancel(access: Access, runId: number): Promise<RunRow | null>;
  /** Sets the flag that no event wakes the run, or takes it away; one that is set keeps its instant. Null where the run is not visible. */
  setBanned(access: Access, runId: number, banned: boolean): Promise<RunRow | null>;
  /** Records the answer to the open question of that id; false where there is none (any more). */
  answer(access: Access, runId: number, questionId: string, optionId: string): Promise<boolean>;
  /** What is in flight, or null. */
  findProgress(access: Access, runId: number): Promise<Progress | null>;
  /** When it was worked on and when it waited for a person. */
  findTimes: FindRunTimes;
  /** The kept unified diff (empty where there is none), or null where the run is not visible. Its bytes need not be UTF-8. */
  findDiff(access: Access, runId: number): Promise<Uint8Array | null>;
};

// ---- turns that have not begun

/** A turn that waits for the one before to end, or is held until somebody sends it. */
export type QueuedTurnRow = {
  number: number;
  state: "waiting" | "held";
  prompt: string;
  imageCount: number;
  model: string | null;
  /** Counts the edits. */
  revision: number;
  createdAt: string;
  userId: number | null;
  userName: string | null;
};

/**
 * Why a turn cannot be changed: the run is not visible; it has no such turn (or it was withdrawn); it has begun; it was edited since
 * it was read; or the run is queued for this turn alone.
 */
export type TurnRefusal = "run_absent" | "absent" | "begun" | "edited" | "needed";

export type TurnStore = {
  /** Turns that have not begun, in the order in which they begin; null where the run is not visible. */
  listQueued(access: Access, runId: number, window: Window): Promise<Listed<QueuedTurnRow> | null>;
  /** Changes what is given. `revision`: only where it was not edited since. */
  edit(
    access: Access,
    runId: number,
    number: number,
    changes: { prompt?: string; images?: string[]; model?: string },
    revision: number | null,
  ): Promise<{ turn: QueuedTurnRow } | { refused: TurnRefusal }>;
  /** Takes the turn out. Its number is not given again, and no text of it is kept but the first turn's prompt, by which the run is known. */
  withdraw(access: Access, runId: number, number: number): Promise<{ run: RunRow } | { refused: TurnRefusal }>;
  /** Lets the held turns wait: an ended run becomes `queued`, a live one keeps its status. */
  sendHeld(access: Access, runId: number): Promise<{ run: RunRow } | { refused: "run_absent" | "none_held" }>;
};

// ---- external runs: another system executes them and reports their steps

/** Why an external run cannot be written to: not visible, of another agent, ended, or at the most entries that a run can have. */
export type ExternalRefusal = "absent" | "not_external" | "ended" | "full";

export type ExternalRunStore = {
  /** Appends all entries or none, after those that are there. Throws where an entry breaks the population rules. */
  append(
    access: Access,
    runId: number,
    entries: readonly (NewEntry | RawEntry)[],
  ): Promise<{ firstSeq: number; lastSeq: number } | { refused: ExternalRefusal }>;
  /**
   * Changes what is given; where the transition table does not allow the status, nothing. Result and summary are those of the
   * newest turn.
   */
  update(
    access: Access,
    runId: number,
    changes: { status?: RunStatus; result?: string | null; summary?: string | null },
  ): Promise<{ run: RunRow } | { refused: ExternalRefusal } | { refused: "transition"; from: RunStatus }>;
};

// ---- what was done under a key of the caller's

export type KeptAnswer = { status: number; body: string };

export type IdempotencyStore = {
  /**
   * Does `work` unless its answer is kept already from the last 24 h, and keeps what it answers. All that `work` writes through
   * the store that it is given is committed together with the answer, or not at all where it throws. Nothing else is written
   * meanwhile, so it waits for nothing but that store. `mismatch` where the key was used with another digest.
   */
  once(
    place: { caller: string; operation: string; key: string },
    digest: Uint8Array,
    work: (store: Store) => Promise<KeptAnswer>,
  ): Promise<{ answer: KeptAnswer; replayed: boolean } | "mismatch">;
};

// ---- the queue, for the engine

/** A claimed run. Every write of the engine names `runId` and `epoch`; after a lost lease they change nothing. */
export type Lease = { runId: number; epoch: number };

export type TurnRow = NewTurn & { number: number };

export type Claimed = {
  lease: Lease;
  run: RunRow;
  /** Where the mirror is taken from; null for a run without a repository. */
  repositorySource: string | null;
  turn: TurnRow;
  /** What earlier attempts left for continuing (session id and the like); null on the first. */
  agentState: Record<string, unknown> | null;
};

/** Thrown by every write under a lease that another engine has taken or that has ended. */
export class LeaseLostError extends Error {
  constructor(lease: Lease) {
    super(`The lease of run ${lease.runId} (epoch ${lease.epoch}) is lost`);
    this.name = "LeaseLostError";
  }
}

export type Figures = {
  model?: string;
  tokens?: Tokens;
  costUsd?: number;
  branch?: string;
  baseBranch?: string;
  baseCommit?: string | null;
};

/** What a person asked of a live run since it was claimed. */
export type Wishes = { cancel: boolean; answer: { questionId: string; optionId: string } | null };

export type QueueStore = {
  /** The oldest queued run becomes `running` under a lease of this engine, with its first waiting turn marked active. */
  claim(engineId: string, leaseMs: number): Promise<Claimed | null>;
  /** Makes leases longer and reads the wishes. Throws {@link LeaseLostError}. */
  renew(lease: Lease, leaseMs: number): Promise<void>;
  /** What was asked of the run. Cheap; the engine reads it when `version()` changed. Throws {@link LeaseLostError}. */
  wishes(lease: Lease): Promise<Wishes>;
  /** Appends in one transaction that checks the lease; gives the seq of the last one. */
  append(lease: Lease, entries: NewEntry[]): Promise<number>;
  /** running -> waiting with the question, or waiting -> running with null. */
  setQuestion(lease: Lease, question: Question | null): Promise<void>;
  setProgress(lease: Lease, progress: Progress | null): Promise<void>;
  setFigures(lease: Lease, figures: Figures): Promise<void>;
  setAgentState(lease: Lease, state: Record<string, unknown>): Promise<void>;
  /** Keeps the diff of the run as it is now. */
  setDiff(lease: Lease, diff: Uint8Array, changes: Changes): Promise<void>;
  /**
   * Ends the active turn, whose answer becomes the run's unless it has none. Where another turn waits it becomes active and is
   * returned, the run stays `running`; else the run gets the end status and the lease ends. The turns that wait are held
   * where a cancel was wanted, the end is `cancelled`, `interrupted` or `out_of_tokens`, or `holdsQueue` is true. In one transaction
   * with the closing entries, so that a run never ends in silence. The progress is cleared.
   */
  finishTurn(
    lease: Lease,
    end: {
      status: EndStatus;
      result: string | null;
      summary: string | null;
      entries: NewEntry[];
      holdsQueue?: boolean;
    },
  ): Promise<TurnRow | null>;
  /** Runs whose lease ended without a word become `interrupted`, each with an ERROR entry; turns that wait are held. Gives their ids. */
  expire(): Promise<number[]>;
  /** The engine says that it lives. */
  beat(engineId: string): Promise<void>;
  /** How many engines said so in the last `withinMs`. */
  countEngines(withinMs: number): Promise<number>;
};

// ---- agents

export type AgentStore = {
  /** Replaces the list by what an engine has just found. */
  replaceAll(agents: Agent[]): Promise<void>;
  list(): Promise<Agent[]>;
};

// ---- tokens, sessions, sign-in links

export type TokenRow = {
  id: number;
  organizationId: number;
  userId: number;
  name: string;
  role: Role;
  scopes: Scope[];
  statusStyle: StatusStyle;
  hint: string;
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
};

/** Tokens of one person, or one token; all of the organization where empty. */
export type TokenFilter = { userId?: number; tokenId?: number };

/** A token with the name of its person. */
export type ListedTokenRow = TokenRow & { userName: string | null };

export type TokenStore = {
  create(
    access: Access & { userId: number },
    token: Pick<TokenRow, "name" | "role" | "scopes" | "statusStyle" | "hint" | "expiresAt"> & { hash: Uint8Array },
  ): Promise<TokenRow>;
  /** By SHA-256 of the secret; null for unknown, revoked and expired ones. One read of a few microseconds: every request makes it. */
  findByHash(hash: Uint8Array): Promise<TokenRow | null>;
  /** Notes the use, at most once a minute a token. */
  touch(tokenId: number): Promise<void>;
  /** Newest first. Revoked ones are not listed. */
  list(access: Access, filter: TokenFilter, window: Window): Promise<Listed<ListedTokenRow>>;
  /** Revokes it; null where it is not there or the filter leaves it out. */
  revoke(access: Access, tokenId: number, filter: TokenFilter): Promise<TokenRow | null>;
};

export type SessionStore = {
  /** A one-time sign-in code, by hash. */
  createLink(link: { hash: Uint8Array; userId: number; expiresAt: string }): Promise<void>;
  /** Uses the code up: the user's id, or null where it is unknown, used or expired. Atomic. */
  consumeLink(hash: Uint8Array): Promise<number | null>;
  /** Whom a code that is known was made for, used or not; null for an unknown one and for old ones. */
  findLinkUserId(hash: Uint8Array): Promise<number | null>;
  /** `way` is how the person signed in, by a printed link where nothing is said. */
  create(session: {
    hash: Uint8Array;
    userId: number;
    expiresAt: string;
    way?: SignInWay;
    userAgent?: string | null;
  }): Promise<void>;
  /** The user of a live session, or null. One read of a few microseconds: every request makes it. */
  findUserId(hash: Uint8Array): Promise<number | null>;
  /** Notes the use of a session, at most once a minute. */
  touch(hash: Uint8Array, userId: number): Promise<void>;
  /** A live session, or null. */
  find(hash: Uint8Array): Promise<SessionRow | null>;
  /** The live sessions of a person, newest first, 100 at most. */
  list(userId: number): Promise<(SessionRow & { hash: Uint8Array })[]>;
  delete(hash: Uint8Array): Promise<void>;
  /** Ends the person's sessions but the one of that hash; gives how many were live. */
  deleteOthers(userId: number, hash: Uint8Array): Promise<number>;
};
