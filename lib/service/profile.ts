import { ApiError, invalidField } from "#lib/contract/error.ts";
import type { User } from "#lib/contract/people/organization.ts";
import { sameAddress } from "#lib/contract/people/person.ts";
import type { ChangePassword, Session, UpdateMe } from "#lib/contract/people/profile.ts";
import type { GithubAccount } from "#lib/store/people/accounts.ts";
import { recordPersonsAct } from "./audit.ts";
import { findGithubAccount } from "./github-account.ts";
import { requireMatch } from "./if-match.ts";
import { rulesOrNull } from "./organization-settings.ts";
import { getMe } from "./organizations.ts";
import type { CallerContext } from "./service-context.ts";

/** How long a sign-in link can replace the password, in milliseconds. */
const freshMs = 3_600_000;

/** Changes the caller's name, address or rules. 400 for a wrong password, 409 for the address of another account. */
export async function updateMe(context: CallerContext, { body }: { body: UpdateMe }): Promise<User> {
  const { store, caller } = context;
  const email = body.email === undefined ? undefined : sameAddress(body.email);
  if (email !== undefined && email !== (await store.organizations.findPerson(caller.userId))?.email) {
    await confirmPassword(context, body.current_password);
  }
  const github = await githubOf(context, body.github_username);
  const changes = {
    ...(body.full_name === undefined ? {} : { fullName: body.full_name.trim() }),
    ...(email === undefined ? {} : { email }),
    ...(body.rules === undefined ? {} : { rules: rulesOrNull(body.rules) }),
    ...(github === undefined ? {} : { github }),
  };
  await store.transaction(async (inside) => {
    await requireMatch(context, () => getMe({ ...context, store: inside }));
    if (!(await inside.accounts.update(caller.userId, changes))) {
      throw new ApiError("conflict", "Another account has this email address.");
    }
    const object = { type: "user", id: caller.userId, name: body.full_name ?? null };
    const details = { fields: Object.keys(body).filter((name) => name !== "current_password") };
    await recordPersonsAct(inside, context, { userId: caller.userId }, { act: "member.changed", object, details });
  });
  return await getMe(context);
}

/** Sets the caller's password and ends their other sessions. 400 if the current one is wrong. */
export async function changePassword(context: CallerContext, { body }: { body: ChangePassword }): Promise<User> {
  const { store, caller, passwords } = context;
  const before = await confirmPassword(context, body.current_password);
  const password = await passwords.hash(body.password);
  const change = { before, password, keeps: ownHash(context) };
  await store.transaction(async (inside) => {
    if (!(await inside.accounts.changePassword(caller.userId, change))) throw wrongPassword();
    await recordPersonsAct(inside, context, { userId: caller.userId }, { act: "password.set" });
  });
  return await getMe(context);
}

/** Browsers the caller is signed in with, newest first. */
export async function listSessions(context: CallerContext): Promise<{ items: Session[] }> {
  const own = Buffer.from(ownHash(context));
  const sessions = await context.store.sessions.list(context.caller.userId);
  const items = sessions.map((session) => ({
    current: own.equals(session.hash),
    way: session.way,
    user_agent: session.userAgent,
    created_at: session.createdAt,
    last_seen_at: session.lastSeenAt,
    expires_at: session.expiresAt,
  }));
  return { items };
}

/** Ends the caller's other sessions. */
export async function endOtherSessions(context: CallerContext): Promise<{ ended: number }> {
  const { userId } = context.caller;
  return await context.store.transaction(async (store) => {
    const ended = await store.sessions.deleteOthers(userId, ownHash(context));
    if (ended > 0) await recordPersonsAct(store, context, { userId }, { act: "session.ended", details: { ended } });
    return { ended };
  });
}

/** The account to store; undefined leaves the current one. 400 if GitHub has no such user. */
async function githubOf(
  context: CallerContext,
  username: string | null | undefined,
): Promise<GithubAccount | null | undefined> {
  if (username == null) return username;
  const { items } = await context.store.organizations.listOfUser(context.caller.userId, { skip: 0, limit: 100 });
  const organizationIds = items.map(({ id }) => id);
  const account = await findGithubAccount(context, organizationIds, username);
  if (account === null) throw invalidField(["github_username"], "is not known to GitHub");
  return account;
}

/** Hash of the current password, or null; throws 400 if `given` does not match it and nothing else replaces it. */
async function confirmPassword(context: CallerContext, given: string | null | undefined): Promise<string | null> {
  const { store, caller, passwords } = context;
  const kept = await store.accounts.findPassword(caller.userId);
  if (kept === null) return kept;
  if (given == null) {
    if (await cameByFreshLink(context)) return kept;
    throw invalidField(["current_password"], "is required");
  }
  if (!(await passwords.verify(given, kept))) throw wrongPassword();
  return kept;
}

/** Anyone who can print a link on the machine may set a password: this lets in people who forgot theirs. */
async function cameByFreshLink(context: CallerContext): Promise<boolean> {
  const session = await context.store.sessions.find(ownHash(context));
  if (session?.way !== "link") return false;
  return context.now().getTime() - Date.parse(session.createdAt) < freshMs;
}

/** Hash of the session making the request: these operations are for sessions only. */
function ownHash({ sessionSecret, secrets }: CallerContext): Uint8Array {
  if (sessionSecret === null) throw new Error("a session has no secret");
  return secrets.hashSecret(sessionSecret);
}

function wrongPassword(): ApiError {
  return invalidField(["current_password"], "is not your password");
}
