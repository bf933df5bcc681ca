// Every table of errand.db in one place, as Kysely knows it.
import type { Generated } from "kysely";
import type { AuditAct, AuditActor } from "#lib/contract/audit.ts";
import type { ClaudeStatus } from "#lib/contract/claude-code.ts";
import type { MessageType } from "#lib/contract/entry.ts";
import type { IntegrationType } from "#lib/contract/integration.ts";
import type { Isolation } from "#lib/contract/isolation.ts";
import type { DenialRule, NetworkMode } from "#lib/contract/network.ts";
import type { Role } from "#lib/contract/organization.ts";
import type { SignInWay } from "#lib/contract/person.ts";
import type { PermissionMode, SourceType } from "#lib/contract/run.ts";
import type { EndStatus, RunStatus } from "#lib/contract/run-status.ts";
import type { StatusStyle } from "#lib/contract/token.ts";
import type { CheckNames, HostTasks, PullRequests, PullSettingsTable } from "./pull-schema.ts";
import type { WebhookDeliveries, WebhookEvents, Webhooks } from "./webhook-schema.ts";

/**
 * The tables as every dialect has them. Instants are milliseconds since 1970, booleans 0 or 1, JSON is text: with these three,
 * no value looks different in another database.
 */
export type Schema = {
  organizations: Organizations;
  users: Users;
  memberships: Memberships;
  repositories: Repositories;
  check_suites: CheckSuites;
  runs: Runs;
  turns: Turns;
  entries: Entries;
  entry_blocks: EntryBlocks;
  entry_spans: EntrySpans;
  run_tools: RunTools;
  run_progress: RunProgress;
  run_diffs: RunDiffs;
  engines: Engines;
  agents: Agents;
  tokens: Tokens;
  sign_in_links: SignInLinks;
  sessions: Sessions;
  invitations: Invitations;
  password_resets: PasswordResets;
  idempotency_keys: IdempotencyKeys;
  shares: Shares;
  run_waits: RunWaits;
  setups: Setups;
  prepared: Prepared;
  analyses: Analyses;
  analysis_runs: AnalysisRuns;
  audit: Audit;
  identities: Identities;
  group_memberships: GroupMemberships;
  sign_in_attempts: SignInAttempts;
  integrations: Integrations;
  mcp_servers: McpServers;
  claude_sessions: ClaudeSessions;
  claude_lines: ClaudeLines;
  claude_calls: ClaudeCalls;
  claude_usage: ClaudeUsage;
  heard: Heard;
  conversations: Conversations;
  replies: Replies;
  member_links: MemberLinks;
  link_codes: LinkCodes;
  webhooks: Webhooks;
  webhook_events: WebhookEvents;
  webhook_deliveries: WebhookDeliveries;
  claude_telemetry: ClaudeTelemetry;
  claude_telemetry_sums: ClaudeTelemetrySums;
  claude_telemetry_series: ClaudeTelemetrySeries;
  announcements: Announcements;
  egress_rules: EgressRules;
  run_denials: RunDenials;
  agent_keys: AgentKeys;
  agent_refusals: AgentRefusals;
  agent_sign_ins: AgentSignIns;
  agents_file: { id: number; problem: string };
  agent_commands: AgentCommands;
  machine_isolation: MachineIsolationTable;
  removals: Removals;
  pull_settings: PullSettingsTable;
  pull_requests: PullRequests;
  host_tasks: HostTasks;
  check_names: CheckNames;
  sizes: Sizes;
};

/** `settings` is JSON, see organization-settings.ts. */
type Organizations = { id: Generated<number>; name: string; created_at: number; settings: Generated<string> };

type Users = {
  id: Generated<number>;
  /** In lower case, unique if set. */
  email: string | null;
  full_name: string | null;
  created_at: number;
  /** Hash with its parameters; null if none is set. */
  password: string | null;
  /** Their rules for agents; null for none. */
  rules: string | null;
  /** Their name on GitHub; null if it is not set. */
  github_username: string | null;
  /** Digits; null if GitHub was not asked. */
  github_user_id: string | null;
  /** When one of their sessions last made a request, to the minute. */
  last_seen_at: number | null;
  /** Whether they may create organizations. */
  is_instance_owner: Generated<number>;
};

type Memberships = { organization_id: number; user_id: number; role: Role; created_at: number };

