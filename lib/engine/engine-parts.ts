import type {
  AgentDriver,
  AgentLimits,
  AgentMcpServer,
  AgentProfile,
  ContainedProcess,
  StartAgent,
} from "#lib/agents/agent.ts";
import type { PreparedTrace } from "#lib/analyst/prepare-trace.ts";
import type { Announced } from "#lib/contract/agent.ts";
import type { Changes } from "#lib/contract/changes.ts";
import type { Isolation } from "#lib/contract/isolation.ts";
import type { FoundCommand } from "#lib/setup/found-command.ts";
import type { AnalysedRun } from "#lib/store/analysis-runs.ts";
import type { RunRow, Store } from "#lib/store/store.ts";
import type { Checkout } from "#lib/workspace/checkout.ts";
import type { CommitIdentity } from "#lib/workspace/commit-tree.ts";
import type { LayerSpace } from "#lib/workspace/layers.ts";
import type { LeftOut } from "#lib/workspace/left-out.ts";
import type { MeasuredBefore } from "#lib/workspace/measure-changes.ts";
import type { FindCredential, SourceCredential } from "#lib/workspace/source.ts";
import type { SubmoduleOptions } from "#lib/workspace/submodules.ts";
import type { WallState } from "#lib/workspace/wall-probe.ts";
import type { PreparedWorkspace } from "./prepared-parts.ts";
import type { NetworkParts, RunNetwork } from "./run-network.ts";
import type { SetupNetwork } from "./setup-network.ts";

/** Where a run's repository comes from; null: it has none. */
type SourceOfRun = {
  repositoryId: number | null;
  source: string | null;
  findCredential?: FindCredential | undefined;
};

/** The engine's interface to the workspace. Every call throws errors whose messages a person can act on. */
export type Workspace = {
  /** The run's checkout: created from the repository's mirror, or as the last turn left it. */
  open(
    run: SourceOfRun & {
      runId: number;
      baseBranch: string | null;
      /** How submodules are fetched; left out: they are not. */
      submodules?: Pick<SubmoduleOptions, "findCredential">;
      /** Called with the source's default branch, once it has been fetched. */
      onFetched?: (mirror: { defaultBranch: string | null }) => Promise<void>;
      /** The source could not be fetched for a run that has begun. */
      onProblem?: (problem: string) => void;
      /** The checkout had to be made again, and this went with the old one. */
      onLost?: (lost: LeftOut[]) => void;
    },
    signal: AbortSignal,
  ): Promise<Checkout>;
  /** Whether `open` will move the checkout because others pushed on top of the run's commits. */
  isOutdated(run: { runId: number; repositoryId: number | null }): Promise<boolean>;
  /**
   * Commits the work to the run's branch in the mirror; returns that commit, the run's changes, and what is in neither. `replaces`
   * false: the changes measured before stay.
   */
  keep(
    run: SourceOfRun & {
      checkout: Checkout;
      message: string;
      identity?: CommitIdentity;
      /** The branch that the work is for. */
      baseBranch: string | null;
      before: MeasuredBefore | null;
    },
    signal: AbortSignal,
  ): Promise<{
    diff: Uint8Array;
    changes: Changes;
    replaces: boolean;
    commit: string | null;
    leftOut: LeftOut[];
    unsigned: string | null;
    flattened: boolean;
    plainLfsFiles: string[];
  }>;
  /** The place in which the processes of one turn work. No process of the run may be alive. */
  enclose(turn: {
    runId: number;
    checkout: Checkout;
    profile: AgentProfile;
    isolation: Isolation;
    network: Pick<RunNetwork, "wayOut" | "environmentOf">;
    /** Way out and variables of the setup commands; null: the same as the agent's. */
    setup: Pick<SetupNetwork, "wayOut" | "variables"> | null;
    /** Layers mounted in its folders behind the wall; null: none. */
    layers: LayerSpace | null;
  }): Promise<Enclosure>;
  /** Whether the wall holds on this machine; fast once it has. */
  findWallState(): Promise<WallState>;
  /**
   * Version of the setup commands that prepared the checkout; null if none has since it was created, 0 if it only has the layers of
   * a prepared checkout.
   */
  preparedVersion(checkout: Checkout): Promise<number | null>;
  /** Null: none has prepared it. */
  markPrepared(checkout: Checkout, version: number | null): Promise<void>;
  /** Prepared checkouts, kept for later runs. */
  prepared: PreparedWorkspace;
  /** Paths the next commit of the checkout would change. */
  uncommittedPaths(checkout: Checkout, signal: AbortSignal): Promise<string[]>;
  /** Puts the checkout back on the run's branch, without changes; what git ignores stays. No process of the run may be at work. */
  clean(checkout: Checkout, signal: AbortSignal): Promise<void>;
  /** Setup commands suggested by the files of the run's branch in the mirror. */
  findSetup(checkout: Checkout, signal: AbortSignal): Promise<FoundCommand[]>;
  /** Files of the run's branch in the mirror that contain rules for agents. */
  findRuleFiles(checkout: Checkout, signal: AbortSignal): Promise<string[]>;
  /** Whether files of the run's branch in the mirror belong to Git LFS: the checkout has pointers in their place. */
  usesLfs(checkout: Checkout, signal: AbortSignal): Promise<boolean>;
  /**
   * Removes checkout, home, layers and branch of a run that is not at work. Objects that only the branch held are removed by
   * `pruneMirror`.
   */
  removeRun(run: { runId: number; repositoryId: number | null }): Promise<void>;
  /** Bytes on the disk of a run's checkout, layers and home; files shared with the mirror do not count. */
  measureRun(runId: number): Promise<number>;
  /** Bytes on the disk of the mirror of a repository, or `run-<id>` of a run without one. */
  measureMirror(repoId: number | string): Promise<number>;
  /**
   * Removes a run's checkout, layers and home, and keeps its branch. Removes nothing and returns false if `isWanted` says that
   * the run continues.
   */
  removeRunFiles(runId: number, isWanted: () => Promise<boolean>): Promise<boolean>;
  /** Removes a repository's mirror and its prepared checkouts. Throws if a run still uses it. */
  removeRepository(repositoryId: number): Promise<void>;
  /** Removes objects that no branch holds any more from a repository's mirror. */
  pruneMirror(repositoryId: number, signal: AbortSignal): Promise<void>;
  /** Ends processes that an earlier engine of this data folder left running. */
  sweep(): Promise<void>;
};

