import { z } from "zod";
import { skipMax } from "#lib/contract/bounds.ts";
import { defineOperation, RunParams } from "#lib/contract/define-operation.ts";
import { Instant } from "#lib/contract/text.ts";
import { WholeNumber } from "#lib/contract/whole-number.ts";
import { MessageType } from "./entry.ts";
import { LogFilter } from "./log-filter.ts";

/**
 * Maximum number of parts, and of their bytes as JSON: parts with many types each are fewer. The response has at most 100 kB,
 * whatever it covers.
 */
const bucketsMax = 300;
export const outlineBytesMax = 99_800;

const Seq = WholeNumber(1, skipMax);

/** Number of parts of an outline, and its range of entries: all by default. */
export const OutlineQuery = z.object({
  buckets: WholeNumber(1, bucketsMax)
    .default(200)
    .describe("Number of parts; fewer if there are fewer entries, or if the response would exceed 100 kB"),
  from_seq: Seq.optional().describe("The first entry to count; 1 by default"),
  to_seq: Seq.optional().describe("The last entry to count; the newest by default"),
  ...LogFilter.shape,
});
export type OutlineQuery = z.infer<typeof OutlineQuery>;

/** Part of a run: the entries from `from_seq` to `to_seq`, inclusive, never empty. */
export const OutlineBucket = z.object({
  from_seq: z.int().describe("The first entry of the part"),
  to_seq: z.int().describe("The last entry of the part").meta({ example: 21 }),
  counts: z
    .record(z.string(), z.int())
    .describe(`Number of entries per message_type (${MessageType.options.join(", ")}); only types that occur`)
    .meta({ example: { ACTION: 18, PLAN_EVALUATION: 3 } }),
  errors: z.int().describe("Number of errors: entries of type ERROR, and calls of a tool that failed"),
  first_error_seq: z.int().nullable().describe("The first of the errors").meta({ example: 9 }),
  last_error_seq: z.int().nullable().describe("The last of the errors").meta({ example: 9 }),
  first_at: Instant.describe("created_at of the entry from_seq").meta({ example: "2026-01-31T09:00:02.000Z" }),
  last_at: Instant.describe("created_at of the entry to_seq").meta({ example: "2026-01-31T09:02:10.000Z" }),
  matching: z.int().optional().describe("With a filter: how many of these entries match"),
});
export type OutlineBucket = z.infer<typeof OutlineBucket>;

/** Outline of a run. `buckets` are in order, without gaps, and equal in size to within one entry. */
export const Outline = z.object({
  total_logs: z.int().describe("How many entries the run has").meta({ example: 42 }),
  buckets: z.array(OutlineBucket).describe("The parts, in order, equal in size to within one entry"),
  matching_logs: z.int().optional().describe("With a filter: how many entries of the run match"),
  complete: z.boolean().optional().describe("With a filter: false while the search for q is still running"),
});
z.globalRegistry.add(Outline, { id: "Outline" });
export type Outline = z.infer<typeof Outline>;

export const getOutline = defineOperation({
  id: "getOutline",
  summary: "See a whole run at a glance",
  description:
    "Counts by message_type, errors and time span of equal parts of the run: about 300 bytes per part, however long the run is. `from_seq` and `to_seq` zoom in on a part: `from_seq=N+1&buckets=1` returns the next error after entry N in `first_error_seq`, `to_seq=N-1&buckets=1` the one before it in `last_error_seq`. A range without entries has no parts. With a filter, `matching` says how many entries of each part match.",
  scope: "runs:read",
  rateClass: "logs",
  stability: "alpha",
  tagged: true,
  params: RunParams,
  query: OutlineQuery,
  result: Outline,
});