type Repositories = {
  id: Generated<number>;
  organization_id: number;
  name: string;
  full_name: string;
  description: string | null;
  source: string;
  default_branch: string | null;
  created_at: number;
  /** The repository's network mode; null: that of the organization. */
  network: NetworkMode | null;
  /** 1: agents of all runs may reach the host of its source, because an admin added it. */
  opens_host: Generated<number>;
  /** 1: new checkouts get the files of its submodules. */
  fetch_submodules: Generated<number>;
};

/** A repository's check settings; no row: the defaults. */
type CheckSuites = {
  repository_id: number;
  organization_id: number;
  /** JSON of the contract's CheckSuiteSettings. */
  settings: string;
  updated_at: number;
};

/** Large values not needed with every run have separate tables, because a run's row is rewritten with every entry. */
type Runs = {
  id: Generated<number>;
  /** JSON of its own MCP servers, headers sealed, and of the names of the organization's; null: as every run (run-mcp-servers.ts). */
  mcp_servers: string | null;
  organization_id: number;
  user_id: number | null;
  status: RunStatus;
  total_logs: Generated<number>;
  /** Number of turns created and not withdrawn. */
  turns: Generated<number>;
  /** Counts the claims: a write under an older epoch changes nothing. */
  lease_epoch: Generated<number>;
  lease_engine: string | null;
  lease_expires_at: number | null;
  queued_at: number;
  cancel_requested_at: number | null;
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
  source_type: SourceType;
  repository_id: number | null;
  agent: string;
  model: string | null;
  permission_mode: PermissionMode;
  /** The agent mode that was requested; null: chosen by the permission mode. */
  mode: string | null;
  turn_timeout_s: number | null;
  base_branch: string | null;
  base_commit: string | null;
  branch: string | null;
  cost_usd: number | null;
  /** JSON of the contract's Tokens. */
  tokens: string | null;
  /** JSON of the contract's Changes. */
  changes: string | null;
  /** Number of pieces of work in its checkout that its branch does not contain, at the end of its last turn. */
  left_out: Generated<number>;
  /** JSON of the contract's Question; set exactly while the status is `waiting`. */
  question: string | null;
  /** JSON {questionId, optionId}. */
  answer: string | null;
  /** JSON object: state of the agent's driver, for continuing. */
  agent_state: string | null;
  metadata: string;
  /** Since when no pull request event wakes it. */
  banned_at: number | null;
  /** The run whose pull request this run works on too, after that run took over the conversation on it. */
  pull_of: number | null;
  /** JSON of the contract's LastPush: the last push of its branch. */
  pushed: string | null;
  /** 1 while messages reach its agent between two steps. */
  steerable: Generated<0 | 1>;
  isolation: Isolation | null;
  /** The last answer of its turns: result and summary, the turn's number, and the number of entries at that time. */
  summary: string | null;
  result: string | null;
  result_turn: number | null;
  result_seq: number | null;
};

type Turns = {
  run_id: number;
  /** From 1 without gaps, in order of creation; turns may start in another order. */
  number: number;
  user_id: number | null;
  /**
   * A held turn starts only when somebody sends it. A withdrawn one leaves its number behind, which is not reused; so does a
   * steered one, whose message reached the agent during another turn.
   */
  state: "waiting" | "held" | "active" | "done" | "withdrawn" | "steered";
  /** For a waiting turn: 0 it waits for the turn before, 1 for the agent's next step, 2 it is on its way to the agent. */
  steering: Generated<0 | 1 | 2>;
  end_status: EndStatus | null;
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
  model: string | null;
  prompt: string;
  /** JSON array of data URLs. */
  images: string;
  image_count: Generated<number>;
  /** JSON array of its text files, and the same without their texts. */
  attachments: Generated<string>;
  attachment_names: Generated<string>;
  /** Counts the edits. */
  revision: Generated<number>;
  /** The turn's answer, and the run's number of entries at that time; null if it has no answer (yet). */
  result: string | null;
  summary: string | null;
  result_seq: number | null;
  /** The commit with the run's work at its end; null if it kept nothing (yet), '' if it was not recorded. */
  kept_commit: string | null;
};

type Entries = {
  /** run * 2^27 + seq: a run's entries are adjacent, in order. */
  id: number;
  message_type: MessageType;
  created_at: number;
  is_error: number;
  /** JSON text of the whole entry, as the API sends it. */
  body: string;
};

