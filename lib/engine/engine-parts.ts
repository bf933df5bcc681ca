import type { AgentDriver, AgentLimits, AgentProfile, ContainedProcess, StartAgent } from "#lib/agents/agent.ts";
import type { PreparedTrace } from "#lib/analyst/prepare-trace.ts";
import type { Changes } from "#lib/contract/run.ts";
import type { FoundCommand } from "#lib/setup/found-command.ts";
import type { AnalysedRun } from "#lib/store/analysis-runs.ts";
import type { Store } from "#lib/store/store.ts";
import type { Checkout } from "#lib/workspace/checkout.ts";

/** What the engine needs of the workspace; every call throws an error whose message a person can act on. */
export type Workspace = {
  /** The checkout of the run: made from the repository's mirror, or as the last turn left it. */
  open(
    run: { runId: number; repositoryId: number | null; source: string | null; baseBranch: string | null },
    signal: AbortSignal,
  ): Promise<Checkout>;
  /** Commits what is there on the run's branch in the mirror; gives the diff against the base. */
  keep(
    run: { runId: number; repositoryId: number | null; checkout: Checkout; message: string },
    signal: AbortSignal,
  ): Promise<{ diff: Uint8Array; changes: Changes }>;
  /** Starts an agent's process with its whole tree contained. */
  spawn: StartAgent["spawn"];
  /**
   * Starts a shell with a script in a checkout, contained as agents are. Its stdout holds what it writes
   * to stderr too. It begins once its stdin has ended.
   */
  startShell(script: string, cwd: string): Promise<ContainedProcess>;
  /** The version of the repository's setup that prepared the checkout; null where none has since it was made. */
  preparedVersion(checkout: Checkout): Promise<number | null>;
  markPrepared(checkout: Checkout, version: number): Promise<void>;
  /** Paths that the next commit of the checkout would change. */
  uncommittedPaths(checkout: Checkout, signal: AbortSignal): Promise<string[]>;
  /** The setup commands that the files of the checkout's HEAD speak for. */
  findSetup(checkout: Checkout, signal: AbortSignal): Promise<FoundCommand[]>;
  /** The files of the checkout's HEAD that hold rules for agents. */
  findRuleFiles(checkout: Checkout, signal: AbortSignal): Promise<string[]>;
  /** The data folder of one run's agent. */
  agentHome(runId: number): Promise<string>;
  /** Ends what an earlier engine of this data folder left running. */
  sweep(): Promise<void>;
};

/** Something that takes structured lines; pino's shape. */
export type EngineLogger = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** Everything an engine works with. Times are in milliseconds. */
export type EngineParts = {
  store: Store;
  driver: AgentDriver;
  workspace: Workspace;
  profiles: AgentProfile[];
  /** Writes the log of the run that is to be analysed into the checkout of its analysis. */
  prepareTrace(
    analysed: AnalysedRun & { organizationId: number },
    folder: string,
    signal: AbortSignal,
  ): Promise<PreparedTrace>;
  limits: AgentLimits;
  concurrency: number;
  leaseMs: number;
  /** How often the store is asked whether something changed. */
  pollMs: number;
  engineId: string;
  logger: EngineLogger;
};
