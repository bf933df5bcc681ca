// The whole interface of a store in one place: what a second store would have to provide.
import type { Agent } from "#lib/contract/agent.ts";
import type { CheckSuiteSettings } from "#lib/contract/check-suite.ts";
import type { NewEntry, RawEntry } from "#lib/contract/entry.ts";
import type { Isolation, MachineIsolation } from "#lib/contract/isolation.ts";
import type { Scope } from "#lib/contract/operation.ts";
import type { Role } from "#lib/contract/organization.ts";
import type { SignInWay } from "#lib/contract/person.ts";
import type { Progress } from "#lib/contract/progress.ts";
import type { Changes, OpenQuestion, PermissionMode, Question, SourceType, Tokens } from "#lib/contract/run.ts";
import type { EndStatus, RunStatus } from "#lib/contract/run-status.ts";
import type { SetupStatus } from "#lib/contract/setup.ts";
import type { StatusStyle } from "#lib/contract/token.ts";
import type { Access } from "./access.ts";
import type { AccountStore } from "./accounts.ts";
import type { AgentKeyStore } from "./agent-keys.ts";
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
import type { McpServerStore } from "./mcp-servers.ts";
import type { MemberStore } from "./members.ts";
import type { NetworkStore } from "./networks.ts";
import type { SettingsRow, SettingsStore } from "./organization-settings.ts";
import type { OwnOrganizationStore } from "./own-organizations.ts";
import type { PreparedStore } from "./prepared.ts";
import type { PullRow } from "./pull-rows.ts";
import type { PullStore } from "./pulls.ts";
import type { RemovalStore } from "./removals.ts";
import type { FindRunTimes } from "./run-times.ts";
import type { SessionRow } from "./sessions.ts";
import type { SetupStore } from "./setups.ts";
import type { ShareStore } from "./shares.ts";
import type { StorageStore } from "./storage.ts";
import type { StoreTrouble } from "./store-error.ts";
import type { DeliveryStore } from "./webhook-deliveries.ts";
import type { NewRunWebhook, WebhookStore } from "./webhooks.ts";

/** The only access to the data. Instants are ISO 8601 strings in UTC with milliseconds; ids are positive safe integers. */
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
  prepared: PreparedStore;
  runs: RunStore;
  removals: RemovalStore;
  storage: StorageStore;
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
  agentKeys: AgentKeyStore;
  networks: NetworkStore;
  tokens: TokenStore;
  sessions: SessionStore;
  shares: ShareStore;
  analyses: AnalysisStore;
  audit: AuditStore;
  webhooks: WebhookStore;
  deliveries: DeliveryStore;
  /**
   * Does `work` atomically: everything it writes through the given store is committed together, or not at all if it throws, and
   * it reads its own writes there. It must use no other store meanwhile and wait for nothing else; nothing else is written
   * until it ends.
   */
  transaction<T>(work: (store: Store) => Promise<T>): Promise<T>;
  integrations: IntegrationStore;
  mcpServers: McpServerStore;
  pulls: PullStore;
  conversations: ConversationStore;
  announcements: AnnouncementStore;
  links: LinkStore;
  figures: FigureStore;
  /**
   * A number that changes when another process or this one has committed since the last call (a hint for followers and the
   * engine: cheap enough to ask 50 times a second). It does not say what changed.
   */
  version(): Promise<number>;
  /**
   * What keeps the store from its work, as far as this process has met it; null if nothing. After a write that found the disk
   * full, or if it is `suspected` to be, tries a write of 64 kB; on suspicion at most every 5 s.
   */
  findTrouble(suspected: boolean): Promise<StoreTrouble | null>;
  /** Problems found by the database's own integrity check; empty if it is sound. Slow on large stores. */
  check(): Promise<string[]>;
  /**
   * For the start of the service: a quick check of a store up to 128 MB, and a whole one if damage was found since the last.
   * Throws StoreError if it is damaged.
   */
  checkAtStart(): Promise<void>;
  /**
   * Gives the disk back a part of what deleted rows took, and overwrites what the write-ahead log still says of them; true if
   * nothing is left to do.
   */
  giveBack(): Promise<boolean>;
  /** Notes beside the store how far it has come, if another process has committed since the last call. Once a second is enough. */
  raiseMark(): Promise<void>;
  close(): Promise<void>;
};

