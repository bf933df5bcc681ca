import type { ListedToken } from "#lib/contract/people/token.ts";

/** Owners of the tokens in a list, by token id; null if all belong to the reader and need no names. */
export function ownersOf(tokens: ListedToken[], ownId: number): Map<number, string> | null {
  if (tokens.every(({ user_id }) => user_id === ownId)) return null;
  return new Map(tokens.map((token) => [token.id, ownerOf(token, ownId)]));
}

function ownerOf({ user_id, user_name }: ListedToken, ownId: number): string {
  return user_id === ownId ? "You" : (user_name ?? `Person ${user_id}`);
}
