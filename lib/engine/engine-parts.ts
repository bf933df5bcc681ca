import type { AgentDriver, AgentLimits, AgentMcpServer, AgentProfile } from "#lib/agents/agent.ts";
import type { PreparedTrace } from "#lib/analyst/prepare-trace.ts";
import type { Announced } from "#lib/contract/runs/agent.ts";
import type { Isolation } from "#lib/contract/runs/isolation.ts";
import type { AnalysedRun } from "#lib/store/runs/analysis-runs.ts";
import type { RunRow, Store } from "#lib/store/store.ts";
import type { CommitIdentity } from "#lib/workspace/commit-tree.ts";
import type { SourceCredential } from "#lib/workspace/source.ts";
import type { NetworkParts } from "./run-network.ts";
import type { createRunWorkspace } from "./run-workspace.ts";

/** The engine's interface to the workspace. Every call throws errors whose messages a person can act on. */
export type Workspace = ReturnType<typeof createRunWorkspace>;

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