/** Rows to skip and return; `limit` is 1..100. */
export type Window = { skip: number; limit: number };
export type Listed<T> = { items: T[]; total: number };

// ---- organizations and people

export type OrganizationRow = { id: number; name: string; settings: SettingsRow };
/** `lastSeenAt` is of their sessions and of their tokens for the organization, to the minute. */
export type UserRow = {
  id: number;
  email: string | null;
  fullName: string | null;
  githubUsername: string | null;
  /** Digits; null where GitHub was not asked. */
  githubUserId: string | null;
  role: Role | null;
  hasPassword: boolean;
  /** Whether a sign-in provider knows them. */
  hasIdentity: boolean;
  lastSeenAt: string | null;
};

export type OrganizationStore = {
  /** The first organization with its owner; created once, on the first start. Later calls return the existing one. */
  ensureFirst(names: { organization: string; fullName: string; email: string | null }): Promise<{
    organizationId: number;
    userId: number;
    created: boolean;
  }>;
  /** Organizations in which the user is a member, by id. */
  listOfUser(userId: number, window: Window): Promise<Listed<OrganizationRow>>;
  findOrganization(organizationId: number): Promise<OrganizationRow | null>;
  /** The user's role in the organization, or null if they are not a member. */
  findRole(organizationId: number, userId: number): Promise<Role | null>;
  /** A person, regardless of organization; `role` is null. */
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
  /**
   * Adds it, or returns the existing one with the same organization and source (`created` false). `opensHost`: agents may reach the
   * host of its source from now on, which is up to admins; default false.
   */
  add(
    access: Access,
    repository: Pick<RepositoryRow, "name" | "fullName" | "description" | "source" | "defaultBranch"> & {
      opensHost?: boolean;
    },
  ): Promise<{ repository: RepositoryRow; created: boolean }>;
  find(access: Access, repositoryId: number): Promise<RepositoryRow | null>;
  /** By name, then id. `q`: text in name, full name or source, ignoring case (for ASCII letters). */
  list(access: Access, filter: { q?: string }, window: Window): Promise<Listed<RepositoryRow>>;
  /** Changes the given fields. Null if the repository is not visible. */
  update(
    access: Access,
    repositoryId: number,
    changes: { name?: string; fullName?: string; description?: string | null },
  ): Promise<RepositoryRow | null>;
  /** Check settings; null if nobody has set any, and if it is not visible. */
  findChecks(access: Access, repositoryId: number): Promise<CheckSuiteSettings | null>;
  /** Stores all check settings. The repository must belong to the organization. */
  putChecks(access: Access, repositoryId: number, settings: CheckSuiteSettings): Promise<void>;
  /** Stores the mirror's latest state. */
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
  /** The last answer of its turns, that turn's number, and the run's number of entries at that time. */
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
  /** Null if only the engine's own limit applies. */
  turnTimeoutS: number | null;
  userId: number | null;
  userName: string | null;
  totalLogs: number;
  /** Number of turns created and not withdrawn; `queuedTurns` of them have not started. */
  turns: number;
  queuedTurns: number;
  /** Place among the organization's queued runs, from 1; null unless it is queued. Absent in what older versions wrote. */
  queuePosition: number | null;
  tokens: Tokens | null;
  costUsd: number | null;
  question: OpenQuestion | null;
  changes: Changes | null;
  /** Since when pull request events do not wake it. */
  bannedAt: string | null;
  /** How its agent was kept in its last turn; null before the first. */
  isolation: Isolation | null;
  /** Its pull request, or null. Absent in what older versions wrote. */
  pull: PullRow | null;
};

