import { type Selectable, sql, type Transaction } from "kysely";
import { IntegrationSettings, type IntegrationType } from "#lib/contract/integrations/integration.ts";
import { integrationAddresses } from "#lib/contract/words.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import { instantOf, instantOrNull, type Now } from "#lib/store/instant.ts";
import type { Access } from "#lib/store/runs/access.ts";
import type { Schema } from "#lib/store/schema.ts";

/** An organization's connection to a service. Secrets are encrypted; null if there is none. */
export type IntegrationRow = ReturnType<typeof integrationRow>;

/** Fields of a change; those left out stay as they are. */
export type IntegrationChanges = Partial<
  Pick<IntegrationRow, "baseUrl" | "installationId" | "secretSealed" | "hookSecretSealed" | "settings">
>;

/** Result of asking the service whether the secret works. */
export type IntegrationCheck =
  | { active: true; account: string; accountKind: string; accountId?: number | undefined }
  | { active: false; error: string };

/** Integrations of organizations. */
export function integrationStore({ writer, reader }: Dialect, now: Now) {
  return {
    async list({ organizationId }: Access): Promise<IntegrationRow[]> {
      const rows = await reader
        .selectFrom("integrations")
        .selectAll()
        .where("organization_id", "=", organizationId)
        .orderBy("id")
        .execute();
      return rows.map(integrationRow);
    },

    /** Those of this type of every organization. */
    async listByType(type: IntegrationType): Promise<IntegrationRow[]> {
      const rows = await reader.selectFrom("integrations").selectAll().where("type", "=", type).orderBy("id").execute();
      return rows.map(integrationRow);
    },

    /** Integrations of every organization that have a channel for announcements. */
    async listAnnouncing(): Promise<IntegrationRow[]> {
      const rows = await reader
        .selectFrom("integrations")
        .selectAll()
        .where("type", "=", "slack")
        .where("secret_sealed", "is not", null)
        .execute();
      return rows.map(integrationRow).filter(({ settings }) => settings.channel !== null);
    },

    async find({ organizationId }: Access, type: IntegrationType): Promise<IntegrationRow | null> {
      const row = await reader
        .selectFrom("integrations")
        .selectAll()
        .where("organization_id", "=", organizationId)
        .where("type", "=", type)
        .executeTakeFirst();
      return row === undefined ? null : integrationRow(row);
    },

    /** Regardless of organization: for events, whose signature proves where they belong, and for the engine. */
    async findById(integrationId: number): Promise<IntegrationRow | null> {
      const row = await reader
        .selectFrom("integrations")
        .selectAll()
        .where("id", "=", integrationId)
        .executeTakeFirst();
      return row === undefined ? null : integrationRow(row);
    },

    /**
     * Connects or changes it. It is not active until a check of this revision succeeds. At another address it is another service: the
     * integration is removed, with everything that belongs to it except its settings, and a new one created.
     */
    async put({ organizationId }: Access, type: IntegrationType, changes: IntegrationChanges): Promise<IntegrationRow> {
      const columns = columnsOf(changes);
      const row = await writer.transaction().execute(async (trx) => {
        const settings = await leaveOther(trx, { organizationId, type, baseUrl: changes.baseUrl });
        const put = await trx
          .insertInto("integrations")
          .values({
            organization_id: organizationId,
            type,
            settings: settings ?? JSON.stringify(IntegrationSettings.parse({})),
            active: 0,
            revision: 1,
            created_at: now(),
            changed_at: now(),
            ...columns,
          })
          .onConflict((conflict) =>
            conflict.columns(["organization_id", "type"]).doUpdateSet({
              ...columns,
              changed_at: now(),
              active: 0,
              checked_at: null,
              error: null,
              error_repository: null,
              revision: sql`integrations.revision + 1`,
            }),
          )
          .returningAll()
          .executeTakeFirstOrThrow();
        if (put.revision === 1) await adoptPulls(trx, integrationRow(put), now());
        return put;
      });
      return integrationRow(row);
    },

    /**
     * Stores the result of a check, unless the integration was changed since that revision. Returns its current state, or null.
     */
    async noteCheck(integrationId: number, revision: number, check: IntegrationCheck): Promise<IntegrationRow | null> {
      await writer
        .updateTable("integrations")
        .set({
          active: check.active ? 1 : 0,
          checked_at: now(),
          error: check.active ? null : check.error,
          error_repository: null,
          ...(check.active
            ? { account: check.account, account_kind: check.accountKind, account_id: check.accountId ?? null }
            : {}),
        })
        .where("id", "=", integrationId)
        .where("revision", "=", revision)
        .execute();
      return this.findById(integrationId);
    },

    /**
     * Stores what the service refused for one repository; whether the integration is active stays. Not if it was changed since that
     * revision, or has an error of its own.
     */
    async noteRefusal(
      integrationId: number,
      revision: number,
      { repository, error }: { repository: string; error: string },
    ): Promise<void> {
      await writer
        .updateTable("integrations")
        .set({ checked_at: now(), error, error_repository: repository })
        .where("id", "=", integrationId)
        .where("revision", "=", revision)
        .where((eb) => eb.or([eb("error", "is", null), eb("error_repository", "is not", null)]))
        .execute();
    },

    /** Removes it with everything that belongs to it; null if it does not exist. */
    async remove({ organizationId }: Access, type: IntegrationType): Promise<IntegrationRow | null> {
      const row = await writer
        .deleteFrom("integrations")
        .where("organization_id", "=", organizationId)
        .where("type", "=", type)
        .returningAll()
        .executeTakeFirst();
      return row === undefined ? null : integrationRow(row);
    },
  };
}

