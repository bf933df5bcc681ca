import { awakeLimit } from "#lib/awake-timer.ts";
import { openIntegration } from "#lib/host/open-integration.ts";
import type { GithubAccount } from "#lib/store/people/accounts.ts";
import type { ServiceContext } from "./service-context.ts";

/** Longest wait for GitHub while a profile is being saved. */
const timeoutMs = 3000;

/**
 * The account with a name, looked up through the first of these organizations that is connected to a GitHub which responds;
 * without an id if none can be asked, null if GitHub has no such user.
 */
export async function findGithubAccount(
  { store, seal, outbound, signal }: ServiceContext,
  organizationIds: readonly number[],
  username: string,
): Promise<GithubAccount | null> {
  for (const organizationId of organizationIds) {
    const row = await store.integrations.find({ organizationId, userId: null }, "github");
    // One whose last check failed may work again.
    if (row === null) continue;
    try {
      const opened = openIntegration(row, { seal, send: outbound.send });
      if (opened.kind !== "host") continue;
      using limit = awakeLimit(timeoutMs, signal);
      const person = await opened.host.person(username, limit.signal);
      return person === null ? null : { username: person.login, id: String(person.id) };
    } catch {
      // It cannot be asked now, so the next one is; without a response the person's own statement counts.
      signal.throwIfAborted();
    }
  }
  return { username, id: null };
}