/** `model` null requests the model of the turn before; for the first turn, the agent's own choice. */
export type NewTurn = { prompt: string; images: string[]; model: string | null };

export type NewRun = NewTurn & {
  /** Used instead of the organization's. */
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
  /** Text in the prompt, ignoring case (for ASCII letters). */
  q?: string;
};

export type RunStore = {
  /**
   * Writes the run as `queued` with its first turn: the row is the queue. An external one is `running` at once. The repository
   * must belong to the organization. `notices` are its first entries.
   */
  create(access: Access, run: NewRun, notices?: readonly NewEntry[]): Promise<RunRow>;
  find(access: Access, runId: number): Promise<RunRow | null>;
  /** Newest first. */
  list(access: Access, filter: RunFilter, window: Window): Promise<Listed<RunRow>>;
  /** Every matching run with entries, newest first, with their number. A few microseconds per run. */
  listCounts(access: Access, filter: RunFilter): Promise<{ id: number; totalLogs: number }[]>;
  /**
   * Adds a turn: an ended run becomes `queued`, a live one keeps its status. Held turns stay held, or with `withHeld` start
   * before it. `webhooks` replace those of the run from now on. An external run gets the message as an entry and continues,
   * unless it is evaluated. Null if the run is not visible.
   */
  addTurn(
    access: Access,
    runId: number,
    turn: NewTurn,
    more?: { withHeld?: boolean; webhooks?: readonly NewRunWebhook[] },
  ): Promise<RunRow | null>;
  /**
   * A queued or external run becomes `cancelled` at once with a closing entry; for a live one the request is recorded for its
   * engine; an ended one stays. Waiting turns are held. Null if the run is not visible.
   */
  cancel(access: Access, runId: number): Promise<RunRow | null>;
  /** Sets or removes the flag that no event wakes the run; an existing flag keeps its time. Null if the run is not visible. */
  setBanned(access: Access, runId: number, banned: boolean): Promise<RunRow | null>;
  /** Records the answer to the open question with that id; false if there is none (any more). */
  answer(access: Access, runId: number, questionId: string, optionId: string): Promise<boolean>;
  /** Work in progress, or null. */
  findProgress(access: Access, runId: number): Promise<Progress | null>;
  /** When it was worked on and when it waited for a person. */
  findTimes: FindRunTimes;
  /** The stored unified diff (empty if there is none), or null if the run is not visible. Its bytes need not be UTF-8. */
  findDiff(access: Access, runId: number): Promise<Uint8Array | null>;
};

// ---- turns that have not started

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
 * Why a turn cannot be changed: the run is not visible; it has no such turn (or it was withdrawn); it has started; it was
 * edited since it was read; or the run is queued for this turn alone.
 */
export type TurnRefusal = "run_absent" | "absent" | "begun" | "edited" | "needed";

export type TurnStore = {
  /** Turns that have not started, in the order they start in; null if the run is not visible. */
  listQueued(access: Access, runId: number, window: Window): Promise<Listed<QueuedTurnRow> | null>;
  /** Changes the given fields. `revision`: only if it was not edited since. */
  edit(
    access: Access,
    runId: number,
    number: number,
    changes: { prompt?: string; images?: string[]; model?: string },
    revision: number | null,
  ): Promise<{ turn: QueuedTurnRow } | { refused: TurnRefusal }>;
  /**
   * Withdraws the turn. Its number is not reused, and its text is deleted, except the first turn's prompt, which is the run's
   * title.
   */
  withdraw(access: Access, runId: number, number: number): Promise<{ run: RunRow } | { refused: TurnRefusal }>;
  /** Releases the held turns: an ended run becomes `queued`, a live one keeps its status. */
  sendHeld(access: Access, runId: number): Promise<{ run: RunRow } | { refused: "run_absent" | "none_held" }>;
};

