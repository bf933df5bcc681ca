import { HostError } from "#lib/host/call-host.ts";
import type { IntegrationRow } from "#lib/store/integrations/integrations.ts";
import type { Store } from "#lib/store/store.ts";

/** Notes that the host does not accept the secret, or does not permit for the event's repository what is needed. */
export async function noteRefused(
  { integrations }: Pick<Store, "integrations">,
  { id, revision }: IntegrationRow,
  { error, repository, reason }: { error: unknown; repository: string | null; reason: string },
): Promise<void> {
  if (!(error instanceof HostError)) return;
  if (error.status === 401) await integrations.noteCheck(id, revision, { active: false, error: reason });
  if (error.status !== 403 || error.waitMs !== null || repository === null) return;
  await integrations.noteRefusal(id, revision, { repository, error: reason });
}

/**
 * Notes that a host which refused before has answered for this repository: whatever it lacked was given there, where Errand does
 * not see it.
 */
export async function noteAnswered(
  { integrations }: Pick<Store, "integrations">,
  row: IntegrationRow,
  repository: string,
): Promise<void> {
  const { error, errorRepository, account, accountKind } = row;
  if (error === null || account === null || accountKind === null) return;
  if (errorRepository !== null && errorRepository !== repository) return;
  const accountId = row.accountId ?? undefined;
  await integrations.noteCheck(row.id, row.revision, { active: true, account, accountKind, accountId });
}