/** Whether two addresses of a service of this type are the same; null stands for the public one. */
export function isSameAddress(type: IntegrationType, one: string | null, other: string | null): boolean {
  const hrefOf = (address: string | null) => new URL(address ?? integrationAddresses[type]).href;
  return hrefOf(one) === hrefOf(other);
}

/** Removes the integration if this address is another one, and returns the settings that it had; null if it stays. */
async function leaveOther(
  trx: Transaction<Schema>,
  {
    organizationId,
    type,
    baseUrl,
  }: { organizationId: number; type: IntegrationType; baseUrl: string | null | undefined },
): Promise<string | null> {
  if (baseUrl === undefined) return null;
  const before = await trx
    .selectFrom("integrations")
    .select(["id", "base_url", "settings"])
    .where("organization_id", "=", organizationId)
    .where("type", "=", type)
    .executeTakeFirst();
  if (before === undefined || isSameAddress(type, before.base_url, baseUrl)) return null;
  await trx.deleteFrom("integrations").where("id", "=", before.id).execute();
  return before.settings;
}

/** Gives the integration its earlier pull requests, from before the host was disconnected, and the conversations on them. */
async function adoptPulls(trx: Transaction<Schema>, row: IntegrationRow, nowMs: number): Promise<void> {
  const { id, organizationId, baseUrl, type } = row;
  const address = `${baseUrl ?? integrationAddresses[type]}/`;
  const pulls = await trx
    .updateTable("pull_requests")
    .set({ integration_id: id })
    .where("organization_id", "=", organizationId)
    .where("integration_id", "is", null)
    .where("number", "is not", null)
    // With the repository's name, so that a host below this one's path keeps its own.
    .where(sql<boolean>`instr(lower(url), lower(${address} || full_name || '/')) = 1`)
    .returning(["full_name", "number", "run_id"])
    .execute();
  for (const { full_name, number, run_id } of pulls) {
    await trx
      .insertInto("conversations")
      .values({
        organization_id: organizationId,
        integration_id: id,
        key: `${full_name?.toLowerCase()}/pull/${number}`,
        run_id,
        created_at: nowMs,
      })
      .onConflict((conflict) => conflict.columns(["integration_id", "key"]).doUpdateSet({ run_id }))
      .execute();
  }
}

function columnsOf({ baseUrl, installationId, secretSealed, hookSecretSealed, settings }: IntegrationChanges) {
  return {
    ...(baseUrl === undefined ? {} : { base_url: baseUrl }),
    ...(installationId === undefined ? {} : { installation_id: installationId }),
    // Another secret may belong to another account.
    ...(secretSealed === undefined
      ? {}
      : { secret_sealed: secretSealed, account: null, account_kind: null, account_id: null }),
    ...(hookSecretSealed === undefined ? {} : { hook_secret_sealed: hookSecretSealed }),
    ...(settings === undefined ? {} : { settings: JSON.stringify(settings) }),
  };
}

export function integrationRow(row: Selectable<Schema["integrations"]>) {
  return {
    id: row.id,
    organizationId: row.organization_id,
    type: row.type,
    /** Null stands for the type's public service. */
    baseUrl: row.base_url,
    /** The account the secret belongs to, from the last successful check. */
    account: row.account,
    accountKind: row.account_kind,
    /** Id of a GitHub App's account; null for others, and if the host did not say it. */
    accountId: row.account_id,
    installationId: row.installation_id,
    secretSealed: row.secret_sealed,
    hookSecretSealed: row.hook_secret_sealed,
    /** Result of the last check; false before the first. */
    active: row.active !== 0,
    checkedAt: instantOrNull(row.checked_at),
    /** Why the last check failed, or what was refused for one repository; null for neither. */
    error: row.error,
    /** Full name of the repository that the error is about; null: the whole integration. */
    errorRepository: row.error_repository,
    settings: IntegrationSettings.parse(JSON.parse(row.settings)),
    revision: row.revision,
    createdAt: instantOf(row.created_at),
    /** When it was last connected or changed. */
    changedAt: instantOf(row.changed_at),
  };
}