// ---- external runs: another system executes them and reports their steps

/** Why an external run cannot be written to: not visible, of another agent, ended, or at the maximum number of entries. */
export type ExternalRefusal = "absent" | "not_external" | "ended" | "full";

export type ExternalRunStore = {
  /** Appends all entries or none, after the existing ones. Throws if an entry breaks the population rules. */
  append(
    access: Access,
    runId: number,
    entries: readonly (NewEntry | RawEntry)[],
  ): Promise<{ firstSeq: number; lastSeq: number } | { refused: ExternalRefusal }>;
  /**
   * Changes the given fields; nothing if the transition table does not allow the status. Result and summary are those of the
   * newest turn.
   */
  update(
    access: Access,
    runId: number,
    changes: { status?: RunStatus; result?: string | null; summary?: string | null },
  ): Promise<{ run: RunRow } | { refused: ExternalRefusal } | { refused: "transition"; from: RunStatus }>;
};

// ---- responses under idempotency keys

export type KeptAnswer = { status: number; body: string };

export type IdempotencyStore = {
  /**
   * Does `work` unless its response is stored from the last 24 h, and stores its response. Everything `work` writes through the
   * given store is committed together with the response, or not at all if it throws. Nothing else is written meanwhile, so it
   * must wait for nothing but that store. `mismatch` if the key was used with another digest.
   */
  once(
    place: { caller: string; operation: string; key: string },
    digest: Uint8Array,
    work: (store: Store) => Promise<KeptAnswer>,
  ): Promise<{ answer: KeptAnswer; replayed: boolean } | "mismatch">;
};

// ---- the queue, for the engine

/** A claimed run. Every write of the engine names `runId` and `epoch`; once the lease is lost they change nothing. */
export type Lease = { runId: number; epoch: number };

export type TurnRow = NewTurn & { number: number };

export type Claimed = {
  lease: Lease;
  run: RunRow;
  /** Source of the mirror; null for a run without a repository. */
  repositorySource: string | null;
  turn: TurnRow;
  /** State left by earlier attempts for continuing (session id and the like); null on the first. */
  agentState: Record<string, unknown> | null;
};

/** Thrown by every write under a lease that has expired or that another engine has taken. */
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
  isolation?: Isolation;
};

/** Control requests to a live run since it was claimed. */
export type ControlRequests = { cancel: boolean; answer: { questionId: string; optionId: string } | null };

export type QueueStore = {
  /** Claims the oldest queued run: it becomes `running` under a lease of this engine, with its first waiting turn active. */
  claim(engineId: string, leaseMs: number): Promise<Claimed | null>;
  /** Extends leases and reads the control requests. Throws {@link LeaseLostError}. */
  renew(lease: Lease, leaseMs: number): Promise<void>;
  /** Control requests to the run. Cheap; the engine reads it when `version()` changed. Throws {@link LeaseLostError}. */
  controlRequests(lease: Lease): Promise<ControlRequests>;
  /** Appends in one transaction that checks the lease; returns the seq of the last entry. */
  append(lease: Lease, entries: NewEntry[]): Promise<number>;
  /** running -> waiting with the question, or waiting -> running with null. */
  setQuestion(lease: Lease, question: Question | null): Promise<void>;
  setProgress(lease: Lease, progress: Progress | null): Promise<void>;
  setFigures(lease: Lease, figures: Figures): Promise<void>;
  setAgentState(lease: Lease, state: Record<string, unknown>): Promise<void>;
  /** Stores the current diff of the run. */
  setDiff(lease: Lease, diff: Uint8Array, changes: Changes): Promise<void>;
  /**
   * Ends the active turn, whose answer becomes the run's unless it has none. If another turn waits, it becomes active and is
   * returned, and the run stays `running`; otherwise the run gets the end status and the lease ends. Waiting turns are held if
   * a cancel was requested, the end is `cancelled`, `interrupted` or `out_of_tokens`, or `holdsQueue` is true. In one
   * transaction with the closing entries, so that a run never ends in silence. Clears the progress.
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
  /**
   * Marks runs whose lease expired without a word as `interrupted`, each with an ERROR entry; holds waiting turns. Returns
   * their ids.
   */
  expire(): Promise<number[]>;
  /**
   * Like `expire`, for every lease, and forgets every engine: for whoever knows that no engine is at work.
   */
  endLeases(): Promise<number[]>;
  /** Heartbeat of the engine. */
  beat(engineId: string): Promise<void>;
  /** Number of engines with a heartbeat in the last `withinMs`. */
  countEngines(withinMs: number): Promise<number>;
};

