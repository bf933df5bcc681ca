import { RequestError } from "@agentclientprotocol/sdk";
import type { TurnEnd } from "#lib/agents/agent.ts";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import type { EndStatus } from "#lib/contract/runs/run-status.ts";
import type { Diagnostics, Ended } from "./connection.ts";
import { errorEntry, exitError, type RecordedError } from "./error-entry.ts";
import type { PromptAnswer } from "./message.ts";
import type { Recorder } from "./recorder.ts";
import { type SignInProfile, signInError } from "./sign-in-error.ts";

/** Why a turn is stopped from this side. */
export type Stop = "cancelled" | "inactivity" | "turn";

/** How the agent ended its turn: by an answer, by an RPC error, or by ending itself. */
export type AgentEnd =
  | { kind: "answer"; answer: PromptAnswer }
  | { kind: "refused"; error: Error }
  | { kind: "ended"; ended: Ended };

/** The entry for lines that look like the agent's messages and could not be read; none without any. */
export function unreadEntries(lines: string[], now: Date): NewEntry[] {
  if (lines.length === 0) return [];
  const message =
    "The agent wrote lines that look like messages and cannot be read, for example because of a prefix. What they said is missing here.";
  return [errorEntry({ code: "messages_not_read", message, data: { lines } }, now)];
}

/** The end of a turn that this side stopped, whatever the agent answered. */
export function endOfStop(
  recorder: Recorder,
  stop: Stop,
  limits: { inactivityMs: number; turnMs: number },
  diagnostics: Diagnostics,
): TurnEnd {
  switch (stop) {
    case "cancelled":
      return { status: "cancelled", result: null, entries: recorder.cancel("The run was cancelled.") };
    case "inactivity": {
      const message = `The agent sent nothing for ${seconds(limits.inactivityMs)} and was stopped.`;
      return failed(recorder, "timed_out", withLog({ code: "inactivity_timeout", message }, diagnostics), "cancelled");
    }
    case "turn": {
      const message = `The turn took longer than ${seconds(limits.turnMs)} and was stopped.`;
      return failed(recorder, "timed_out", withLog({ code: "turn_timeout", message }, diagnostics), "cancelled");
    }
  }
}

/**
 * The end of a turn by the agent itself. `systemError` is a failure reported by codex that its answer hides. An error about a
 * sign-in says how to sign in.
 */
export function endOfAgent(
  recorder: Recorder,
  end: AgentEnd,
  systemError: RecordedError | null,
  diagnostics: Diagnostics,
  profile: SignInProfile,
): TurnEnd {
  const said = `${diagnostics.stderr}\n${recorder.recentText}`;
  const explained = (error: RecordedError) => signInError(profile, error, said) ?? withLog(error, diagnostics);
  switch (end.kind) {
    case "ended": {
      const error = exitError(end.ended, diagnostics, "in the middle of a turn");
      return failed(recorder, "failed", signInError(profile, error, said) ?? error, "interrupted");
    }
    case "refused":
      return failed(recorder, "failed", explained(rpcError(end.error)), "interrupted");
    case "answer":
      return endOfAnswer(recorder, end.answer.stopReason, systemError === null ? null : explained(systemError));
  }
}

const logCharactersMax = 2000;

/** The agent's last lines of error output; empty if it wrote none. */
export function logOf({ stderr }: Diagnostics): string {
  if (stderr.length <= logCharactersMax) return stderr;
  const end = stderr.slice(-logCharactersMax);
  return end.slice(end.indexOf("\n") + 1);
}

/** The error with the agent's last lines of error output, if any: often they alone say why. */
function withLog(error: RecordedError, diagnostics: Diagnostics): RecordedError {
  const log = logOf(diagnostics);
  if (log === "") return error;
  const { data } = error;
  const isObject = typeof data === "object" && data !== null && !Array.isArray(data);
  return { ...error, data: isObject ? { ...data, stderr: log } : { ...(data == null ? {} : { data }), stderr: log } };
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
      return failed(recorder, "failed", { code: "refusal", message: "The agent refused to continue." }, "unfinished");
    case "max_tokens": {
      const message = "The agent reached its token limit.";
      return failed(recorder, "out_of_tokens", { code: "max_tokens", message }, "unfinished");
    }
    case "max_turn_requests": {
      const message = "The agent reached its limit of requests in one turn.";
      return failed(recorder, "max_turns_reached", { code: "max_turn_requests", message }, "unfinished");
    }
    default: {
      const message = `The agent ended its turn with a stop reason that Errand does not know: ${stopReason.slice(0, 200)}`;
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
