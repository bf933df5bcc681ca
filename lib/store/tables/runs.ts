import type { MessageType } from "#lib/contract/logs/entry.ts";
import type { DenialRule } from "#lib/contract/repositories/network.ts";
import type { Isolation } from "#lib/contract/runs/isolation.ts";
import type { PermissionMode, SourceType } from "#lib/contract/runs/run.ts";
import type { EndStatus, RunStatus } from "#lib/contract/runs/run-status.ts";
import { blob, boolean, id, instant, integer, json, real, reference, table, text } from "./table.ts";

export const runs = {
  /** Large values not needed with every run have separate tables, because a run's row is rewritten with every entry. */
  runs: table({
    id: id(),
    organization_id: reference("organizations"),
    user_id: reference("users").orNull(),
    /** What people see in place of its prompt; null: the prompt. */
    title: text().orNull(),
    status: text<RunStatus>(),
    /** Since when it is out of the lists. */
    archived_at: instant().orNull(),
    /** Version of the rule by which its entries were judged (entry-facts.ts). */
    facts_version: integer().default(0),
    total_logs: integer().default(0),
    /** Number of turns created and not withdrawn. */
    turns: integer().default(0),
    /** Counts the claims: a write under an older epoch changes nothing. */
    lease_epoch: integer().default(0),
    lease_engine: text().orNull(),
    lease_expires_at: instant().orNull(),
    queued_at: instant(),
    cancel_requested_at: instant().orNull(),
    created_at: instant(),
    started_at: instant().orNull(),
    finished_at: instant().orNull(),
    source_type: text<SourceType>(),
    repository_id: reference("repositories").orNull(),
    agent: text(),
    model: text().orNull(),
    permission_mode: text<PermissionMode>(),
    /** The agent mode that was requested; null: chosen by the permission mode. */
    mode: text().orNull(),
    turn_timeout_s: integer().orNull(),
    base_branch: text().orNull(),
    base_commit: text().orNull(),
    branch: text().orNull(),
    cost_usd: real().orNull(),
    /** JSON of the contract's Tokens. */
    tokens: json().orNull(),
    /** JSON of the contract's Changes. */
    changes: json().orNull(),
    /** Number of pieces of work in its checkout that its branch does not contain, at the end of its last turn. */
    left_out: integer().default(0),
    /** JSON of the contract's Question; set exactly while the status is `waiting`. */
    question: json().orNull(),
    /** JSON {questionId, optionId}. */
    answer: json().orNull(),
    /** JSON object: state of the agent's driver, for continuing. */
    agent_state: json().orNull(),
    metadata: json(),
    /** Since when no pull request event wakes it. */
    banned_at: instant().orNull(),
    /** The run whose pull request this run works on too, after that run took over the conversation on it. */
    pull_of: integer().orNull(),
    /** JSON of the contract's LastPush: the last push of its branch. */
    pushed: json().orNull(),
    /** 1 while messages reach its agent between two steps. */
    steerable: boolean<0 | 1>().default(0),
    isolation: text<Isolation>().orNull(),
    /** Its own MCP servers, headers sealed, and the names of the organization's; null: as every run (run-mcp-servers.ts). */
    mcp_servers: json().orNull(),
    /** The last answer of its turns: result and summary, the turn's number, and the number of entries at that time. */
    summary: text().orNull(),
    result: text().orNull(),
    result_turn: integer().orNull(),
    result_seq: integer().orNull(),
  })
    .index("runs_by_organization", "(organization_id, id)")
    .index("runs_by_status", "(organization_id, status, id)")
    .index("runs_by_repository", "(repository_id, organization_id, id) where repository_id is not null")
    .index("runs_queued", "(queued_at, id) where status = 'queued'")
    .index("runs_queue", "(organization_id, queued_at, id) where status = 'queued'")
    .index("runs_leased", "(lease_expires_at) where lease_expires_at is not null")
    .index("runs_live", "(id) where status in ('queued', 'running', 'waiting', 'evaluating')")
    .index("runs_of_setup", "(repository_id, id) where source_type = 'SETUP_COMMANDS'")
    .index("runs_by_end", "(organization_id, finished_at)")
    .index("runs_evaluating", "(id) where status = 'evaluating'")
    .index("runs_with_mcp_servers", "(id) where mcp_servers is not null")
    .index("runs_of_pull", "(pull_of) where pull_of is not null")
    .index("runs_by_facts_version", "(facts_version, id)"),
  /** What a run is found by: see run-metadata.ts. */
  run_metadata: table({
    organization_id: reference("organizations"),
    name: text(),
    value: text(),
    run_id: reference("runs", "cascade"),
  })
    .clusteredBy("organization_id", "name", "value", "run_id")
    .index("run_metadata_by_run", "(run_id)"),
  turns: table({
    run_id: reference("runs", "cascade"),
    /** From 1 without gaps, in order of creation; turns may start in another order. */
    number: integer(),
    user_id: reference("users").orNull(),
    /**
     * A held turn starts only when somebody sends it. A withdrawn one leaves its number behind, which is not reused; so does a
     * steered one, whose message reached the agent during another turn.
     */
    state: text<"waiting" | "held" | "active" | "done" | "withdrawn" | "steered">(),
    /** For a waiting turn: 0 it waits for the turn before, 1 for the agent's next step, 2 it is on its way to the agent. */
    steering: integer<0 | 1 | 2>().default(0),
    end_status: text<EndStatus>().orNull(),
    created_at: instant(),
    started_at: instant().orNull(),
    finished_at: instant().orNull(),
    /** The requested model. */
    model: text().orNull(),
    /** Who worked on it, and with which model as the agent reported it; null: it has not ended. See turn-figures.ts. */
    agent: text().orNull(),
    used_model: text().orNull(),
    /** Of this turn alone; null: not reported. Without an agent: of all turns that had ended before the store was upgraded. */
    cost_usd: real().orNull(),
    /** JSON of the contract's Tokens, likewise. */
    tokens: json().orNull(),
    prompt: text(),
    /** JSON array of data URLs. */
    images: json(),
    image_count: integer().default(0),
    /** JSON array of its text files, and the same without their texts. */
    attachments: json().default("[]"),
    attachment_names: json().default("[]"),
    /** Counts the edits. */
    revision: integer().default(0),
    /** The turn's answer, and the run's number of entries at that time; null if it has no answer (yet). */
    result: text().orNull(),
    summary: text().orNull(),
    result_seq: integer().orNull(),
    /** The commit with the run's work at its end; null if it kept nothing (yet), '' if it was not recorded. */
    kept_commit: text().orNull(),
  })
    .key("run_id", "number")
    .index("turns_queued", "(run_id, number) where state in ('waiting', 'held')"),
  entries: table({
    /** run * 2^27 + seq: a run's entries are adjacent, in order. */
    id: integer(),
    message_type: text<MessageType>(),
    created_at: instant(),
    is_error: boolean(),
    /** JSON text of the whole entry, as the API sends it. */
    body: json(),
  }).key("id"),
  entry_blocks: table({
    /** See blockId: a run's blocks are adjacent, in order. */
    id: integer(),
    /** One type code per entry, by seq (entry-blocks.ts). */
    kinds: text(),
    /** Two bytes per entry: the number of its tool (run_tools), 0 for none. */
    tools: blob(),
    /** One byte per entry (entry-facts.ts). */
    traits: blob(),
  }).key("id"),
  /** Kept apart from `entry_blocks`, which is read more often: the same blocks of entries, under the same ids. */
  entry_spans: table({
    id: integer(),
    /** Eight bytes per entry: created_at, a float. */
    times: blob(),
    /** Four bytes per entry: milliseconds its tool took. */
    durations: blob(),
    /** Two bytes per entry: see callHash. */
    calls: blob(),
  }).key("id"),
  /** Names of a run's tools by number, from 1. */
  run_tools: table({ run_id: reference("runs", "cascade"), code: integer(), name: text() })
    .clusteredBy("run_id", "code")
    .unique("run_id", "name"),
  run_progress: table({ run_id: reference("runs", "cascade"), progress: json() }).key("run_id"),
  run_diffs: table({ run_id: reference("runs", "cascade"), diff: blob() }).key("run_id"),
  /** `ended_at` null: the run waits. */
  run_waits: table({ run_id: reference("runs", "cascade"), started_at: instant(), ended_at: instant().orNull() }).key(
    "run_id",
    "started_at",
  ),
  /** `host` is host and port. */
  run_denials: table({
    run_id: reference("runs", "cascade"),
    host: text(),
    rule: text<DenialRule>(),
    count: integer(),
    at: instant(),
  })
    .clusteredBy("run_id", "host", "rule")
    .index("run_denials_by_time", "(at)"),
  /** Links that let others read a run; of a link only its hash is stored. */
  shares: table({
    id: id(),
    organization_id: reference("organizations"),
    run_id: reference("runs", "cascade"),
    user_id: reference("users"),
    hint: text(),
    hash: blob().unique(),
    from_seq: integer(),
    to_seq: integer().orNull(),
    shows_outputs: boolean(),
    created_at: instant(),
    expires_at: instant().orNull(),
    revoked_at: instant().orNull(),
    last_viewed_at: instant().orNull(),
    views: integer(),
  }).index("shares_by_run", "(run_id, id)"),
  /** Analyses of ended runs; they can be made again. */
  analyses: table({
    run_id: reference("runs", "cascade"),
    total_logs: integer(),
    version: integer(),
    status: text<RunStatus>(),
    body: json(),
  }).key("run_id"),
  /** Runs that analyze another one. */
  analysis_runs: table({
    run_id: reference("runs", "cascade"),
    of_run_id: reference("runs", "cascade"),
    /** Addresses of the two runs' pages. */
    web_url: text(),
    of_web_url: text(),
    /** The entry of the analyzed run that links here; null until that run has ended. */
    link_seq: integer().orNull(),
  })
    .key("run_id")
    .index("analysis_runs_by_run", "(of_run_id)"),
};
