import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { access } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { endInputOf } from "#lib/end-input.ts";
import { OutputWindow } from "./output-window.ts";
import { processEnvironment } from "./process-environment.ts";
import { hasCompany, type LeftProcesses, signalGroup, terminateMs } from "./process-group.ts";

/**
 * How a command is run; `stdinText` null means /dev/null. `onOutput` is called after each new piece of output. `left` takes what it
 * leaves running in the background, whose output is then read and dropped; without it, that ends with the command.
 */
export type CommandOptions = {
  cwd: string;
  env: NodeJS.Dict<string>;
  signal: AbortSignal;
  stdinText: string | null;
  onOutput: (output: OutputWindow) => void;
  left?: LeftProcesses | undefined;
};

/**
 * How a command ended. `exitCode` is null when a signal ended it or when it never started; `startError` is null unless
 * it never started. `cancelled` is true when the abort signal ended it.
 */
export type CommandEnd = {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  output: OutputWindow;
  durationMs: number;
  cancelled: boolean;
  startError: string | null;
};

const drainMs = 1000;
const liveGroups = new Set<number>();

// The group is in a separate session, so nothing that kills the agent would reach it. A watcher inside the group reads from a
// pipe that the agent holds: when the agent dies, however it dies, the watcher ends the whole group. It is an orphan, because some
// programs (script) wait for all their children, and the program replaces the shell.
const wrapper =
  '( (trap "" HUP INT TERM; read -r line <&3; kill -KILL 0) </dev/null >/dev/null 2>&1 & ); exec 3<&- 2>&1; exec "$@"';

/**
 * Runs a program in its own process group, stdout and stderr in one stream. Abort sends SIGTERM to the group and SIGKILL after 2
 * s. Never throws: a program that cannot be started ends with a `startError`.
 */
export async function runCommand(program: readonly string[], options: CommandOptions): Promise<CommandEnd> {
  const startedAt = performance.now();
  const output = new OutputWindow();
  const end = (how: Partial<CommandEnd>): CommandEnd => ({
    exitCode: null,
    signal: null,
    output,
    durationMs: Math.round(performance.now() - startedAt),
    cancelled: options.signal.aborted,
    startError: null,
    ...how,
  });
  if (options.signal.aborted) return end({});

  let child: ChildProcess;
  try {
    child = spawn("/bin/sh", ["-c", wrapper, "sh", ...program], {
      cwd: options.cwd,
      env: processEnvironment(options.env),
      detached: true,
      stdio: [options.stdinText === null ? "ignore" : "pipe", "pipe", "ignore", "pipe"],
    });
    await once(child, "spawn");
  } catch (error) {
    const gone = await access(options.cwd).then(
      () => false,
      () => true,
    );
    if (gone) return end({ startError: "the working folder is gone" });
    return end({ startError: error instanceof Error ? error.message : String(error) });
  }
  const group = child.pid;
  if (group === undefined) return end({ startError: "it has no process id" });
  liveGroups.add(group);
  const exited = new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    child.once("exit", (code, signal) => resolve([code, signal]));
  });
  endInputOf(child.stdout);
  const drained = readOutput(child, output, options.onOutput);
  writeInput(child, options.stdinText);
  const stopped = stopOnAbort(group, options.signal);
  const [exitCode, signal] = await exited;
  // A background process may keep the pipe open forever; a process substitution needs only a moment to finish its output.
  await Promise.race([drained, delay(options.signal.aborted ? terminateMs : drainMs, undefined, { ref: false })]);
  stopped.release();
  const release = () => {
    liveGroups.delete(group);
    for (const stream of child.stdio) stream?.destroy();
  };
  if (options.left !== undefined && !options.signal.aborted && hasCompany(group)) {
    // With its reader gone, a server would end at the next line of its log.
    child.stdout?.removeAllListeners("data").resume();
    options.left.add({ id: group, release });
    return end({ exitCode, signal });
  }
  signalGroup(group, "SIGKILL");
  await Promise.race([drained, delay(drainMs, undefined, { ref: false })]);
  release();
  return end({ exitCode, signal });
}

/** Kills every process group that is still running, at once. For the end of the agent itself. */
export function killEveryCommand(): void {
  for (const group of liveGroups) signalGroup(group, "SIGKILL");
}

function readOutput(child: ChildProcess, output: OutputWindow, onOutput: (output: OutputWindow) => void) {
  const { stdout } = child;
  if (stdout === null) return Promise.resolve();
  stdout.on("data", (chunk: Buffer) => {
    output.append(chunk);
    onOutput(output);
  });
  return new Promise<void>((resolve) => {
    stdout.once("close", resolve);
    stdout.once("error", () => resolve());
  });
}

function writeInput(child: ChildProcess, stdinText: string | null): void {
  // For a program that ends without reading its input the exit code counts, not the broken pipe.
  child.stdio[3]?.on("error", () => {});
  child.stdin?.on("error", () => {});
  child.stdin?.end(stdinText ?? "");
}

function stopOnAbort(group: number, signal: AbortSignal): { release(): void } {
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    signalGroup(group, "SIGTERM");
    timer = setTimeout(() => signalGroup(group, "SIGKILL"), terminateMs);
  };
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  return {
    release() {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    },
  };
}
