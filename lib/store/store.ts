// The whole interface of a store in one place: what a second store would have to provide.
import type { AccountStore } from "./accounts.ts";
import type { AgentCommandStore } from "./agent-commands.ts";
import type { AgentKeyStore } from "./agent-keys.ts";
import type { AgentRefusalStore } from "./agent-refusals.ts";
import type { AgentSignInStore } from "./agent-sign-ins.ts";
import type { AnalysisStore } from "./analyses.ts";
import type { AnalysisRunStore } from "./analysis-runs.ts";
import type { AnnouncementStore } from "./announcements.ts";
import type { AuditStore } from "./audit.ts";
import type { ClaudeSessionStore } from "./claude-sessions.ts";
import type { ClaudeTelemetryStore } from "./claude-telemetry.ts";
import type { ConversationStore } from "./conversations.ts";
import type { DeliveryStore } from "./delivery-store.ts";
import type { EntryStore } from "./entry-store.ts";
import type { FigureStore } from "./figures.ts";
import type { GenerateRunStore } from "./generate-runs.ts";
import type { IdentityStore } from "./identities.ts";
import type { IntegrationStore } from "./integrations.ts";
import type { InvitationStore } from "./invitations.ts";
import type { LinkStore } from "./links.ts";
import type { LocalChecksStore } from "./local-checks.ts";
import type { McpServerStore } from "./mcp-servers.ts";
import type { MemberStore } from "./members.ts";
import type { NetworkStore } from "./networks.ts";
import type { SettingsStore } from "./organization-settings.ts";
import type { OrganizationStore, RepositoryStore } from "./organization-store.ts";
import type { OwnOrganizationStore } from "./own-organizations.ts";
import type { PreparedStore } from "./prepared.ts";
import type { PullStore } from "./pulls.ts";
import type { AgentStore, QueueStore } from "./queue-store.ts";
import type { RemovalStore } from "./removals.ts";
import type { ExternalRunStore, RunStore, TurnStore } from "./run-store.ts";
import type { SetupStore } from "./setups.ts";
import type { ShareStore } from "./shares.ts";
import type { SessionStore, TokenStore } from "./sign-in-store.ts";
import type { StorageStore } from "./storage.ts";
import type { StoreTrouble } from "./store-error.ts";
import type { WebhookStore } from "./webhooks.ts";

export type * from "./organization-store.ts";
export type { AgentStore, Claimed, ControlRequests, Figures, Lease, QueueStore, TurnRow } from "./queue-store.ts";
export { LeaseLostError } from "./queue-store.ts";
export type * from "./run-store.ts";
export type * from "./sign-in-store.ts";
export type * from "./window.ts";

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
  agentRefusals: AgentRefusalStore;
  agentSignIns: AgentSignInStore;
  agentCommands: AgentCommandStore;
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
  localChecks: LocalChecksStore;
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
   * The trouble that keeps the store from working, as far as this process has noticed; null if there is none. If the disk was full
   * at the last write, or is `suspected` to be full, tries to write 64 KiB; on suspicion at most every 5 s.
   */
  findTrouble(suspected: boolean): Promise<StoreTrouble | null>;
  /** Problems found by the database's own integrity check; empty if it is sound. Slow on large stores. */
  check(): Promise<string[]>;
  /** Ids of the keys with which stored secrets are encrypted, each once. */
  sealKeyIds(): Promise<string[]>;
  /**
   * For the start of the service: a quick check of a store up to 128 MB, and a whole one if damage was found since the last.
   * Throws StoreError if it is damaged.
   */
  checkAtStart(): Promise<void>;
  /**
   * Returns some of the disk space of deleted rows, and overwrites their data in the write-ahead log; true if nothing is left to
   * do.
   */
  giveBack(): Promise<boolean>;
  /** Notes beside the store how far it has come, if another process has committed since the last call. Once a second is enough. */
  raiseMark(): Promise<void>;
  close(): Promise<void>;
};

export type KeptAnswer = { status: number; body: string };

export type IdempotencyStore = {
  /**
   * Does `work` unless its response is stored from the last 24 h, and stores its response. Everything `work` writes through the
   * given store is committed together with the response, or not at all if it throws. Nothing else is written in the meantime, so it
   * must wait for nothing but that store. `mismatch` if the key was used with another digest.
   */
  once(
    place: { caller: string; operation: string; key: string },
    digest: Uint8Array,
    work: (store: Store) => Promise<KeptAnswer>,
  ): Promise<{ answer: KeptAnswer; replayed: boolean } | "mismatch">;
};
