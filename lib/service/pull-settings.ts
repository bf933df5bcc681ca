import { invalidField, notFound } from "#lib/contract/error.ts";
import {
  type PullSettings,
  type PutPullSettings,
  pullSettingsDefaults,
  type ShownPullSettings,
} from "#lib/contract/repositories/pull-settings.ts";
import { findPullTarget, presentTarget } from "#lib/host/pull-target.ts";
import { signingSealContext } from "#lib/secrets/signing-context.ts";
import { createSshKey } from "#lib/secrets/ssh-key.ts";
import { isFolderSource } from "#lib/shown-source.ts";
import type { RepositoryRow, Store } from "#lib/store/store.ts";
import { recordAct } from "./audit.ts";
import { requireMatch } from "./if-match.ts";
import { findRepository, repositoryObject } from "./repositories.ts";
import type { OrganizationContext } from "./service-context.ts";

type OfRepository = { params: { repo_id: number } };

/** A repository's settings for pull requests, or the defaults. */
export async function getPullSettings(
  context: OrganizationContext,
  { params }: OfRepository,
): Promise<ShownPullSettings> {
  const { store, access } = context;
  const repository = await findRepository(context, params.repo_id);
  return present(store, repository, (await store.pulls.findSettings(access, repository.id)) ?? pullSettingsDefaults);
}

/** Sets the given fields and keeps the others. */
export async function putPullSettings(
  context: OrganizationContext,
  { params, body }: OfRepository & { body: PutPullSettings },
): Promise<ShownPullSettings> {
  const { access } = context;
  return await context.store.transaction(async (store) => {
    const repository = await store.repositories.find(access, params.repo_id);
    if (repository === null) throw notFound("Repository");
    if (body.mode === "automatic" && isFolderSource(repository.source)) {
      throw invalidField(
        ["mode"],
        "must be off or manual: the repository is a folder, which is pushed to on request only",
      );
    }
    const before = (await store.pulls.findSettings(access, repository.id)) ?? pullSettingsDefaults;
    await requireMatch(context, () => present(store, repository, before));
    const settings: PullSettings = {
      mode: body.mode ?? before.mode,
      base_branch: body.base_branch === undefined ? before.base_branch : body.base_branch,
      draft: body.draft ?? before.draft,
      request_review: body.request_review ?? before.request_review,
      local_checks: body.local_checks ?? before.local_checks,
      commit_name: body.commit_name === undefined ? before.commit_name : body.commit_name,
      commit_email: body.commit_email === undefined ? before.commit_email : body.commit_email,
      signing: body.signing ?? before.signing,
    };
    await store.pulls.putSettings(access, repository.id, settings);
    if (settings.signing === "ssh" && !(await hasUsableKey(store, context, repository))) {
      const { privateKey, publicKey } = createSshKey(`errand-${repository.id}`);
      const sealed = context.seal.seal(privateKey, signingSealContext(repository));
      await store.pulls.putSigningKey(access, repository.id, { publicKey, sealed });
    }
    await recordAct(store, context, {
      act: "repository.pulls_changed",
      object: repositoryObject(repository),
      details: { fields: Object.keys(body).join(", "), mode: settings.mode },
    });
    return present(store, repository, settings);
  });
}

/** A key that cannot be decrypted is lost: after a restore without the secret key, say. */
async function hasUsableKey(
  store: Pick<Store, "pulls">,
  { access, seal }: OrganizationContext,
  repository: RepositoryRow,
): Promise<boolean> {
  const key = await store.pulls.findSigningKey(access, repository.id);
  return key !== null && seal.canUnseal(key.sealed, signingSealContext(repository));
}

async function present(
  store: Pick<Store, "integrations" | "pulls">,
  { id, organizationId, source }: RepositoryRow,
  settings: PullSettings,
): Promise<ShownPullSettings> {
  const access = { organizationId, userId: null };
  const integrations = await store.integrations.list(access);
  const key = await store.pulls.findSigningKey(access, id);
  return {
    ...settings,
    signing_key: key?.publicKey ?? null,
    target: presentTarget(findPullTarget(integrations, source)),
  };
}
