import { type MessageType, type NewEntry, newEntry } from "#lib/contract/logs/entry.ts";
import type { PullVerdict } from "#lib/contract/runs/pull-request.ts";

/** An entry of the work on a pull request. */
export function pullEntry(
  type: Extract<
    MessageType,
    | "COMMIT_EVALUATION"
    | "INITIAL_PR_GENERATION"
    | "PR_CREATION_FAILED"
    | "DETECT_PR_ERRORS"
    | "FIX_PR_ERRORS"
    | "PR_EVALUATION"
    | "AGENT_RUN_LINK"
  >,
  now: Date,
  observation: Record<string, unknown>,
): NewEntry {
  return newEntry(type, now.toISOString(), { observation });
}

/** How the work on it ended. */
export function evaluationEntry(
  now: Date,
  ended: { verdict: PullVerdict; reason: string; rounds: number; url: string | null; number: number | null },
  checks: unknown[] = [],
): NewEntry {
  return pullEntry("PR_EVALUATION", now, { ...ended, checks });
}
