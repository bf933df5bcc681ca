import { z } from "zod";
import { defineOperation, O, OrgParams } from "./define-operation.ts";
import { FindHit } from "./find.ts";
import { Run } from "./run.ts";
import { ListRunsQuery } from "./run-operations.ts";
import { FilledText } from "./text.ts";

export const SearchQuery = ListRunsQuery.omit({ q: true, source_type: true }).extend({
  q: FilledText(200).describe(
    "Words that all occur in one entry, in any order; each may be the beginning of a longer one",
  ),
});
export type SearchQuery = z.infer<typeof SearchQuery>;

/** A run with the best of its entries that hold all words, at most three. */
export const FoundRun = z.object({
  run: Run.describe("The run"),
  matching_logs: z.int().nullable().describe("How many entries hold all words; null where they were not all counted"),
  hits: z.array(FindHit).describe("Its best entries, at most three"),
});
export type FoundRun = z.infer<typeof FoundRun>;

/** Runs that hold the words, newest first. */
export const FoundRuns = z.object({
  items: z.array(FoundRun).describe("Runs that hold the words, newest first"),
  total: z.int().nullable().describe("How many runs hold the words; null where they were not all counted"),
  page: z.int().describe("Which page this is, from 1"),
  size: z.int().describe("The most runs of a page"),
  pages: z.int().nullable().describe("How many pages there are; null where the runs were not all counted"),
  indexed: z
    .object({
      behind_logs: z.int().describe("How many entries the index does not have yet; they are searched one by one"),
      complete: z.boolean().describe("Whether everything was searched that had to be for this page"),
    })
    .describe("State of the index for this answer"),
});
export type FoundRuns = z.infer<typeof FoundRuns>;

export const searchRuns = defineOperation({
  id: "searchRuns",
  method: "GET",
  path: `${O}/search`,
  tag: "Agent runs",
  summary: "Search all runs",
  description:
    "Runs of the organization in which one entry holds all the words or words that begin with them, newest first, with their best entries. Letters and digits make words, everything else parts them.",
  scope: "runs:read",
  stability: "alpha",
  params: OrgParams,
  query: SearchQuery,
  result: FoundRuns,
});
