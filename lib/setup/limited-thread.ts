import { Worker } from "node:worker_threads";
import { GitError } from "#lib/workspace/git.ts";
import type { WorkspaceErrorCode } from "#lib/workspace/workspace-error.ts";

/** What a thread posts once: its answer, or why it has none. */
export type ThreadAnswer<T> =
  | { kind: "answered"; value: T }
  | {
      kind: "failed";
      message: string;
      git: { code: WorkspaceErrorCode; exitCode: number | null; stderr: string } | null;
    };

/** The work took longer than its limit. */
export class ThreadLimitError extends Error {
  override readonly name = "ThreadLimitError";
}

type ThreadBounds = {
  /** The thread's program; it posts one {@link ThreadAnswer}, and ends its work where it is told `stop`. */
  program: URL;
  /** Given to it as `workerData`. */
  data: unknown;
  limitMs: number;
  signal: AbortSignal | undefined;
  /** What took too long, as the beginning of a sentence. */
  name: string;
  /** How long a thread that was told to stop may take to end what it started; then it is ended as it is. Default 3,000. */
  graceMs?: number;
};

/** Room for the names of about a million files. One that needs more fails, and not the process around it. */
const resourceLimits = { maxOldGenerationSizeMb: 1024 };

/**
 * Does work in a thread of its own, which is ended at its limit or by the signal whatever it is doing. Throws
 * {@link ThreadLimitError}, the signal's reason, GitError, or what else the thread failed of. The thread has ended by then.
 */
export async function askThread<T>({ program, data, limitMs, signal, name, graceMs = 3000 }: ThreadBounds): Promise<T> {
  signal?.throwIfAborted();
  const thread = new Worker(program, { workerData: data, resourceLimits });
  const timers: NodeJS.Timeout[] = [];
  let late = false;
  const stop = () => {
    thread.postMessage("stop");
    timers.push(setTimeout(() => void thread.terminate(), graceMs));
  };
  timers.push(
    setTimeout(() => {
      late = true;
      stop();
    }, limitMs),
  );
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const answer = await answerOf<T>(thread);
    signal?.throwIfAborted();
    if (late) throw new ThreadLimitError(`${name} took longer than ${limitMs / 1000} s.`);
    if (answer === null) throw new Error(`${name} ended without an answer.`);
    if (answer.kind === "answered") return answer.value;
    const { message, git } = answer;
    throw git === null ? new Error(message) : new GitError(git.code, message, git.exitCode, git.stderr);
  } finally {
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
    await thread.terminate();
  }
}

/** What the thread posts; null where it ends without. */
function answerOf<T>(thread: Worker): Promise<ThreadAnswer<T> | null> {
  return new Promise((resolve) => {
    thread.on("message", (message: ThreadAnswer<T>) => {
      // Under Node's watch mode a thread also tells which files it has loaded.
      if (message.kind !== undefined) resolve(message);
    });
    thread.once("error", (error) => resolve({ kind: "failed", message: String(error), git: null }));
    thread.once("exit", () => resolve(null));
  });
}
