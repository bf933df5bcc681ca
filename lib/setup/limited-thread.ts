import { Worker } from "node:worker_threads";
import { GitError } from "#lib/workspace/git.ts";
import type { WorkspaceErrorCode } from "#lib/workspace/workspace-error.ts";

/** Messages to a thread: a question, or to stop working on it. It gets one question at a time. */
export type ThreadReport<Q> = { kind: "asked"; question: Q } | { kind: "stop" };

/** A thread's message for each question: its answer, or why there is none. */
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

const idleMs = 60_000;

/** Idle threads by program, kept because starting one takes longer than most of its work. */
const resting = new Map<string, { thread: Worker; idle: NodeJS.Timeout; forget: () => void }>();

/**
 * Does work in a separate thread, which is stopped at the limit or by the signal, whatever it is doing. A thread that has
 * answered is reused within a minute. Throws {@link ThreadLimitError}, the signal's reason, GitError, or any other failure of the
 * thread; the thread has then ended.
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
  const thread = takeThread(program, roomMb);
  const timers: NodeJS.Timeout[] = [];
  let late = false;
  let isStopped = false;
  const tell = (word: ThreadReport<Q>) => thread.postMessage(word);
  const stop = () => {
    isStopped = true;
    tell({ kind: "stop" });
    timers.push(setTimeout(() => void thread.terminate(), graceMs));
  };
  timers.push(
    setTimeout(() => {
      late = true;
      stop();
    }, limitMs),
  );
  signal?.addEventListener("abort", stop, { once: true });
  let hasAnswered = false;
  try {
    tell({ kind: "asked", question });
    const answer = await answerOf<T>(thread);
    hasAnswered = answer?.kind === "answered";
    signal?.throwIfAborted();
    if (late) throw new ThreadLimitError(`${name} took longer than ${limitMs / 1000} s.`);
    if (answer === null) throw new Error(`${name} ended without an answer.`);
    if (answer.kind === "answered") return answer.value;
    const { message, git } = answer;
    throw git === null ? new Error(message) : new GitError(git.code, message, git.exitCode, git.stderr);
  } finally {
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
    if (hasAnswered && !isStopped) rest(program, thread);
    else await thread.terminate();
  }
}

function takeThread(program: URL, roomMb: number): Worker {
  const known = resting.get(program.href);
  if (known === undefined) return new Worker(program, { resourceLimits: { maxOldGenerationSizeMb: roomMb } });
  resting.delete(program.href);
  clearTimeout(known.idle);
  known.thread.off("error", known.forget).off("exit", known.forget);
  known.thread.ref();
  return known.thread;
}

/** Keeps the thread for the next question; it does not keep the process alive and ends after a minute. */
function rest(program: URL, thread: Worker): void {
  if (resting.has(program.href)) {
    void thread.terminate();
    return;
  }
  const forget = () => {
    if (resting.get(program.href)?.thread === thread) resting.delete(program.href);
  };
  const idle = setTimeout(() => {
    forget();
    void thread.terminate();
  }, idleMs);
  idle.unref();
  thread.unref();
  thread.on("error", forget).on("exit", forget);
  resting.set(program.href, { thread, idle, forget });
}

/** The thread's message; null if it ends without one. */
function answerOf<T>(thread: Worker): Promise<ThreadAnswer<T> | null> {
  return new Promise((resolve) => {
    const settle = (answer: ThreadAnswer<T> | null) => {
      thread.off("message", onMessage).off("error", onError).off("exit", onExit);
      resolve(answer);
    };
    const onMessage = (message: ThreadAnswer<T>) => {
      // In Node's watch mode a thread also reports the files it has loaded.
      if (message.kind !== undefined) settle(message);
    };
    const onError = (error: unknown) => settle({ kind: "failed", message: String(error), git: null });
    const onExit = () => settle(null);
    thread.on("message", onMessage).on("error", onError).on("exit", onExit);
  });
}
