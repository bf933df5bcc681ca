import { z } from "zod";
import { skipMax } from "#lib/contract/bounds.ts";
import { defineOperation, RunParams } from "#lib/contract/define-operation.ts";
import { Text } from "#lib/contract/text.ts";
import { WholeNumber } from "#lib/contract/whole-number.ts";

/** Search text: any text, with no special characters. */
const Needle = Text(200)
  .min(1)
  .describe("Text that occurs literally in one text of an entry, as its reader sees it. Case is ignored");

export const FindQuery = z.object({
  q: Needle.meta({ example: "needle" }),
  skip: WholeNumber(0, skipMax).default(0).describe("How many matching entries to skip"),
  limit: WholeNumber(1, 100).default(20).describe("Maximum number of hits to return"),
  around_seq: WholeNumber(1, skipMax)
    .optional()
    .describe("Instead of skip: start at the first hit at or after this entry, or else at the first of all"),
  buckets: WholeNumber(0, 1000)
    .default(0)
    .describe("Also count the hits in this many equal parts, divided as in the outline"),
  wait_ms: WholeNumber(0, 20_000).default(10_000).describe("Respond after this time with what is known by then"),
  hits_wait_ms: WholeNumber(0, 20_000)
    .optional()
    .describe("Respond after this time if a hit of the page is known; without it, only wait_ms counts"),
});
export type FindQuery = z.infer<typeof FindQuery>;

/** An entry that contains the text, with its first occurrence. */
export const FindHit = z.object({
  seq: z.int().describe("The entry that contains it").meta({ example: 7 }),
  message_type: z.string().describe("That entry's kind").meta({ example: "ACTION" }),
  tool_name: z.string().nullable().describe("That entry's tool, or null").meta({ example: "Bash" }),
  field: z.string().describe("Path of the first match, such as tool_output.output"),
  snippet: z.string().describe("At most 200 characters around the first match"),
  snippet_start: z.int().describe("Where the match begins in the snippet").meta({ example: 10 }),
  snippet_length: z.int().describe("Length of the match in the snippet").meta({ example: 6 }),
  matches: z.int().describe("How often the text occurs in the entry"),
});
z.globalRegistry.add(FindHit, {
  example: { field: "tool_output.output", snippet: "found the needle in the haystack" },
});
export type FindHit = z.infer<typeof FindHit>;

/**
 * Occurrences of a text in a run. All counts cover what has been searched so far: final if `complete`. `hits` are consecutive;
 * while the search is running there may be fewer than `limit`, or none.
 */
export const Found = z.object({
  q: z.string().describe("The text that was searched for").meta({ example: "needle" }),
  total_logs: z.int().describe("How many entries the run has").meta({ example: 42 }),
  searched_logs: z.int().describe("How many of them have been searched so far").meta({ example: 42 }),
  indexed_logs: z.int().describe("How many entries the index covers; the others are read one by one"),
  complete: z.boolean().describe("Whether all were searched, so that the counts are final"),
  matching_logs: z.int().describe("How many entries contain the text"),
  matches: z.int().describe("How often it occurs"),
  skip: z.int().nullable().describe("How many hits precede the first one of this page; null while unknown"),
  hits: z.array(FindHit).describe("Entries that contain the text, in order of seq"),
  buckets: z.array(z.int()).describe("How many entries of each part contain the text"),
});
z.globalRegistry.add(Found, { example: { indexed_logs: 40, skip: 0, buckets: [0, 1, 0, 0] } });
export type Found = z.infer<typeof Found>;

export const findInLogs = defineOperation({
  id: "findInLogs",
  summary: "Find text in a run",
  description:
    "Every entry whose thought, tool name, tool input, tool output or observation contains the text: exact, in any script, including what was written a moment ago. A search continues across calls: ask with a small hits_wait_ms for the first hits near a place, and again for the rest.",
  scope: "runs:read",
  rateClass: "logs",
  stability: "alpha",
  params: RunParams,
  query: FindQuery,
  result: Found,
});
