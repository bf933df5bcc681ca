import type { Role } from "#lib/contract/people/organization.ts";
import { sameAddress } from "#lib/contract/people/person.ts";
import { isAtLeast } from "#lib/contract/people/role-scopes.ts";
import { cutText } from "#lib/cut-text.ts";
import type { OidcIdentity } from "#lib/oidc/provider.ts";
import type { OidcRules } from "#lib/oidc/settings.ts";
import type { GroupChange } from "#lib/store/people/identities.ts";
import type { Store } from "#lib/store/store.ts";
import { type Act, recordPersonsAct } from "./audit.ts";
import { endedDetails } from "./members.ts";
import type { ServiceContext } from "./service-context.ts";
import { beginSession } from "./sessions.ts";

type SignedIn = { userId: number; secret: string } | { refused: string };

const nameCharactersMax = 100;

/**
 * Signs in the person the provider named: the person with that subject, or the account with the same verified address
 * (once), or a new person. Roles follow the current groups; a person without any organization (any more) is refused,
 * after roles were removed, unless `isInvited`: they hold an open invitation, which they may then accept.
 */
export async function signInIdentity(
  context: ServiceContext,
  rules: OidcRules,
  identity: OidcIdentity,
  isInvited: boolean,
): Promise<SignedIn> {
  const outside = domainProblem(rules, identity);
  if (outside !== null) return { refused: outside };
  return await context.store.transaction(async (store) => {
    const roles = await rolesOf(store, rules, identity.groups);
    const found = await findPerson(
      store,
      context,
      identity,
      isInvited || [...roles.values()].some((role) => role !== null),
    );
    if ("refused" in found) return found;
    const { userId } = found;
    let isRemovedByHand = false;
    for (const [organizationId, role] of roles) {
      const change = await store.identities.setGroupRole(organizationId, userId, role);
      if (change.kind === "removed_by_hand") isRemovedByHand = true;
      const act = actOf(change, userId, role);
      if (act !== null) await recordPersonsAct(store, context, { userId, organizationId }, act);
    }
    const { total } = await store.organizations.listOfUser(userId, { skip: 0, limit: 1 });
    if (total > 0 || isInvited) return await beginSession(store, context, userId, { how: "oidc" });
    return { refused: isRemovedByHand ? removed : noGroup };
  });
}

const noGroup = "None of your groups gives you access here. Ask an admin of Errand or of your sign-in provider.";
const removed = "You were removed from the organization. Ask an admin for an invitation.";

function domainProblem({ allowedDomains }: OidcRules, { email, isEmailVerified }: OidcIdentity): string | null {
  if (allowedDomains.length === 0) return null;
  if (email === null || !isEmailVerified) return "Your sign-in provider has not verified your email address.";
  const domain = sameAddress(email).split("@").at(-1) ?? "";
  return allowedDomains.includes(domain) ? null : `People with an address at ${domain} may not sign in here.`;
}

async function findPerson(
  store: Store,
  context: ServiceContext,
  { issuer, subject, email, isEmailVerified, name }: OidcIdentity,
  mayCreate: boolean,
): Promise<{ userId: number } | { refused: string }> {
  const known = await store.identities.find(issuer, subject);
  if (known !== null) return { userId: known };
  const address = email === null ? null : sameAddress(email);
  const account = address === null ? null : await store.accounts.findByEmail(address);
  if (account !== null && !isEmailVerified) {
    return {
      refused:
        "An account with your email address exists, and your sign-in provider has not verified that the address is yours.",
    };
  }
  if (account !== null && (await store.identities.hasIssuer(account.userId, issuer))) {
    return { refused: "The account with your email address belongs to another user of your sign-in provider." };
  }
  if (account !== null) {
    await store.identities.link(account.userId, issuer, subject);
    const act: Act = { act: "identity.linked", details: { issuer } };
    await recordPersonsAct(store, context, { userId: account.userId }, act);
    return { userId: account.userId };
  }
  // No account is created for a person who could do nothing here.
  if (!mayCreate) return { refused: noGroup };
  const fullName = cutText(name?.trim() ?? "", nameCharactersMax) || null;
  const userId = await store.identities.create({ issuer, subject, email: isEmailVerified ? address : null, fullName });
  return { userId };
}

/** Role in each organization that groups decide on; null for none. Organizations that do not exist are left out. */
async function rolesOf(store: Store, rules: OidcRules, groups: string[]): Promise<Map<number, Role | null>> {
  const there = await store.identities.listOrganizationIds();
  const [first] = there;
  const roles = new Map<number, Role | null>();
  for (const { group, organizationId, role } of rules.groupRoles) {
    const id = organizationId ?? first;
    if (id === undefined || !there.includes(id)) continue;
    const before = roles.get(id) ?? null;
    const isBetter = before === null || isAtLeast(role, before);
    roles.set(id, groups.includes(group) && isBetter ? role : before);
  }
  if (first !== undefined && (roles.get(first) ?? null) === null) roles.set(first, rules.defaultRole);
  return roles;
}

function actOf(change: GroupChange, userId: number, role: Role | null): Act | null {
  const object = { type: "user", id: userId };
  switch (change.kind) {
    case "added":
      return { act: "member.added", object, details: { role, by: "groups" } };
    case "changed":
      return { act: "member.role_changed", object, details: { from: change.before, to: role, by: "groups" } };
    case "removed":
      return {
        act: "member.removed",
        object,
        details: { role: change.before, by: "groups", ...endedDetails(change.ended) },
      };
    default:
      return null;
  }
}
