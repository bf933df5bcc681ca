// One list, in order, that only grows: a migration that has run anywhere is never changed.
import { claudeSessionTables } from "./claude-session-tables.ts";
import { claudeTelemetrySeries, claudeTelemetryTables } from "./claude-telemetry-tables.ts";
import { fillFacts } from "./fill-facts.ts";
import { judgeEntries } from "./judge-entries.ts";
import type { Migration } from "./migration.ts";
import { webhookTables } from "./webhook-tables.ts";
import { wholeNames } from "./whole-names.ts";

/** Migrations to the newest version; the store's version is the number of migrations applied. A released one never changes. */
export const migrations: readonly Migration[] = [
  `
create table organizations (
  id integer primary key autoincrement,
  name text not null,
  created_at integer not null
) strict;

create table users (
  id integer primary key autoincrement,
  email text,
  full_name text,
  created_at integer not null
) strict;

create table memberships (
  organization_id integer not null references organizations (id),
  user_id integer not null references users (id),
  role text not null,
  created_at integer not null,
  primary key (organization_id, user_id)
) strict, without rowid;
create index memberships_by_user on memberships (user_id, organization_id);

create table repositories (
  id integer primary key autoincrement,
  organization_id integer not null references organizations (id),
  name text not null,
  full_name text not null,
  description text,
  source text not null,
  default_branch text,
  created_at integer not null,
  unique (organization_id, source)
) strict;

create table runs (
  id integer primary key autoincrement,
  organization_id integer not null references organizations (id),
  user_id integer references users (id),
  status text not null,
  total_logs integer not null default 0,
  turns integer not null default 0,
  lease_epoch integer not null default 0,
  lease_engine text,
  lease_expires_at integer,
  queued_at integer not null,
  cancel_requested_at integer,
  created_at integer not null,
  started_at integer,
  finished_at integer,
  source_type text not null,
  repository_id integer references repositories (id),
  agent text not null,
  model text,
  permission_mode text not null,
  base_branch text,
  base_commit text,
  branch text,
  cost_usd real,
  tokens text,
  changes text,
  question text,
  answer text,
  agent_state text,
  metadata text not null,
  summary text,
  result text
) strict;
create index runs_by_organization on runs (organization_id, id);
create index runs_by_status on runs (organization_id, status, id);
create index runs_by_repository on runs (repository_id, id) where repository_id is not null;
create index runs_queued on runs (queued_at, id) where status = 'queued';
create index runs_leased on runs (lease_expires_at) where lease_expires_at is not null;

create table turns (
  run_id integer not null references runs (id),
  number integer not null,
  user_id integer references users (id),
  state text not null,
  end_status text,
  created_at integer not null,
  started_at integer,
  finished_at integer,
  model text,
  prompt text not null,
  images text not null,
  primary key (run_id, number)
) strict;

create table entries (
  id integer primary key,
  message_type text not null,
  created_at integer not null,
  is_error integer not null,
  body text not null
) strict;

create table run_progress (
  run_id integer primary key references runs (id),
  progress text not null
) strict;

create table run_diffs (
  run_id integer primary key references runs (id),
  diff text not null
) strict;

create table engines (
  id text primary key,
  beat_at integer not null
) strict, without rowid;

create table agents (
  position integer primary key,
  agent text not null
) strict;

create table tokens (
  id integer primary key autoincrement,
  organization_id integer not null references organizations (id),
  user_id integer not null references users (id),
  name text not null,
  role text not null,
  scopes text not null,
  status_style text not null,
  hint text not null,
  hash blob not null unique,
  created_at integer not null,
  expires_at integer,
  last_used_at integer,
  revoked_at integer
) strict;
create index tokens_by_organization on tokens (organization_id, id);

create table sign_in_links (
  hash blob primary key,
  user_id integer not null references users (id),
  created_at integer not null,
  expires_at integer not null,
  used_at integer
) strict, without rowid;

create table sessions (
  hash blob primary key,
  user_id integer not null references users (id),
  created_at integer not null,
  expires_at integer not null
) strict, without rowid;
`,
  // Type codes of entries, 256 per row: surveys a run of a million entries without reading any of them.
  `
create table entry_blocks (
  id integer primary key,
  kinds text not null
) strict;

insert into entry_blocks (id, kinds)
select
  (id - 1) >> 8,
  group_concat(
    case is_error when 0 then letter else upper(letter) end, '' order by id
  )
from (
  select id, is_error, case message_type
    when 'ACTION' then 'a'
    when 'PLAN_EVALUATION' then 'b'
    when 'FINAL_ANSWER' then 'c'
    when 'ERROR' then 'd'
    when 'USER_MESSAGE' then 'e'
    when 'USER_GITHUB_ISSUE_COMMENT' then 'f'
    when 'INITIAL_PR_GENERATION' then 'g'
    when 'DETECT_PR_ERRORS' then 'h'
    when 'FIX_PR_ERRORS' then 'i'
    when 'PR_CREATION_FAILED' then 'j'
    when 'PR_EVALUATION' then 'k'
    when 'COMMIT_EVALUATION' then 'l'
    when 'AGENT_RUN_LINK' then 'm'
  end as letter
  from entries
)
group by (id - 1) >> 8;
`,
  // Responses stored under a caller's Idempotency-Key.
  `
create table idempotency_keys (
  caller text not null,
  operation text not null,
  key text not null,
  digest blob not null,
  status integer not null,
  body text not null,
  created_at integer not null,
  expires_at integer not null,
  primary key (caller, operation, key)
) strict;
create index idempotency_keys_by_end on idempotency_keys (expires_at);
`,
  // Links that let others read a run; only their hashes are stored.
  `
create table shares (
  id integer primary key autoincrement,
  organization_id integer not null references organizations (id),
  run_id integer not null references runs (id),
  user_id integer not null references users (id),
  hint text not null,
  hash blob not null unique,
  from_seq integer not null,
  to_seq integer,
  shows_outputs integer not null,
  created_at integer not null,
  expires_at integer,
  revoked_at integer,
  last_viewed_at integer,
  views integer not null
) strict;
create index shares_by_run on shares (run_id, id);
`,
  // When runs waited for a person: what remains of an answered question.
  `
create table run_waits (
  run_id integer not null references runs (id),
  started_at integer not null,
  ended_at integer,
  primary key (run_id, started_at)
) strict;
`,
  // Creation time, tool duration and tool of each entry: read in blocks, like the type codes.
  fillFacts,
  // Runs that may grow: the indexer asks for them many times a second.
  `
create index runs_live on runs (id) where status in ('queued', 'running', 'waiting', 'evaluating');
`,
  // Answer of each turn. The answer a run shows is that of its last turn that had ended, as far as known.
  `
alter table turns add column result text;
alter table turns add column summary text;
alter table turns add column result_seq integer;
alter table runs add column result_turn integer;
alter table runs add column result_seq integer;

update runs
set
  result_seq = total_logs,
  result_turn = (
    select number from turns
    where run_id = runs.id and started_at is not null
    order by state = 'done' desc, number desc
    limit 1
  )
where result is not null or summary is not null;

update turns
set result = runs.result, summary = runs.summary, result_seq = runs.result_seq
from runs
where runs.id = turns.run_id and runs.result_turn = turns.number;
`,
  // Turns that earlier versions dropped on cancel, and turns waiting in an ended run, are held: nothing anyone wrote is lost.
  `
alter table turns add column revision integer not null default 0;
alter table turns add column image_count integer not null default 0;
update turns set image_count = json_array_length(images) where images <> '[]';
update turns set state = 'held', end_status = null, finished_at = null where state = 'done' and started_at is null;
update turns set state = 'held'
where state = 'waiting'
  and run_id in (select id from runs where status not in ('queued', 'running', 'waiting', 'evaluating'));
create index turns_queued on turns (run_id, number) where state in ('waiting', 'held');
`,
  // Setup commands that runs use, and those that a generate run proposes.
  `
create table setups (
  repository_id integer primary key references repositories (id) on delete cascade,
  version integer not null,
  commands text,
  accepted_by integer references users (id),
  accepted_at integer,
  used_run_id integer,
  used_at integer,
  used_worked integer,
  proposal text,
  proposal_run_id integer,
  proposed_at integer,
  proposal_open integer not null,
  decided_run_id integer not null
) strict;
create index runs_of_setup on runs (repository_id, id) where source_type = 'SETUP_COMMANDS';
`,
  // Failures are now judged by what agents' tools mean, whatever their format: judges stored entries again.
  judgeEntries,
  // Analyses of ended runs. They can be recomputed, so the table may be dropped at any time.
  `
create table analyses (
  run_id integer primary key references runs (id),
  total_logs integer not null,
  version integer not null,
  status text not null,
  body text not null
) strict;
`,
  // Runs that analyze another one, and where that one links to them.
  `
create table analysis_runs (
  run_id integer primary key references runs (id),
  of_run_id integer not null references runs (id),
  web_url text not null,
  of_web_url text not null,
  link_seq integer
) strict;
create index analysis_runs_by_run on analysis_runs (of_run_id);
`,
  // A diff is bytes: files need not be UTF-8, and git apply accepts nothing else.
  `
create table run_diff_bytes (
  run_id integer primary key references runs (id),
  diff blob not null
) strict;
insert into run_diff_bytes (run_id, diff) select run_id, cast(diff as blob) from run_diffs;
drop table run_diffs;
alter table run_diff_bytes rename to run_diffs;
`,
  // Audit log: append-only.
  `
create table audit (
  id integer primary key autoincrement,
  organization_id integer not null references organizations (id),
  created_at integer not null,
  act text not null,
  actor text not null,
  user_id integer references users (id),
  token_id integer references tokens (id),
  object_type text,
  object_id integer,
  object_name text,
  address text,
  user_agent text,
  details text not null
) strict;
create index audit_by_organization on audit (organization_id, id);
create index audit_by_act on audit (organization_id, act, id);
create index audit_by_user on audit (organization_id, user_id, act, created_at);
create trigger audit_unchanged before update on audit
begin
  select raise(abort, 'the audit log is append-only');
end;
create trigger audit_undeleted before delete on audit
begin
  select raise(abort, 'the audit log is append-only');
end;
`,
  // Connections of organizations: code hosts, chats, trackers.
  `
create table integrations (
  id integer primary key autoincrement,
  organization_id integer not null references organizations (id),
  type text not null,
  base_url text,
  account text,
  account_kind text,
  installation_id integer,
  secret_sealed text,
  hook_secret_sealed text,
  active integer not null,
  checked_at integer,
  error text,
  settings text not null,
  revision integer not null,
  created_at integer not null,
  unique (organization_id, type)
) strict;
`,
  // Passwords, invitations and the list of sessions. Addresses are compared in lower case.
  `
alter table users add column password text;
alter table users add column last_seen_at integer;
update users set email = lower(trim(email)) where email is not null;
create unique index users_by_email on users (email) where email is not null;

alter table sessions add column way text not null default 'link';
alter table sessions add column user_agent text;
alter table sessions add column last_seen_at integer;
create index sessions_by_user on sessions (user_id);
create index tokens_by_user on tokens (user_id, organization_id);

create table invitations (
  id integer primary key autoincrement,
  organization_id integer not null references organizations (id),
  role text not null,
  note text,
  hint text not null,
  hash blob not null unique,
  user_id integer not null references users (id),
  created_at integer not null,
  expires_at integer not null,
  accepted_at integer,
  accepted_by integer references users (id),
  withdrawn_at integer
) strict;
create index invitations_by_organization on invitations (organization_id, id);

create table password_resets (
  id integer primary key autoincrement,
  organization_id integer not null references organizations (id),
  user_id integer not null references users (id),
  created_by integer not null references users (id),
  hash blob not null unique,
  created_at integer not null,
  expires_at integer not null,
  used_at integer
) strict;
create index password_resets_by_user on password_resets (user_id);
`,
  claudeSessionTables,
  // Messages to the service from connected services, the runs of these conversations, and the replies.
  `
create table heard (
  id integer primary key autoincrement,
  organization_id integer not null references organizations (id),
  integration_id integer not null references integrations (id) on delete cascade,
  delivery_id text not null,
  kind text not null,
  said_key text,
  state text not null,
  note text not null,
  body text not null,
  tries integer not null,
  due_at integer not null,
  created_at integer not null,
  unique (integration_id, delivery_id),
  unique (integration_id, said_key)
) strict;
create index heard_due on heard (due_at, id) where state = 'waiting';
create table conversations (
  organization_id integer not null references organizations (id),
  integration_id integer not null references integrations (id) on delete cascade,
  key text not null,
  run_id integer not null references runs (id),
  created_at integer not null,
  primary key (integration_id, key)
) strict;
create index conversations_by_run on conversations (run_id);
create table replies (
  id integer primary key autoincrement,
  organization_id integer not null references organizations (id),
  integration_id integer not null references integrations (id) on delete cascade,
  key text not null,
  place text not null,
  text text,
  run_id integer references runs (id),
  turn integer,
  state text not null,
  note text,
  remote_id text,
  tries integer not null,
  due_at integer not null,
  created_at integer not null
) strict;
create index replies_due on replies (due_at, id) where state = 'waiting';
create index replies_by_run on replies (run_id);
create table member_links (
  organization_id integer not null references organizations (id),
  integration_id integer not null references integrations (id) on delete cascade,
  external_id text not null,
  user_id integer not null references users (id),
  created_at integer not null,
  primary key (integration_id, external_id)
) strict;
create table link_codes (
  hash blob primary key,
  organization_id integer not null references organizations (id),
  integration_id integer not null references integrations (id) on delete cascade,
  user_id integer not null references users (id),
  expires_at integer not null
) strict;
`,
  // Webhook events, written where they happen and delivered by engines.
  webhookTables,
  // An organization's defaults for its runs, and the time limit of turns.
  `
alter table organizations add column settings text not null default '{}';
alter table runs add column turn_timeout_s integer;
`,
  // Who may create organizations: the owner of the first one. And which organization a session shows.
  `
alter table users add column is_instance_owner integer not null default 0;
update users set is_instance_owner = 1
where id = (
  select user_id from memberships where role = 'owner' order by organization_id, user_id limit 1
);
alter table sessions add column organization_id integer references organizations (id);
`,
  claudeTelemetryTables,
  // Runs that no event wakes, and check settings of repositories.
  `
alter table runs add column banned_at integer;
create table check_suites (
  repository_id integer primary key references repositories (id),
  organization_id integer not null references organizations (id),
  settings text not null,
  updated_at integer not null
) strict;
`,
  // Announcements in channels.
  `
alter table integrations add column changed_at integer not null default 0;
create table announcements (
  organization_id integer not null references organizations (id),
  integration_id integer not null references integrations (id) on delete cascade,
  run_id integer not null references runs (id),
  moment text not null,
  created_at integer not null,
  primary key (integration_id, run_id, moment)
) strict;
create index announcements_by_run on announcements (run_id);
create index runs_by_end on runs (organization_id, finished_at);
`,
  // Identities of people at OpenID Connect providers, roles given by groups, and sign-ins in progress.
  `
create table identities (
  issuer text not null,
  subject text not null,
  user_id integer not null references users (id),
  created_at integer not null,
  primary key (issuer, subject)
) strict, without rowid;
create index identities_by_user on identities (user_id);

create table group_memberships (
  organization_id integer not null references organizations (id),
  user_id integer not null references users (id),
  primary key (organization_id, user_id)
) strict, without rowid;

create table sign_in_attempts (
  hash blob primary key,
  expires_at integer not null
) strict, without rowid;
create index sign_in_attempts_by_end on sign_in_attempts (expires_at);
`,
  // People's rules for agents.
  "alter table users add column rules text;",
  // When a Claude Code session last sent something, and whether its run was ended for its silence.
  `
alter table claude_sessions add column heard_at integer not null default 0;
alter table claude_sessions add column silent_at integer;
update claude_sessions set heard_at = max(
  created_at, coalesce((select max(received_at) from claude_lines where session = claude_sessions.id), 0)
);
create index claude_sessions_heard on claude_sessions (heard_at) where status = 'ACTIVE' and silent_at is null;
`, // Hosts that agents may reach, connections that were refused, and keys kept for agents. An upgrade keeps the open network.
  `
update organizations set settings = json_set(settings, '$.network', 'open');
alter table repositories add column network text;
create table egress_rules (
  id integer primary key autoincrement,
  organization_id integer not null references organizations (id),
  repository_id integer references repositories (id),
  host text not null,
  port integer
) strict;
create index egress_rules_by_place on egress_rules (organization_id, repository_id);
create table run_denials (
  run_id integer not null references runs (id),
  host text not null,
  rule text not null,
  count integer not null,
  at integer not null,
  primary key (run_id, host, rule)
) strict, without rowid;
create table agent_keys (
  id integer primary key autoincrement,
  organization_id integer not null references organizations (id),
  repository_id integer references repositories (id),
  variable text not null,
  sealed text not null,
  changed_at integer not null
) strict;
create unique index agent_keys_by_place on agent_keys (organization_id, variable, coalesce(repository_id, 0));
`,
  // MCP servers that agents are given.
  `
create table mcp_servers (
  id integer primary key autoincrement,
  organization_id integer not null references organizations (id),
  name text not null,
  url text not null,
  header_names text not null,
  headers_sealed text,
  active integer not null,
  checked_at integer,
  error text,
  server text,
  tools integer,
  created_at integer not null,
  unique (organization_id, name)
) strict;
`,
  // What people are called on GitHub.
  `
alter table users add column github_username text;
alter table users add column github_user_id text;
`,
  // Isolation of a run's agent.
  "alter table runs add column isolation text",
  // Whether the wall holds on the machine of the agents, and refused connections by time.
  `
create table machine_isolation (id integer primary key check (id = 1), found text not null) strict;
create index run_denials_by_time on run_denials (at);
`,
  // Prepared checkouts, kept for later runs; the folders themselves are in the data folder.
  `
create table prepared (
  repository_id integer not null references repositories (id),
  key text not null,
  state text not null,
  stale integer not null default 0,
  run_id integer not null references runs (id),
  bytes integer not null default 0,
  files integer not null default 0,
  error text,
  made_at integer not null,
  used_at integer not null,
  expires_at integer not null,
  primary key (repository_id, key)
) strict, without rowid;
`,
  // How far the store has come; the file beside it says the same (high-water.ts).
  "create table high_water (id integer primary key check (id = 1), store text not null, count integer not null) strict",
  claudeTelemetrySeries,
  // Whether agents may reach the host of a repository's source; existing repositories keep this.
  "alter table repositories add column opens_host integer not null default 1",
  // Remains of deleted runs and repositories that an engine is to remove: their rows, to which these could refer, are gone.
  `
create table removals (
  id integer primary key autoincrement,
  kind text not null,
  run_id integer,
  repository_id integer,
  created_at integer not null
) strict;
`,
  // Disk use of runs and repositories, as an engine measured it.
  `
create table sizes (
  kind text not null,
  object_id integer not null,
  organization_id integer not null references organizations (id),
  bytes integer not null,
  measured_at integer not null,
  primary key (kind, object_id)
) strict, without rowid;
create index sizes_by_organization on sizes (organization_id, measured_at);
`,
  // Pull requests of runs, the tasks due for them, and the repositories' settings.
  `
create table pull_settings (
  repository_id integer primary key references repositories (id),
  organization_id integer not null references organizations (id),
  settings text not null,
  updated_at integer not null
) strict;
create table pull_requests (
  id integer primary key autoincrement,
  organization_id integer not null references organizations (id),
  repository_id integer not null references repositories (id),
  run_id integer not null unique references runs (id),
  user_id integer references users (id),
  integration_id integer references integrations (id) on delete set null,
  full_name text,
  state text not null,
  stage text,
  verdict text,
  reason text,
  number integer,
  url text,
  title text,
  body text,
  draft integer not null,
  head_branch text not null,
  head_commit text,
  base_branch text,
  rounds integer not null default 0,
  rounds_max integer not null,
  attempts text not null default '{}',
  failing text not null default '{}',
  checks text,
  watch text not null default '{}',
  error text,
  end_status text not null,
  fix_turn integer,
  created_at integer not null,
  opened_at integer,
  closed_at integer
) strict;
create unique index pull_requests_by_number on pull_requests (repository_id, number) where number is not null;
create index pull_requests_by_name on pull_requests (integration_id, full_name);
create table host_tasks (
  pull_request_id integer primary key references pull_requests (id) on delete cascade,
  due_at integer not null,
  tries integer not null default 0,
  lease_epoch integer not null default 0,
  lease_expires_at integer
) strict;
create index host_tasks_due on host_tasks (due_at);
create table check_names (
  repository_id integer not null references repositories (id),
  name text not null,
  seen_at integer not null,
  primary key (repository_id, name)
) strict, without rowid;
create index runs_evaluating on runs (id) where status = 'evaluating';
`,
  // Messages that reach an agent while it works. Steering: 0 no, 1 at its next step, 2 on its way to the agent.
  `
alter table turns add column steering integer not null default 0;
alter table runs add column steerable integer not null default 0;
`,
  // Keys that sign the commits of repositories' runs.
  `
alter table pull_settings add column signing_key text;
alter table pull_settings add column signing_sealed text;
`,
  // The agent mode that a run requested.
  "alter table runs add column mode text",
  // The commit with each turn's work, '' if it was not recorded.
  `
alter table turns add column kept_commit text;
update turns set kept_commit = '' where state in ('done', 'active');
`,
  // The last push of a run's branch, as JSON.
  "alter table runs add column pushed text",
  // The repositories whose runs are given an MCP server, as JSON; null: all runs.
  "alter table mcp_servers add column repository_ids text",
  // A repository that is made again on its host counts its pull requests from 1 again.
  "drop index pull_requests_by_number",
  // The text files of messages, and the same without their texts.
  `
alter table turns add column attachments text not null default '[]';
alter table turns add column attachment_names text not null default '[]';
`,
  // MCP servers that single runs were given.
  `
alter table runs add column mcp_servers text;
create index runs_with_mcp_servers on runs (id) where mcp_servers is not null;
`,
  // Events on the host during a look at a pull request.
  "alter table host_tasks add column woken integer not null default 0",
  // The id of a GitHub App's account there.
  "alter table integrations add column account_id integer",
  // Whether an engine has claimed it: due_at is then the end of its claim.
  `
alter table heard add column claimed integer not null default 0;
alter table replies add column claimed integer not null default 0;
`,
  // The run whose pull request a run works on too.
  `
alter table runs add column pull_of integer;
create index runs_of_pull on runs (pull_of) where pull_of is not null;
`,
  // Agents that an organization's runs found signed out.
  `
create table agent_refusals (
  organization_id integer not null references organizations (id),
  agent_id text not null,
  since integer not null,
  words text not null,
  hint text,
  primary key (organization_id, agent_id)
) strict, without rowid;
`,
  // Commands that agents announced in runs of an organization.
  `
create table agent_commands (
  organization_id integer not null references organizations (id),
  agent_id text not null,
  mark text not null,
  commands text not null,
  told_at integer not null,
  primary key (organization_id, agent_id)
) strict, without rowid;
`,
  // Why the agents file is not used; one row while it is invalid.
  "create table agents_file (id integer primary key check (id = 1), problem text not null) strict",
  // Requests to sign in to agents.
  `
create table agent_sign_ins (
  agent_id text primary key,
  organization_id integer not null references organizations (id),
  method text not null,
  asked_at integer not null,
  state text not null,
  error text
) strict, without rowid;
`,
  // What was stored of secrets that cannot be decrypted named keys, files and places of secrets.
  `
update integrations set error = 'Its secret cannot be decrypted. Enter it again.' where ${namesKeys("error")};
update mcp_servers set error = 'Its headers cannot be decrypted. Enter them again.' where ${namesKeys("error")};
update webhook_deliveries set error = 'Not sent: its secret cannot be decrypted. Enter it again.' where ${namesKeys("error")};
update pull_requests set error = json_set(error, '$.message', 'The secret of its code host cannot be decrypted.')
  where ${namesKeys("error")};
update pull_requests set reason = 'The checks could not be read: the secret of the code host cannot be decrypted.'
  where ${namesKeys("reason")};
`,
  // The repository that an integration's error is about; null: the whole integration.
  "alter table integrations add column error_repository text",
  // Full names of repositories in groups within groups.
  wholeNames,
  // 1: new checkouts get the files of the repository's submodules.
  "alter table repositories add column fetch_submodules integer not null default 0",
  // Pull requests on which the work had ended while they were said to be opening. Only remotes without pull requests got a verdict.
  `
update pull_requests
  set state = iif(head_commit is not null and coalesce(verdict, 'refused') not in ('refused', 'diverged'), 'pushed', 'failed')
  where state = 'opening' and stage is null and number is null and id not in (select pull_request_id from host_tasks);
`,
  // Files, commits and other work in the run's checkout that are not in its branch.
  "alter table runs add column left_out integer not null default 0",
];

/** Whether a text of an earlier version contains the seal's own words. */
function namesKeys(text: string): string {
  const words = [
    "%: sealed with key %, but the key in use is %",
    "%: this is no sealed secret%",
    "%: the sealed secret was changed, or belongs to something else%",
    "%the key that encrypts the stored secrets is gone: put back %",
    "%/secret.key cannot be read: %",
    "%/secret.key must hold 32 bytes %",
  ];
  return `(${words.map((one) => `${text} like '${one}'`).join(" or ")})`;
}
