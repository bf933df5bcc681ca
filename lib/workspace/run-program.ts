import { spawn } from "node:child_process";
import { awakeLimit } from "#lib/awake-timer.ts";

const printedBytesMax = 16 * 1024 * 1024;

/**
 * Runs a program of the system. `printed` is the first 16 MB of its stdout, one character a byte; it goes on after these. Not `isDone`:
 * it could not be started, failed, or took longer than `limitMs`, without the time in which this process was paused. Throws the
 * signal's reason.
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  how: { limitMs: number; cwd?: string; env?: NodeJS.ProcessEnv; signal?: AbortSignal | undefined },
): Promise<{ isDone: boolean; printed: string }> {
  how.signal?.throwIfAborted();
  using limit = awakeLimit(how.limitMs, how.signal);
  const child = spawn(program, args, {
    ...{ cwd: how.cwd, env: how.env, stdio: ["ignore", "pipe", "ignore"] },
    ...{ signal: limit.signal, killSignal: "SIGKILL" },
  });
  let printed = "";
  child.stdout?.setEncoding("latin1").on("data", (text: string) => {
    if (printed.length < printedBytesMax) printed += text;
  });
  const isDone = await new Promise<boolean>((resolve) => {
    child.once("error", () => resolve(false));
    child.once("close", (code) => resolve(code === 0));
  });
  how.signal?.throwIfAborted();
  return { isDone, printed };
}
