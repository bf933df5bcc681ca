import { invalidField } from "#lib/contract/error.ts";
import { presentPersonOfSession } from "./organizations.ts";
import { SessionChange } from "./reply.ts";
import type { ServiceContext } from "./service-context.ts";

/** Uses up the code of a sign-in link and begins a session. 400 where the code is unknown, used or expired. */
export async function signIn(context: ServiceContext, { body }: { body: { code: string } }): Promise<SessionChange> {
  const { store, secrets } = context;
  const userId = await store.sessions.consumeLink(secrets.hashSecret(body.code));
  if (userId === null) {
    const msg = "this link was used already or is too old; `errand login` prints a new one";
    throw invalidField(["code"], msg, { isFailedAuthentication: true });
  }
  const { secret, hash } = secrets.mintSession();
  const expiresAt = new Date(context.now().getTime() + secrets.sessionSeconds * 1000).toISOString();
  await store.sessions.create({ hash, userId, expiresAt });
  return new SessionChange({ user: await presentPersonOfSession(store, userId) }, secret);
}

/** Ends this browser's session, whether or not there was one. */
export async function signOut(context: ServiceContext): Promise<SessionChange> {
  if (context.sessionSecret !== null) {
    await context.store.sessions.delete(context.secrets.hashSecret(context.sessionSecret));
  }
  return new SessionChange({ signed_out: true }, null);
}
