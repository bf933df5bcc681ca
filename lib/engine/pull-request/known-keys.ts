import { secretForms } from "#lib/entry/mask-values.ts";
import { agentKeyContext } from "#lib/secrets/agent-key-context.ts";
import type { PullParts } from "./parts.ts";
import type { PullWork } from "./work.ts";

/**
 * Whether a line contains the value of a key that runs of this repository may have been given, in any form that masking looks
 * for: an agent or a setup command may have written one into a file.
 */
export async function findKnownKeys(
  { store, seal }: Pick<PullParts, "store" | "seal">,
  { organizationId, repositoryId }: Pick<PullWork["pull"], "organizationId" | "repositoryId">,
): Promise<(line: string) => boolean> {
  const rows = await store.agentKeys.list({ organizationId, userId: null });
  const values = rows.flatMap((row) => {
    if (row.repositoryId !== null && row.repositoryId !== repositoryId) return [];
    try {
      return [seal.unseal(row.sealed, agentKeyContext(organizationId, row))];
    } catch {
      // A key that cannot be decrypted was given to no run.
      return [];
    }
  });
  const forms = secretForms(values);
  return (line) => forms.some((form) => line.includes(form));
}
