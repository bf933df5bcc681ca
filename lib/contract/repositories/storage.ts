import { z } from "zod";
import { defineOperation, OrgParams } from "#lib/contract/define-operation.ts";
import { KeepChanges } from "#lib/contract/people/organization-settings.ts";
import { Instant } from "#lib/contract/text.ts";

/** Disk use of a repository with its runs, or of the runs without a repository. */
export const RepositoryUse = z.object({
  repo_id: z.int().nullable().describe("The repository; null: runs without one"),
  repo_full_name: z.string().nullable().describe("Its name; null: runs without a repository"),
  runs: z.int().describe("Number of its runs").meta({ example: 12 }),
  log_bytes: z
    .int()
    .describe(
      "Logs, prompts and changes of its runs, with what Claude Code sent of their sessions, including the empty repositories of runs without one",
    ),
  checkout_bytes: z.int().describe("Checkouts of its runs and homes of their agents").meta({ example: 31_457_280 }),
  mirror_bytes: z.int().describe("Errand's mirror, with the branches of its runs").meta({ example: 20_971_520 }),
  prepared_bytes: z.int().describe("Setup caches").meta({ example: 0 }),
});
z.globalRegistry.add(RepositoryUse, { example: { repo_full_name: "acme/shop", log_bytes: 41_943_040 } });
export type RepositoryUse = z.infer<typeof RepositoryUse>;

/** Disk use of an organization. */
export const StorageUse = z.object({
  measured_at: Instant.nullable().describe("When the engine last measured something; null: not yet"),
  total_bytes: z.int().describe("The total").meta({ example: 94_371_840 }),
  repositories: z.array(RepositoryUse).describe("By repository, largest first"),
});
export type StorageUse = z.infer<typeof StorageUse>;

/** What settings would remove now. */
export const RetentionPreview = z.object({
  runs: z.int().describe("How many runs would be deleted").meta({ example: 4 }),
  run_bytes: z.int().describe("Bytes that these take up, with their checkouts").meta({ example: 10_485_760 }),
  checkouts: z.int().describe("How many runs would lose their checkout, including runs that would be deleted"),
  checkout_bytes: z.int().describe("Bytes that these checkouts take up").meta({ example: 31_457_280 }),
});
z.globalRegistry.add(RetentionPreview, { example: { checkouts: 6 } });
export type RetentionPreview = z.infer<typeof RetentionPreview>;

export const getStorage = defineOperation({
  id: "getStorage",
  summary: "See what takes up disk space",
  description:
    "As the engine measured it: runs a few seconds after they end, mirrors with their runs. The search index adds about 30% of the logs.",
  scope: "org:read",
  params: OrgParams,
  result: StorageUse,
});

export const previewRetention = defineOperation({
  id: "previewRetention",
  summary: "Preview what settings would delete",
  description:
    "A dry run of the retention settings (PATCH settings): what they would remove now. Nothing is changed. For a setting left out, the current one is used. The engine applies the settings every ten minutes.",
  scope: "org:read",
  params: OrgParams,
  body: KeepChanges,
  result: RetentionPreview,
  idempotent: "repeatable",
});
