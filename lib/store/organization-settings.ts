import { z } from "zod";
import { PermissionMode } from "#lib/contract/run.ts";
import type { Access } from "./access.ts";
import type { Dialect } from "./dialect.ts";

/** The settings of an organization as they are kept: what is absent has its default. */
const KeptSettings = z.object({
  enablePrCreation: z.boolean().default(true),
  enableRulesDetection: z.boolean().default(true),
  rules: z.string().nullable().default(null),
  defaultAgent: z.string().nullable().default(null),
  defaultModel: z.string().nullable().default(null),
  defaultPermissionMode: PermissionMode.nullable().default(null),
  defaultTurnTimeoutS: z.int().nullable().default(null),
});

/** `name` is that of the organization. */
export type SettingsRow = z.infer<typeof KeptSettings> & { name: string };

export type SettingsStore = {
  /** Throws where there is no such organization. */
  get(organizationId: number): Promise<SettingsRow>;
  /** Changes what is given, all of it at once; gives what stood before and what stands now. */
  change(access: Access, changes: Partial<SettingsRow>): Promise<{ before: SettingsRow; after: SettingsRow }>;
};

/** What organizations set for their runs. */
export function settingsStore({ writer, reader }: Dialect): SettingsStore {
  const select = (database: typeof reader, organizationId: number) =>
    database.selectFrom("organizations").select(["name", "settings"]).where("id", "=", organizationId);

  return {
    async get(organizationId) {
      return settingsRow(await select(reader, organizationId).executeTakeFirstOrThrow());
    },

    change({ organizationId }, changes) {
      return writer.transaction().execute(async (trx) => {
        const before = settingsRow(await select(trx, organizationId).executeTakeFirstOrThrow());
        const after = { ...before, ...changes };
        const { name, ...kept } = after;
        await trx
          .updateTable("organizations")
          .set({ name, settings: JSON.stringify(kept) })
          .where("id", "=", organizationId)
          .execute();
        return { before, after };
      });
    },
  };
}

/** A row's settings in the words of the store. */
export function settingsRow({ name, settings }: { name: string; settings: string }): SettingsRow {
  return { ...KeptSettings.parse(JSON.parse(settings)), name };
}
