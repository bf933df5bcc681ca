// The store's queue of runs and leases, for the engine.
import type { Agent } from "#lib/contract/agent.ts";
import type { NewChanges } from "#lib/contract/changes.ts";
import type { NewEntry } from "#lib/contract/entry.ts";
import type { Isolation, MachineIsolation } from "#lib/contract/isolation.ts";
import type { Progress } from "#lib/contract/progress.ts";
import type { GivenQuestion } from "#lib/contract/question.ts";
import type { Tokens } from "#lib/contract/run.ts";
import type { EndStatus } from "#lib/contract/run-status.ts";
import type { SignInNote } from "./agent-refusals.ts";
import type { NewTurn, RunRow } from "./run-store.ts";

/** An engine whose last heartbeat is at most this long ago is at work: three of its beats. */
export const engineSeenMs = 15_000;

/** A claimed run. Every write of the engine names `runId` and `epoch`; once the lease is lost they change nothing. */
export type Lease = { runId: number; epoch: number };

export type TurnRow = NewTurn & { number: number };

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

export type QueueStore = {
  /**
   * Claims an evaluating run with a waiting turn, else the oldest queued run: it becomes `running` under a lease of this engine,
   * with its first waiting turn active. Null if there is none.
   */
  claim(engineId: string, leaseMs: number): Promise<Claimed | null>;
  /** Extends the lease. Throws {@link LeaseLostError}. */
  renew(lease: Lease, leaseMs: number): Promise<void>;
  /** Control requests to the run. Cheap; the engine reads it when `version()` changed. Throws {@link LeaseLostError}. */
  controlRequests(lease: Lease): Promise<ControlRequests>;
  /** Appends in one transaction that checks the lease; returns the seq of the last entry. */
  append(lease: Lease, entries: NewEntry[]): Promise<number>;
  /**
   * Takes the next message for the agent's next step. It is then on its way, and nobody can edit or withdraw it. Null if there is
   * none, or a cancel was requested. The caller must settle it with {@link QueueStore.settleMessage}.
   */
  takeMessage(lease: Lease): Promise<TurnRow | null>;
  /**
   * Settles a message. With entries it has reached the agent: they are appended in the same transaction, and it does not become a
   * turn. With null it has not: it waits as a turn, or is held if a cancel was requested. One that nobody settles is held when
   * its turn ends: it may have reached the agent.
   */
  settleMessage(lease: Lease, number: number, entries: NewEntry[] | null): Promise<void>;
  /**
   * The agent has refused a message that was settled as having reached it: `entries` say so, in the same transaction, and it waits
   * as a turn, or is held if `isHeld` or a cancel was requested.
   */
  refuseMessage(lease: Lease, number: number, entries: NewEntry[], isHeld: boolean): Promise<void>;
  /** running -> waiting with the question, or waiting -> running with null. */
  setQuestion(lease: Lease, question: GivenQuestion | null): Promise<void>;
  setProgress(lease: Lease, progress: Progress | null): Promise<void>;
  setFigures(lease: Lease, figures: Figures): Promise<void>;
  setAgentState(lease: Lease, state: Record<string, unknown>): Promise<void>;
  /**
   * Stores the run's current diff, and `commit` as the active turn's work (null if there is none). Without a diff, the stored one
   * stays.
   */
  setDiff(lease: Lease, diff: Uint8Array | null, changes: NewChanges | null, commit: string | null): Promise<void>;
  /** Stores how many pieces of work the run's checkout holds that are not in its branch. */
  setLeftOut(lease: Lease, count: number): Promise<void>;
  /**
   * Ends the active turn, whose answer becomes the run's unless it has none. If another turn waits, it becomes active and is
   * returned, and the run stays `running`; otherwise the lease ends, and the run gets the end status or, while its pull request is
   * worked on, `evaluating`. Waiting turns are held if a cancel was requested, the end is `cancelled`, `interrupted` or
   * `out_of_tokens`, or `holdsQueue` is true. In one transaction with the closing entries, so that a run never ends without one.
   * Clears the progress. `signIn`: what the turn showed about its agent's sign-in, see AgentRefusalStore.
   */
  finishTurn(
    lease: Lease,
    end: {
      status: EndStatus;
      result: string | null;
      summary: string | null;
      entries: NewEntry[];
      holdsQueue?: boolean;
      signIn?: SignInNote;
    },
  ): Promise<TurnRow | null>;
  /**
   * Ends expired leases: marks their runs as `interrupted`, each with an ERROR entry, and holds waiting turns. An evaluating run
   * only loses its lease. Returns the ids of the interrupted runs.
   */
  expire(): Promise<number[]>;
  /**
   * Like `expire`, for every lease, and forgets every engine: for a caller that knows that no engine is at work. Claimed steps of
   * pull requests and events of connected services are due now, claimed replies 15 s later.
   */
  endLeases(): Promise<number[]>;
  /** Heartbeat of the engine. */
  beat(engineId: string): Promise<void>;
  /** Number of engines with a heartbeat in the last `withinMs`. */
  countEngines(withinMs: number): Promise<number>;
};

export type AgentStore = {
  /** Replaces the list with an engine's latest findings. `mark` identifies the version of the agent's command. */
  replaceAll(agents: (Agent & { mark?: string | null })[]): Promise<void>;
  list(): Promise<Agent[]>;
  /** Marks by agent id, of the agents that have one. */
  marks(): Promise<Map<string, string>>;
  /** Stores an engine's findings about the machine on which agents work, replacing earlier ones. */
  putMachine(machine: MachineIsolation): Promise<void>;
  /** Notes why the agents file is not used, so that its last valid version applies; null: it is used. */
  putFileProblem(problem: string | null): Promise<void>;
  findFileProblem(): Promise<string | null>;
  /** Null before an engine of this version has checked. */
  findMachine(): Promise<MachineIsolation | null>;
};