type EntryBlocks = {
  /** See blockId: a run's blocks are adjacent, in order. */
  id: number;
  /** One type code per entry, by seq (entry-blocks.ts). */
  kinds: string;
  /** Two bytes per entry: the number of its tool (run_tools), 0 for none. */
  tools: Uint8Array;
  /** One byte per entry (entry-facts.ts). */
  traits: Uint8Array;
};

/** Kept apart from `entry_blocks`, which is read more often: the same blocks of entries, under the same ids. */
type EntrySpans = {
  id: number;
  /** Eight bytes per entry: created_at, a float. */
  times: Uint8Array;
  /** Four bytes per entry: milliseconds its tool took. */
  durations: Uint8Array;
  /** Two bytes per entry: see callHash. */
  calls: Uint8Array;
};

/** Names of a run's tools by number, from 1. */
type RunTools = { run_id: number; code: number; name: string };

type RunProgress = { run_id: number; progress: string };

type RunDiffs = { run_id: number; diff: Uint8Array };

type Analyses = { run_id: number; total_logs: number; version: number; status: RunStatus; body: string };

type Engines = { id: string; beat_at: number };

type Agents = { position: number; agent: string };

type Tokens = {
  id: Generated<number>;
  organization_id: number;
  user_id: number;
  name: string;
  role: Role;
  /** JSON array. */
  scopes: string;
  status_style: StatusStyle;
  hint: string;
  hash: Uint8Array;
  created_at: number;
  expires_at: number | null;
  last_used_at: number | null;
  revoked_at: number | null;
};

type Shares = {
  id: Generated<number>;
  organization_id: number;
  run_id: number;
  user_id: number;
  hint: string;
  hash: Uint8Array;
  from_seq: number;
  to_seq: number | null;
  shows_outputs: number;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_viewed_at: number | null;
  views: number;
};

type Setups = {
  repository_id: number;
  version: number;
  /** JSON of the contract's SetupCommands; null if none are accepted. */
  commands: string | null;
  accepted_by: number | null;
  accepted_at: number | null;
  /** Result of the accepted version in the last run that used it. */
  used_run_id: number | null;
  used_at: number | null;
  used_worked: number | null;
  /** JSON of the contract's Proposal. */
  proposal: string | null;
  proposal_run_id: number | null;
  proposed_at: number | null;
  proposal_open: number;
  /** Generate runs up to this one have been decided on. */
  decided_run_id: number;
};

/** Prepared checkouts, kept for later runs under `data/prepared/<repository_id>/<key>`. */
type Prepared = {
  repository_id: number;
  key: string;
  state: "building" | "ready" | "failed";
  /** 1: no run begins with it any more. */
  stale: number;
  /** The run whose setup it comes from. */
  run_id: number;
  bytes: number;
  files: number;
  /** Why it could not be kept. */
  error: string | null;
  made_at: number;
  used_at: number;
  expires_at: number;
};

/** `ended_at` null: the run waits. */
type RunWaits = { run_id: number; started_at: number; ended_at: number | null };

type SignInLinks = {
  hash: Uint8Array;
  user_id: number;
  created_at: number;
  expires_at: number;
  used_at: number | null;
};

type Sessions = {
  hash: Uint8Array;
  user_id: number;
  created_at: number;
  expires_at: number;
  way: SignInWay;
  user_agent: string | null;
  last_seen_at: number | null;
  /** The one the person chose to see; null for their first. */
  organization_id: number | null;
};

type Invitations = {
  id: Generated<number>;
  organization_id: number;
  role: Role;
  note: string | null;
  hint: string;
  hash: Uint8Array;
  /** Id of the person who created it. */
  user_id: number;
  created_at: number;
  expires_at: number;
  accepted_at: number | null;
  accepted_by: number | null;
  withdrawn_at: number | null;
};

/** Links that set a new password; a replaced one is deleted. */
type PasswordResets = {
  id: Generated<number>;
  /** The organization it was created in. */
  organization_id: number;
  user_id: number;
  created_by: number;
  hash: Uint8Array;
  created_at: number;
  expires_at: number;
  used_at: number | null;
};

type IdempotencyKeys = {
  caller: string;
  operation: string;
  key: string;
  /** SHA-512/256 of the request. */
  digest: Uint8Array;
  status: number;
  body: string;
  created_at: number;
  expires_at: number;
};

