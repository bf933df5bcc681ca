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
import type { Isolation } from "#lib/contract/isolation.ts";
import type { Changes } from "#lib/contract/run.ts";
import type { FoundCommand } from "#lib/setup/found-command.ts";
import type { AnalysedRun } from "#lib/store/analysis-runs.ts";
import type { RunRow, Store } from "#lib/store/store.ts";
import type { Checkout } from "#lib/workspace/checkout.ts";
import type { CommitIdentity } from "#lib/workspace/commit-tree.ts";
import type { LayerSpace } from "#lib/workspace/layers.ts";
import type { LeftOut } from "#lib/workspace/left-out.ts";
import type { SourceCredential } from "#lib/workspace/source.ts";
import type { WallState } from "#lib/workspace/wall-probe.ts";
import type { PreparedWorkspace } from "./prepared-parts.ts";
import type { NetworkParts, RunNetwork } from "./run-network.ts";
import type { SetupNetwork } from "./setup-network.ts";

/** The engine's interface to the workspace; every call throws an error whose message a person can act on. */
export type Workspace = {
  /** The run's checkout: created from the repository's mirror, or as the last turn left it. */
  open(
    run: {
      runId: number;
      repositoryId: number | null;
      source: string | null;
      baseBranch: string | null;
      findCredential?: () => Promise<SourceCredential>;
    },
    signal: AbortSignal,
  ): Promise<Checkout>;
  /** Whether `open` makes the checkout anew, because others pushed on top of the run's commits. */
  isOutdated(run: { runId: number; repositoryId: number | null }): Promise<boolean>;
  /** Commits the work to the run's branch in the mirror; returns that commit, the diff against the base, and what is in neither. */
  keep(
    run: { runId: number; repositoryId: number | null; checkout: Checkout; message: string; identity?: CommitIdentity },
    signal: AbortSignal,
  ): Promise<{
    diff: Uint8Array;
    changes: Changes;
    commit: string | null;
    leftOut: LeftOut[];
    unsigned: string | null;
  }>;
  /** The place in which the processes of one turn work. No process of the run may be alive. */
  enclose(turn: {
    runId: number;
    checkout: Checkout;
    profile: AgentProfile;
    isolation: Isolation;
    network: Pick<RunNetwork, "wayOut" | "environmentOf">;
    /** What the setup commands have instead; null: as the agent. */
    setup: Pick<SetupNetwork, "wayOut" | "variables"> | null;
    /** What is mounted in its folders behind the wall; null: nothing. */
    layers: LayerSpace | null;
  }): Promise<Enclosure>;
  /** Whether the wall holds on this machine; quick once it has. */
  findWallState(): Promise<WallState>;
  /** Version of the repository's setup that prepared the checkout; null if none has since it was created. */
  preparedVersion(checkout: Checkout): Promise<number | null>;
  /** Null: none has. */
  markPrepared(checkout: Checkout, version: number | null): Promise<void>;
  /** What setups made, kept for later runs. */
  prepared: PreparedWorkspace;
  /** Paths the next commit of the checkout would change. */
  uncommittedPaths(checkout: Checkout, signal: AbortSignal): Promise<string[]>;
  /** Setup commands suggested by the files of the checkout's HEAD. */
  findSetup(checkout: Checkout, signal: AbortSignal): Promise<FoundCommand[]>;
  /** Files of the checkout's HEAD that contain rules for agents. */
  findRuleFiles(checkout: Checkout, signal: AbortSignal): Promise<string[]>;
  /** Removes checkout, home, layers and branch of a run that is not at work. What the branch alone held goes with `pruneMirror`. */
  removeRun(run: { runId: number; repositoryId: number | null }): Promise<void>;
  /** Bytes on the disk of a run's checkout, layers and home; what they share with the mirror does not count. */
  measureRun(runId: number): Promise<number>;
  /** Bytes on the disk of the mirror of a repository, or `run-<id>` of a run without one. */
  measureMirror(repoId: number | string): Promise<number>;
  /** Removes a run's checkout, layers and home, and keeps its branch; not, and false, where `isWanted` says that it goes on. */
  removeRunFiles(runId: number, isWanted: () => Promise<boolean>): Promise<boolean>;
  /** Removes a repository's mirror and what is kept of its setups. Throws where a run still uses it. */
  removeRepository(repositoryId: number): Promise<void>;
  /** Removes from a repository's mirror what no branch holds any more. */
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
  /** Takes out what is the service's user's. No process may be at work in it. Can be repeated. Never throws. */
  leave(): Promise<void>;
  /** Prepares it for one more turn of the stopped processes in it; false where they have what is not so any more. */
  goOn(): Promise<boolean>;
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
  /** As they are now: each attempt takes them once. */
  readonly profiles: AgentProfile[];
  /** Told what an agent tells of itself when it opens a run's session. */
  onAnnounced?: (agent: string, announced: Announced) => void;
  /** How agents are kept: `wall` and `leash` for all, `auto` for what each can do its work in. */
  isolation: "auto" | Isolation;
  /** Writes the log to be analyzed into the checkout of its analysis. */
  prepareTrace(
    analysed: AnalysedRun & { organizationId: number },
    folder: string,
    signal: AbortSignal,
  ): Promise<PreparedTrace>;
  /** The MCP servers that the agent of this run of the organization is given, in this repository; null: in none. */
  findMcpServers(organizationId: number, repositoryId: number | null, runId: number): Promise<AgentMcpServer[]>;
  /** Who the work of a run is committed as, and what signs it; left out: Errand, and nothing. */
  findCommitIdentity?: (run: RunRow) => Promise<CommitIdentity>;
  /** What an organization reads a source with that is not public; left out: nothing. */
  findCredential?: (organizationId: number, source: string, signal: AbortSignal) => Promise<SourceCredential>;
  network: NetworkParts;
  /** Of what setups made, so many bytes are kept at most, and each so long. */
  prepared: { bytesMax: number; usableMs: number };
  limits: AgentLimits;
  concurrency: number;
  leaseMs: number;
  /** How often the store is polled for changes. */
  pollMs: number;
  /** How long an agent is kept after a turn, in case its run goes on; 0 or left out: it ends with its turn. */
  warmMs?: number;
  engineId: string;
  logger: EngineLogger;
};
