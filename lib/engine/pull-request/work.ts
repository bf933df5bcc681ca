import type { PullVerdict } from "#lib/contract/runs/pull-request.ts";
import type { PullRow } from "#lib/store/pulls/pull-rows.ts";
import type { PullChanges } from "#lib/store/pulls/pull-steps.ts";
import type { PullStep } from "#lib/store/pulls/pulls.ts";
import type { RepositoryRow, RunRow } from "#lib/store/store.ts";
import { evaluationEntry, pullEntry } from "./entries.ts";
import type { PullParts } from "./parts.ts";

/** The input of a step, as it was when the step began. */
export type PullWork = {
  pull: PullRow;
  run: RunRow;
  repository: RepositoryRow;
  /** Whether the step may still be written: no turn has begun, and no other engine has taken it over. */
  isHeld: () => Promise<boolean>;
};

/** A step: acts outside the store, then returns what to write about it. Throws what the host or git throws. */
export type TakeStep = (parts: PullParts, work: PullWork, signal: AbortSignal) => Promise<PullStep>;

/** The next step is due at once. */
export const atOnce = { kind: "again", waitMs: 0 } as const;

/** The step that ends the work on a pull request with a verdict. */
export function endingStep(
  parts: PullParts,
  { pull }: PullWork,
  ended: { verdict: PullVerdict; reason: string; checks?: unknown[] },
  more: { changes?: PullChanges; entries?: PullStep["entries"]; checkNames?: readonly string[] } = {},
): PullStep {
  const { verdict, reason, checks = [] } = ended;
  const about = { verdict, reason, rounds: pull.rounds, url: pull.url, number: pull.number };
  return {
    changes: { ...more.changes, verdict, reason },
    entries: [...(more.entries ?? []), evaluationEntry(parts.now(), about, checks)],
    ...(more.checkNames === undefined ? {} : { checkNames: more.checkNames }),
    next: { kind: "end" },
  };
}

/** The step that ends the work because nothing could be pushed or opened. Commits already pushed stay. */
export function failingStep(
  parts: PullParts,
  { pull }: PullWork,
  failure: { code: string; status?: number | null; message: string; hint: string | null },
): PullStep {
  const { code, message, hint, status = null } = failure;
  return {
    changes: {
      error: { code, message, hint },
      ...(pull.number === null && pull.state !== "pushed" ? { state: "failed" } : {}),
    },
    entries: [pullEntry("PR_CREATION_FAILED", parts.now(), { code, status, message, hint })],
    next: { kind: "end" },
  };
}
