import { type ResourceLimits, Worker } from "node:worker_threads";

/** Messages to a thread. `stop`: nobody waits for its answers any more. */
export type ThreadOrder<Question> = { kind: "asked"; id: number; question: Question } | { kind: "stop" };

/** Messages of a thread: that it has started, its answers, and notes that belong to no question. */
export type ThreadMessage<Answer> =
  | { kind: "ready" }
  | { kind: "note"; note: string }
  | { kind: "answered"; id: number; answer: Answer }
  | { kind: "failed"; id: number; message: string; stack: string | undefined };

type ThreadOptions = {
  /** What the threads run: it calls `answerQuestions`. */
  program: URL;
  /** What the threads do, as the subject of a message. */
  name: string;
  workerData?: unknown;
  resourceLimits?: ResourceLimits;
  /** How long a thread may clean up, whose question was aborted. Default 0. */
  graceMs?: number;
  onNote?: (note: string) => void;
};

/** `questionsMax`: most that one thread is asked at once. `idleMs`: how long a thread lives that nobody asks. */
type PoolOptions = ThreadOptions & { threadsMax: number; questionsMax: number; idleMs: number };

type Asked<Question, Answer> = PromiseWithResolvers<Answer> & {
  question: Question;
  thread: PoolThread<Question, Answer> | null;
};

/**
 * Threads that answer questions. They start when they are needed, end after a while without questions, and keep the process alive
 * only while they are asked. A thread that breaks fails its own questions; the next ones get another thread.
 */
