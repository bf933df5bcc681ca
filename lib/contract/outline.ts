import { z } from "zod";
import { defineOperation, Id, O, OrgParams } from "./define-operation.ts";
import { MessageType } from "./entry.ts";
import { LogFilter } from "./log-filter.ts";
import { skipMax } from "./page.ts";
import { Instant } from "./text.ts";
import { WholeNumber } from "./whole-number.ts";

/**
 * The most parts, and the most bytes that they may have as JSON: where parts have many types each, there are fewer of them. The answer
 * has at most 100 kB, whatever it covers.
 */
const bucketsMax = 300;
export const outlineBytesMax = 99_800;

const Seq = WholeNumber(1, skipMax);

/** Into how many parts an outline is cut, and which entries it covers: all where nothing is said. */
export const OutlineQuery = z.object({
  buckets: WholeNumber(1, bucketsMax)
    .default(200)
    .describe("Into how many parts; fewer where there are fewer entries, or where they would have more than 100 kB"),
  from_seq: Seq.optional().describe("The first entry that is counted; 1 where left out"),
  to_seq: Seq.optional().describe("The last entry that is counted; the newest where left out"),
  ...LogFilter.shape,
});
export type OutlineQuery = z.infer<typeof OutlineQuery>;

/** A part of a run: the entries from `from_seq` to `to_seq`, both included, never none. */
export const OutlineBucket = z.object({
  from_seq: z.int().describe("The first entry of the part"),
  to_seq: z.int().describe("The last entry of the part"),
  counts: z
    .record(z.string(), z.int())
    .describe(`How many of each message_type (${MessageType.options.join(", ")}), only those that occur`),
  errors: z.int().describe("How many are of type ERROR or report a tool that failed"),
  first_error_seq: z.int().nullable().describe("The first of the errors"),
  last_error_seq: z.int().nullable().describe("The last of the errors"),
  first_at: Instant.describe("created_at of the entry from_seq"),
  last_at: Instant.describe("created_at of the entry to_seq"),
  matching: z.int().optional().describe("With a filter: how many of these entries it leaves"),
});
export type OutlineBucket = z.infer<typeof OutlineBucket>;

/** A run at a glance. `buckets` are in order, without a gap, and equally large but for one entry. */
export const Outline = z.object({
  total_logs: z.int().describe("How many entries the run has"),
  buckets: z.array(OutlineBucket).describe("The parts, in order, equally large but for one entry"),
  matching_logs: z.int().optional().describe("With a filter: how many entries of the run it leaves"),
  complete: z.boolean().optional().describe("With a filter: false while q is still being searched for"),
});
export type Outline = z.infer<typeof Outline>;

export const getOutline = defineOperation({
  id: "getOutline",
  method: "GET",
  path: `${O}/agent/run/{agent_run_id}/logs/outline`,
  tag: "Agent runs",
  summary: "See a whole run at a glance",
  description:
    "Counts by message_type, errors and time span of equal parts of the run: about 300 bytes a part, however long the run is. With `from_seq` and `to_seq` a part is seen closer: `from_seq=N+1&buckets=1` names the next error after entry N in `first_error_seq`, `to_seq=N-1&buckets=1` the one before it in `last_error_seq`. A range without entries has no parts. With a filter each part says in `matching` how many of its entries are left.",
  scope: "runs:read",
  rateClass: "logs",
  stability: "alpha",
  params: OrgParams.extend({ agent_run_id: Id }),
  query: OutlineQuery,
  result: Outline,
});
