import type { PullSettings } from "#lib/contract/pull-settings.ts";
import type { Access } from "./access.ts";
import type { Dialect } from "./dialect.ts";
import type { Now } from "./instant.ts";
import { readPullSettings } from "./pull-stage.ts";
import { namesMax } from "./pull-steps.ts";

/** A key that signs commits: its public part as a line, the private one sealed. */
export type SigningKey = { publicKey: string; sealed: string };

export type PullSettingsStore = {
  /** A repository's settings; null if nobody has set any, and if it is not visible. */
  findSettings(access: Access, repositoryId: number): Promise<PullSettings | null>;
  /** The repository must belong to the organization. */
  putSettings(access: Access, repositoryId: number, settings: PullSettings): Promise<void>;
  /** The key that signs the commits of a repository's runs, whether or not it is used; null if none was created. */
  findSigningKey(access: Access, repositoryId: number): Promise<SigningKey | null>;
  /** Sets the key of a repository that has settings, in place of an earlier one. */
  putSigningKey(access: Access, repositoryId: number, key: SigningKey): Promise<void>;
  /** Names of checks seen on pull requests of a repository, by name. */
  listCheckNames(access: Access, repositoryId: number): Promise<string[]>;
};

/** Settings of repositories for pull requests, and keys that sign their commits. */
export function pullSettingsStore({ writer, reader }: Dialect, now: Now): PullSettingsStore {
  return {
    async findSettings({ organizationId }, repositoryId) {
      const row = await reader
        .selectFrom("pull_settings")
        .select("settings")
        .where("repository_id", "=", repositoryId)
        .where("organization_id", "=", organizationId)
        .executeTakeFirst();
      return row === undefined ? null : readPullSettings(row.settings);
    },

    async putSettings({ organizationId }, repositoryId, settings) {
      const kept = { settings: JSON.stringify(settings), updated_at: now() };
      await writer
        .insertInto("pull_settings")
        .values({ repository_id: repositoryId, organization_id: organizationId, ...kept })
        .onConflict((conflict) =>
          conflict
            .column("repository_id")
            .doUpdateSet(kept)
            .where("pull_settings.organization_id", "=", organizationId),
        )
        .execute();
    },

    async findSigningKey({ organizationId }, repositoryId) {
      const row = await reader
        .selectFrom("pull_settings")
        .select(["signing_key", "signing_sealed"])
        .where("repository_id", "=", repositoryId)
        .where("organization_id", "=", organizationId)
        .executeTakeFirst();
      if (row === undefined || row.signing_key === null || row.signing_sealed === null) return null;
      return { publicKey: row.signing_key, sealed: row.signing_sealed };
    },

    async putSigningKey({ organizationId }, repositoryId, { publicKey, sealed }) {
      await writer
        .updateTable("pull_settings")
        .set({ signing_key: publicKey, signing_sealed: sealed })
        .where("repository_id", "=", repositoryId)
        .where("organization_id", "=", organizationId)
        .execute();
    },

    async listCheckNames({ organizationId }, repositoryId) {
      const rows = await reader
        .selectFrom("check_names")
        .innerJoin("repositories", "repositories.id", "check_names.repository_id")
        .select("check_names.name")
        .where("check_names.repository_id", "=", repositoryId)
        .where("repositories.organization_id", "=", organizationId)
        .orderBy("check_names.seen_at", "desc")
        .limit(namesMax)
        .execute();
      return rows.map(({ name }) => name).sort();
    },
  };
}
