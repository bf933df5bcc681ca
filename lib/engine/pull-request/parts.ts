import type { EngineLogger } from "#lib/engine/engine-parts.ts";
import type { IntegrationParts } from "#lib/host/open-integration.ts";
import type { Store } from "#lib/store/store.ts";
import type { FollowedPush } from "#lib/workspace/follow-branch.ts";
import type { RunWork } from "#lib/workspace/run-work.ts";

/** Dependencies of the work on pull requests. */
export type PullParts = IntegrationParts & {
  store: Store;
  /** What a run has committed; null: nothing. */
  readWork(
    run: { repoId: number; runId: number; baseBranch: string | null },
    signal: AbortSignal,
  ): Promise<RunWork | null>;
  /** See lib/workspace/follow-branch.ts. `authorization` is a header's value for the source's server, or null. */
  push(
    run: { repoId: number; runId: number; source: string; authorization: string | null },
    signal: AbortSignal,
  ): Promise<FollowedPush>;
  /** Whether a line holds a key of a well-known form. */
  holdsKey(line: string): boolean;
  /** Masks secrets in what is written to a host, and in what is read from there. */
  mask(text: string): string;
  /** Origin of links, without a trailing slash. */
  origin(): Promise<string>;
  now(): Date;
  logger: EngineLogger;
};

/** How long a step is leased; it is renewed while the step goes on. */
export const stepLeaseMs = 60_000;

/** After so many failures in a row, about a day of them, a step is given up. */
export const triesMax = 150;

/** Wait before the next try of a step that failed: 5 s, doubling up to 10 minutes. */
export function againMs(tries: number): number {
  return Math.min(600_000, 5000 * 2 ** Math.min(tries - 1, 10));
}
