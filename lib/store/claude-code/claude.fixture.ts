import assert from "node:assert/strict";
import type { SessionStep } from "#lib/claude-code/session-step.ts";
import { type OpenStore, openFixture, parsePage, said } from "#lib/store/conformance.fixture.ts";
import { plainRun } from "#lib/store/runs/plain-run.fixture.ts";
import type { NewClaudeLine } from "./claude-sessions.ts";

/** The session of {@link openSession}. */
export const sessionId = "6e1c3b52-0f5f-4a58-9f4f-6a8f2f1e1a11";
export const at = "2026-01-31T11:59:00.000Z";
export const later = "2026-01-31T11:59:02.500Z";

let lines = 0;
/** A line with its own key. */
export function line(steps: SessionStep[], more: Partial<NewClaudeLine> = {}): NewClaudeLine {
  lines += 1;
  return { key: `line ${lines}`, text: "{}", steps, leftOut: null, usage: null, model: null, place: {}, ...more };
}

/** Steps of a line. */
export const prompt = (text: string, opens = true): SessionStep => ({
  kind: "prompt",
  entry: { ...said(text), created_at: at },
  text,
  opens,
});
export const words = (text: string, isLast: boolean | null = null): SessionStep => ({ kind: "said", text, at, isLast });
export const call = (id: string): SessionStep => ({ kind: "call", id, name: "Bash", input: { command: id }, at });
export const result = (id: string): SessionStep => ({ kind: "result", id, output: { text: `of ${id}` }, at: later });
export const thought = (text: string): SessionStep => ({
  kind: "entry",
  entry: { ...said(""), observation: null, message_type: "PLAN_EVALUATION", thought: text, created_at: at },
});

/** A session, its run, and its log in short form. */
export async function openSession(t: Parameters<typeof openFixture>[0], open: OpenStore) {
  const fixture = await openFixture(t, open);
  const { store, access } = fixture;
  const run = plainRun("untold", { agent: "external", sourceType: "LOCAL" });
  const opened = await store.claudeSessions.open(access, sessionId, run);
  assert.ok("runId" in opened);
  const { runId } = opened;
  const take = async (...steps: SessionStep[]) => {
    const taken = await store.claudeSessions.take(access, sessionId, line(steps));
    assert.ok(!("refused" in taken));
    return taken;
  };
  const report = async (status: "ACTIVE" | "COMPLETE" | "ERROR" | "CANCELLED", waits = false) => {
    const reported = await store.claudeSessions.report(access, sessionId, status, waits);
    assert.ok(!("refused" in reported));
    return reported;
  };
  const log = async () => {
    const totalLogs = (await store.runs.find(access, runId))?.totalLogs ?? 0;
    const window = { skip: 0, limit: 100, reverse: false, totalLogs };
    return parsePage(await store.entries.readPage(access, runId, window)).map((entry) => [
      entry.message_type,
      entry.thought ?? entry.observation ?? entry.tool_call_id,
    ]);
  };
  return { ...fixture, run, runId, take, report, log };
}
