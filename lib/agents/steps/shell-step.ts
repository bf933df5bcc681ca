import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findExecutable } from "#lib/find-executable.ts";
import { inlineCode, type PlannedStep, type StepControl, type StepResult, textContent } from "./planned-step.ts";
import { type CommandEnd, runCommand } from "./run-command.ts";

const progressMs = 50;
const progressBytesMax = 16 * 1024;
// Linux takes at most 128 KB in one argument.
const argumentBytesMax = 100 * 1024;

/**
 * A step that runs a script in the session's folder, as `bash -e -c SCRIPT` where bash is installed and as
 * `sh -e -c SCRIPT` elsewhere: it ends at its first failing command. stdin is /dev/null.
 */
export function planShellStep(command: string, title: string, thought: string): PlannedStep {
  return {
    title,
    thought,
    toolName: "shell",
    toolKind: "execute",
    rawInput: { command: command.trimEnd() },
    run: (control) => runScript(command, title, control),
  };
}

/** How a command ended as the output, content and failure of a step; `label` names the command in the failure. */
export function resultOfCommand(end: CommandEnd, command: string, label: string): StepResult {
  const { text, droppedBytes } = end.output.read();
  const output = end.startError === null ? text : `It could not be started: ${end.startError}\n`;
  return {
    failure: failureOf(end, label),
    cancelled: end.cancelled,
    command,
    output: {
      exit_code: end.exitCode,
      signal: end.signal,
      output,
      truncated: droppedBytes > 0,
      ...(droppedBytes > 0 && { dropped_bytes: droppedBytes }),
      duration_ms: end.durationMs,
    },
    content: output === "" ? [] : [textContent(output)],
    locations: [],
  };
}

/** Calls `show` with the last 16 KB of a command's output, at most once every 50 ms. `stop` drops what has not been shown yet. */
export function throttledProgress(show: (text: string) => void) {
  let timer: NodeJS.Timeout | undefined;
  return {
    onOutput(output: CommandEnd["output"]) {
      timer ??= setTimeout(() => {
        timer = undefined;
        show(output.readTail(progressBytesMax));
      }, progressMs);
    },
    stop() {
      clearTimeout(timer);
    },
  };
}

async function runScript(command: string, title: string, control: StepControl): Promise<StepResult> {
  const shell = (await findExecutable("bash", control.env.PATH)) ?? "/bin/sh";
  const script = await scriptArguments(command);
  const progress = throttledProgress(control.onProgress);
  try {
    const end = await runCommand([shell, "-e", ...script.arguments], {
      cwd: control.cwd,
      env: control.env,
      signal: control.signal,
      stdinText: null,
      onOutput: progress.onOutput,
      left: control.left,
    });
    return resultOfCommand(end, command.trimEnd(), inlineCode(title));
  } finally {
    progress.stop();
    await script.remove();
  }
}

async function scriptArguments(command: string): Promise<{ arguments: string[]; remove: () => Promise<void> }> {
  if (Buffer.byteLength(command) <= argumentBytesMax) return { arguments: ["-c", command], remove: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), "errand-step-"));
  const file = join(folder, "script.sh");
  await writeFile(file, command, { mode: 0o600 });
  return { arguments: [file], remove: () => rm(folder, { recursive: true, force: true }) };
}

function failureOf(end: CommandEnd, label: string): string | null {
  if (end.startError !== null) return `${label} could not be started: ${end.startError}`;
  if (end.cancelled) return `${label} was cancelled`;
  if (end.signal !== null) return `${label} was ended by ${end.signal}`;
  return end.exitCode === 0 ? null : `${label} exited with ${end.exitCode}`;
}
