import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { RequestError } from "@agentclientprotocol/sdk";
import { z } from "zod";
import type { TurnEnd } from "#lib/agents/agent.ts";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import type { RecordedError } from "./error-entry.ts";
import { PermissionRequest, PromptAnswer, parseUpdate } from "./message.ts";
import { Recorder } from "./recorder.ts";
import type { PermissionAnswer } from "./tool-call.ts";
import { type AgentEnd, endOfAgent, endOfStop } from "./turn-end.ts";
import { Usage } from "./usage.ts";

const Line = z.looseObject({
  t: z.number(),
  dir: z.enum(["client->agent", "agent->client"]),
  msg: z.looseObject({
    id: z.union([z.number(), z.string()]).optional(),
    method: z.string().optional(),
    params: z.looseObject({}).optional(),
    result: z.unknown().optional(),
    error: z.looseObject({ code: z.number(), message: z.string(), data: z.unknown().optional() }).optional(),
  }),
});

/** Folder of recorded runs, beside the checkout; it may be absent. */
export const transcripts = join(import.meta.dirname, "../../../../shared/acp/transcripts");

/** One turn of a recorded run, as the recorder reports it. */
export type ReplayedTurn = { entries: NewEntry[]; end: TurnEnd; figures: Usage["figures"] };

/** The turns of a recorded run; null, with the test skipped, if there are no recordings. */
export function replay(t: TestContext, name: string): ReplayedTurn[] | null {
  const file = join(transcripts, `${name}.jsonl`);
  if (existsSync(file)) {
    const turns = replayTranscript(file);
    assert.ok(turns.length > 0, name);
    return turns;
  }
  t.skip("../shared/acp/transcripts is not here");
  return null;
}

/** Replays a recorded run through the recorder, message by message with the recorded times. */
export function replayTranscript(file: string): ReplayedTurn[] {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => Line.parse(JSON.parse(line)));
  let now = 0;
  const recorder = new Recorder({ cwd: "/workspace/repo", now: () => new Date(now) });
  let usage = new Usage(null, { model: null, tokens: null, costUsd: null, sessionCostUsd: null }, false);
  const turns: ReplayedTurn[] = [];
  let entries: NewEntry[] = [];
  let promptId: number | string | null = null;
  let cancelled = false;
  let systemError: RecordedError | null = null;
  const asked = new Map<number | string, PermissionRequest>();
  const finish = (end: TurnEnd) => {
    turns.push({ entries: [...entries, ...end.entries], end, figures: usage.figures });
    promptId = null;
  };
  const profile = { title: "The agent", keys: [], signInHint: "Sign in.", hasModel: true };
  const noDiagnostics = { stderr: "", stdout_noise: [] };

  for (const { t, dir, msg } of lines) {
    now = t;
    const fromAgent = dir === "agent->client";
    if (!fromAgent && msg.method === "initialize" && promptId !== null) {
      const ended = { code: null, signal: "SIGKILL", tooLong: false, error: null } as const;
      finish(endOfAgent(recorder, { kind: "ended", ended }, null, noDiagnostics, profile));
    }
    const info = z.looseObject({ agentInfo: z.looseObject({ name: z.string() }) }).safeParse(msg.result);
    if (info.success)
      usage = new Usage(
        info.data.agentInfo.name,
        { ...usage.figures, sessionCostUsd: usage.sessionCostUsd },
        turns.length > 0,
      );
    if (!fromAgent && msg.method === "session/prompt") {
      const { prompt } = z.looseObject({ prompt: z.array(z.looseObject({ text: z.string() })) }).parse(msg.params);
      promptId = msg.id ?? null;
      cancelled = false;
      systemError = null;
      entries = recorder.begin(prompt[0]?.text ?? "", { turn: turns.length + 1, session: "new" });
    }
    if (promptId === null) continue;
    if (!fromAgent && msg.method === "session/cancel") {
      cancelled = true;
      recorder.stopping();
    }
    if (fromAgent && msg.method === "session/update") {
      const update = parseUpdate(msg.params);
      if (update === null) continue;
      usage.update(update);
      if (update.sessionUpdate === "session_info_update" && update._meta?.codex?.threadStatus?.type === "systemError") {
        systemError = { code: "agent_system_error", message: "system error" };
      }
      entries.push(...recorder.update(update));
    }
    if (fromAgent && msg.method === "session/request_permission" && msg.id !== undefined) {
      const request = PermissionRequest.parse(msg.params);
      asked.set(msg.id, request);
      entries.push(...recorder.permissionAsked(request));
    }
    const request = !fromAgent && msg.method === undefined && msg.id !== undefined ? asked.get(msg.id) : undefined;
    if (request !== undefined) recorder.permissionAnswered(request.toolCall.toolCallId, answerOf(request, msg.result));
    if (fromAgent && msg.method === undefined && msg.id === promptId) {
      const end: AgentEnd = msg.error
        ? { kind: "refused", error: new RequestError(msg.error.code, msg.error.message, msg.error.data) }
        : { kind: "answer", answer: PromptAnswer.parse(msg.result) };
      usage.endTurn(end.kind === "answer" ? end.answer : null);
      const limits = { inactivityMs: 1, turnMs: 1 };
      finish(
        cancelled
          ? endOfStop(recorder, "cancelled", limits, noDiagnostics)
          : endOfAgent(recorder, end, systemError, noDiagnostics, profile),
      );
    }
  }
  return turns;
}

function answerOf(request: PermissionRequest, result: unknown): PermissionAnswer {
  const { outcome } = z
    .looseObject({ outcome: z.looseObject({ outcome: z.string(), optionId: z.string().optional() }) })
    .parse(result);
  const option = request.options.find(({ optionId }) => optionId === outcome.optionId);
  if (option === undefined) return { decision: "cancelled", option: null, by: "cancel" };
  const decision = option.kind.startsWith("allow") ? "allowed" : "rejected";
  return { decision, option: option.kind, by: "person" };
}