export class WorkerPool<Question, Answer> {
  readonly #options: PoolOptions;
  readonly #threads = new Set<PoolThread<Question, Answer>>();
  #waiting: Asked<Question, Answer>[] = [];
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /**
   * Throws what the thread throws, as text, or the signal's reason, which ends the thread with all its questions. `isFirst`: before
   * all questions that wait for a thread.
   */
  async ask(
    question: Question,
    { isFirst = false, signal }: { isFirst?: boolean; signal?: AbortSignal } = {},
  ): Promise<Answer> {
    if (this.#isClosed) throw new Error(`${this.#options.name} is closed.`);
    signal?.throwIfAborted();
    const asked: Asked<Question, Answer> = { question, thread: null, ...Promise.withResolvers<Answer>() };
    this.#waiting = isFirst ? [asked, ...this.#waiting] : [...this.#waiting, asked];
    const abandon = () => {
      this.#waiting = this.#waiting.filter((one) => one !== asked);
      asked.reject(signal?.reason);
      void asked.thread?.end(signal?.reason, this.#options.graceMs);
      this.#serve();
    };
    signal?.addEventListener("abort", abandon, { once: true });
    this.#serve();
    try {
      return await asked.promise;
    } finally {
      signal?.removeEventListener("abort", abandon);
    }
  }

  /** Rejects all questions; resolves when all threads have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const closed = new Error(`${this.#options.name} is closed.`);
    for (const { reject } of this.#waiting.splice(0)) reject(closed);
    await Promise.all([...this.#threads].map((thread) => thread.end(closed)));
  }

  /** What waits goes to a thread that has room now: one that is starting may be too late for it. */
  #serve(): void {
    for (const thread of this.#threads) for (const asked of this.#waiting.splice(0, thread.room)) thread.take(asked);
    const states = [...this.#threads].map(({ state }) => state).filter((state) => state !== "ending");
    const starting = states.filter((state) => state === "starting").length;
    const more = Math.min(this.#waiting.length - starting, this.#options.threadsMax - states.length);
    for (let count = 0; count < more; count += 1) this.#start();
  }

  #start(): void {
    const onEnd = (reason: unknown) => {
      this.#threads.delete(thread);
      // A thread that cannot start will not start next time either: everybody is told why.
      if (thread.state === "starting") for (const { reject } of this.#waiting.splice(0)) reject(reason);
      this.#serve();
    };
    const thread = new PoolThread<Question, Answer>(this.#options, () => this.#serve(), onEnd);
    this.#threads.add(thread);
  }
}

/** Asks one question of a thread of its own, which has ended when this returns. Throws as {@link WorkerPool.ask} does. */
export async function askThread<Question, Answer>(
  options: ThreadOptions,
  question: Question,
  signal: AbortSignal,
): Promise<Answer> {
  const pool = new WorkerPool<Question, Answer>({ ...options, threadsMax: 1, questionsMax: 1, idleMs: 0 });
  try {
    return await pool.ask(question, { signal });
  } finally {
    await pool.close();
  }
}

class PoolThread<Question, Answer> {
  readonly #worker: Worker;
  readonly #options: PoolOptions;
  readonly #asked = new Map<number, Asked<Question, Answer>>();
  readonly #exited = Promise.withResolvers<void>();
  #lastId = 0;
  #timer: NodeJS.Timeout | undefined;
  state: "starting" | "ready" | "ending" = "starting";

  constructor(options: PoolOptions, onRoom: () => void, onEnd: (reason: unknown) => void) {
    const { program, workerData, resourceLimits = {} } = options;
    this.#options = options;
    this.#worker = new Worker(program, { workerData, resourceLimits });
    let reason: unknown = new Error(`${options.name} ended without an answer.`);
    this.#worker.on("message", (message: ThreadMessage<Answer> | { kind?: undefined }) => {
      // In Node's watch mode a thread also reports the files it has loaded.
      if (message.kind === undefined) return;
      if (message.kind === "note") return options.onNote?.(message.note);
      // It has cleaned up.
      if (this.state === "ending") return void this.#worker.terminate();
      this.state = "ready";
      if (message.kind !== "ready") this.#settle(message);
      if (this.#asked.size === 0) this.#rest();
      onRoom();
    });
    this.#worker.on("error", (error) => {
      reason = error;
    });
    this.#worker.on("exit", () => {
      clearTimeout(this.#timer);
      this.#rejectAll(reason);
      onEnd(reason);
      this.#exited.resolve();
    });
  }

  /** How many more questions it can be asked now. */
  get room(): number {
    return this.state === "ready" ? this.#options.questionsMax - this.#asked.size : 0;
  }

  take(asked: Asked<Question, Answer>): void {
    clearTimeout(this.#timer);
    asked.thread = this;
    this.#lastId += 1;
    this.#asked.set(this.#lastId, asked);
    this.#worker.ref();
    this.#tell({ kind: "asked", id: this.#lastId, question: asked.question });
  }

  /** Rejects its questions; resolves when it has ended, which it may do by itself for `graceMs`. */
  async end(reason: unknown, graceMs = 0): Promise<void> {
    if (this.state !== "ending") {
      clearTimeout(this.#timer);
      this.state = "ending";
      this.#rejectAll(reason);
      this.#tell({ kind: "stop" });
      if (graceMs === 0) void this.#worker.terminate();
      else this.#timer = setTimeout(() => void this.#worker.terminate(), graceMs);
    }
    await this.#exited.promise;
  }

  #tell(order: ThreadOrder<Question>): void {
    this.#worker.postMessage(order);
  }

  #settle(message: Extract<ThreadMessage<Answer>, { id: number }>): void {
    const asked = this.#asked.get(message.id);
    this.#asked.delete(message.id);
    if (message.kind === "answered") asked?.resolve(message.answer);
    else asked?.reject(Object.assign(new Error(message.message), { stack: message.stack }));
  }

  #rejectAll(reason: unknown): void {
    for (const { reject } of this.#asked.values()) reject(reason);
    this.#asked.clear();
  }

  /** Nobody waits for it: the process may exit, and it ends after a while. */
  #rest(): void {
    const { name, idleMs } = this.#options;
    this.#worker.unref();
    this.#timer = setTimeout(() => void this.end(new Error(`${name} has ended.`)), idleMs).unref();
  }
}
