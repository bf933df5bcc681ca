import type { AuditAct } from "#lib/contract/people/audit.ts";
import type { Caller } from "#lib/contract/people/caller.ts";
import { cutText } from "#lib/cut-text.ts";
import type { NewAuditRow } from "#lib/store/people/audit.ts";
import type { Store } from "#lib/store/store.ts";
import type { ServiceContext } from "./service-context.ts";

/**
 * A privileged action and its object. `details` are small and never contain a secret; their texts are cut to 500
 * characters.
 */
export type Act = {
  act: AuditAct;
  object?: { type: string; id?: number; name?: string | null };
  details?: Record<string, unknown>;
};

/** Origin of a request. */
type Origin = Pick<ServiceContext, "origin">;

/**
 * Writes the caller's action to the organization's audit log. Call it inside the transaction that acts, with that
 * transaction's store, and only if something was done:
 *
 *     context.store.transaction(async (store) => { …; await recordAct(store, context, { act: "token.created", … }); })
 */
export async function recordAct(
  store: Store,
  context: Origin & { caller: Caller; access: { organizationId: number } },
  act: Act,
): Promise<void> {
  const { caller, access } = context;
  const actor = { actor: caller.kind, userId: caller.userId, tokenId: caller.tokenId };
  await store.audit.append({ organizationId: access.organizationId, ...actor, ...described(context, act) });
}

/** {@link recordAct} for a person who has no session (yet or any more): in one organization, or in each of theirs. */
export async function recordPersonsAct(
  store: Store,
  context: Origin,
  person: { userId: number; organizationId?: number },
  act: Act,
): Promise<void> {
  for (const organizationId of await organizationsOf(store, person)) {
    await store.audit.append({
      organizationId,
      actor: "person",
      userId: person.userId,
      tokenId: null,
      ...described(context, act),
    });
  }
}

const failuresMax = 10;
const failuresMs = 60_000;

/**
 * Records a refused sign-in of a known person, in each of that person's organizations; at most 10 a minute per person,
 * so that guessing cannot fill the log. `how`: link, password, invitation, reset, oidc.
 */
export async function recordFailedSignIn(
  store: Store,
  context: Origin & Pick<ServiceContext, "now">,
  userId: number,
  details: { how: string; reason?: string },
): Promise<void> {
  await store.transaction(async (inside) => {
    const since = new Date(context.now().getTime() - failuresMs).toISOString();
    for (const organizationId of await organizationsOf(inside, { userId })) {
      if ((await inside.audit.countSince(organizationId, userId, "session.failed", since)) >= failuresMax) continue;
      await recordPersonsAct(inside, context, { userId, organizationId }, { act: "session.failed", details });
    }
  });
}

/** Records an action of the service itself or its command line. */
export async function recordSystemAct(store: Store, organizationId: number, act: Act): Promise<void> {
  const nowhere = { origin: { address: null, userAgent: null } };
  await store.audit.append({
    organizationId,
    actor: "system",
    userId: null,
    tokenId: null,
    ...described(nowhere, act),
  });
}

const organizationsMax = 100;

async function organizationsOf(store: Store, person: { userId: number; organizationId?: number }): Promise<number[]> {
  if (person.organizationId !== undefined) return [person.organizationId];
  const { items } = await store.organizations.listOfUser(person.userId, { skip: 0, limit: organizationsMax });
  return items.map(({ id }) => id);
}

const textCharactersMax = 500;

function described({ origin }: Origin, { act, object, details = {} }: Act) {
  return {
    act,
    objectType: object?.type ?? null,
    objectId: object?.id ?? null,
    objectName: cut(object?.name ?? null),
    address: origin.address,
    userAgent: cut(origin.userAgent),
    details: Object.fromEntries(
      Object.entries(details).map(([name, value]) => [name, typeof value === "string" ? cut(value) : value]),
    ),
  } satisfies Partial<NewAuditRow>;
}

function cut<T extends string | null>(text: T): T | string {
  return text === null ? text : cutText(text, textCharactersMax);
}
