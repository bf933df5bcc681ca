import { z } from "zod";
import { keepCheckoutsDaysDefault } from "#lib/contract/people/keep-rules.ts";
import { NetworkMode } from "#lib/contract/repositories/network.ts";
import { PermissionMode } from "#lib/contract/runs/run.ts";
import type { Dialect } from "#lib/store/dialect.ts";
import type { Access } from "#lib/store/runs/access.ts";

/** Settings of an organization as stored: absent ones have their default. */
const KeptSettings = z.object({
  enablePrCreation: z.boolean().default(true),
  enableRulesDetection: z.boolean().default(true),
  requireWall: z.boolean().default(false),
  rules: z.string().nullable().default(null),
  defaultAgent: z.string().nullable().default(null),
  defaultModel: z.string().nullable().default(null),
  /** By agent, for runs that name no model. */
  defaultModels: z.record(z.string(), z.string()).default({}),
  /** The same for modes. */
  defaultModes: z.record(z.string(), z.string()).default({}),
  defaultPermissionMode: PermissionMode.nullable().default(null),
  defaultTurnTimeoutS: z.int().nullable().default(null),
  network: NetworkMode.default("allowed"),
  keepRunsDays: z.int().nullable().default(null),
  keepRunsGb: z.number().nullable().default(null),
  keepCheckoutsDays: z.int().nullable().default(keepCheckoutsDaysDefault),
});

/** `name` is that of the organization. */
export type SettingsRow = z.infer<typeof KeptSettings> & { name: string };

/** Settings of organizations for their runs. */
export function settingsStore({ writer, reader }: Dialect) {
  const select = (database: typeof reader, organizationId: number) =>
    database.selectFrom("organizations").select(["name", "settings"]).where("id", "=", organizationId);

  return {
    /** Throws if there is no such organization. */
    async get(organizationId: number): Promise<SettingsRow> {
      return settingsRow(await select(reader, organizationId).executeTakeFirstOrThrow());
    },

    /** Changes all the given settings at once; returns the settings before and after. */
    change(
      { organizationId }: Access,
      changes: Partial<SettingsRow>,
    ): Promise<{ before: SettingsRow; after: SettingsRow }> {
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

/** Converts a row's settings to the store's form. */
export function settingsRow({ name, settings }: { name: string; settings: string }): SettingsRow {
  return { ...KeptSettings.parse(JSON.parse(settings)), name };
}
