import { RequestError } from "@agentclientprotocol/sdk";
import type { TurnEnd } from "#lib/agents/agent.ts";
import type { EndStatus } from "#lib/contract/run-status.ts";
import type { Diagnostics, Ended } from "./connection.ts";
import { exitError, type RecordedError } from "./error-entry.ts";
import type { PromptAnswer } from "./message.ts";
import type { Recorder } from "./recorder.ts";

/** Why a turn is stopped from this side. */
export type Stop = "cancelled" | "inactivity" | "turn";

/** How the agent ended its turn: by an answer, by an RPC error, or by ending itself. */
export type AgentEnd =
  | { kind: "answer"; answer: PromptAnswer }
  | { kind: "refused"; error: Error }
  | { kind: "ended"; ended: Ended };

/** The end of a turn that this side stopped, whatever the agent answered to it. */
export function endOfStop(recorder: Recorder, stop: Stop, limits: { inactivityMs: number; turnMs: number }): TurnEnd {
  switch (stop) {
    case "cancelled":
      return { status: "cancelled", result: null, entries: recorder.cancel("The run was cancelled.") };
    case "inactivity": {
      const message = `The agent sent nothing for ${seconds(limits.inactivityMs)} and was stopped.`;
      return failed(recorder, "timed_out", { code: "inactivity_timeout", message }, "cancelled");
    }
    case "turn": {
      const message = `The turn took longer than ${seconds(limits.turnMs)} and was stopped.`;
      return failed(recorder, "timed_out", { code: "turn_timeout", message }, "cancelled");
    }
  }
}

/** The end of a turn by the agent itself. `systemError` is a failure reported by codex that its answer hides. */
export function endOfAgent(
  recorder: Recorder,
  end: AgentEnd,
  systemError: RecordedError | null,
  diagnostics: Diagnostics,
): TurnEnd {
  switch (end.kind) {
    case "ended":
      return failed(recorder, "failed", exitError(end.ended, diagnostics, "in the middle of a turn"), "interrupted");
    case "refused":
      return failed(recorder, "failed", rpcError(end.error), "interrupted");
    case "answer":
      return endOfAnswer(recorder, end.answer.stopReason, systemError);
  }
}

/** The message of an RPC error. */
export function rpcError(error: Error): RecordedError {
  if (error instanceof RequestError) return { code: error.code, message: error.message, data: error.data };
  return { code: "protocol_error", message: error.message };
}

function endOfAnswer(recorder: Recorder, stopReason: string, systemError: RecordedError | null): TurnEnd {
  if (systemError !== null && stopReason !== "cancelled") return failed(recorder, "failed", systemError, "interrupted");
  switch (stopReason) {
    case "end_turn":
      return { status: "completed", ...recorder.complete() };
    case "cancelled":
      return { status: "cancelled", result: null, entries: recorder.cancelledByAgent() };
    case "refusal":
      return failed(recorder, "failed", { code: "refusal", message: "The agent refused to go on." }, "unfinished");
    case "max_tokens": {
      const message = "The agent reached the limit of tokens.";
      return failed(recorder, "out_of_tokens", { code: "max_tokens", message }, "unfinished");
    }
    case "max_turn_requests": {
      const message = "The agent reached its limit of requests in one turn.";
      return failed(recorder, "max_turns_reached", { code: "max_turn_requests", message }, "unfinished");
    }
    default: {
      const message = `The agent ended its turn for a reason that is not known here: ${stopReason.slice(0, 200)}`;
      return failed(recorder, "failed", { code: "unknown_stop_reason", message }, "unfinished");
    }
  }
}

function failed(
  recorder: Recorder,
  status: EndStatus,
  error: RecordedError,
  closing: Parameters<Recorder["fail"]>[1],
): TurnEnd {
  return { status, result: null, entries: recorder.fail(error, closing) };
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
