// The store's runs, for clients that start, read or report them.

import type { AttachedFile } from "#lib/contract/runs/attachment.ts";
import type { PermissionMode, SourceType } from "#lib/contract/runs/run.ts";
import type { RunStatus } from "#lib/contract/runs/run-status.ts";
import type { NewRunWebhook } from "#lib/store/webhooks/webhooks.ts";
import type { RunMcpServers } from "./run-mcp-servers.ts";

/** `model` null requests the model of the turn before; for the first turn, the agent's own choice. */
export type NewTurn = { prompt: string; images: string[]; attachments?: AttachedFile[]; model: string | null };

export type TurnRow = NewTurn & { number: number };

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
  /** Only runs with a lower id. */
  before?: number;
  ids?: readonly number[];
  /** Names and values, as text, that the metadata has (run-metadata.ts); all must match. */
  metadata?: readonly (readonly [name: string, value: string])[];
};

/** By creation, or by the end: those that have not ended come last. */
export type RunOrder = "newest" | "oldest" | "last_ended";

/**
 * Why a turn cannot be changed: the run is not visible; it has no such turn (or it was withdrawn); it has started; it was
 * edited since it was read; or the run is queued for this turn alone.
 */
export type TurnRefusal = "run_absent" | "absent" | "begun" | "edited" | "needed";

/** Why an external run cannot be written to: not visible, of another agent, ended, or at the maximum number of entries. */
export type ExternalRefusal = "absent" | "not_external" | "ended" | "full";