/** Runs that analyze another one. */
type AnalysisRuns = {
  run_id: number;
  of_run_id: number;
  /** Addresses of the two runs' pages. */
  web_url: string;
  of_web_url: string;
  /** The entry of the analyzed run that links here; null until that run has ended. */
  link_seq: number | null;
};

/** Append-only: triggers refuse to change or delete a row. */
type Audit = {
  id: Generated<number>;
  organization_id: number;
  created_at: number;
  act: AuditAct;
  actor: AuditActor;
  user_id: number | null;
  token_id: number | null;
  object_type: string | null;
  object_id: number | null;
  object_name: string | null;
  address: string | null;
  user_agent: string | null;
  /** JSON object. */
  details: string;
};

/** An organization's connections. Secrets are encrypted (lib/secrets/seal.ts). */
type Integrations = {
  id: Generated<number>;
  organization_id: number;
  type: IntegrationType;
  base_url: string | null;
  account: string | null;
  account_kind: string | null;
  account_id: number | null;
  installation_id: number | null;
  secret_sealed: string | null;
  hook_secret_sealed: string | null;
  active: number;
  checked_at: number | null;
  error: string | null;
  error_repository: string | null;
  settings: string;
  /** Counts the changes, so that a check of an older secret does not apply to a newer one. */
  revision: number;
  created_at: number;
  /** When it was last connected or changed. */
  changed_at: Generated<number>;
};

/** MCP servers that the agents of an organization are given. Headers are sealed. */
type McpServers = {
  id: Generated<number>;
  organization_id: number;
  name: string;
  url: string;
  /** JSON array. */
  header_names: string;
  /** JSON list of ids; null: every run is given it. */
  repository_ids: string | null;
  headers_sealed: string | null;
  active: number;
  checked_at: number | null;
  error: string | null;
  server: string | null;
  tools: number | null;
  created_at: number;
};

/** Sessions of Claude Code in somebody's own terminal; each has a run. */
type ClaudeSessions = {
  id: Generated<number>;
  organization_id: number;
  user_id: number | null;
  session_id: string;
  run_id: number;
  /** Last reported status. */
  status: ClaudeStatus;
  created_at: number;
  /** Number of lines received. */
  lines: number;
  /** The turn whose prompt is still to come. */
  open_turn: number | null;
  /** JSON {text, at, isHeld}: the agent's last words, unless they are already the run's answer. */
  said: string | null;
  /** When it was told to end while calls were open; null if nothing is left to do. */
  ending_at: number | null;
  /** Sums of `claude_usage`. */
  input_tokens: Generated<number>;
  output_tokens: Generated<number>;
  /** When the last line, status or telemetry arrived. */
  heard_at: Generated<number>;
  /** When its run was ended for its silence; null if it was not, or has continued since. */
  silent_at: number | null;
};

/** The lines of a session as received, by number from 1. */
type ClaudeLines = {
  session: number;
  number: number;
  /** 16 bytes that distinguish the line from the others. */
  key: Uint8Array;
  received_at: number;
  /** The entries appended when it arrived. */
  first_seq: number | null;
  last_seq: number | null;
  /** Why it has no entry; null if it has one, or will. */
  left_out: string | null;
  /** Its text, compressed with zstd. */
  line: Uint8Array;
};

/** Calls of a session. Of a completed one only its id is kept. */
type ClaudeCalls = {
  session: number;
  call_id: string;
  /** Sort key of a session's calls. */
  number: number;
  state: "open" | "unfinished" | "answered";
  /** JSON {name, input, at}. */
  call: string;
};

/** Telemetry that names one of the person's sessions, which may not be known yet. */
type ClaudeTelemetry = {
  id: Generated<number>;
  organization_id: number;
  user_id: number;
  session_id: string;
  /** 16 bytes that distinguish the record from the others. */
  key: Uint8Array;
  /** 16 bytes of its name and attributes. */
  series: Uint8Array;
  kind: "event" | "metric";
  name: string;
  at: number;
  value: number | null;
  /** JSON object. */
  attributes: string;
};

/** Totals of a session's telemetry, including dropped records. */
type ClaudeTelemetrySums = {
  organization_id: number;
  user_id: number;
  session_id: string;
  records: number;
  dropped: number;
  /** JSON of TelemetrySums. */
  sums: string;
};

