import type { PullRequest } from "#lib/contract/runs/pull-request.ts";
import { isEnd, type RunStatus } from "#lib/contract/runs/run-status.ts";
import type { PullRow } from "#lib/store/pulls/pull-rows.ts";

/** A run's pull request as the API shows it. In a run that has ended, nothing is done with it. */
export function presentPull(pull: PullRow, runStatus: RunStatus): PullRequest {
  return {
    id: pull.id,
    agent_run_id: pull.runId,
    number: pull.number,
    url: pull.url,
    title: pull.title,
    state: pull.state,
    draft: pull.isDraft,
    stage: isEnd(runStatus) ? null : pull.stage,
    verdict: pull.verdict,
    reason: pull.reason,
    round: pull.rounds,
    rounds_max: pull.roundsMax,
    checks: pull.checks,
    head_branch: pull.headBranch,
    commit: pull.headCommit,
    base_branch: pull.baseBranch,
    error: pull.error,
    created_at: pull.createdAt,
    opened_at: pull.openedAt,
    closed_at: pull.closedAt,
  };
}
