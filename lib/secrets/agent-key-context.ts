/** Encryption context of a stored key: it cannot be decrypted in another place. */
export function agentKeyContext(
  organizationId: number,
  { repositoryId, variable }: { repositoryId: number | null; variable: string },
): string {
  return `agent key ${organizationId}/${repositoryId ?? "all"}/${variable}`;
}
