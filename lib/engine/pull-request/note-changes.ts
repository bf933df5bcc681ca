import { secretsInVariables } from "#lib/engine/run-secrets.ts";
import { maskDiff } from "#lib/host/binary-contents.ts";
import { maskGiven } from "#lib/host/given-secrets.ts";
import { measuredBefore } from "#lib/store/runs/run-changes.ts";
import type { RunRow } from "#lib/store/store.ts";
import { changesOf } from "#lib/workspace/measure-changes.ts";
import type { PullParts } from "./parts.ts";

type Noted = {
  run: RunRow;
  repository: { id: number; source: string };
  /** Asked right before the changes are stored. */
  mayStore?: () => Promise<boolean>;
};

/**
 * Fetches the repository, and stores the run's changes as they are now, masked as at the end of a turn. Returns whether the base
 * branch already has them.
 */
export async function noteChanges(
  parts: Pick<PullParts, "store" | "seal" | "measure" | "variablesOf">,
  { run, repository: { id: repoId, source }, mayStore }: Noted,
  signal: AbortSignal,
): Promise<boolean> {
  const { organizationId, id: runId } = run;
  const measured = await parts.measure({ organizationId, repoId, runId, source, ...measuredBefore(run) }, signal);
  if (measured === null || !measured.replaces) return false;
  const changes = changesOf(measured);
  if (JSON.stringify(changes) === JSON.stringify(run.changes)) return changes.in_base_branch;
  const more = parts.variablesOf(run).flatMap(secretsInVariables);
  const mask = await maskGiven(parts, { organizationId, repositoryId: repoId, runId }, more);
  if ((await mayStore?.()) !== false) await parts.store.runs.setChanges(run, maskDiff(mask, measured.diff), changes);
  return changes.in_base_branch;
}