/** The newest point of each cumulative series of a session. `value` is its sum since `started_at`. */
type ClaudeTelemetrySeries = {
  organization_id: number;
  user_id: number;
  session_id: string;
  series: Uint8Array;
  started_at: number | null;
  at: number;
  value: number;
};

/** Tokens of each message of a session's model. */
type ClaudeUsage = { session: number; message: Uint8Array; input: number; output: number };

/** Events received from connected services; the body is kept only until they are processed. */
type Heard = {
  id: Generated<number>;
  organization_id: number;
  integration_id: number;
  delivery_id: string;
  kind: string;
  /** Identifies the message, whichever delivery reported it; null if there is none. */
  said_key: string | null;
  state: "waiting" | "done" | "ignored" | "failed";
  note: string;
  body: string;
  tries: number;
  due_at: number;
  /** 1: an engine has claimed it, until due_at. */
  claimed: Generated<number>;
  created_at: number;
};

/** The run of each conversation. */
type Conversations = {
  organization_id: number;
  integration_id: number;
  key: string;
  run_id: number;
  created_at: number;
};

/** Replies to send in conversations: a text, or the answer of a turn once it has ended. */
type Replies = {
  id: Generated<number>;
  organization_id: number;
  integration_id: number;
  key: string;
  place: string;
  text: string | null;
  run_id: number | null;
  turn: number | null;
  state: "waiting" | "sent" | "given_up";
  note: string | null;
  remote_id: string | null;
  tries: number;
  due_at: number;
  /** 1: an engine has claimed it, until due_at. */
  claimed: Generated<number>;
  created_at: number;
};

/** Which member a person in a connected service is. */
type MemberLinks = {
  organization_id: number;
  integration_id: number;
  external_id: string;
  user_id: number;
  created_at: number;
};

/** Codes that link whoever sends them, by their SHA-256. */
type LinkCodes = {
  hash: Uint8Array;
  organization_id: number;
  integration_id: number;
  user_id: number;
  expires_at: number;
};

/** Announcements made in channels. */
type Announcements = {
  organization_id: number;
  integration_id: number;
  run_id: number;
  moment: string;
  created_at: number;
};

/** Identities of people at OpenID Connect providers. */
type Identities = { issuer: string; subject: string; user_id: number; created_at: number };

/** Memberships given by groups of a provider. A row without its membership: it was ended by hand, whoever had given it. */
type GroupMemberships = { organization_id: number; user_id: number };

/** Sign-ins by OpenID Connect in progress. */
type SignInAttempts = { hash: Uint8Array; expires_at: number };

/** Rules for hosts that agents may reach; `repository_id` null: the organization's. Port null: 80 and 443. */
type EgressRules = {
  id: Generated<number>;
  organization_id: number;
  repository_id: number | null;
  host: string;
  port: number | null;
};

/** `host` is host and port. */
type RunDenials = { run_id: number; host: string; rule: DenialRule; count: number; at: number };

type AgentKeys = {
  id: Generated<number>;
  organization_id: number;
  repository_id: number | null;
  variable: string;
  sealed: string;
  changed_at: number;
};

/** Agents that runs of an organization found signed out. */
type AgentRefusals = {
  organization_id: number;
  agent_id: string;
  since: number;
  words: string;
  hint: string | null;
};

/** The last request to sign in to each agent. */
type AgentSignIns = {
  agent_id: string;
  organization_id: number;
  method: string;
  asked_at: number;
  state: "waiting" | "running" | "signed_in" | "failed";
  error: string | null;
};

/** Commands that agents announced in runs; JSON as in lib/contract/agent.ts. */
type AgentCommands = {
  organization_id: number;
  agent_id: string;
  mark: string;
  commands: string;
  told_at: number;
};

/** One row: an engine's last finding; JSON as in lib/contract/isolation.ts. */
type MachineIsolationTable = { id: number; found: string };

/** Removals that an engine is to do: see removals.ts. */
type Removals = {
  id: Generated<number>;
  kind: "run" | "repository";
  run_id: number | null;
  repository_id: number | null;
  created_at: number;
};

/** Disk use, as measured: see storage.ts. `object_id` is a run's or a repository's. */
type Sizes = {
  kind: "run" | "files" | "mirror";
  object_id: number;
  organization_id: number;
  bytes: number;
  measured_at: number;
};
