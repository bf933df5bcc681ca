import { awakeLimit } from "#lib/awake-timer.ts";
import { askThread } from "#lib/worker-pool.ts";

/** The work took longer than its limit. */
export class ThreadLimitError extends Error {
  override readonly name = "ThreadLimitError";
}

type ThreadBounds<Question> = {
  /** The thread's program: it calls `answerQuestions`. */
  program: URL;
  question: Question;
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
 * returns. Throws {@link ThreadLimitError}, the signal's reason, or any other failure of the thread.
 */
export async function askInTime<Question, Answer>({
  program,
  question,
  limitMs,
  signal,
  name,
  graceMs = 3000,
  roomMb = 1024,
}: ThreadBounds<Question>): Promise<Answer> {
  const late = () => new ThreadLimitError(`${name} took longer than ${limitMs / 1000} s.`);
  using limit = awakeLimit(limitMs, signal, late);
  const resourceLimits = { maxOldGenerationSizeMb: roomMb };
  return await askThread<Question, Answer>({ program, name, graceMs, resourceLimits }, question, limit.signal);
}
