import type { CommandAuth } from "#lib/runtime/commands.ts";
import type { Store } from "#lib/store/store.ts";

const minutes = 15;

/** Creates a sign-in link for the user: it works once, within 15 minutes. Only the code's hash is stored. */
export async function createSignInLink(
  store: Store,
  auth: CommandAuth,
  userId: number,
  origin: string,
): Promise<string> {
  const { code, hash } = auth.mintSignInCode();
  await store.sessions.createLink({ hash, userId, expiresAt: new Date(Date.now() + minutes * 60_000).toISOString() });
  return `${origin}/login?code=${code}`;
}
