import { notFound } from "#lib/contract/error.ts";
import { type Paging, pageOf, rowsOf } from "#lib/contract/page.ts";
import type { Organization, Role, User } from "#lib/contract/people/organization.ts";
import { isAtLeast, referenceRole, weakerRole } from "#lib/contract/people/role-scopes.ts";
import type { StatusStyle } from "#lib/contract/people/token.ts";
import type { OrganizationRow, Store, UserRow } from "#lib/store/store.ts";
import type { CallerContext, OrganizationContext } from "./service-context.ts";

/** Organizations the caller can reach: a token's own, or all of the session's person. */
export async function listOrganizations(context: CallerContext, { query }: { query: Paging }) {
  const rows = rowsOf(query);
  const { store, caller } = context;
  if (caller.organizationId === null) {
    const { items, total } = await store.organizations.listOfUser(caller.userId, rows);
    return pageOf(items.map(presentOrganization), total, rows);
  }
  const role = await store.organizations.findRole(caller.organizationId, caller.userId);
  const own = role === null ? null : await store.organizations.findOrganization(caller.organizationId);
  const all = own === null ? [] : [presentOrganization(own)];
  return pageOf(all.slice(rows.skip, rows.skip + rows.limit), all.length, rows);
}

/** The caller, with their role in the token's organization or in the one the session shows. */
export async function getMe(context: CallerContext): Promise<User> {
  const { store, caller } = context;
  const organizationId = await findCurrentOrganization(context);
  const role = organizationId === null ? null : await store.organizations.findRole(organizationId, caller.userId);
  return await presentPerson(
    store,
    caller.userId,
    role === null ? null : weakerRole(role, caller.roleMax),
    caller.statusStyle,
  );
}

/** The people of the organization. */
export async function listUsers(context: OrganizationContext, { query }: { query: Paging }) {
  const rows = rowsOf(query);
  const { items, total } = await context.store.organizations.listUsers(context.access, rows);
  const style = context.caller.statusStyle;
  return pageOf(
    items.map((user) => presentUser(user, style)),
    total,
    rows,
  );
}

/** One of the organization's people. */
export async function getUser(
  context: OrganizationContext,
  { params }: { params: { user_id: number } },
): Promise<User> {
  const user = await context.store.organizations.findUser(context.access, params.user_id);
  if (user === null) throw notFound("User");
  return presentUser(user, context.caller.statusStyle);
}

/** A token's organization, or the one the session shows; null if the person has none. */
export async function findCurrentOrganization({
  store,
  caller,
  secrets,
  sessionSecret,
}: CallerContext): Promise<number | null> {
  if (caller.organizationId !== null || sessionSecret === null) return caller.organizationId;
  return await store.ownOrganizations.findChosen(secrets.hashSecret(sessionSecret));
}

/** A person with their role in their first organization, or null without any. */
export async function presentPersonOfSession(store: Store, userId: number): Promise<User> {
  const organizationId = await firstOrganization(store, userId);
  const role = organizationId === null ? null : await store.organizations.findRole(organizationId, userId);
  return await presentPerson(store, userId, role, "errand");
}

async function firstOrganization(store: Store, userId: number): Promise<number | null> {
  const { items } = await store.organizations.listOfUser(userId, { skip: 0, limit: 1 });
  return items[0]?.id ?? null;
}

async function presentPerson(store: Store, userId: number, role: Role | null, style: StatusStyle): Promise<User> {
  const person = await store.organizations.findPerson(userId);
  if (person === null) throw notFound("User");
  return presentUser({ ...person, role }, style);
}

/** An organization as the API shows it. */
export function presentOrganization(organization: OrganizationRow): Organization {
  return {
    id: organization.id,
    name: organization.name,
    settings: {
      enable_pr_creation: organization.settings.enablePrCreation,
      enable_rules_detection: organization.settings.enableRulesDetection,
    },
  };
}

/** A person as the API shows them, with the role in the token's vocabulary. */
export function presentUser(user: UserRow, style: StatusStyle): User {
  const isReference = style === "reference";
  return {
    id: user.id,
    email: user.email,
    // Clients of the reference service leave out people without these.
    github_user_id: user.githubUserId ?? (isReference ? String(user.id) : ""),
    github_username: user.githubUsername ?? (isReference ? (user.fullName ?? user.email ?? `user-${user.id}`) : ""),
    avatar_url: null,
    full_name: user.fullName,
    role: user.role !== null && isReference ? referenceRole(user.role) : user.role,
    is_admin: user.role === null ? null : isAtLeast(user.role, "admin"),
    last_seen_at: user.lastSeenAt,
    sign_in_ways: [
      ...(user.hasPassword ? (["password"] as const) : []),
      ...(user.hasIdentity ? (["openid_connect"] as const) : []),
    ],
  };
}
