import { type CommandAuth, recordSystemAct } from "#lib/runtime/commands.ts";
import type { Store } from "#lib/store/store.ts";

const minutes = 15;

/**
 * Creates a sign-in link for the user: it works once, within 15 minutes. Only the code's hash is stored, and the audit log of the
 * organization names the command that made the link.
 */
export async function createSignInLink(
  store: Store,
  auth: CommandAuth,
  { organizationId, userId }: { organizationId: number; userId: number },
  { origin, command }: { origin: string; command: string },
): Promise<string> {
  const { code, hash } = auth.mintSignInCode();
  const expiresAt = new Date(Date.now() + minutes * 60_000).toISOString();
  await store.transaction(async (inside) => {
    await inside.sessions.createLink({ hash, userId, expiresAt });
    const object = { type: "user", id: userId };
    await recordSystemAct(inside, organizationId, { act: "sign_in_link.made", object, details: { command } });
  });
  return `${origin}/login?code=${code}`;
}
