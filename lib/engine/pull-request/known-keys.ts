import { secretsInVariables } from "#lib/engine/run-secrets.ts";
import { secretForms } from "#lib/entry/mask-values.ts";
import { secretsGivenTo } from "#lib/host/given-secrets.ts";
import type { PullParts } from "./parts.ts";
import type { PullWork } from "./work.ts";

/**
 * Whether a line contains the value of a secret that runs of this repository may have been given, in any form that masking looks
 * for: an agent or a setup command may have written one into a file. Of headers and variables, what contains no digit is more
 * likely a name, which may occur in any commit.
 */
export async function findKnownKeys(
  { store, seal, variablesOf }: Pick<PullParts, "store" | "seal" | "variablesOf">,
  { pull: { organizationId, repositoryId, runId }, run }: Pick<PullWork, "pull" | "run">,
): Promise<(line: string) => boolean> {
  const { keys, headers } = await secretsGivenTo({ store, seal }, { organizationId, repositoryId, runId });
  const others = [...headers, ...variablesOf(run).flatMap(secretsInVariables)].filter((value) => /\d/.test(value));
  const forms = secretForms([...new Set([...keys, ...others])]);
  return (line) => forms.some((form) => line.includes(form));
}
