import { type Role, roles } from "#lib/contract/words.ts";

/** Permissions of a token or a role (/docs, "Authentication"). */
export const scopes = [
  "runs:read",
  "runs:write",
  "repos:read",
  "repos:write",
  "org:read",
  "org:admin",
  "ingest:write",
] as const;
export type Scope = (typeof scopes)[number];

const viewer: readonly Scope[] = ["runs:read", "repos:read", "org:read"];
const member: readonly Scope[] = [...viewer, "runs:write", "repos:write", "ingest:write"];
const admin: readonly Scope[] = [...member, "org:admin"];
const roleScopes: Record<Role, readonly Scope[]> = { viewer, member, admin, owner: admin };

/** Scopes of a role (/docs, "Authentication"). */
export function scopesOf(role: Role): Scope[] {
  return [...roleScopes[role]];
}

/** True if `role` may do at least what `least` may. */
export function isAtLeast(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least);
}

/** The lower of two roles. */
export function weakerRole(one: Role, other: Role): Role {
  return isAtLeast(one, other) ? other : one;
}

/** The reference service's word for a role. */
export function referenceRole(role: Role): "ADMIN" | "MEMBER" {
  return isAtLeast(role, "admin") ? "ADMIN" : "MEMBER";
}
