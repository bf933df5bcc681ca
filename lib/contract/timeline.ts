import { z } from "zod";
import { defineOperation, Id, O, OrgParams } from "./define-operation.ts";
import { MessageType } from "./entry.ts";
import { Instant } from "./text.ts";
import { WholeNumber } from "./whole-number.ts";

/** A stretch of a run's time in which nothing was recorded counts as idle from this length on, in ms; a shorter one is thinking. */
export const idleMsMin = 120_000;
/** A range with more steps than this is told by its parts alone. */
export const spansMax = 300;
/** The most turns, waits and gaps of an answer, each. */
export const stretchesMax = 100;
/** Longer names of tools are cut, in UTF-16 units. */
export const spanToolCharactersMax = 80;

const When = z.iso.datetime({ offset: true });

/** Which time of a run is asked for, and how finely: the whole run where nothing is said. */
export const TimelineQuery = z
  .object({
    from: When.optional().describe("The beginning of the range; the run's beginning where left out"),
    to: When.optional().describe("The end of the range; the run's end, or now, where left out"),
    buckets: WholeNumber(1, 240).default(120).describe("Into how many parts; fewer where the range is shorter in ms"),
    skip_idle: z
      .stringbool({ truthy: ["true", "1"], falsy: ["false", "0"] })
      .default(false)
      .describe("Parts share the time without `gaps` equally, so that an idle night takes none of them"),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || Date.parse(from) <= Date.parse(to), {
    path: ["to"],
    message: "must not be before from",
  });
export type TimelineQuery = z.infer<typeof TimelineQuery>;

const Milliseconds = z.int();

/**
 * A part of the range, from `from` to the next part's. Its four times are exclusive and add up to its length; what a person is
 * waited for counts as waiting even while a tool waits with it.
 */
export const TimelinePart = z.object({
  from: Instant.describe("When the part begins; it ends where the next one begins"),
  counts: z
    .record(z.string(), z.int())
    .describe(
      `How many entries of each message_type (${MessageType.options.join(", ")}) ended in it, only those that occur`,
    ),
  errors: z.int().describe("How many of them are of type ERROR or report a tool that failed"),
  tool_ms: Milliseconds.describe("At least one tool was at work: from created_at - duration_ms to created_at"),
  thinking_ms: Milliseconds.describe("The agent was at work without a tool: it thinks, writes, or starts"),
  waiting_ms: Milliseconds.describe("A question to a person was open"),
  idle_ms: Milliseconds.describe("Between turns, outside of the run, or nothing was recorded for two minutes and more"),
  timed_calls: z
    .int()
    .describe("How many of its ACTION entries tell a duration above 0 ms; the time of the others counts as thinking"),
  first_seq: z.int().nullable().describe("The lowest seq that ended in it, or null"),
  last_seq: z.int().nullable().describe("The highest seq that ended in it, or null"),
});
export type TimelinePart = z.infer<typeof TimelinePart>;

/** A stretch of time; `to` is null while it goes on. */
export const Stretch = z.object({
  from: Instant.describe("When it began"),
  to: Instant.nullable().describe("When it ended; null while it goes on"),
});
export type Stretch = z.infer<typeof Stretch>;

/** A turn: when an engine, or another system, worked on it. */
export const TimelineTurn = Stretch.extend({
  number: z.int().describe("The turn's number in the run, from 1"),
  status: z.string().nullable().describe("How it ended; null while it goes on"),
});
export type TimelineTurn = z.infer<typeof TimelineTurn>;

/** One entry as a bar: it began at `at` - `duration_ms` and ended at `at`, its created_at. */
export const TimelineSpan = z.object({
  seq: z.int().describe("The entry"),
  at: Instant.describe("When it ended: its created_at"),
  duration_ms: Milliseconds.describe("What its tool_output.duration_ms says, else 0"),
  message_type: z.string().describe("The entry's kind"),
  tool_name: z.string().nullable().describe("The entry's tool, at most 80 characters of it, or null"),
  is_error: z.boolean().describe("It is of type ERROR or reports a tool that failed"),
  lane: z.int().nullable().describe("Tool calls on the same lane, from 0, do not overlap; null for other entries"),
});
export type TimelineSpan = z.infer<typeof TimelineSpan>;

/** What was going on in a range of a run's time. */
export const Timeline = z.object({
  total_logs: z.int().describe("How many entries the run has"),
  run_from: Instant.describe("When the run began, or its first entry did"),
  run_to: Instant.describe("When the run ended or its last entry did, whichever is later; now while it goes on"),
  is_live: z.boolean().describe("It goes on, so run_to moves"),
  from: Instant.describe("When the range begins"),
  to: Instant.describe("When the range ends"),
  parts: z.array(TimelinePart).describe("The parts of the range, in order"),
  turns: z
    .array(TimelineTurn)
    .describe(
      `Turns that touch the range, at most ${stretchesMax}; none where the entries tell of times before the run was created here`,
    ),
  waits: z.array(Stretch).describe(`Questions to a person that touch the range, at most ${stretchesMax}`),
  gaps: z.array(Stretch).describe(`The longest idle stretches of the range, at most ${stretchesMax}, in order`),
  spans: z
    .array(TimelineSpan)
    .nullable()
    .describe(`The entries that touch the range, in order of seq; null where they are more than ${spansMax}`),
});
export type Timeline = z.infer<typeof Timeline>;

export const getTimeline = defineOperation({
  id: "getTimeline",
  method: "GET",
  path: `${O}/agent/run/{agent_run_id}/logs/timeline`,
  tag: "Agent runs",
  summary: "See what took a run's time",
  description: `Equal parts of a range of time: what the run did in each, and which entries ended in it; about 250 bytes a part, however many entries. A range that few entries touch (${spansMax}) names each of them with its beginning and end, tool calls that overlap on lanes of their own. Times of entries are their \`created_at\`, those of turns and questions the service's own.`,
  scope: "runs:read",
  rateClass: "logs",
  stability: "alpha",
  params: OrgParams.extend({ agent_run_id: Id }),
  query: TimelineQuery,
  result: Timeline,
});
