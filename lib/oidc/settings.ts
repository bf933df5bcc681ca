import { Role } from "#lib/contract/people/organization.ts";

/** Members of the group get the role in the organization; null is the first one. */
export type GroupRole = { group: string; organizationId: number | null; role: Role };

/** OpenID Connect settings from the environment. */
export type OidcSettings = {
  issuer: URL;
  clientId: string;
  /** Null for a public client, which only PKCE protects. */
  clientSecret: string | null;
  /** The provider's name on the button, after "Sign in with". */
  name: string;
  scopes: string;
  groupsClaim: string;
  groupRoles: GroupRole[];
  /** Role of people in no mapped group, in the first organization; null refuses them. */
  defaultRole: Role | null;
  /** Lower-case domains of verified addresses that may sign in; empty for any. */
  allowedDomains: string[];
};

/** Rules for who may sign in, and as what. */
export type OidcRules = Pick<OidcSettings, "groupRoles" | "defaultRole" | "allowedDomains">;

/**
 * Reads `GROUP=ROLE` and `GROUP=ORGANIZATION_ID:ROLE`, separated by commas; the last `=` divides, so a group's name may contain
 * one. Returns the first unreadable part, if any.
 */
export function readGroupRoles(text: string): { groupRoles: GroupRole[] } | { unreadable: string } {
  const groupRoles: GroupRole[] = [];
  for (const part of text.split(",").map((one) => one.trim())) {
    if (part === "") continue;
    const written = /^(?<group>.+)=(?:(?<organization>[1-9]\d{0,8}):)?(?<role>[a-z]+)$/.exec(part)?.groups;
    const role = Role.safeParse(written?.role);
    if (written?.group === undefined || !role.success) return { unreadable: part };
    const organizationId = written.organization === undefined ? null : Number(written.organization);
    groupRoles.push({ group: written.group.trim(), organizationId, role: role.data });
  }
  return { groupRoles };
}
