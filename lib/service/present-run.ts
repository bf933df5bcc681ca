import type { StatusStyle } from "#lib/contract/people/token.ts";
import type { Run } from "#lib/contract/runs/run.ts";
import { type RunStatus, referenceStatus } from "#lib/contract/runs/run-status.ts";
import type { RunRow } from "#lib/store/store.ts";
import { presentPull } from "./present-pull.ts";

/** How to present runs to a caller. */
export type RunView = { publicUrl: string; statusStyle: StatusStyle };

/** A run as the API shows it, with its status in the token's vocabulary. */
export function presentRun(run: RunRow, view: RunView): Run {
  return {
    id: run.id,
    organization_id: run.organizationId,
    status: statusWord(run.status, view.statusStyle),
    created_at: run.createdAt,
    web_url: pageOf(view.publicUrl, run.id),
    result: run.result,
    summary: run.summary,
    result_turn: run.resultTurn,
    source_type: run.sourceType,
    github_pull_requests: opened(run),
    pull_request: run.pull == null ? null : presentPull(run.pull, run.status),
    metadata: run.metadata,
    prompt: run.prompt,
    repo_id: run.repositoryId,
    repo_full_name: run.repositoryFullName,
    base_branch: run.baseBranch,
    branch: run.branch,
    agent: run.agent,
    model: run.model,
    permission_mode: run.permissionMode,
    mode: run.mode,
    turn_timeout_s: run.turnTimeoutS,
    started_at: run.startedAt,
    finished_at: run.finishedAt,
    work_ms: run.workMs ?? null,
    turn_started_at: run.turnStartedAt ?? null,
    total_logs: run.totalLogs,
    tokens: reportedTokens(run),
    cost_usd: run.costUsd,
    turns: run.turns,
    latest_turn: run.latestTurn ?? null,
    failed_turns: run.failedTurns ?? 0,
    queued_turns: run.queuedTurns,
    queue_position: run.queuePosition ?? null,
    user_id: run.userId,
    user_name: run.userName,
    question: run.question,
    changes: run.changes,
    work_left_out: run.leftOut ?? 0,
    steerable: run.isSteerable,
    banned_at: run.bannedAt,
    pushed: run.pushed ?? null,
    isolation: run.isolation,
  };
}

/** A status in a token's vocabulary. */
export function statusWord(status: RunStatus, style: StatusStyle): string {
  return style === "reference" ? referenceStatus[status] : status;
}

/** Its pull request in the reference service's shape, once it is opened. */
function opened({ pull }: RunRow): Run["github_pull_requests"] {
  if (pull == null || pull.number === null || pull.openedAt === null) return [];
  const { id, title, url, openedAt, headBranch } = pull;
  return [{ id, title, url, created_at: openedAt, head_branch_name: headBranch }];
}

/** The address of a run's page. */
export function pageOf(publicUrl: string, runId: number): string {
  return `${publicUrl}/runs/${runId}`;
}

/** The {@link RunView} of a request. */
export function viewOf(context: { publicUrl: string; caller: { statusStyle: StatusStyle } }): RunView {
  return { publicUrl: context.publicUrl, statusStyle: context.caller.statusStyle };
}

/** No tokens beside a cost are tokens that the agent did not know, as it reported them for a cancelled turn. */
function reportedTokens({ tokens, costUsd }: Pick<RunRow, "tokens" | "costUsd">): RunRow["tokens"] {
  return tokens?.total === 0 && (costUsd ?? 0) > 0 ? null : tokens;
}
