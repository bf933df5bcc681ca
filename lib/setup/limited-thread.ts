import { Worker } from "node:worker_threads";
import { AwakeTimer } from "#lib/awake-timer.ts";
import { GitError } from "#lib/workspace/git.ts";
import type { WorkspaceErrorCode } from "#lib/workspace/workspace-error.ts";

/** Messages to a thread: a question, or to stop working on it. It gets one question. */
export type ThreadReport<Q> = { kind: "asked"; question: Q } | { kind: "stop" };

/** A thread's message: its answer, or why there is none. */
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

type ThreadBounds<Q> = {
  /** The thread's program: it gets {@link ThreadReport}s and posts {@link ThreadAnswer}s. */
  program: URL;
  question: Q;
  limitMs: number;
  signal: AbortSignal | undefined;
  /** The subject of the error message. */
  name: string;
  /** How long a thread told to stop may take to clean up; then it is terminated. Default 3,000. */
  graceMs?: number;
  /** Memory limit for its objects, in MB; a thread that needs more fails, but not the process around it. Default 1,024. */
  roomMb?: number;
};

/**
 * Does work in a separate thread, which is stopped at the limit or by the signal, whatever it is doing, and has ended when this
 * returns. Throws {@link ThreadLimitError}, the signal's reason, GitError, or any other failure of the thread.
 */
export async function askThread<Q, T>({
  program,
  question,
  limitMs,
  signal,
  name,
  graceMs = 3000,
  roomMb = 1024,
}: ThreadBounds<Q>): Promise<T> {
  signal?.throwIfAborted();
  const thread = new Worker(program, { resourceLimits: { maxOldGenerationSizeMb: roomMb } });
  const timers: NodeJS.Timeout[] = [];
  let late = false;
  const tell = (word: ThreadReport<Q>) => thread.postMessage(word);
  const stop = () => {
    tell({ kind: "stop" });
    timers.push(setTimeout(() => void thread.terminate(), graceMs));
  };
  const limit = new AwakeTimer(limitMs, () => {
    late = true;
    stop();
  });
  signal?.addEventListener("abort", stop, { once: true });
  try {
    tell({ kind: "asked", question });
    const answer = await answerOf<T>(thread);
    signal?.throwIfAborted();
    if (late) throw new ThreadLimitError(`${name} took longer than ${limitMs / 1000} s.`);
    if (answer === null) throw new Error(`${name} ended without an answer.`);
    if (answer.kind === "answered") return answer.value;
    const { message, git } = answer;
    throw git === null ? new Error(message) : new GitError(git.code, message, git.exitCode, git.stderr);
  } finally {
    limit.stop();
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
    await thread.terminate();
  }
}

/** The thread's message; null if it ends without one. */
function answerOf<T>(thread: Worker): Promise<ThreadAnswer<T> | null> {
  return new Promise((resolve) => {
    thread.on("message", (message: ThreadAnswer<T>) => {
      // In Node's watch mode a thread also reports the files it has loaded.
      if (message.kind !== undefined) resolve(message);
    });
    thread.on("error", (error) => resolve({ kind: "failed", message: String(error), git: null }));
    thread.on("exit", () => resolve(null));
  });
}
