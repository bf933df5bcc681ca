import { mintSignInCode } from "#lib/auth/sign-in-code.ts";
import type { Logger } from "#lib/logger.ts";
import { recordSystemAct } from "#lib/service/audit.ts";
import type { Store } from "#lib/store/store.ts";

const minutes = 15;

/**
 * Creates a sign-in link for the user: it works once, within 15 minutes. Only the code's hash is stored, and the audit log of the
 * organization names the command that made the link.
 */
export async function createSignInLink(
  store: Store,
  { organizationId, userId }: { organizationId: number; userId: number },
  { origin, command }: { origin: string; command: string },
): Promise<string> {
  const { code, hash } = mintSignInCode();
  const expiresAt = new Date(Date.now() + minutes * 60_000).toISOString();
  await store.transaction(async (inside) => {
    await inside.sessions.createLink({ hash, userId, expiresAt });
    const object = { type: "user", id: userId };
    await recordSystemAct(inside, organizationId, { act: "sign_in_link.made", object, details: { command } });
  });
  return `${origin}/login?code=${code}`;
}

/**
 * What the start says about signing in; the command for another link follows. If no link can be stored, as on a full disk, the
 * service starts without one: what it has can be read all the same.
 */
export async function signInLines({
  store,
  owner,
  origin,
  logger,
}: {
  store: Store;
  owner: { organizationId: number; userId: number };
  origin: string;
  logger: Pick<Logger, "error">;
}): Promise<string> {
  try {
    const link = await createSignInLink(store, owner, { origin, command: "errand start" });
    return `Sign in (once, within ${minutes} minutes): ${link}\nAnother link: `;
  } catch (error) {
    logger.error({ err: error }, "no sign-in link could be made");
    return "A sign-in link: ";
  }
}
