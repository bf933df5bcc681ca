import { ApiError, invalidField } from "#lib/contract/error.ts";
import type { BodyOf } from "#lib/contract/operation.ts";
import { type SignInWay, sameAddress } from "#lib/contract/people/person.ts";
import type { signInWithPassword as signInWithPasswordOperation } from "#lib/contract/people/session.ts";
import { cutText } from "#lib/cut-text.ts";
import type { Store } from "#lib/store/store.ts";
import { recordFailedSignIn, recordPersonsAct } from "./audit.ts";
import { presentPersonOfSession } from "./organizations.ts";
import { SessionChange } from "./reply.ts";
import type { ServiceContext } from "./service-context.ts";

const userAgentCharactersMax = 300;

/** Uses up the code of a sign-in link and starts a session. 400 if the code is unknown, used or expired. */
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
    const msg = "this link has expired or has already been used; `npm run --silent errand -- login` prints a new one";
    throw invalidField(["code"], msg, { isFailedAuthentication: true });
  }
  return new SessionChange({ user: await presentPersonOfSession(store, session.userId) }, session.secret);
}

/**
 * Starts a session with address and password. 400 if they do not match, 403 if the person belongs to no organization
 * (any more).
 */
export async function signInWithPassword(
  context: ServiceContext,
  { body }: { body: BodyOf<typeof signInWithPasswordOperation> },
): Promise<SessionChange> {
  const { store, passwords } = context;
  const account = await store.accounts.findByEmail(sameAddress(body.email));
  const matches = await passwords.verify(body.password, account?.password ?? null);
  if (account === null || !matches) {
    if (account !== null) noteWrongPassword(context, account.userId, "password");
    throw invalidField(["password"], "does not match this email address");
  }
  const { userId } = account;
  const session = await store.transaction(async (inside) => {
    const { total } = await inside.organizations.listOfUser(userId, { skip: 0, limit: 1 });
    return total === 0 ? null : await beginSession(inside, context, userId, { how: "password" });
  });
  if (session === null) {
    throw new ApiError("forbidden", "Your account no longer belongs to any organization. Ask for an invitation.");
  }
  return new SessionChange({ user: await presentPersonOfSession(store, userId) }, session.secret);
}

/** Records a refused sign-in after the response is sent: waiting for it would reveal that the account exists. */
export function noteWrongPassword(context: ServiceContext, userId: number, how: "password" | "invitation"): void {
  // If the store cannot write, nobody can sign in either, and that is reported.
  setImmediate(() => void recordFailedSignIn(context.store, context, userId, { how }).catch(() => {}));
}

/** The audit log's names for the ways to sign in. */
type HowSignedIn = "link" | "password" | "invitation" | "reset" | "oidc";

const wayOf: Record<HowSignedIn, SignInWay> = {
  link: "link",
  password: "password",
  invitation: "password",
  reset: "password",
  oidc: "openid_connect",
};

/**
 * Signs the person in: creates a session, and records it in each of their organizations. For every way of signing in,
 * inside the transaction that proves who it is. `how` names the way.
 */
export async function beginSession(
  store: Store,
  context: ServiceContext,
  userId: number,
  details: { how: HowSignedIn },
): Promise<{ userId: number; secret: string }> {
  const { secret, hash } = context.secrets.mintSession();
  const expiresAt = new Date(context.now().getTime() + context.secrets.sessionSeconds * 1000).toISOString();
  const userAgent = context.origin.userAgent == null ? null : cutText(context.origin.userAgent, userAgentCharactersMax);
  await store.sessions.create({ hash, userId, expiresAt, way: wayOf[details.how], userAgent });
  await recordPersonsAct(store, context, { userId }, { act: "session.signed_in", details });
  return { userId, secret };
}

/** Ends this browser's session, if any. */
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
