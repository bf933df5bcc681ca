import { pullSettingsDefaults } from "#lib/contract/repositories/pull-settings.ts";
import { addressOf } from "#lib/host/open-integration.ts";
import { findPullTarget } from "#lib/host/pull-target.ts";
import { type Seal, SealError } from "#lib/secrets/seal.ts";
import { signingSealContext } from "#lib/secrets/signing-context.ts";
import type { IntegrationRow } from "#lib/store/integrations/integrations.ts";
import type { RunRow, Store } from "#lib/store/store.ts";
import type { CommitIdentity } from "#lib/workspace/commit-tree.ts";

/**
 * Finds who the work of a run is committed as, by the settings of its repository; without any, as the account of the GitHub App
 * that is connected to its host.
 */
export function commitIdentityFor(
  store: Pick<Store, "pulls" | "repositories" | "integrations">,
  seal: Pick<Seal, "unseal">,
) {
  return async ({ organizationId, repositoryId }: RunRow): Promise<CommitIdentity> => {
    const access = { organizationId, userId: null };
    if (repositoryId === null) return { name: null, email: null, key: null };
    const settings = (await store.pulls.findSettings(access, repositoryId)) ?? pullSettingsDefaults;
    const { commit_name: name, commit_email: email, signing } = settings;
    const who =
      name === null && email === null ? await appOf(store, { organizationId, repositoryId }) : { name, email };
    if (signing === "none") return { ...who, key: null };
    const kept = await store.pulls.findSigningKey(access, repositoryId);
    const place = { organizationId, id: repositoryId };
    return { ...who, key: kept === null ? null : unsealed(seal, kept.sealed, place) };
  };
}

type Named = Pick<CommitIdentity, "name" | "email">;
const nobody: Named = { name: null, email: null };

async function appOf(
  store: Pick<Store, "repositories" | "integrations">,
  { organizationId, repositoryId }: { organizationId: number; repositoryId: number },
): Promise<Named> {
  const access = { organizationId, userId: null };
  const repository = await store.repositories.find(access, repositoryId);
  if (repository === null) return nobody;
  const { type, ...target } = findPullTarget(await store.integrations.list(access), repository.source);
  return type === "github" && "integration" in target && target.integration !== null
    ? botOf(target.integration)
    : nobody;
}

/** GitHub shows such a commit as the App's (https://docs.github.com/account-and-profile/reference/email-addresses-reference). */
function botOf(integration: IntegrationRow): Named {
  const { account, accountId, accountKind } = integration;
  if (accountKind !== "app" || account === null || accountId === null) return nobody;
  if (!/^[\w.-]+\[bot\]$/.test(account)) return nobody;
  const host = new URL(addressOf(integration)).hostname.replace(/^www\./, "");
  return { name: account, email: `${accountId}+${account}@users.noreply.${host}` };
}

/** A key that cannot be decrypted counts as none, and the commit's entry says so: no work is lost because of it. */
function unsealed(seal: Pick<Seal, "unseal">, sealed: string, of: { organizationId: number; id: number }): string {
  try {
    return seal.unseal(sealed, signingSealContext(of));
  } catch (error) {
    if (error instanceof SealError) return "";
    throw error;
  }
}
