import type { EngineLogger } from "#lib/engine/engine-parts.ts";
import type { IntegrationParts } from "#lib/host/open-integration.ts";
import type { RunRow, Store } from "#lib/store/store.ts";
import type { FollowedPush } from "#lib/workspace/follow-branch.ts";
import type { MeasuredBefore, MeasuredChanges } from "#lib/workspace/measure-changes.ts";
import type { RunWork } from "#lib/workspace/run-work.ts";

/** Dependencies of the work on pull requests. */
export type PullParts = IntegrationParts & {
  store: Store;
  /** The run's commits; null: none. */
  readWork(
    run: { repoId: number; runId: number; baseBranch: string | null },
    signal: AbortSignal,
  ): Promise<RunWork | null>;
  /** Fetches the repository and measures the run's changes; null: its branch has no commit. */
  measure(
    run: {
      organizationId: number;
      repoId: number;
      runId: number;
      source: string;
      baseBranch: string | null;
      before: MeasuredBefore | null;
    },
    signal: AbortSignal,
  ): Promise<MeasuredChanges | null>;
  /** See lib/workspace/follow-branch.ts. `authorization` is a header's value for the source's server, or null. */
  push(
    run: {
      repoId: number;
      runId: number;
      source: string;
      authorization: string | null;
      mayFollow: () => Promise<boolean>;
    },
    signal: AbortSignal,
  ): Promise<FollowedPush>;
  /** Whether a line contains a well-known kind of key. */
  holdsKey(line: string): boolean;
  /** The environments of a run's agent and of its MCP programs, as the service and the profile set them. */
  variablesOf(run: Pick<RunRow, "agent" | "permissionMode">): Record<string, string>[];
  /** Masks secrets in text written to a host or read from one. */
  mask(text: string): string;
  /** Origin of links, without a trailing slash. */
  origin(): Promise<string>;
  now(): Date;
  logger: EngineLogger;
};

/** How long a step is leased; the lease is renewed during the step. */
export const stepLeaseMs = 60_000;

/** A step is given up after this many failures in a row, about a day of them. */
export const triesMax = 150;
