import { randomUUID } from "node:crypto";
import { constants } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { storableText } from "#lib/agents/acp/storable.ts";
import type { ContainedProcess } from "#lib/agents/agent.ts";
import { OutputWindow } from "#lib/agents/steps/output-window.ts";
import { awakeLimit } from "#lib/awake-timer.ts";
import type { NewEntry } from "#lib/contract/logs/entry.ts";
import type { SetupKind } from "#lib/contract/repositories/setup-command.ts";
import type { Progress } from "#lib/contract/runs/progress.ts";
import { unlessAborted } from "#lib/unless-aborted.ts";

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
const saidMax = 4000;

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
  let said = "";
  // The command's own errors are in its output; this is only what Errand says.
  child.stderr.on("data", (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-saidMax);
  });
  child.stdout.on("data", (chunk: Buffer) => {
    window.append(chunk);
    show();
  });
  const drained = new Promise<void>((resolve) => child.stdout.once("close", resolve));
  child.stdin.end();
  using limit = awakeLimit(timeoutMs, signal);
  const exit = await unlessAborted(child.exited, limit.signal);
  // Anything the command left running in the background ends with it.
  await child.kill();
  await Promise.race([drained, delay(drainMs, undefined, { ref: false })]);
  const { text, droppedBytes } = window.read();
  const overuse = /^Errand ended it: (.+)\.$/m.exec(said)?.[1] ?? null;
  const failure = failureOf(exit, { isStopped: signal.aborted, timeoutMs, overuse });
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
      // An exit code says the rest.
      observation: failure !== null && !/^exited with \d+$/.test(failure) ? `The command ${failure}.` : null,
    },
  };
}

function failureOf(
  exit: { code: number | null; signal: NodeJS.Signals | null } | null,
  { isStopped, timeoutMs, overuse }: { isStopped: boolean; timeoutMs: number; overuse: string | null },
): string | null {
  if (exit === null)
    return isStopped ? "was stopped" : `took longer than ${Math.ceil(timeoutMs / 1000)} s and was stopped`;
  if (overuse !== null) return `was stopped: ${overuse}`;
  if (exit.code === 0) return null;
  // As shells report a signal.
  const code = exit.code ?? (exit.signal === null ? null : 128 + constants.signals[exit.signal]);
  if (code === null) return "could not be started";
  const [name] = Object.entries(constants.signals).find(([, number]) => number === code - 128) ?? [];
  return name === undefined ? `exited with ${code}` : `exited with ${code} (${name})`;
}

function stopStatus(signal: AbortSignal): string {
  return signal.reason === "stopping" ? "interrupted" : "cancelled";
}
