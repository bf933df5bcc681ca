import { z } from "zod";
import { defineOperation } from "./define-operation.ts";
import { LogEntry } from "./entry.ts";
import { FindQuery, Found } from "./find.ts";
import { LogPosition, LogPositionQuery, LogTools } from "./log-position.ts";
import { Outline, OutlineQuery } from "./outline.ts";
import { skipMax } from "./page.ts";
import { Run } from "./run.ts";
import { LogsQuery, RunWithLogs, streamLogs } from "./run-operations.ts";
import { Instant } from "./text.ts";
import { Timeline, TimelineQuery } from "./timeline.ts";
import { WholeNumber } from "./whole-number.ts";

const ShareParams = z.object({ share_token: z.string().describe("The last part of the link") });

/** What all reads through a link have in common: no authentication but the link itself, and no trace of it anywhere. */
const shared = { method: "GET", tag: "Share links", scope: null, rateClass: "share", bearsSecret: true } as const;

/** What a link shows, to those who have it. */
export const ShareFacts = z.object({
  from_seq: z.int().describe("The first entry that shows; entries keep the numbers that they have in the run"),
  to_seq: z.int().nullable().describe("The last entry that shows; null follows the run as it grows"),
  outputs: z.boolean().describe("What tools answered shows too"),
  shared_by: z.string().nullable().describe("Name of the person who made the link, or null"),
  created_at: Instant.describe("When the link was made"),
  expires_at: Instant.nullable().describe("When the link stops working; null: never"),
});
export type ShareFacts = z.infer<typeof ShareFacts>;

/**
 * A run as a stranger may see it: of the part that is shared. Secrets are masked; repository, people, metadata, questions and
 * changes are left out (null or empty); `total_logs` counts the entries that show. What belongs to the beginning or the end of
 * the run (prompt; result, tokens, cost) is there where that is shared.
 */
export const SharedRun = Run.extend({ share: ShareFacts.describe("The part of the run that the link shows") });
export type SharedRun = z.infer<typeof SharedRun>;

export const getSharedRun = defineOperation({
  ...shared,
  id: "getSharedRun",
  path: "/v1/shares/{share_token}",
  summary: "Read a shared run",
  description: "404 for every link that does not work: unknown, expired or revoked.",
  params: ShareParams,
  query: z.object({
    view: z
      .stringbool({ truthy: ["true", "1"], falsy: ["false", "0"] })
      .default(false)
      .describe("Count this as one view: a person has opened the page"),
  }),
  result: SharedRun,
});

/** In a page of entries, longer strings are cut whatever `clip` says: one link must not keep the service busy. */
export const sharedClipMax = 100_000;

export const getSharedLogs = defineOperation({
  ...shared,
  id: "getSharedLogs",
  path: "/v1/shares/{share_token}/logs",
  summary: "Read a shared run's log entries",
  description: `As for a run of one's own; \`skip\` counts from the first entry that shows, and strings are cut at ${sharedClipMax} characters at the latest.`,
  params: ShareParams,
  query: LogsQuery,
  result: RunWithLogs.extend({ share: ShareFacts.describe("The part of the run that the link shows") }),
});

export const getSharedEntry = defineOperation({
  ...shared,
  id: "getSharedEntry",
  path: "/v1/shares/{share_token}/logs/{seq}",
  summary: "Read one whole log entry of a shared run",
  params: ShareParams.extend({ seq: WholeNumber(1, skipMax) }),
  result: LogEntry,
});

export const streamSharedLogs = defineOperation({
  ...shared,
  id: "streamSharedLogs",
  path: "/v1/shares/{share_token}/logs/stream",
  summary: "Follow a shared run live",
  description: "As for a run of one's own. It is cut off when the link expires or is revoked.",
  params: ShareParams,
  query: streamLogs.query,
  result: z.string(),
  resultType: "text/event-stream",
});

export const getSharedOutline = defineOperation({
  ...shared,
  id: "getSharedOutline",
  path: "/v1/shares/{share_token}/logs/outline",
  summary: "See a shared run at a glance",
  params: ShareParams,
  query: OutlineQuery,
  result: Outline,
});

export const getSharedPosition = defineOperation({
  ...shared,
  id: "getSharedPosition",
  path: "/v1/shares/{share_token}/logs/position",
  summary: "Find where an entry stands in a shared run",
  params: ShareParams,
  query: LogPositionQuery,
  result: LogPosition,
});

export const getSharedTools = defineOperation({
  ...shared,
  id: "getSharedTools",
  path: "/v1/shares/{share_token}/logs/tools",
  summary: "List the tools that a shared run has used",
  params: ShareParams,
  result: LogTools,
});

export const getSharedTimeline = defineOperation({
  ...shared,
  id: "getSharedTimeline",
  path: "/v1/shares/{share_token}/logs/timeline",
  summary: "See what took a shared run's time",
  params: ShareParams,
  query: TimelineQuery,
  result: Timeline,
});

export const findInSharedLogs = defineOperation({
  ...shared,
  id: "findInSharedLogs",
  path: "/v1/shares/{share_token}/logs/search",
  summary: "Find text in a shared run",
  description: "Only what shows is found: neither hidden outputs nor masked secrets.",
  params: ShareParams,
  query: FindQuery,
  result: Found,
});
