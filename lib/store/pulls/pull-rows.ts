import { type Kysely, type Selectable, sql } from "kysely";
import { z } from "zod";
import type { PullRequest } from "#lib/contract/runs/pull-request.ts";
import { instantOf, instantOrNull } from "#lib/store/instant.ts";
import type { Schema } from "#lib/store/schema.ts";

/** Figures of checks, and why a pull request could not be opened, as the contract has them. */
export type PullChecks = NonNullable<PullRequest["checks"]>;
export type PullError = NonNullable<PullRequest["error"]>;

/** State of a run's work on a code host. */
export type PullRow = ReturnType<typeof pullRow>;

const Counts = z.record(z.string(), z.number());
const Signatures = z.record(z.string(), z.string());
const Checks = z.object({
  passed: z.number(),
  failed: z.number(),
  pending: z.number(),
  failing: z.array(z.string()),
});
const Failure = z.object({ code: z.string(), message: z.string(), hint: z.string().nullable() });
const Notes = z.record(z.string(), z.unknown());

/** A row of pull_requests in the store's form. */
export function pullRow(row: Selectable<Schema["pull_requests"]>) {
  return {
    id: row.id,
    organizationId: row.organization_id,
    repositoryId: row.repository_id,
    runId: row.run_id,
    /** The person who last asked for it. */
    userId: row.user_id,
    /** Null before it is opened, and for remotes without pull requests. */
    integrationId: row.integration_id,
    fullName: row.full_name,
    state: row.state,
    stage: row.stage,
    verdict: row.verdict,
    reason: row.reason,
    number: row.number,
    url: row.url,
    title: row.title,
    /** Text that somebody asked to have in it. */
    body: row.body,
    isDraft: row.draft === 1,
    headBranch: row.head_branch,
    /** The commit last pushed. */
    headCommit: row.head_commit,
    baseBranch: row.base_branch,
    /**
     * Number of rounds, in which failed checks are handed to the agent, since somebody last asked; the maximum; and the number of
     * rounds by check name.
     */
    rounds: row.rounds,
    roundsMax: row.rounds_max,
    attempts: Counts.parse(JSON.parse(row.attempts)),
    /** Signatures of the failures in the last round, by check name. */
    failing: Signatures.parse(JSON.parse(row.failing)),
    checks: row.checks === null ? null : Checks.parse(JSON.parse(row.checks)),
    /** The engine's own notes about the checks of `headCommit`. */
    watch: Notes.parse(JSON.parse(row.watch)),
    error: row.error === null ? null : Failure.parse(JSON.parse(row.error)),
    endStatus: row.end_status,
    /** The turn that is to fix the checks. */
    fixTurn: row.fix_turn,
    createdAt: instantOf(row.created_at),
    openedAt: instantOrNull(row.opened_at),
    closedAt: instantOrNull(row.closed_at),
  };
}

/** The pull request of a run, or null. */
export async function findPull(database: Kysely<Schema>, runId: number): Promise<PullRow | null> {
  const row = await database.selectFrom("pull_requests").selectAll().where("run_id", "=", runId).executeTakeFirst();
  return row === undefined ? null : pullRow(row);
}

const columns = [
  ...(["id", "organization_id", "repository_id", "run_id", "user_id", "integration_id", "full_name"] as const),
  ...(["state", "stage", "verdict", "reason", "number", "url", "title", "body", "draft", "head_branch"] as const),
  ...([
    "head_commit",
    "base_branch",
    "rounds",
    "rounds_max",
    "attempts",
    "failing",
    "checks",
    "watch",
    "error",
  ] as const),
  ...(["end_status", "fix_turn", "created_at", "opened_at", "closed_at"] as const),
];
/** SQL: the pull request of the run of the query, as JSON of a row; null if it has none. */
export const pullOfRun = sql<string | null>`(
  select json_object(${sql.join(columns.flatMap((name) => [sql.lit(name), sql.ref(`pull_requests.${name}`)]))})
  from pull_requests where pull_requests.run_id = runs.id
)`;
