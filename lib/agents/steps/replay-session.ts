import { randomUUID } from "node:crypto";
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { textContent } from "./planned-step.ts";
import type { SessionState, StepRecord, TurnRecord } from "./session-state.ts";

/** The updates that replay a stored session, in order: per turn the prompt, the plan, each step and the closing message. */
export function* replaySession(state: SessionState): Generator<SessionUpdate> {
  for (const turn of state.turns) yield* replayTurn(turn);
}

function* replayTurn(turn: TurnRecord): Generator<SessionUpdate> {
  yield { sessionUpdate: "user_message_chunk", ...chunk(turn.prompt) };
  if (turn.opening !== "") yield { sessionUpdate: "agent_thought_chunk", ...chunk(`${turn.opening}\n\n`) };
  if (turn.plan.length > 0) {
    yield { sessionUpdate: "plan", entries: turn.plan.map((entry) => ({ ...entry, priority: "medium" })) };
  }
  for (const step of turn.steps) yield* replayStep(step);
  if (turn.message !== null) yield { sessionUpdate: "agent_message_chunk", ...chunk(turn.message) };
}

function* replayStep(step: StepRecord): Generator<SessionUpdate> {
  const { toolCallId, title, thought, toolName, toolKind, rawInput, output } = step;
  yield { sessionUpdate: "agent_thought_chunk", ...chunk(thought) };
  yield { sessionUpdate: "tool_call", toolCallId, title, name: toolName, kind: toolKind, rawInput, status: "pending" };
  const note = step.status === "running" ? "The agent was stopped before this step ended." : step.note;
  const text = note ?? (typeof output?.output === "string" ? output.output : "");
  yield {
    sessionUpdate: "tool_call_update",
    toolCallId,
    status: step.status === "completed" ? "completed" : "failed",
    ...(output !== null && { rawOutput: output }),
    ...(text !== "" && { content: [textContent(text)] }),
  };
}

function chunk(text: string) {
  return { messageId: randomUUID(), content: { type: "text", text } as const };
}
