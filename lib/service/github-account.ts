import { openIntegration } from "#lib/host/open-integration.ts";
import type { GithubAccount } from "#lib/store/accounts.ts";
import type { ServiceContext } from "./service-context.ts";

/** Nobody waits longer for a profile to be saved. */
const timeoutMs = 3000;

/**
 * The account of a name, asked through the first of these organizations that is connected to a GitHub which answers; without an id
 * where none can be asked, null where GitHub knows nobody of the name.
 */
export async function findGithubAccount(
  { store, seal, outbound, signal }: ServiceContext,
  organizationIds: readonly number[],
  username: string,
): Promise<GithubAccount | null> {
  for (const organizationId of organizationIds) {
    const row = await store.integrations.find({ organizationId, userId: null }, "github");
    if (row === null || !row.active) continue;
    try {
      const opened = openIntegration(row, { seal, send: outbound.send });
      if (opened.kind !== "host") continue;
      const person = await opened.host.person(username, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]));
      return person === null ? null : { username: person.login, id: String(person.id) };
    } catch {
      // It cannot be asked now: the next one is, and what the person said stands.
      signal.throwIfAborted();
    }
  }
  return { username, id: null };
}
