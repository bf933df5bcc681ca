import { z } from "zod";
import { defineOperation, O, OrgParams } from "./define-operation.ts";
import { batchBytesMax } from "./ingest.ts";
import { Instant, JsonObject, Text } from "./text.ts";

const tag = "Claude Code";

/** What a session of Claude Code says of itself. COMPLETE ends a turn; the next prompt makes it ACTIVE again. */
export const ClaudeStatus = z.enum(["ACTIVE", "COMPLETE", "ERROR", "CANCELLED"]);
export type ClaudeStatus = z.infer<typeof ClaudeStatus>;

/** A session is named by the UUID that Claude Code gave it; what is none names no session. */
const SessionParams = OrgParams.extend({ session_id: Text(200) });

/** Request body of `POST claude_code/session`. */
export const OpenClaudeSession = z.object({
  session_id: z
    .uuid("must be a UUID")
    .transform((id) => id.toLowerCase())
    .describe("The session's id, as Claude Code names its file"),
});
export type OpenClaudeSession = z.infer<typeof OpenClaudeSession>;

export const openClaudeSession = defineOperation({
  id: "openClaudeSession",
  method: "POST",
  path: `${O}/claude_code/session`,
  tag,
  summary: "Open a Claude Code session",
  description:
    "A session of Claude Code in somebody's own terminal becomes a run of the agent `external` with source_type LOCAL, which lives as the session does. The same session gives the same run. Where no line, status or telemetry comes for long (30 minutes, unless ERRAND_SESSION_SILENCE_SECONDS says otherwise), the terminal counts as gone: the run ends as timed_out, and its last entry says why. The next line or status lets the run go on, or ends it as it says.",
  scope: "ingest:write",
  rateClass: "ingest",
  params: OrgParams,
  body: OpenClaudeSession,
  result: z.object({ agent_run_id: z.int().describe("The session's run") }),
});

/** Request body of `POST claude_code/session/{session_id}/log`. */
export const LogClaudeLine = z.object({
  log: z
    .union([z.string(), JsonObject], "must be a JSON object, or one line as text")
    .describe("One line of the session's JSONL file: the object, or its text"),
});
export type LogClaudeLine = z.infer<typeof LogClaudeLine>;

/** What became of a line. */
export const TakenClaudeLine = z.object({
  agent_run_id: z.int().describe("The session's run"),
  duplicate: z.boolean().describe("The line had come before; nothing was changed"),
  first_seq: z.int().nullable().describe("The first entry that was appended when the line came, null for none"),
  last_seq: z.int().nullable().describe("The last entry that was appended when the line came, null for none"),
  left_out: z
    .string()
    .nullable()
    .describe("Why no entry tells of the line. Null where one does, or will: a call becomes one with its result"),
});
export type TakenClaudeLine = z.infer<typeof TakenClaudeLine>;

export const logClaudeLine = defineOperation({
  id: "logClaudeLine",
  method: "POST",
  path: `${O}/claude_code/session/{session_id}/log`,
  tag,
  summary: "Post one line of a Claude Code session",
  description:
    "Lines become log entries in the order in which they come: prompts, thoughts, words, errors, and each tool call together with its result. The line is kept before it is answered, under its `uuid`, else under its content: posted again it is not doubled. A line that no entry tells of is kept too, and `left_out` says why.",
  scope: "ingest:write",
  rateClass: "ingest",
  params: SessionParams,
  body: LogClaudeLine,
  bodyBytesMax: batchBytesMax,
  result: TakenClaudeLine,
});

/** Request body of `POST claude_code/session/{session_id}/status`. */
export const ReportClaudeStatus = z.object({
  status: ClaudeStatus.describe("COMPLETE, ERROR and CANCELLED end the run; ACTIVE lets it go on"),
});
export type ReportClaudeStatus = z.infer<typeof ReportClaudeStatus>;

export const reportClaudeStatus = defineOperation({
  id: "reportClaudeStatus",
  method: "POST",
  path: `${O}/claude_code/session/{session_id}/status`,
  tag,
  summary: "Report the status of a Claude Code session",
  description:
    "COMPLETE, ERROR and CANCELLED end the run, ACTIVE lets an ended one go on with a further turn. Where results of calls have not come, COMPLETE waits up to 2 seconds for them; then such calls are logged as unfinished. Lines that come after the end are still logged.",
  scope: "ingest:write",
  rateClass: "ingest",
  params: SessionParams,
  body: ReportClaudeStatus,
  result: z.object({
    agent_run_id: z.int().describe("The session's run"),
    status: z.string().describe("The run's status"),
  }),
});

/** A session of Claude Code and what came of it. */
export const ClaudeSession = z.object({
  session_id: z.string().describe("The session's UUID, in small letters"),
  agent_run_id: z.int().describe("The session's run"),
  web_url: z.string().describe("The page of its run on the dashboard"),
  status: ClaudeStatus.describe("What was reported last"),
  created_at: Instant.describe("When the session was opened here"),
  heard_at: Instant.describe("When a line, a status or telemetry came last"),
  silent_since: Instant.nullable().describe(
    "When its run was ended because nothing came; null where that is not so (any more)",
  ),
  lines: z.int().describe("How many lines came, each counted once"),
  left_out: z
    .array(
      z.object({
        reason: z.string().describe("Reason for leaving them out"),
        lines: z.int().describe("Number of lines"),
      }),
    )
    .describe("Lines that no entry tells of, by the reason, the most frequent first"),
  open_calls: z.int().describe("Tool calls whose results have not come"),
  telemetry: z
    .object({
      records: z.int().describe("How many came, each counted once"),
      dropped: z.int().describe("How many of them were dropped for newer ones; cost and tokens still count them"),
      cost_usd: z.number().nullable().describe("Cost in US dollars that telemetry told, or null"),
      tokens: z
        .object({
          input: z.int().describe("Tokens read, cached ones included"),
          output: z.int().describe("Tokens written, thoughts included"),
        })
        .nullable()
        .describe("Tokens that telemetry told, or null"),
    })
    .nullable()
    .describe("What telemetry with its `session.id` told; null where none came"),
});
export type ClaudeSession = z.infer<typeof ClaudeSession>;

export const getClaudeSession = defineOperation({
  id: "getClaudeSession",
  method: "GET",
  path: `${O}/claude_code/session/{session_id}`,
  tag,
  summary: "Get a Claude Code session",
  scope: "runs:read",
  params: SessionParams,
  result: ClaudeSession,
});
