import { ApiError } from "#lib/contract/error.ts";
import type { Caller, Member } from "#lib/contract/people/caller.ts";
import type { Scope } from "#lib/contract/people/role-scopes.ts";
import { scopesOf, weakerRole } from "#lib/contract/people/role-scopes.ts";
import type { Store } from "#lib/store/store.ts";

/**
 * The caller's current rights in the organization: a token never outlives or exceeds its person's membership. Throws the same
 * 403 for an organization that does not exist, one the caller is not in, and one that is not the token's.
 */
export async function findMember(caller: Caller, organizationId: number, store: Store): Promise<Member> {
  const own = caller.organizationId === null || caller.organizationId === organizationId;
  const membership = own ? await store.organizations.findRole(organizationId, caller.userId) : null;
  if (membership === null) throw new ApiError("forbidden", "You do not have access to this organization.");
  const role = weakerRole(membership, caller.roleMax);
  const allowed = scopesOf(role);
  return {
    organizationId,
    role,
    scopes: caller.scopes === null ? allowed : allowed.filter((scope) => caller.scopes?.includes(scope)),
  };
}

/** Throws 403 if the member's role or token lacks the scope. */
export function requireScope(member: Member, scope: Scope): void {
  if (member.scopes.includes(scope)) return;
  throw new ApiError("forbidden", `This needs the scope ${scope}, which your role or token does not have.`);
}
