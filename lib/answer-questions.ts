import { constants, getPriority, setPriority } from "node:os";
import { platform } from "node:process";
import { parentPort } from "node:worker_threads";
import type { ThreadMessage, ThreadOrder } from "./worker-pool.ts";

/**
 * The program of a pool's thread (`worker-pool.ts`): answers each question with what `answer` returns or resolves to; what it throws
 * reaches the asker as text. `signal` aborts when nobody waits any more. `niceness`: how much the thread gives way to others, as in
 * `man 7 sched`.
 */
export function answerQuestions<Question, Answer>(
  answer: (question: Question, signal: AbortSignal) => Answer | Promise<Answer>,
  niceness = 0,
): void {
  const stop = new AbortController();
  const post = (message: ThreadMessage<Answer>, moved: ArrayBuffer[] = []) => parentPort?.postMessage(message, moved);
  const reply = async (id: number, question: Question) => {
    try {
      const answered = await answer(question, stop.signal);
      post({ kind: "answered", id, answer: answered }, movable(answered));
    } catch (error) {
      const { message, stack } = error instanceof Error ? error : new Error(String(error));
      post({ kind: "failed", id, message, stack });
    }
  };
  parentPort?.on("message", (order: ThreadOrder<Question>) => {
    if (order.kind === "stop") stop.abort();
    else void reply(order.id, order.question);
  });
  // Only Linux has priorities per thread: elsewhere it would apply to the process.
  if (platform === "linux" && niceness > 0)
    setPriority(Math.min(getPriority() + niceness, constants.priority.PRIORITY_LOW));
  post({ kind: "ready" });
}

/** The bytes in an answer's rows: they are moved, not copied. */
function movable(answer: unknown): ArrayBuffer[] {
  const values = Array.isArray(answer) ? answer.flatMap((row) => (row === null ? [] : Object.values(row))) : [];
  return values.flatMap((value) =>
    value instanceof Uint8Array && value.buffer instanceof ArrayBuffer && value.byteLength === value.buffer.byteLength
      ? [value.buffer]
      : [],
  );
}

/** Tells the process something that belongs to no question. */
export function tellProcess(note: string): void {
  parentPort?.postMessage({ kind: "note", note } satisfies ThreadMessage<never>);
}
