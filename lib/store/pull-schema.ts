import type { Generated } from "kysely";
import type { PullStage, PullState, PullVerdict } from "#lib/contract/pull-request.ts";
import type { EndStatus } from "#lib/contract/run-status.ts";

/** A repository's settings for pull requests; no row: the defaults. `settings` is JSON of the contract's PullSettings. */
export type PullSettingsTable = {
  repository_id: number;
  organization_id: number;
  settings: string;
  updated_at: number;
  /** The key that signs its commits: the public part as a line, the private one sealed. */
  signing_key: string | null;
  signing_sealed: string | null;
};

/** State of a run's work on a code host; a run has at most one. */
export type PullRequests = {
  id: Generated<number>;
  organization_id: number;
  repository_id: number;
  run_id: number;
  /** The person who last asked for it; null: the service, or a person on the host. */
  user_id: number | null;
  /** The host's connection, and the repository's name there; null before it is opened, and for remotes without pull requests. */
  integration_id: number | null;
  full_name: string | null;
  state: PullState;
  /** Null: nothing is being done. A run that is `evaluating` has one, and a row of host_tasks. */
  stage: PullStage | null;
  verdict: PullVerdict | null;
  reason: string | null;
  number: number | null;
  url: string | null;
  title: string | null;
  /** The requested text; the rest of the description is written when it is opened. */
  body: string | null;
  draft: number;
  head_branch: string;
  /** The commit last pushed. */
  head_commit: string | null;
  base_branch: string | null;
  /** How often failed checks were handed to the agent since somebody last asked for it. */
  rounds: Generated<number>;
  /** Maximum number of rounds, as last set in the check settings. */
  rounds_max: number;
  /** JSON: number of rounds by check name. */
  attempts: Generated<string>;
  /** JSON: failures in the last round, a signature by check name. */
  failing: Generated<string>;
  /** JSON: figures of the checks of head_commit. */
  checks: string | null;
  /** JSON object of the engine: its observations of the checks of head_commit, and their times. */
  watch: Generated<string>;
  /** JSON {code, message, hint}. */
  error: string | null;
  /** How the run's last turn ended; the run gets this status back when the work on the pull request has ended. */
  end_status: EndStatus;
  /** Number of the turn that is to fix the checks; null if there is none. */
  fix_turn: number | null;
  created_at: number;
  opened_at: number | null;
  closed_at: number | null;
};

/** When the engine has to do something for a pull request. */
export type HostTasks = {
  pull_request_id: number;
  due_at: number;
  /** Attempts since the last success. */
  tries: Generated<number>;
  /** Counts the claims: a step under an older epoch changes nothing. */
  lease_epoch: Generated<number>;
  lease_expires_at: number | null;
  /** 1 if an event on the host arrived under this lease. */
  woken: Generated<number>;
};

/** Names of checks seen on pull requests of a repository. */
export type CheckNames = { repository_id: number; name: string; seen_at: number };
