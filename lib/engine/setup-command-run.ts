import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { storableText } from "#lib/agents/acp/storable.ts";
import type { ContainedProcess } from "#lib/agents/agent.ts";
import { OutputWindow } from "#lib/agents/steps/output-window.ts";
import { awakeLimit } from "#lib/awake-timer.ts";
import type { NewEntry } from "#lib/contract/entry.ts";
import type { Progress } from "#lib/contract/progress.ts";
import type { SetupKind } from "#lib/contract/setup-command.ts";

/** A setup command and how to run it. */
export type SetupCommandRun = {
  kind: SetupKind;
  command: string;
  /** Starts it in a shell, contained like agents. */
  start: () => Promise<ContainedProcess>;
  timeoutMs: number;
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
};

/**
 * Result of a command: `failure` completes "the command …"; null if it worked. `stopped`: the run's own signal ended it.
 * `entry` is its ACTION.
 */
export type SetupCommandEnd = {
  failure: string | null;
  stopped: boolean;
  timedOut: boolean;
  output: string;
  entry: NewEntry;
};

const recentBytes = 16_384;
const drainMs = 2000;

/**
 * Runs one command until it ends, its time limit passes or the run stops; no process that it started is left. Throws if it cannot
 * start.
 */
export async function runSetupCommand(run: SetupCommandRun): Promise<SetupCommandEnd> {
  const { kind, command, timeoutMs, signal } = run;
  const id = `setup-${randomUUID().slice(0, 8)}`;
  const startedAt = new Date();
  const tool_input = { command, description: `Setup: ${kind}` };
  const window = new OutputWindow();
  const show = () =>
    run.onProgress({
      thought: "",
      text: "",
      tools: [
        {
          id,
          tool_name: "shell",
          title: tool_input.description,
          tool_input,
          output: storableText(window.readTail(recentBytes)),
          started_at: startedAt.toISOString(),
        },
      ],
      updated_at: new Date().toISOString(),
    });
  show();
  const child = await run.start();
  child.stderr.resume();
  child.stdout.on("data", (chunk: Buffer) => {
    window.append(chunk);
    show();
  });
  const drained = new Promise<void>((resolve) => child.stdout.once("close", resolve));
  child.stdin.end();
  using limit = awakeLimit(timeoutMs);
  const stop = AbortSignal.any([signal, limit.signal]);
  const stopped = new Promise<null>((resolve) => {
    if (stop.aborted) resolve(null);
    else stop.addEventListener("abort", () => resolve(null), { once: true });
  });
  const exit = await Promise.race([child.exited, stopped]);
  // Anything the command left running in the background ends with it.
  await child.kill();
  await Promise.race([drained, delay(drainMs, undefined, { ref: false })]);
  const { text, droppedBytes } = window.read();
  const failure = failureOf(exit, signal.aborted, timeoutMs);
  const now = new Date();
  return {
    failure,
    stopped: exit === null && signal.aborted,
    timedOut: exit === null && !signal.aborted,
    output: storableText(text),
    entry: {
      created_at: now.toISOString(),
      message_type: "ACTION",
      tool_call_id: id,
      thought: null,
      tool_name: "shell",
      tool_input,
      tool_output: {
        status: exit === null && signal.aborted ? stopStatus(signal) : failure === null ? "completed" : "failed",
        ...(exit?.code == null ? {} : { exit_code: exit.code }),
        ...(exit?.signal == null ? {} : { signal: exit.signal }),
        output: storableText(text),
        duration_ms: now.getTime() - startedAt.getTime(),
        ...(droppedBytes > 0 && { truncated: { kept: text.length, dropped: droppedBytes } }),
      },
      observation: exit === null && failure !== null ? `The command ${failure}.` : null,
    },
  };
}

function failureOf(
  exit: { code: number | null; signal: NodeJS.Signals | null } | null,
  isStopped: boolean,
  timeoutMs: number,
): string | null {
  if (exit === null) return isStopped ? "was stopped" : `took longer than ${timeoutMs / 1000} s and was stopped`;
  if (exit.code === 0) return null;
  return exit.code === null ? `was ended by ${exit.signal ?? "an error at its start"}` : `exited with ${exit.code}`;
}

function stopStatus(signal: AbortSignal): string {
  return signal.reason === "stopping" ? "interrupted" : "cancelled";
}
