import { createHash } from "node:crypto";
import { awakeLimit } from "#lib/awake-timer.ts";
import { readLine } from "#lib/claude-code/read-line.ts";
import { ApiError, notFound } from "#lib/contract/error.ts";
import { parseExactJson } from "#lib/contract/exact-json.ts";
import { fieldsOf } from "#lib/contract/json-fields.ts";
import type {
  ClaudeSession,
  LogClaudeLine,
  OpenClaudeSession,
  ReportClaudeStatus,
  TakenClaudeLine,
} from "#lib/contract/logs/claude-code.ts";
import { externalAgent } from "#lib/contract/runs/agent-ids.ts";
import { jsonDepthMax } from "#lib/contract/text.ts";
import type { ClaudeRefusal, NewClaudeLine } from "#lib/store/claude-code/claude-sessions.ts";
import { pageOf, presentRun, viewOf } from "./present-run.ts";
import type { OrganizationContext, ServiceParts } from "./service-context.ts";

type OfSession = { params: { session_id: string } };

/** Title of the run until its first prompt arrives. */
const untold = "Claude Code session";
/**
 * How long COMPLETE waits for results still on their way: clients of the reference service look for new lines once a
 * second.
 */
const settleMs = 2_000;

/** Run of a session. 403 if the session is another person's. */
export async function openClaudeSession(
  { store, access }: OrganizationContext,
  { body }: { body: OpenClaudeSession },
): Promise<{ agent_run_id: number }> {
  const opened = await store.claudeSessions.open(access, body.session_id, {
    prompt: untold,
    images: [],
    model: null,
    sourceType: "LOCAL",
    metadata: { claude_code: { session_id: body.session_id } },
    repositoryId: null,
    baseBranch: null,
    agent: externalAgent,
    permissionMode: "auto",
  });
  if ("refused" in opened) throw refusal(opened.refused);
  return { agent_run_id: opened.runId };
}

/** Stores a line and logs it. 404 if there is no such session, 403 if it is another person's. */
export async function logClaudeLine(
  { store, access, now }: OrganizationContext,
  { params, body }: OfSession & { body: LogClaudeLine },
): Promise<TakenClaudeLine> {
  const line = lineOf(body.log, now().toISOString());
  const taken = await store.claudeSessions.take(access, params.session_id.toLowerCase(), line);
  if ("refused" in taken) throw refusal(taken.refused);
  return {
    agent_run_id: taken.runId,
    duplicate: !taken.isNew,
    first_seq: taken.firstSeq,
    last_seq: taken.lastSeq,
    left_out: taken.leftOut,
  };
}

/** Ends or continues the run of a session; see the operation. */
export async function reportClaudeStatus(
  context: OrganizationContext,
  { params, body }: OfSession & { body: ReportClaudeStatus },
): Promise<{ agent_run_id: number; status: string }> {
  const { store, access } = context;
  const sessionId = params.session_id.toLowerCase();
  const reported = await store.claudeSessions.report(access, sessionId, body.status, true);
  if ("refused" in reported) throw refusal(reported.refused);
  let { run } = reported;
  if (reported.openCalls > 0) {
    await waitForResults(context, sessionId);
    await store.claudeSessions.end(access, sessionId);
    run = (await store.runs.find(access, run.id)) ?? run;
  }
  return { agent_run_id: run.id, status: presentRun(run, viewOf(context)).status };
}

/** A session of the organization. */
export async function getClaudeSession(context: OrganizationContext, { params }: OfSession): Promise<ClaudeSession> {
  const session = await context.store.claudeSessions.find(context.access, params.session_id.toLowerCase());
  if (session === null) throw notFound("Claude Code session");
  return {
    session_id: session.sessionId,
    agent_run_id: session.runId,
    web_url: pageOf(context.publicUrl, session.runId),
    status: session.status,
    created_at: session.createdAt,
    heard_at: session.heardAt,
    silent_since: session.silentSince,
    lines: session.lines,
    left_out: session.leftOut,
    open_calls: session.openCalls,
    telemetry:
      session.telemetry === null
        ? null
        : {
            records: session.telemetry.records,
            dropped: session.telemetry.dropped,
            cost_usd: session.telemetry.costUsd,
            tokens: session.telemetry.tokens,
          },
  };
}

/** Ends sessions whose COMPLETE was not carried out because the process ended. Called when the web process starts. */
export async function endLeftSessions({ store }: Pick<ServiceParts, "store">): Promise<void> {
  await store.claudeSessions.endLeft(0);
}

/** A line as received: its text is stored, and its `uuid` identifies it. */
function lineOf(log: string | Record<string, unknown>, now: string): NewClaudeLine {
  const text = typeof log === "string" ? log.trim() : JSON.stringify(log);
  const value = typeof log === "string" ? parsed(text) : log;
  const byContent = `content ${createHash("sha256").update(text).digest("hex")}`;
  if (value === null) {
    const nothing = { steps: [], usage: null, model: null, place: {} };
    return { ...nothing, key: byContent, text, leftOut: "it is not a JSON object, or nested too deeply" };
  }
  const { uuid } = value;
  return { ...readLine(value, now), text, key: typeof uuid === "string" && uuid !== "" ? `uuid ${uuid}` : byContent };
}

/** The line's JSON object; null if it is not one, or is nested deeper than a body may be. */
function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = parseExactJson(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject && !isDeeper(value, jsonDepthMax) ? fieldsOf(value) : null;
  } catch {
    return null;
  }
}

function isDeeper(value: unknown, depthMax: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depthMax === 0 || Object.values(value).some((inner) => isDeeper(inner, depthMax - 1));
}

/** Returns when no call of the session is open, when the session continues, or after {@link settleMs}. */
async function waitForResults({ store, changes, access }: OrganizationContext, sessionId: string): Promise<void> {
  const leave = changes.enter();
  using limit = awakeLimit(settleMs);
  const { signal } = limit;
  try {
    while (!signal.aborted) {
      const count = changes.count;
      const session = await store.claudeSessions.find(access, sessionId);
      if (session === null || session.openCalls === 0 || session.status === "ACTIVE") return;
      await changes.after(count, signal);
    }
  } finally {
    leave();
  }
}

function refusal(refused: ClaudeRefusal): ApiError {
  switch (refused) {
    case "absent":
      return notFound("Claude Code session");
    case "not_own":
      return new ApiError("forbidden", "This Claude Code session is another person's: only they may post to it.");
  }
}