/** Where the processes of one turn work. */
export type Enclosure = {
  /** The checkout, and the data folder of the run's agent, as the processes see them. */
  cwd: string;
  agentHome: string;
  /** Starts an agent's process with its whole process tree contained. */
  spawn: StartAgent["spawn"];
  /** Starts a shell with a script in the checkout. Its stdout includes its stderr. It begins once its stdin has ended. */
  startShell(script: string): Promise<ContainedProcess>;
  /** Copies back sign-in files that the agent has renewed. No process may be active inside. Can be repeated. Never throws. */
  leave(): Promise<void>;
  /** Prepares it for one more turn of its stopped processes; false if what they were given is outdated. */
  resume(): Promise<boolean>;
};

/** A structured logger with pino's interface. */
export type EngineLogger = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** Dependencies of an engine. Times are in milliseconds. */
export type EngineParts = {
  store: Store;
  driver: AgentDriver;
  workspace: Workspace;
  /** The current profiles: each attempt reads them once. */
  readonly profiles: AgentProfile[];
  /** Called with what an agent, of this version, announces in a run's session. */
  onAnnounced?: (run: { agent: string; organizationId: number }, announced: Announced, version: string | null) => void;
  /** How agents are isolated: `wall` and `leash` apply to all; `auto` chooses for each what it can work in. */
  isolation: "auto" | Isolation;
  /** Writes the log to be analyzed into the checkout of its analysis. */
  prepareTrace(
    analysed: AnalysedRun & { organizationId: number },
    folder: string,
    signal: AbortSignal,
  ): Promise<PreparedTrace>;
  /**
   * The MCP servers that the agent of this run is given, in this organization and repository; `repositoryId` null: a run without
   * a repository.
   */
  findMcpServers(organizationId: number, repositoryId: number | null, runId: number): Promise<AgentMcpServer[]>;
  /** Who the work of a run is committed as, and with which key it is signed; if left out: Errand, unsigned. */
  findCommitIdentity?: (run: RunRow) => Promise<CommitIdentity>;
  /** Masks secrets in the message of the commit that keeps a turn's work; if left out: none. */
  maskCommit?: (text: string) => string;
  /** The credential with which an organization reads a private source; if left out: none. */
  findCredential?: (
    organizationId: number,
    source: string,
    signal: AbortSignal,
    refused?: string,
  ) => Promise<SourceCredential>;
  network: NetworkParts;
  /** Prepared checkouts: the most bytes kept, and how long each may be used. */
  prepared: { bytesMax: number; usableMs: number };
  limits: AgentLimits;
  /** How long work may take to be kept once the run is cancelled; default 60,000. */
  keepCancelledMs?: number;
  concurrency: number;
  leaseMs: number;
  /** How often the store is polled for changes. */
  pollMs: number;
  /** How long an agent is kept after a turn, in case its run continues; 0: it ends with its turn. */
  warmMs: number;
  engineId: string;
  logger: EngineLogger;
};
