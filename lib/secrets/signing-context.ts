/** Encryption context of a repository's signing key: it cannot be decrypted as another one's. */
export function signingSealContext({ organizationId, id }: { organizationId: number; id: number }): string {
  return `signing:${organizationId}:${id}`;
}
