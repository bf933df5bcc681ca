import type { PullSettings } from "#lib/contract/repositories/pull-settings.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import type { Now } from "#lib/store/instant.ts";
import type { Access } from "#lib/store/runs/access.ts";
import { readPullSettings } from "./pull-stage.ts";
import { namesMax } from "./pull-steps.ts";

/** A key that signs commits: its public part as a line, the private one sealed. */
export type SigningKey = { publicKey: string; sealed: string };

/** Settings of repositories for pull requests, and keys that sign their commits. */
export function pullSettingsStore({ writer, reader }: Dialect, now: Now) {
  return {
    /** A repository's settings; null if nobody has set any, and if it is not visible. */
    async findSettings({ organizationId }: Access, repositoryId: number): Promise<PullSettings | null> {
      const row = await reader
        .selectFrom("pull_settings")
        .select("settings")
        .where("repository_id", "=", repositoryId)
        .where("organization_id", "=", organizationId)
        .executeTakeFirst();
      return row === undefined ? null : readPullSettings(row.settings);
    },

    /** The repository must belong to the organization. */
    async putSettings({ organizationId }: Access, repositoryId: number, settings: PullSettings): Promise<void> {
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

    /** The key that signs the commits of a repository's runs, whether or not it is used; null if none was created. */
    async findSigningKey({ organizationId }: Access, repositoryId: number): Promise<SigningKey | null> {
      const row = await reader
        .selectFrom("pull_settings")
        .select(["signing_key", "signing_sealed"])
        .where("repository_id", "=", repositoryId)
        .where("organization_id", "=", organizationId)
        .executeTakeFirst();
      if (row === undefined || row.signing_key === null || row.signing_sealed === null) return null;
      return { publicKey: row.signing_key, sealed: row.signing_sealed };
    },

    /** Sets the key of a repository that has settings, in place of an earlier one. */
    async putSigningKey(
      { organizationId }: Access,
      repositoryId: number,
      { publicKey, sealed }: SigningKey,
    ): Promise<void> {
      await writer
        .updateTable("pull_settings")
        .set({ signing_key: publicKey, signing_sealed: sealed })
        .where("repository_id", "=", repositoryId)
        .where("organization_id", "=", organizationId)
        .execute();
    },

    /** Names of checks seen on pull requests of a repository, by name. */
    async listCheckNames({ organizationId }: Access, repositoryId: number): Promise<string[]> {
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
