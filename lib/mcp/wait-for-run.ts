import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { parseExactJson } from "#lib/contract/exact-json.ts";
import { fieldsOf } from "#lib/contract/json-fields.ts";
import { type McpTool, waitSecondsMax } from "#lib/contract/openapi/mcp-tools.ts";
import type { AnyOperation } from "#lib/contract/operation.ts";
import { getRun } from "#lib/contract/runs/run-operations.ts";
import { parseStatusWords } from "#lib/contract/runs/run-status.ts";
import type { Answer } from "#lib/http/answer.ts";
import { isStream } from "#lib/http/answer.ts";
import { jsonOf } from "./inner-call.ts";
import { readEvents } from "./read-events.ts";
import { refusalOf, toolResult } from "./tool-result.ts";

/** Calls an operation of the API on behalf of the request. */
export type AskOperation = (
  operation: AnyOperation,
  values: Record<string, unknown>,
  more?: { idempotencyKey?: string | null; signal?: AbortSignal },
) => Promise<Answer>;

/** Reports progress to the client: seconds so far and in total, and what the run is doing. */
export type ReportProgress = (progress: { progress: number; total: number; message: string }) => Promise<void>;

/** Minimum time between two reports, in ms: a run may write hundreds of entries a second. */
const reportEveryMs = 1000;

type Settled = "ended" | "question" | null;

/**
 * Reads the run, then follows its event stream until it has ended, asks a question, or the time is up; returns the run as it is
 * then. Stops when the client disconnects.
 */
export async function waitForRun(
  tool: McpTool,
  values: Record<string, unknown>,
  ask: AskOperation,
  { signal, report }: { signal: AbortSignal; report: ReportProgress | null },
): Promise<CallToolResult> {
  const total = Number(values.seconds ?? waitSecondsMax);
  const runId = { agent_run_id: values.agent_run_id };
  const first = await ask(getRun, runId);
  if (first.status !== 200) return refusalOf(first);
  let run = fieldsOf(jsonOf(first));
  let settled = settledOf(run);
  if (settled === null) {
    const startedAt = performance.now();
    const leaving = new AbortController();
    const timer = setTimeout(() => leaving.abort(), total * 1000);
    try {
      const until = AbortSignal.any([signal, leaving.signal]);
      const opened = await ask(tool.operation, { ...runId, after: run.total_logs, clip: 1 }, { signal: until });
      if (opened.status !== 200 || !isStream(opened.body)) return refusalOf(opened);
      let reportedAt = Number.NEGATIVE_INFINITY;
      for await (const { event, id, data } of readEvents(opened.body, until)) {
        if (event === "entry") run.total_logs = Number(id);
        if (event === "run" || event === "end") run = fieldsOf(parseExactJson(data));
        settled = event === "end" ? "ended" : settledOf(run);
        if (settled !== null) break;
        const now = performance.now();
        if (report === null || now - reportedAt < reportEveryMs) continue;
        reportedAt = now;
        const message = `${run.status}, ${run.total_logs} log entries`;
        await report({ progress: Math.round(now - startedAt) / 1000, total, message });
      }
      if (settled === null && !until.aborted) {
        // The stream was closed from the other side: the token was revoked, or the service is stopping.
        const again = await ask(getRun, runId);
        if (again.status !== 200) return refusalOf(again);
        run = fieldsOf(jsonOf(again));
        settled = settledOf(run);
      }
    } finally {
      clearTimeout(timer);
    }
  }
  return toolResult(tool, { outcome: settled ?? "working", run });
}

/** Whether there is anything to wait for. The reference service's PAUSED is a question, or an interrupted run. */
function settledOf({ status, question }: Record<string, unknown>): Settled {
  const statuses = parseStatusWords([String(status)]);
  if (typeof statuses === "string") return null;
  if (statuses.some((one) => one === "queued" || one === "running" || one === "evaluating")) return null;
  if (!statuses.includes("waiting") || question == null) return "ended";
  // An answered question is open until the engine hears of the answer.
  return fieldsOf(question).answered === true ? null : "question";
}
