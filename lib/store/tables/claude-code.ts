import type { ClaudeStatus } from "#lib/contract/logs/claude-code.ts";
import { blob, id, instant, integer, json, real, reference, table, text } from "./table.ts";

export const claudeCode = {
  /** Sessions of Claude Code in somebody's own terminal; each has a run. */
  claude_sessions: table({
    id: id(),
    organization_id: reference("organizations"),
    user_id: reference("users").orNull(),
    session_id: text(),
    run_id: reference("runs", "cascade").unique(),
    /** Last reported status. */
    status: text<ClaudeStatus>(),
    created_at: instant(),
    /** Number of lines received. */
    lines: integer(),
    /** The turn whose prompt is still to come. */
    open_turn: integer().orNull(),
    /** JSON {text, at, isHeld}: the agent's last words, unless they are already the run's answer. */
    said: json().orNull(),
    /** When it was told to end while calls were open; null if nothing is left to do. */
    ending_at: instant().orNull(),
    /** Sums of `claude_usage`. */
    input_tokens: integer().default(0),
    output_tokens: integer().default(0),
    /** When the last line, status or telemetry arrived. */
    heard_at: instant().default(0),
    /** When its run was ended for its silence; null if it was not, or has continued since. */
    silent_at: instant().orNull(),
  })
    .unique("organization_id", "session_id")
    .index("claude_sessions_ending", "(ending_at) where ending_at is not null")
    .index("claude_sessions_heard", "(heard_at) where status = 'ACTIVE' and silent_at is null"),
  /** The lines of a session as received, by number from 1. */
  claude_lines: table({
    session: reference("claude_sessions", "cascade"),
    number: integer(),
    /** 16 bytes that distinguish the line from the others. */
    key: blob(),
    received_at: instant(),
    /** The entries appended when it arrived. */
    first_seq: integer().orNull(),
    last_seq: integer().orNull(),
    /** Why it has no entry; null if it has one, or will. */
    left_out: text().orNull(),
    /** Its text, compressed with zstd. */
    line: blob(),
  })
    .key("session", "number")
    .uniqueIndex("claude_lines_by_key", "(session, key)"),
  /** Calls of a session. Of a completed one only its id is kept. */
  claude_calls: table({
    session: reference("claude_sessions", "cascade"),
    call_id: text(),
    /** Sort key of a session's calls. */
    number: integer(),
    state: text<"open" | "unfinished" | "answered">(),
    /** JSON {name, input, at}. */
    call: json(),
  })
    .key("session", "call_id")
    .index("claude_calls_open", "(session, number) where state = 'open'"),
  /** Tokens of each message of a session's model. */
  claude_usage: table({
    session: reference("claude_sessions", "cascade"),
    message: blob(),
    input: integer(),
    output: integer(),
  }).clusteredBy("session", "message"),
  /** Telemetry that names one of the person's sessions, which may not be known yet. */
  claude_telemetry: table({
    id: id(),
    organization_id: reference("organizations"),
    user_id: reference("users"),
    session_id: text(),
    /** 16 bytes that distinguish the record from the others. */
    key: blob(),
    /** 16 bytes of its name and attributes. */
    series: blob(),
    kind: text<"event" | "metric">(),
    name: text(),
    at: instant(),
    value: real().orNull(),
    attributes: json(),
  })
    .unique("organization_id", "user_id", "session_id", "key")
    .index("claude_telemetry_by_age", "(organization_id, user_id, session_id, id)"),
  /** Totals of a session's telemetry, including dropped records. */
  claude_telemetry_sums: table({
    organization_id: reference("organizations"),
    user_id: reference("users"),
    session_id: text(),
    records: integer(),
    dropped: integer(),
    /** JSON of TelemetrySums. */
    sums: json(),
  }).clusteredBy("organization_id", "user_id", "session_id"),
  /** The newest point of each cumulative series of a session. `value` is its sum since `started_at`. */
  claude_telemetry_series: table({
    organization_id: reference("organizations"),
    user_id: reference("users"),
    session_id: text(),
    series: blob(),
    started_at: instant().orNull(),
    at: instant(),
    value: real(),
  }).clusteredBy("organization_id", "user_id", "session_id", "series"),
};
