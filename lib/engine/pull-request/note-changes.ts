import { secretsInVariables } from "#lib/engine/run-secrets.ts";
import { maskOf } from "#lib/entry/mask-values.ts";
import { secretsGivenTo } from "#lib/host/given-secrets.ts";
import { measuredBefore } from "#lib/store/run-changes.ts";
import { changesOf } from "#lib/workspace/measure-changes.ts";
import type { PullParts } from "./parts.ts";
import type { PullWork } from "./work.ts";

/**
 * Fetches the repository, and stores the run's changes as they are now, masked as at the end of a turn. Returns whether the base
 * branch already has them.
 */
export async function noteChanges(parts: PullParts, work: PullWork, signal: AbortSignal): Promise<boolean> {
  const { run, pull, repository } = work;
  const { organizationId, repositoryId: repoId, runId } = pull;
  const asked = { organizationId, repoId, runId, source: repository.source, ...measuredBefore({ ...run, pull }) };
  const measured = await parts.measure(asked, signal);
  if (measured === null || !measured.replaces) return false;
  const changes = changesOf(measured);
  if (JSON.stringify(changes) === JSON.stringify(run.changes)) return changes.in_base_branch;
  const { keys, headers } = await secretsGivenTo(parts, { organizationId, repositoryId: repoId, runId });
  const { bytes } = maskOf([...keys, ...headers, ...parts.variablesOf(run).flatMap(secretsInVariables)]);
  if (await work.isHeld()) await parts.store.runs.setChanges(run, bytes(measured.diff), changes);
  return changes.in_base_branch;
}
