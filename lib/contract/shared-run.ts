import { z } from "zod";
import { skipMax } from "./bounds.ts";
import { defineOperation } from "./define-operation.ts";
import { LogEntry } from "./entry.ts";
import { FindQuery, Found } from "./find.ts";
import { LogPosition, LogPositionQuery } from "./log-position.ts";
import { LogTools } from "./log-tools.ts";
import { Outline, OutlineQuery } from "./outline.ts";
import { Run } from "./run.ts";
import { LogsQuery, RunWithLogs, streamLogs } from "./run-operations.ts";
import { Instant } from "./text.ts";
import { Timeline, TimelineQuery } from "./timeline.ts";
import { WholeNumber } from "./whole-number.ts";

const ShareParams = z.object({ share_token: z.string().describe("The last part of the link") });

/** Common to all reads through a link: no authentication except the link itself, and no trace of it anywhere. */
const shared = { tag: "Share links", scope: null, rateClass: "share", bearsSecret: true } as const;
/** Reads of entries: alpha, as the same reads of one's own runs. */
const sharedLog = { ...shared, stability: "alpha" } as const;

/** What a link shows, for those who have it. */
export const ShareFacts = z.object({
  from_seq: z.int().describe("The first entry shown; entries keep their numbers in the run"),
  to_seq: z.int().nullable().describe("The last entry shown; null follows the run as it grows"),
  outputs: z.boolean().describe("Whether tool output is shown"),
  shared_by: z.string().nullable().describe("Name of the person who created the link, or null"),
  created_at: Instant.describe("When the link was created"),
  expires_at: Instant.nullable().describe("When the link stops working; null: never"),
});
export type ShareFacts = z.infer<typeof ShareFacts>;

/**
 * A run as a stranger may see it: the shared part. Secrets are masked; repository, people, metadata, questions and changes are
 * left out (null or empty); `total_logs` counts the entries shown. Fields that belong to the beginning or the end of the run
 * (prompt; result, tokens, cost) are present if that is shared.
 */
export const SharedRun = Run.extend({ share: ShareFacts.describe("The part of the run the link shows") });
export type SharedRun = z.infer<typeof SharedRun>;

export const getSharedRun = defineOperation({
  ...shared,
  id: "getSharedRun",
  summary: "Read a shared run",
  description: "404 for every link that does not work: unknown, expired or revoked.",
  params: ShareParams,
  query: z.object({
    view: z
      .stringbool({ truthy: ["true", "1"], falsy: ["false", "0"] })
      .default(false)
      .describe("Count this as one view: a person opened the page"),
  }),
  result: SharedRun,
});

/** In a page of entries, longer strings are cut whatever `clip` says: one link must not keep the service busy. */
export const sharedClipMax = 100_000;

export const getSharedLogs = defineOperation({
  ...sharedLog,
  id: "getSharedLogs",
  summary: "Read a shared run's log entries",
  description: `As for your own runs; \`skip\` counts from the first entry shown, and strings are always cut at ${sharedClipMax} characters at most.`,
  params: ShareParams,
  query: LogsQuery,
  result: RunWithLogs.extend({ share: ShareFacts.describe("The part of the run the link shows") }),
});

export const getSharedEntry = defineOperation({
  ...sharedLog,
  id: "getSharedEntry",
  summary: "Read one whole log entry of a shared run",
  params: ShareParams.extend({ seq: WholeNumber(1, skipMax) }),
  result: LogEntry,
});

export const streamSharedLogs = defineOperation({
  ...sharedLog,
  id: "streamSharedLogs",
  summary: "Follow a shared run live",
  description: "As for your own runs. The stream ends when the link expires or is revoked.",
  params: ShareParams,
  query: streamLogs.query,
  result: z.string(),
});

export const getSharedOutline = defineOperation({
  ...sharedLog,
  id: "getSharedOutline",
  summary: "See a shared run at a glance",
  params: ShareParams,
  query: OutlineQuery,
  result: Outline,
});

export const getSharedPosition = defineOperation({
  ...sharedLog,
  id: "getSharedPosition",
  summary: "Find where an entry is in a shared run",
  params: ShareParams,
  query: LogPositionQuery,
  result: LogPosition,
});

export const getSharedTools = defineOperation({
  ...sharedLog,
  id: "getSharedTools",
  summary: "List the tools that a shared run has used",
  params: ShareParams,
  result: LogTools,
});

export const getSharedTimeline = defineOperation({
  ...sharedLog,
  id: "getSharedTimeline",
  summary: "See where a shared run's time went",
  params: ShareParams,
  query: TimelineQuery,
  result: Timeline,
});

export const findInSharedLogs = defineOperation({
  ...sharedLog,
  id: "findInSharedLogs",
  summary: "Find text in a shared run",
  description: "Searches only what is shown: neither hidden output and input nor masked secrets.",
  params: ShareParams,
  query: FindQuery,
  result: Found,
});
