/** What the seal of a stored key belongs to: moved to another place it does not open. */
export function agentKeyContext(
  organizationId: number,
  { repositoryId, variable }: { repositoryId: number | null; variable: string },
): string {
  return `agent key ${organizationId}/${repositoryId ?? "all"}/${variable}`;
}
