import type { Isolation } from "#lib/contract/runs/isolation.ts";
import type { Tokens } from "#lib/contract/runs/run.ts";
import type { RunRow } from "./run-rows.ts";
import type { TurnRow } from "./run-store.ts";

/** An engine whose last heartbeat is at most this long ago is at work: three of its beats. */
export const engineSeenMs = 15_000;

/** A claimed run. Every write of the engine names `runId` and `epoch`; once the lease is lost they change nothing. */
export type Lease = { runId: number; epoch: number };

export type Claimed = {
  lease: Lease;
  run: RunRow;
  /** Source of the mirror; null for a run without a repository. */
  repositorySource: string | null;
  turn: TurnRow;
  /** State left by earlier attempts for continuing (session id and the like); null on the first. */
  agentState: Record<string, unknown> | null;
};

/** Thrown by every write under a lease that has ended. An expired lease holds until `expire` ends it. */
export class LeaseLostError extends Error {
  constructor(lease: Lease) {
    super(`The lease of run ${lease.runId} (epoch ${lease.epoch}) is lost`);
    this.name = "LeaseLostError";
  }
}

export type Figures = {
  model?: string;
  tokens?: Tokens;
  costUsd?: number;
  agentState?: Record<string, unknown>;
  branch?: string;
  baseBranch?: string;
  baseCommit?: string | null;
  isolation?: Isolation;
  isSteerable?: boolean;
};

/** Control requests to a live run since it was claimed. `message`: one waits for the agent's next step. */
export type ControlRequests = {
  cancel: boolean;
  answer: { questionId: string; optionId: string } | null;
  message: boolean;
};
