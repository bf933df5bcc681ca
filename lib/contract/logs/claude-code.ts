import { z } from "zod";
import { defineOperation, OrgParams } from "#lib/contract/define-operation.ts";
import { Instant, JsonObject, Text } from "#lib/contract/text.ts";
import { batchBytesMax } from "./ingest.ts";

/** State reported by a session of Claude Code. COMPLETE ends a turn; the next prompt makes it ACTIVE again. */
export const ClaudeStatus = z.enum(["ACTIVE", "COMPLETE", "ERROR", "CANCELLED"]);
export type ClaudeStatus = z.infer<typeof ClaudeStatus>;

/** A session is identified by Claude Code's UUID; anything else is not a session. */
const SessionParams = OrgParams.extend({
  session_id: Text(200).describe("The session's UUID, as Claude Code names its file"),
});
z.globalRegistry.add(SessionParams, { example: { session_id: "6e1c3b52-0f5f-4a58-9f4f-6a8f2f1e1a11" } });

/** Request body of `POST claude_code/session`. */
export const OpenClaudeSession = z.object({
  session_id: z
    .uuid("must be a UUID")
    .transform((id) => id.toLowerCase())
    .describe("The session's id, as Claude Code names its file")
    .meta({ example: "6e1c3b52-0f5f-4a58-9f4f-6a8f2f1e1a11" }),
});
export type OpenClaudeSession = z.infer<typeof OpenClaudeSession>;

export const openClaudeSession = defineOperation({
  id: "openClaudeSession",
  isReference: true,
  summary: "Open a Claude Code session",
  description:
    "A session of Claude Code in someone's own terminal becomes a run of the agent `external` with source_type LOCAL, which lasts as long as the session. The same session always gives the same run. If no line, status or telemetry arrives for a long time (30 minutes, unless ERRAND_SESSION_SILENCE_SECONDS says otherwise), the run ends as timed_out, and its last entry says why. The next line or status lets the run continue, or ends it as reported.",
  scope: "ingest:write",
  rateClass: "ingest",
  params: OrgParams,
  body: OpenClaudeSession,
  result: z.object({ agent_run_id: z.int().describe("The session's run") }),
  idempotent: "repeatable",
});

/** Request body of `POST claude_code/session/{session_id}/log`. */
export const LogClaudeLine = z.object({
  log: z
    .union([z.string(), JsonObject], "must be a JSON object, or one line as text")
    .describe("One line of the session's JSONL file: the object, or its text")
    .meta({ example: { type: "user", uuid: "7d2f", message: { role: "user", content: "Fix the failing test" } } }),
});
export type LogClaudeLine = z.infer<typeof LogClaudeLine>;

/** Result of a line. */
export const TakenClaudeLine = z.object({
  agent_run_id: z.int().describe("The session's run"),
  duplicate: z.boolean().describe("Whether the line had been posted before; nothing was changed"),
  first_seq: z.int().nullable().describe("The first entry appended when the line arrived, or null"),
  last_seq: z.int().nullable().describe("The last entry appended when the line arrived, or null"),
  left_out: z
    .string()
    .nullable()
    .describe(
      "Why the line has no log entry. Null if it has one or will get one: a tool call becomes an entry when its result arrives",
    ),
});
z.globalRegistry.add(TakenClaudeLine, { example: { duplicate: false, first_seq: 41, last_seq: 41 } });
export type TakenClaudeLine = z.infer<typeof TakenClaudeLine>;

export const logClaudeLine = defineOperation({
  id: "logClaudeLine",
  isReference: true,
  summary: "Post one line of a Claude Code session",
  description:
    "Lines become log entries in the order in which they arrive: prompts, thoughts, messages, errors, and each tool call together with its result. The line is stored before the response, under its `uuid`, or else under its content, so posting it again does not duplicate it. A line without an entry is stored too, and `left_out` says why.",
  scope: "ingest:write",
  rateClass: "ingest",
  params: SessionParams,
  body: LogClaudeLine,
  bodyBytesMax: batchBytesMax,
  result: TakenClaudeLine,
  idempotent: "repeatable",
});

/** Request body of `POST claude_code/session/{session_id}/status`. */
export const ReportClaudeStatus = z.object({
  status: ClaudeStatus.describe("COMPLETE, ERROR and CANCELLED end the run; ACTIVE continues it"),
});
z.globalRegistry.add(ReportClaudeStatus, { example: { status: "COMPLETE" } });
export type ReportClaudeStatus = z.infer<typeof ReportClaudeStatus>;

export const reportClaudeStatus = defineOperation({
  id: "reportClaudeStatus",
  isReference: true,
  summary: "Report the status of a Claude Code session",
  description:
    "COMPLETE, ERROR and CANCELLED end the run; ACTIVE continues an ended one with a further turn. ERROR or CANCELLED after COMPLETE, without a prompt between them, replaces it: COMPLETE may only mean that Claude Code stopped talking. If results of calls are missing, COMPLETE waits up to 2 seconds for them; then such calls are logged as unfinished. Lines that arrive after the end are still logged.",
  scope: "ingest:write",
  rateClass: "ingest",
  params: SessionParams,
  body: ReportClaudeStatus,
  result: z.object({
    agent_run_id: z.int().describe("The session's run"),
    status: z.string().describe("The run's status").meta({ example: "completed" }),
  }),
  idempotent: "repeatable",
});

/** A session of Claude Code with its totals. */
export const ClaudeSession = z.object({
  session_id: z
    .string()
    .describe("The session's UUID, in lower case")
    .meta({ example: "6e1c3b52-0f5f-4a58-9f4f-6a8f2f1e1a11" }),
  agent_run_id: z.int().describe("The session's run"),
  web_url: z
    .string()
    .describe("The run's page on the dashboard")
    .meta({ example: "https://errand.example.com/runs/1" }),
  status: ClaudeStatus.describe("The last status reported").meta({ example: "COMPLETE" }),
  created_at: Instant.describe("When the session was opened here"),
  heard_at: Instant.describe("When the last line, status or telemetry arrived"),
  silent_since: Instant.nullable().describe(
    "When its run was ended because nothing arrived; null if it was not, or has continued since",
  ),
  lines: z.int().describe("How many lines arrived, each counted once").meta({ example: 120 }),
  left_out: z
    .array(
      z.object({
        reason: z.string().describe("Reason for leaving them out"),
        lines: z.int().describe("Number of lines"),
      }),
    )
    .describe("Lines without an entry, by reason, most frequent first")
    .meta({ example: [] }),
  open_calls: z.int().describe("Tool calls whose results have not arrived").meta({ example: 0 }),
  telemetry: z
    .object({
      records: z.int().describe("How many arrived, each counted once"),
      dropped: z.int().describe("How many of them were dropped for newer ones; cost and tokens still include them"),
      cost_usd: z.number().nullable().describe("Cost in US dollars reported by telemetry, or null"),
      tokens: z
        .object({
          input: z.int().describe("Tokens read, including cached ones").meta({ example: 1200 }),
          output: z.int().describe("Tokens written, including thoughts").meta({ example: 300 }),
        })
        .nullable()
        .describe("Tokens reported by telemetry, or null"),
    })
    .nullable()
    .describe("Totals of telemetry with this `session.id`; null if none arrived")
    .meta({ example: { records: 25, dropped: 0, cost_usd: 0.12 } }),
});
export type ClaudeSession = z.infer<typeof ClaudeSession>;

export const getClaudeSession = defineOperation({
  id: "getClaudeSession",
  summary: "Get a Claude Code session",
  scope: "runs:read",
  params: SessionParams,
  result: ClaudeSession,
});