// ---- agents

export type AgentStore = {
  /** Replaces the list with an engine's latest findings. `mark`: what tells the agent's command from a newer one. */
  replaceAll(agents: (Agent & { mark?: string | null })[]): Promise<void>;
  list(): Promise<Agent[]>;
  /** Their marks by their ids, of those that have one. */
  marks(): Promise<Map<string, string>>;
  /** Keeps what an engine found about the machine on which agents work, in place of what was found before. */
  putMachine(machine: MachineIsolation): Promise<void>;
  /** Null before an engine of this version has checked. */
  findMachine(): Promise<MachineIsolation | null>;
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

/** Tokens of one person, or one token; all of the organization if empty. */
export type TokenFilter = { userId?: number; tokenId?: number };

/** A token with the name of its person. */
export type ListedTokenRow = TokenRow & { userName: string | null };

export type TokenStore = {
  create(
    access: Access & { userId: number },
    token: Pick<TokenRow, "name" | "role" | "scopes" | "statusStyle" | "hint" | "expiresAt"> & { hash: Uint8Array },
  ): Promise<TokenRow>;
  /**
   * By SHA-256 of the secret; null for unknown, revoked and expired ones. One read of a few microseconds: every request makes
   * it.
   */
  findByHash(hash: Uint8Array): Promise<TokenRow | null>;
  /** Records the use, at most once a minute per token. */
  touch(tokenId: number): Promise<void>;
  /** Newest first, without revoked ones. */
  list(access: Access, filter: TokenFilter, window: Window): Promise<Listed<ListedTokenRow>>;
  /** Revokes it; null if it does not exist or does not match the filter. */
  revoke(access: Access, tokenId: number, filter: TokenFilter): Promise<TokenRow | null>;
};

export type SessionStore = {
  /** A one-time sign-in code, by hash. */
  createLink(link: { hash: Uint8Array; userId: number; expiresAt: string }): Promise<void>;
  /** Uses the code up: the user's id, or null if it is unknown, used or expired. Atomic. */
  consumeLink(hash: Uint8Array): Promise<number | null>;
  /** The person a known code was created for, used or not; null for unknown and old codes. */
  findLinkUserId(hash: Uint8Array): Promise<number | null>;
  /** `way` is how the person signed in, by default with a printed link. */
  create(session: {
    hash: Uint8Array;
    userId: number;
    expiresAt: string;
    way?: SignInWay;
    userAgent?: string | null;
  }): Promise<void>;
  /** The user of a live session, or null. One read of a few microseconds: every request makes it. */
  findUserId(hash: Uint8Array): Promise<number | null>;
  /** Records the use of a session, at most once a minute. */
  touch(hash: Uint8Array, userId: number): Promise<void>;
  /** A live session, or null. */
  find(hash: Uint8Array): Promise<SessionRow | null>;
  /** Live sessions of a person, newest first, 100 at most. */
  list(userId: number): Promise<(SessionRow & { hash: Uint8Array })[]>;
  delete(hash: Uint8Array): Promise<void>;
  /** Ends the person's sessions except the one with that hash; returns how many were live. */
  deleteOthers(userId: number, hash: Uint8Array): Promise<number>;
};
