import { invalidField } from "#lib/contract/error.ts";
import type { Store } from "#lib/store/store.ts";
import { recordFailedSignIn, recordPersonsAct } from "./audit.ts";
import { presentPersonOfSession } from "./organizations.ts";
import { SessionChange } from "./reply.ts";
import type { ServiceContext } from "./service-context.ts";

/** Uses up the code of a sign-in link and begins a session. 400 where the code is unknown, used or expired. */
export async function signIn(context: ServiceContext, { body }: { body: { code: string } }): Promise<SessionChange> {
  const { store, secrets } = context;
  const hash = secrets.hashSecret(body.code);
  const session = await store.transaction(async (inside) => {
    const userId = await inside.sessions.consumeLink(hash);
    return userId === null ? null : await beginSession(inside, context, userId, { how: "link" });
  });
  if (session === null) {
    const known = await store.sessions.findLinkUserId(hash);
    if (known !== null) await recordFailedSignIn(store, context, known, { how: "link", reason: "used or expired" });
    const msg = "this link was used already or is too old; `errand login` prints a new one";
    throw invalidField(["code"], msg, { isFailedAuthentication: true });
  }
  return new SessionChange({ user: await presentPersonOfSession(store, session.userId) }, session.secret);
}

/**
 * Signs the person in: a session, and the record of it in each of their organizations. For every way of signing in, inside of the
 * transaction that proves who it is. `how` names the way.
 */
export async function beginSession(
  store: Store,
  context: ServiceContext,
  userId: number,
  details: { how: string },
): Promise<{ userId: number; secret: string }> {
  const { secret, hash } = context.secrets.mintSession();
  const expiresAt = new Date(context.now().getTime() + context.secrets.sessionSeconds * 1000).toISOString();
  await store.sessions.create({ hash, userId, expiresAt });
  await recordPersonsAct(store, context, { userId }, { act: "session.signed_in", details });
  return { userId, secret };
}

/** Ends this browser's session, whether or not there was one. */
export async function signOut(context: ServiceContext): Promise<SessionChange> {
  if (context.sessionSecret !== null) {
    const hash = context.secrets.hashSecret(context.sessionSecret);
    await context.store.transaction(async (store) => {
      const userId = await store.sessions.findUserId(hash);
      await store.sessions.delete(hash);
      if (userId !== null) await recordPersonsAct(store, context, { userId }, { act: "session.signed_out" });
    });
  }
  return new SessionChange({ signed_out: true }, null);
}
