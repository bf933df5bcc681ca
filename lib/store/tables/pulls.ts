import type { PullStage, PullState, PullVerdict } from "#lib/contract/runs/pull-request.ts";
import type { EndStatus } from "#lib/contract/runs/run-status.ts";
import { boolean, id, instant, integer, json, reference, table, text } from "./table.ts";

export const pulls = {
  /** A repository's settings for pull requests; no row: the defaults. */
  pull_settings: table({
    repository_id: reference("repositories", "cascade"),
    organization_id: reference("organizations"),
    /** JSON of the contract's PullSettings. */
    settings: json(),
    updated_at: instant(),
    /** The key that signs its commits: the public part as a line, the private one sealed. */
    signing_key: text().orNull(),
    signing_sealed: text().orNull(),
  }).key("repository_id"),
  /** State of a run's work on a code host; a run has at most one. */
  pull_requests: table({
    id: id(),
    organization_id: reference("organizations"),
    repository_id: reference("repositories"),
    run_id: reference("runs", "cascade").unique(),
    /** The person who last asked for it; null: the service, or a person on the host. */
    user_id: reference("users").orNull(),
    /** The host's connection, and the repository's name there; null before it is opened, and for remotes without pull requests. */
    integration_id: reference("integrations", "set null").orNull(),
    full_name: text().orNull(),
    state: text<PullState>(),
    /** Null: nothing is being done. A run that is `evaluating` has one, and a row of host_tasks. */
    stage: text<PullStage>().orNull(),
    verdict: text<PullVerdict>().orNull(),
    reason: text().orNull(),
    number: integer().orNull(),
    url: text().orNull(),
    title: text().orNull(),
    /** The requested text; the rest of the description is written when it is opened. */
    body: text().orNull(),
    draft: boolean(),
    head_branch: text(),
    /** The commit last pushed. */
    head_commit: text().orNull(),
    base_branch: text().orNull(),
    /** How often failed checks were handed to the agent since somebody last asked for it. */
    rounds: integer().default(0),
    /** Maximum number of rounds, as last set in the check settings. */
    rounds_max: integer(),
    /** JSON: number of rounds by check name. */
    attempts: json().default("{}"),
    /** JSON: failures in the last round, a signature by check name. */
    failing: json().default("{}"),
    /** JSON: figures of the checks of head_commit. */
    checks: json().orNull(),
    /** JSON object of the engine: its observations of the checks of head_commit, and their times. */
    watch: json().default("{}"),
    /** JSON {code, message, hint}. */
    error: json().orNull(),
    /** How the run's last turn ended; the run gets this status back when the work on the pull request has ended. */
    end_status: text<EndStatus>(),
    /** Number of the turn that is to fix the checks; null if there is none. */
    fix_turn: integer().orNull(),
    created_at: instant(),
    opened_at: instant().orNull(),
    closed_at: instant().orNull(),
  }).index("pull_requests_by_name", "(integration_id, full_name)"),
  /** When the engine has to do something for a pull request. */
  host_tasks: table({
    pull_request_id: reference("pull_requests", "cascade"),
    due_at: instant(),
    /** Attempts since the last success. */
    tries: integer().default(0),
    /** Counts the claims: a step under an older epoch changes nothing. */
    lease_epoch: integer().default(0),
    lease_expires_at: instant().orNull(),
    /** 1 if an event on the host arrived under this lease. */
    woken: boolean().default(0),
  })
    .key("pull_request_id")
    .index("host_tasks_due", "(due_at)"),
  /** Names of checks seen on pull requests of a repository. */
  check_names: table({
    repository_id: reference("repositories", "cascade"),
    name: text(),
    seen_at: instant(),
  }).clusteredBy("repository_id", "name"),
};
