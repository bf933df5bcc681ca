import type { User } from "#lib/contract/people/organization.ts";

/** A person's name on pages. */
export function nameOf(user: Pick<User, "id" | "full_name" | "email">): string {
  return user.full_name ?? user.email ?? `Person ${user.id}`;
}
