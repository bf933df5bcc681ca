import { secretsInVariables } from "#lib/engine/run-secrets.ts";
import { secretLines } from "#lib/entry/known-secrets.ts";
import { secretsGivenTo } from "#lib/host/given-secrets.ts";
import type { PullParts } from "./parts.ts";
import type { PullWork } from "./work.ts";

/**
 * Finds the lines that contain a secret that runs of this repository may have been given, in any form that masking looks for, also
 * wrapped over several lines: an agent or a setup command may have written one into a file. Of headers and variables, what contains
 * no digit is more likely a name, which may occur in any commit.
 */
export async function findKnownKeys(
  { store, seal, variablesOf }: Pick<PullParts, "store" | "seal" | "variablesOf">,
  { pull: { organizationId, repositoryId, runId }, run }: Pick<PullWork, "pull" | "run">,
): Promise<(lines: readonly string[]) => Set<number>> {
  const { keys, headers } = await secretsGivenTo({ store, seal }, { organizationId, repositoryId, runId });
  const others = [...headers, ...variablesOf(run).flatMap(secretsInVariables)].filter((value) => /\d/.test(value));
  return secretLines([...keys, ...others]);
}
