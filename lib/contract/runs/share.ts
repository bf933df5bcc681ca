import { z } from "zod";
import { previewSeqsMax, shareDaysDefault, shareDaysMax, skipMax } from "#lib/contract/bounds.ts";
import { defineOperation, Id, OrgParams, RunParams } from "#lib/contract/define-operation.ts";
import { Page, Paging } from "#lib/contract/page.ts";
import { Instant } from "#lib/contract/text.ts";
import { WholeNumber } from "#lib/contract/whole-number.ts";

/** Range of entries a link shows: `to_seq` null follows the run as it grows. */
const fromSeq = z.int().min(1).max(skipMax);

/** A link as listed: the link itself is shown once, at creation. */
export const Share = z.object({
  id: z.int().describe("The link's id, for revoking it"),
  run_id: z.int().describe("The run it shows"),
  hint: z.string().describe("The last four characters of the link").meta({ example: "1pQx" }),
  from_seq: z.int().describe("The first entry it shows"),
  to_seq: z
    .int()
    .nullable()
    .describe("The last entry it shows; null follows the run as it grows")
    .meta({ example: null }),
  outputs: z.boolean().describe("Whether tool output is shown"),
  created_at: Instant.describe("When it was created"),
  expires_at: Instant.nullable()
    .describe("When it stops working; null: never")
    .meta({ example: "2026-03-02T09:00:00.000Z" }),
  last_viewed_at: Instant.nullable()
    .describe("When the page was last opened; null: never")
    .meta({ example: "2026-01-31T10:30:00.000Z" }),
  views: z.int().describe("How often the page was opened").meta({ example: 3 }),
  user_id: z.int().describe("Id of the person who created it"),
  user_name: z.string().nullable().describe("Name of the person who created it").meta({ example: "Grace Hopper" }),
});
z.globalRegistry.add(Share, { id: "Share" });
export type Share = z.infer<typeof Share>;

/** Request body of POST shares. All fields are optional: `{}` shares the whole run. */
export const CreateShare = z
  .object({
    from_seq: fromSeq.default(1).describe("The first entry to show"),
    to_seq: fromSeq.nullable().default(null).describe("The last entry to show; null follows the run as it grows"),
    outputs: z
      .boolean()
      .default(false)
      .describe(
        "Show tool output: files, outputs, diffs, and the contents of tool inputs. Without it, inputs keep commands, paths and addresses; `input_hidden` counts what is left out",
      ),
    days: z
      .int()
      .min(1)
      .max(shareDaysMax)
      .nullable()
      .default(shareDaysDefault)
      .describe(`Days until it expires, at most ${shareDaysMax}; null: it never expires`),
  })
  .refine(({ from_seq, to_seq }) => to_seq === null || to_seq >= from_seq, {
    path: ["to_seq"],
    message: "must not be less than from_seq",
  });
z.globalRegistry.add(CreateShare, { id: "CreateShare", example: { outputs: true, days: 7 } });
export type CreateShare = z.infer<typeof CreateShare>;

/** A new link; only this response has `token` and `url`. */
export const CreatedShare = Share.extend({
  token: z
    .string()
    .describe("The secret of the link: what /v1/shares/{share_token} takes")
    .meta({ example: "Zk3vN8xQ2mTf5hJ7wB4cR6yL1pQx" }),
  url: z
    .string()
    .describe("The link itself")
    .meta({ example: "https://errand.example.com/share/Zk3vN8xQ2mTf5hJ7wB4cR6yL1pQx" }),
});
z.globalRegistry.add(CreatedShare, { id: "CreatedShare" });
export type CreatedShare = z.infer<typeof CreatedShare>;

const Seq = WholeNumber(1, skipMax);

export const PreviewShareQuery = z.object({
  from_seq: Seq.default(1).describe("The first entry it would show"),
  to_seq: Seq.optional().describe("The last entry it would show; by default the newest"),
  outputs: z
    .stringbool({ truthy: ["true", "1"], falsy: ["false", "0"] })
    .default(false)
    .describe("Show tool output")
    .meta({ example: true }),
  after_seq: WholeNumber(0, skipMax)
    .default(0)
    .describe("Continue after this entry: the checked_to_seq of the previous response"),
});
export type PreviewShareQuery = z.infer<typeof PreviewShareQuery>;

/** Preview of a link with these settings. `masked_*` cover the entries checked by this call. */
export const SharePreview = z.object({
  logs: z.int().describe("How many entries it shows").meta({ example: 42 }),
  tool_calls: z.int().describe("How many of them are tool calls, whose output is shown or hidden"),
  checked_to_seq: z.int().describe("Last entry checked for secrets").meta({ example: 42 }),
  complete: z.boolean().describe("Whether all entries were checked; if not, ask again with after_seq"),
  masked_secrets: z.int().describe("Number of masked secrets"),
  masked_logs: z.int().describe("Number of entries with masked secrets"),
  masked_seqs: z.array(z.int()).max(previewSeqsMax).describe("The first of these entries"),
});
z.globalRegistry.add(SharePreview, { id: "SharePreview", example: { tool_calls: 30, masked_seqs: [12] } });
export type SharePreview = z.infer<typeof SharePreview>;

export const createShare = defineOperation({
  id: "createShare",
  summary: "Create a link that shows a run to anyone who has it",
  description:
    "Anyone with the link can read the run, or the given part of it, without signing in, but nothing else in Errand. Anything that looks like a secret is masked. The response contains the link; it is not shown again.",
  scope: "runs:write",
  act: "share",
  params: RunParams,
  body: CreateShare,
  result: CreatedShare,
  idempotent: "once",
});

export const listShares = defineOperation({
  id: "listShares",
  summary: "List the links to a run, newest first",
  description: "Includes expired links, but not revoked ones.",
  scope: "runs:write",
  act: "share",
  params: RunParams,
  query: Paging,
  result: Page(Share),
});

export const previewShare = defineOperation({
  id: "previewShare",
  summary: "Preview what a link would show",
  description:
    "How many entries a link with these settings would show, and how many secrets would be masked in them. Long runs are checked in several calls.",
  scope: "runs:write",
  params: RunParams,
  query: PreviewShareQuery,
  result: SharePreview,
});

export const deleteShare = defineOperation({
  id: "deleteShare",
  summary: "Revoke a link",
  description: "It stops working at once; anyone reading through it is cut off.",
  scope: "runs:write",
  act: "share",
  params: OrgParams.extend({ share_id: Id.describe("The share link") }),
  result: Share,
});
