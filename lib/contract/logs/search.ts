import { z } from "zod";
import { defineOperation, Id, OrgParams } from "#lib/contract/define-operation.ts";
import { Run } from "#lib/contract/runs/run.ts";
import { ListRunsQuery } from "#lib/contract/runs/run-list.ts";
import { FilledText } from "#lib/contract/text.ts";
import { WholeNumber } from "#lib/contract/whole-number.ts";
import { FindHit } from "./find.ts";

/** How many runs a search returns by default: each comes with entries. */
export const searchLimitDefault = 20;

export const SearchQuery = ListRunsQuery.omit({ q: true, source_type: true, sort: true, fields: true }).extend({
  limit: WholeNumber(1, 100)
    .optional()
    .meta({ description: "Maximum number of runs to return", default: searchLimitDefault }),
  before: Id.optional().describe("Only runs older than this one"),
  cursor: z
    .string()
    .regex(/^\d{1,15}\.\d{1,15}$/, "must be a `cursor` of this operation")
    .transform((text): { runId: number; seq: number } => {
      const [runId = 0, seq = 0] = text.split(".").map(Number);
      return { runId, seq };
    })
    .optional()
    .describe("The `cursor` of the previous response with the same words and filters: the search goes on there")
    .meta({ example: "41.0" }),
  q: FilledText(200)
    .describe(
      "Words that all occur in a single entry or in the prompt, in any order; each may be the beginning of a longer one",
    )
    .meta({ example: "needle" }),
});
export type SearchQuery = z.infer<typeof SearchQuery>;

/** A run with the best of its entries that contain all words, at most three. */
export const FoundRun = z.object({
  run: Run.describe("The run"),
  matching_logs: z
    .int()
    .nullable()
    .describe("Number of entries that contain all words; null if they were not all counted"),
  hits: z.array(FindHit).describe("Its best entries, at most three"),
});
export type FoundRun = z.infer<typeof FoundRun>;

/** Runs that contain the words, newest first. */
export const FoundRuns = z.object({
  items: z.array(FoundRun).describe("Runs that contain the words, newest first"),
  total: z.int().nullable().describe("Number of runs that contain the words; null if they were not all counted"),
  page: z.int().describe("Number of this page, from 1; with `cursor`, counted from there"),
  size: z.int().describe("Maximum number of runs per page").meta({ example: 100 }),
  cursor: z
    .string()
    .nullable()
    .describe("Pass it as `cursor` to search the rest, even if nothing was found yet; null: nothing is left to search")
    .meta({ example: null }),
  pages: z.int().nullable().describe("Number of pages; null if the runs were not all counted"),
  indexed: z
    .object({
      behind_logs: z.int().describe("Number of entries not indexed yet; they are searched one by one"),
      complete: z.boolean().describe("Whether everything needed for this page was searched"),
    })
    .describe("State of the index for this response")
    .meta({ example: { behind_logs: 0 } }),
});
export type FoundRuns = z.infer<typeof FoundRuns>;

export const searchRuns = defineOperation({
  id: "searchRuns",
  summary: "Search all runs",
  description:
    "Runs of the organization whose prompt or a single entry contains all the words, or words that begin with them, newest first, with their best entries. Words consist of letters and digits; everything else separates them. A search stops after about 1.5 seconds: if `cursor` is not null, there is more to search, even if `items` is empty. Prompts count for external runs and for runs that have not begun, the 200 newest that may match; the log of all others has them.",
  scope: "runs:read",
  stability: "alpha",
  params: OrgParams,
  query: SearchQuery,
  result: FoundRuns,
});
