import { rulesAt } from "#lib/contract/people/keep-rules.ts";
import type { KeepChanges } from "#lib/contract/people/organization-settings.ts";
import type { RetentionPreview, StorageUse } from "#lib/contract/repositories/storage.ts";
import type { OrganizationContext } from "./service-context.ts";

/** Disk use of the organization, by repository. */
export async function getStorage({ store, access }: OrganizationContext): Promise<StorageUse> {
  const { measuredAt, repositories } = await store.storage.listUse(access);
  const uses = repositories.map((use) => ({
    repo_id: use.repositoryId,
    repo_full_name: use.fullName,
    runs: use.runs,
    log_bytes: use.runBytes,
    checkout_bytes: use.fileBytes,
    mirror_bytes: use.mirrorBytes,
    prepared_bytes: use.preparedBytes,
  }));
  const total_bytes = uses.reduce(
    (sum, use) => sum + use.log_bytes + use.checkout_bytes + use.mirror_bytes + use.prepared_bytes,
    0,
  );
  return { measured_at: measuredAt, total_bytes, repositories: uses };
}

/** What the current settings with these changes would remove now. */
export async function previewRetention(
  { store, access, now }: OrganizationContext,
  { body }: { body: KeepChanges },
): Promise<RetentionPreview> {
  const kept = await store.settings.get(access.organizationId);
  const { keep_runs_days, keep_runs_gb, keep_checkouts_days } = body;
  const wanted = {
    keepRunsDays: keep_runs_days === undefined ? kept.keepRunsDays : keep_runs_days,
    keepRunsGb: keep_runs_gb === undefined ? kept.keepRunsGb : keep_runs_gb,
    keepCheckoutsDays: keep_checkouts_days === undefined ? kept.keepCheckoutsDays : keep_checkouts_days,
  };
  const found = await store.storage.preview(access, rulesAt(wanted, now().getTime()));
  return {
    runs: found.runs,
    run_bytes: found.runBytes,
    checkouts: found.files,
    checkout_bytes: found.fileBytes,
  };
}
