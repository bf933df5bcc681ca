import { z } from "zod";
import { defineOperation, RunParams } from "#lib/contract/define-operation.ts";
import { Instant } from "#lib/contract/text.ts";
import { WholeNumber } from "#lib/contract/whole-number.ts";
import { MessageType } from "./entry.ts";

/** A gap without records counts as idle from this length, in ms; a shorter one is thinking. */
export const idleMsMin = 120_000;
/** A range with more steps than this has only its parts. */
export const spansMax = 300;
/** Maximum number of turns, waits and gaps in a response, each. */
export const stretchesMax = 100;
/** Longer tool names are cut, in UTF-16 units. */
export const spanToolCharactersMax = 80;

const When = z.iso.datetime({ offset: true });

/** Range and resolution of a timeline: the whole run by default. */
export const TimelineQuery = z
  .object({
    from: When.optional().describe("The beginning of the range; by default that of the run"),
    to: When.optional().describe("The end of the range; by default the run's end, or now"),
    buckets: WholeNumber(1, 240).default(120).describe("Number of parts; fewer if the range has fewer milliseconds"),
    skip_idle: z
      .stringbool({ truthy: ["true", "1"], falsy: ["false", "0"] })
      .default(false)
      .describe("Divide the time without `gaps` equally, so that an idle night takes up no parts"),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || Date.parse(from) <= Date.parse(to), {
    path: ["to"],
    message: "must not be before from",
  });
export type TimelineQuery = z.infer<typeof TimelineQuery>;

const Milliseconds = z.int();

/**
 * Part of the range, up to the next part's `from`. Its four times are exclusive and add up to its length; waiting for a person
 * counts as waiting even while a tool waits too.
 */
export const TimelinePart = z.object({
  from: Instant.describe("When the part begins; it ends when the next one begins"),
  counts: z
    .record(z.string(), z.int())
    .describe(
      `Number of entries per message_type (${MessageType.options.join(", ")}) that ended in it; only types that occur`,
    ),
  errors: z.int().describe("Number of errors: entries of type ERROR, and calls of a tool that failed"),
  tool_ms: Milliseconds.describe("At least one tool was running: from created_at - duration_ms to created_at"),
  thinking_ms: Milliseconds.describe("The agent was working without a tool: thinking, writing or starting"),
  waiting_ms: Milliseconds.describe("A question to a person was open").meta({ example: 0 }),
  idle_ms: Milliseconds.describe("Between turns, outside the run, or nothing recorded for two minutes or more"),
  timed_calls: z
    .int()
    .describe("Number of its ACTION entries with a duration above 0 ms; the time of the others counts as thinking"),
  first_seq: z.int().nullable().describe("The lowest seq of the entries that ended in it, or null"),
  last_seq: z.int().nullable().describe("The highest seq of the entries that ended in it, or null"),
});
z.globalRegistry.add(TimelinePart, {
  example: {
    counts: { ACTION: 4 },
    errors: 0,
    tool_ms: 5200,
    thinking_ms: 9100,
    idle_ms: 0,
    timed_calls: 4,
    last_seq: 5,
  },
});
export type TimelinePart = z.infer<typeof TimelinePart>;

/** An interval of time; `to` is null while it is open. */
export const Stretch = z.object({
  from: Instant.describe("When it began"),
  to: Instant.nullable().describe("When it ended; null while it is open").meta({ example: "2026-01-31T09:04:30.000Z" }),
});
export type Stretch = z.infer<typeof Stretch>;

/** A turn: when an engine, or another system, worked on it. */
export const TimelineTurn = Stretch.extend({
  number: z.int().describe("The turn's number in the run, from 1"),
  status: z.string().nullable().describe("How it ended; null while it is in progress").meta({ example: "completed" }),
});
export type TimelineTurn = z.infer<typeof TimelineTurn>;

/** One entry as a bar: it began at `at` - `duration_ms` and ended at `at`, its created_at. */
export const TimelineSpan = z.object({
  seq: z.int().describe("The entry").meta({ example: 3 }),
  at: Instant.describe("When it ended: its created_at").meta({ example: "2026-01-31T09:00:09.000Z" }),
  duration_ms: Milliseconds.describe("Its tool_output.duration_ms, or 0").meta({ example: 5200 }),
  message_type: z.string().describe("The entry's kind").meta({ example: "ACTION" }),
  tool_name: z.string().nullable().describe("The entry's tool, cut at 80 characters, or null"),
  is_error: z.boolean().describe("Whether it is of type ERROR or a call of a tool that failed"),
  lane: z.int().nullable().describe("Tool calls on the same lane, from 0, do not overlap; null for other entries"),
});
z.globalRegistry.add(TimelineSpan, { example: { tool_name: "Bash", is_error: false, lane: 0 } });
export type TimelineSpan = z.infer<typeof TimelineSpan>;

/** Activity in a range of a run's time. */
export const Timeline = z.object({
  total_logs: z.int().describe("How many entries the run has").meta({ example: 42 }),
  run_from: Instant.describe("When the run began, or its first entry did"),
  run_to: Instant.describe("When the run or its last entry ended, whichever is later; now while it is live"),
  is_live: z.boolean().describe("Whether it is live, so that run_to moves").meta({ example: false }),
  from: Instant.describe("When the range begins"),
  to: Instant.describe("When the range ends").meta({ example: "2026-01-31T09:04:30.000Z" }),
  parts: z.array(TimelinePart).describe("The parts of the range, in order"),
  turns: z
    .array(TimelineTurn)
    .describe(
      `Turns that overlap the range, at most ${stretchesMax}; none if all entries report times before the run was created here`,
    ),
  waits: z.array(Stretch).describe(`Questions to a person that overlap the range, at most ${stretchesMax}`),
  gaps: z.array(Stretch).describe(`The longest idle stretches of the range, at most ${stretchesMax}, in order`),
  spans: z
    .array(TimelineSpan)
    .nullable()
    .describe(`The entries that overlap the range, in order of seq; null if there are more than ${spansMax}`),
});
z.globalRegistry.add(Timeline, {
  example: {
    run_from: "2026-01-31T09:00:01.000Z",
    run_to: "2026-01-31T09:04:30.000Z",
    waits: [{ from: "2026-01-31T09:00:00.000Z", to: "2026-01-31T09:02:00.000Z" }],
    gaps: [{ from: "2026-01-31T09:00:00.000Z", to: "2026-01-31T09:03:40.000Z" }],
  },
});
export type Timeline = z.infer<typeof Timeline>;

export const getTimeline = defineOperation({
  id: "getTimeline",
  summary: "See where a run's time went",
  description: `Equal parts of a range of time: what the run did in each, and which entries ended in it; about 250 bytes per part, however many entries there are. A range with few entries (at most ${spansMax}) lists each of them with its beginning and end, and overlapping tool calls on separate lanes. Times of entries are their \`created_at\`; those of turns and questions are the service's own.`,
  scope: "runs:read",
  rateClass: "logs",
  stability: "alpha",
  tagged: true,
  params: RunParams,
  query: TimelineQuery,
  result: Timeline,
});
