import { z } from "zod";
import { defineOperation, Id, O, OrgParams } from "./define-operation.ts";
import { skipMax } from "./page.ts";
import { Text } from "./text.ts";
import { WholeNumber } from "./whole-number.ts";

/** What is looked for: any text, with no character special. */
const Needle = Text(200)
  .min(1)
  .describe("Text that occurs as it stands in one value of an entry, whatever its case (by JavaScript's toLowerCase)");

export const FindQuery = z.object({
  q: Needle,
  skip: WholeNumber(0, skipMax).default(0).describe("How many of the entries that hold it to pass over"),
  limit: WholeNumber(1, 100).default(20).describe("The most hits of the answer"),
  around_seq: WholeNumber(1, skipMax)
    .optional()
    .describe("Instead of skip: begin at the first hit at or after this entry, else at the first of all"),
  buckets: WholeNumber(0, 1000).default(0).describe("Count the hits in so many equal parts too, cut as the outline's"),
  wait_ms: WholeNumber(0, 20_000).default(10_000).describe("Answer after this time with what is known by then"),
  hits_wait_ms: WholeNumber(0, 20_000)
    .optional()
    .describe("Answer after this time already where a hit of the page is known; without it, wait_ms alone counts"),
});
export type FindQuery = z.infer<typeof FindQuery>;

/** An entry that holds the text, seen at the first place where it does. */
export const FindHit = z.object({
  seq: z.int().describe("The entry that holds it"),
  message_type: z.string().describe("That entry's kind"),
  tool_name: z.string().nullable().describe("That entry's tool, or null"),
  field: z.string().describe("Where the first match stands, as a path: tool_output.output"),
  snippet: z.string().describe("At most 200 characters around the first match"),
  snippet_start: z.int().describe("Where in the snippet the match begins"),
  snippet_length: z.int().describe("How long the match is there; case can change a text's length"),
  matches: z.int().describe("How often the text occurs in the entry"),
});
export type FindHit = z.infer<typeof FindHit>;

/**
 * Where in a run a text occurs. All counts are of what has been searched so far: final where `complete`. `hits` are
 * consecutive; while the search goes on there may be fewer than `limit`, or none.
 */
export const Found = z.object({
  q: z.string().describe("The text that was searched for"),
  total_logs: z.int().describe("How many entries the run has"),
  searched_logs: z.int().describe("How many of them were searched so far"),
  indexed_logs: z.int().describe("How many entries the index covers; the others are read one by one"),
  complete: z.boolean().describe("All were searched, so the counts are final"),
  matching_logs: z.int().describe("How many entries hold the text"),
  matches: z.int().describe("How often it occurs"),
  skip: z
    .int()
    .nullable()
    .describe("How many hits stand before the first one of this page; null while that is unknown"),
  hits: z.array(FindHit).describe("Entries that hold the text, in order of seq"),
  buckets: z.array(z.int()).describe("How many entries of each part hold the text"),
});
export type Found = z.infer<typeof Found>;

export const findInLogs = defineOperation({
  id: "findInLogs",
  method: "GET",
  path: `${O}/agent/run/{agent_run_id}/logs/search`,
  tag: "Agent runs",
  summary: "Find text in a run",
  description:
    "Every entry whose thought, tool name, tool input, tool output or observation holds the text: exact, in any script, for what was written a moment ago too. A search goes on from call to call: ask with a small hits_wait_ms for the first hits near a place, and again for the rest.",
  scope: "runs:read",
  rateClass: "logs",
  stability: "alpha",
  params: OrgParams.extend({ agent_run_id: Id }),
  query: FindQuery,
  result: Found,
});
