import { pullSettingsDefaults } from "#lib/contract/pull-settings.ts";
import { type Seal, SealError } from "#lib/secrets/seal.ts";
import { signingSealContext } from "#lib/secrets/signing-context.ts";
import type { RunRow, Store } from "#lib/store/store.ts";
import type { CommitIdentity } from "#lib/workspace/commit-tree.ts";

/** Finds who the work of a run is committed as, by the settings of its repository. */
export function commitIdentityFor(store: Pick<Store, "pulls">, seal: Pick<Seal, "unseal">) {
  return async ({ organizationId, repositoryId }: RunRow): Promise<CommitIdentity> => {
    const access = { organizationId, userId: null };
    const settings = repositoryId === null ? null : await store.pulls.findSettings(access, repositoryId);
    const { commit_name: name, commit_email: email, signing } = settings ?? pullSettingsDefaults;
    if (repositoryId === null || signing === "none") return { name, email, key: null };
    const kept = await store.pulls.findSigningKey(access, repositoryId);
    return {
      name,
      email,
      key: kept === null ? null : unsealed(seal, kept.sealed, { organizationId, id: repositoryId }),
    };
  };
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
