import { z } from "zod";
import { defineOperation, Id, O, OrgParams } from "./define-operation.ts";
import { Page, Paging, skipMax } from "./page.ts";
import { Instant } from "./text.ts";
import { WholeNumber } from "./whole-number.ts";

const tag = "Share links";
const RunParams = OrgParams.extend({ agent_run_id: Id });

/** For how many days a link works where nothing is said, and at most. */
export const shareDaysDefault = 30;
export const shareDaysMax = 365;

/** Which entries a link shows: `to_seq` null follows the run as it grows. */
const fromSeq = z.int().min(1).max(skipMax);

/** A link to a run as it is listed: the link itself is shown once, at creation. */
export const Share = z.object({
  id: z.int().describe("The link's id, for revoking it"),
  run_id: z.int().describe("The run that it shows"),
  hint: z.string().describe("The last four characters of the link"),
  from_seq: z.int().describe("The first entry that shows"),
  to_seq: z.int().nullable().describe("The last entry that shows; null follows the run as it grows"),
  outputs: z.boolean().describe("What tools answered shows too"),
  created_at: Instant.describe("When it was made"),
  expires_at: Instant.nullable().describe("When it stops working; null: never"),
  last_viewed_at: Instant.nullable().describe("When the page was last opened; null: never"),
  views: z.int().describe("How often the page was opened"),
  user_id: z.int().describe("Who made it"),
  user_name: z.string().nullable().describe("Who made it"),
});
export type Share = z.infer<typeof Share>;

/** What POST shares takes. Everything may be left out. */
export const CreateShare = z
  .object({
    from_seq: fromSeq.default(1).describe("The first entry that shows"),
    to_seq: fromSeq.nullable().default(null).describe("The last entry that shows; null follows the run as it grows"),
    outputs: z.boolean().default(false).describe("Show what tools answered: files, outputs, diffs"),
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
export type CreateShare = z.infer<typeof CreateShare>;

/** A new link; `token` and `url` are in this answer and nowhere else. */
export const CreatedShare = Share.extend({
  token: z.string().describe("The secret of the link: what /v1/shares/{share_token} takes"),
  url: z.string().describe("The link itself"),
});
export type CreatedShare = z.infer<typeof CreatedShare>;

const Seq = WholeNumber(1, skipMax);

export const PreviewShareQuery = z.object({
  from_seq: Seq.default(1).describe("The first entry that would show"),
  to_seq: Seq.optional().describe("The last entry that would show; the newest where absent"),
  outputs: z
    .stringbool({ truthy: ["true", "1"], falsy: ["false", "0"] })
    .default(false)
    .describe("Show what tools answered"),
  after_seq: WholeNumber(0, skipMax)
    .default(0)
    .describe("Go on after this entry: the checked_to_seq of the answer before"),
});
export type PreviewShareQuery = z.infer<typeof PreviewShareQuery>;

/** The most entries with secrets that one answer names. */
export const previewSeqsMax = 20;

/** What a link with these settings would show now. `masked_*` are of the entries that this call looked at. */
export const SharePreview = z.object({
  logs: z.int().describe("How many entries it shows"),
  tool_calls: z.int().describe("How many of them are tool calls, whose output shows or not"),
  checked_to_seq: z.int().describe("Up to where secrets were looked for"),
  complete: z.boolean().describe("All entries were looked at; else ask again with after_seq"),
  masked_secrets: z.int().describe("How many secrets are masked"),
  masked_logs: z.int().describe("In how many entries"),
  masked_seqs: z.array(z.int()).max(previewSeqsMax).describe("The first of these entries"),
});
export type SharePreview = z.infer<typeof SharePreview>;

export const createShare = defineOperation({
  id: "createShare",
  method: "POST",
  path: `${O}/agent/run/{agent_run_id}/shares`,
  tag,
  summary: "Make a link that shows a run to anybody who has it",
  description:
    "Whoever has the link reads the run, or the part of it that is named, without signing in: nothing else of this service. What looks like a key is masked. The answer holds the link; it is not shown again.",
  scope: "runs:write",
  act: "share",
  params: RunParams,
  body: CreateShare,
  result: CreatedShare,
});

export const listShares = defineOperation({
  id: "listShares",
  method: "GET",
  path: `${O}/agent/run/{agent_run_id}/shares`,
  tag,
  summary: "List the links to a run, newest first",
  description: "Expired links are among them, revoked ones are not.",
  scope: "runs:write",
  act: "share",
  params: RunParams,
  query: Paging,
  result: Page(Share),
});

export const previewShare = defineOperation({
  id: "previewShare",
  method: "GET",
  path: `${O}/agent/run/{agent_run_id}/shares/preview`,
  tag,
  summary: "See what a link would show",
  description:
    "How many entries a link with these settings would show, and how many secrets would be masked in them. Long runs are looked through in several calls.",
  scope: "runs:write",
  params: RunParams,
  query: PreviewShareQuery,
  result: SharePreview,
});

export const deleteShare = defineOperation({
  id: "deleteShare",
  method: "DELETE",
  path: `${O}/shares/{share_id}`,
  tag,
  summary: "Revoke a link",
  description: "It stops working at once; who reads through it just now is cut off.",
  scope: "runs:write",
  act: "share",
  params: OrgParams.extend({ share_id: Id }),
  result: Share,
});
