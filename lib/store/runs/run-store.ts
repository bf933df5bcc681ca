// The store's runs, for clients that start, read or report them.

import type { AttachedFile, AttachedName } from "#lib/contract/runs/attachment.ts";
import type { Changes } from "#lib/contract/runs/changes.ts";
import type { Isolation } from "#lib/contract/runs/isolation.ts";
import type { LastPush } from "#lib/contract/runs/push.ts";
import type { OpenQuestion } from "#lib/contract/runs/question.ts";
import type { PermissionMode, SourceType, Tokens } from "#lib/contract/runs/run.ts";
import type { RunStatus } from "#lib/contract/runs/run-status.ts";
import type { PullRow } from "#lib/store/pulls/pull-rows.ts";
import type { NewRunWebhook } from "#lib/store/webhooks/webhooks.ts";
import type { RunMcpServers } from "./run-mcp-servers.ts";

export type RunRow = {
  id: number;
  organizationId: number;
  status: RunStatus;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  prompt: string;
  /** The run's last answer, the number of the turn that gave it, and the run's number of entries at that time. */
  result: string | null;
  summary: string | null;
  /** Total time of its ended turns in milliseconds. Absent in what older versions wrote. */
  workMs: number | null;
  /** When the active turn started. Absent in what older versions wrote. */
  turnStartedAt: string | null;
  resultTurn: number | null;
  /** Number of the latest turn that has started; null before the first. Absent in what older versions wrote. */
  latestTurn: number | null;
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
  /** The agent mode that was requested, or null. */
  mode: string | null;
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
  /**
   * Number of pieces of work in its checkout that its branch does not contain, at the end of its last turn. Absent in what older
   * versions wrote.
   */
  leftOut: number;
  /** Since when pull request events do not wake it. */
  bannedAt: string | null;
  /** The last push of its branch that somebody asked for. Absent in what older versions wrote. */
  pushed: LastPush | null;
  /** Messages reach its agent between two steps. */
  isSteerable: boolean;
  /** Isolation of its agent in its last turn; null before the first. */
  isolation: Isolation | null;
  /** Its pull request, or null. Absent in what older versions wrote. */
  pull: PullRow | null;
};

/** `model` null requests the model of the turn before; for the first turn, the agent's own choice. */
export type NewTurn = { prompt: string; images: string[]; attachments?: AttachedFile[]; model: string | null };

export type NewRun = NewTurn & {
  /** Used instead of the organization's. */
  webhooks?: readonly NewRunWebhook[];
  sourceType: SourceType;
  metadata: Record<string, unknown>;
  repositoryId: number | null;
  baseBranch: string | null;
  agent: string;
  permissionMode: PermissionMode;
  mode?: string | null;
  turnTimeoutS?: number | null;
  /** If left out: the organization's for its repository, and none of its own. */
  mcpServers?: RunMcpServers;
};

export type RunFilter = {
  statuses?: RunStatus[];
  repositoryId?: number;
  userId?: number;
  sourceType?: SourceType;
  agent?: string;
  createdAfter?: string;
  createdBefore?: string;
  /** Text in the prompt, ignoring case (by JavaScript's toLowerCase). */
  q?: string;
};

/** A turn that waits for the one before to end, or is held until somebody sends it. */
export type QueuedTurnRow = {
  number: number;
  state: "waiting" | "held";
  prompt: string;
  imageCount: number;
  attachments: AttachedName[];
  model: string | null;
  /** The agent gets it at its next step, or has it at this moment. */
  steering: "no" | "next_step" | "on_its_way";
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

/** Why an external run cannot be written to: not visible, of another agent, ended, or at the maximum number of entries. */
export type ExternalRefusal = "absent" | "not_external" | "ended" | "full";
