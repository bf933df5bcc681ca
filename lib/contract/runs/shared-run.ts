import { z } from "zod";
import { defineOperation } from "#lib/contract/define-operation.ts";
import { findInLogs } from "#lib/contract/logs/find.ts";
import { getLogPosition } from "#lib/contract/logs/log-position.ts";
import { getLogTools } from "#lib/contract/logs/log-tools.ts";
import { getOutline } from "#lib/contract/logs/outline.ts";
import { getTimeline } from "#lib/contract/logs/timeline.ts";
import type { Operation } from "#lib/contract/operation.ts";
import { Instant } from "#lib/contract/text.ts";
import { Run } from "./run.ts";
import { getLogEntry, getLogs, streamLogs } from "./run-operations.ts";

const ShareParams = z.object({
  share_token: z.string().describe("The last part of the link").meta({ example: "TOKEN" }),
});

/** Common to all reads through a link: no authentication except the link itself, and no trace of it anywhere. */
const shared = { scope: null, rateClass: "share", bearsSecret: true } as const;

/** A read through a link: it takes and returns what its counterpart does, the same read of one's own run. */
function throughLink<Query extends z.ZodObject, Result extends z.ZodType>(
  counterpart: Operation<z.ZodObject, Query, z.ZodType, Result>,
) {
  const { stability, query, result } = counterpart;
  return { ...shared, stability, params: ShareParams, query, result };
}

/** What a link shows, for those who have it. */
export const ShareFacts = z.object({
  from_seq: z.int().describe("The first entry shown; entries keep their numbers in the run"),
  to_seq: z.int().nullable().describe("The last entry shown; null follows the run as it grows").meta({ example: null }),
  outputs: z.boolean().describe("Whether tool output is shown"),
  shared_by: z.string().nullable().describe("Name of the person who created the link, or null"),
  created_at: Instant.describe("When the link was created"),
  expires_at: Instant.nullable().describe("When the link stops working; null: never"),
});
z.globalRegistry.add(ShareFacts, { example: { shared_by: "Grace Hopper", expires_at: "2026-03-02T09:00:00.000Z" } });
export type ShareFacts = z.infer<typeof ShareFacts>;

/**
 * A run as a stranger may see it: the shared part. Secrets are masked; repository, people, metadata, questions and changes are
 * left out (null or empty); `total_logs` counts the entries shown. Fields that belong to the beginning or the end of the run
 * (prompt; result, tokens, cost) are present if that is shared.
 */
export const SharedRun = Run.extend({ share: ShareFacts.describe("The part of the run the link shows") });
z.globalRegistry.add(SharedRun, { id: "SharedRun", example: Run.meta()?.example });
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
  ...throughLink(getLogs),
  id: "getSharedLogs",
  summary: "Read a shared run's log entries",
  description: `As for your own runs; \`skip\` counts from the first entry shown, and strings are always cut at ${sharedClipMax} characters at most.`,
  result: getLogs.result.extend({ share: ShareFacts.describe("The part of the run the link shows") }).meta({
    example: Run.meta()?.example,
  }),
});

export const getSharedEntry = defineOperation({
  ...throughLink(getLogEntry),
  id: "getSharedEntry",
  summary: "Read one whole log entry of a shared run",
  params: ShareParams.extend({ seq: getLogEntry.params.shape.seq }),
});

export const streamSharedLogs = defineOperation({
  ...throughLink(streamLogs),
  id: "streamSharedLogs",
  summary: "Follow a shared run live",
  description: "As for your own runs. The stream ends when the link expires or is revoked.",
});

export const getSharedOutline = defineOperation({
  ...throughLink(getOutline),
  id: "getSharedOutline",
  summary: "See a shared run at a glance",
});

export const getSharedPosition = defineOperation({
  ...throughLink(getLogPosition),
  id: "getSharedPosition",
  summary: "Find where an entry is in a shared run",
});

export const getSharedTools = defineOperation({
  ...throughLink(getLogTools),
  id: "getSharedTools",
  summary: "List the tools that a shared run has used",
});

export const getSharedTimeline = defineOperation({
  ...throughLink(getTimeline),
  id: "getSharedTimeline",
  summary: "See where a shared run's time went",
});

export const findInSharedLogs = defineOperation({
  ...throughLink(findInLogs),
  id: "findInSharedLogs",
  summary: "Find text in a shared run",
  description: "Searches only what is shown: neither hidden output and input nor masked secrets.",
});
