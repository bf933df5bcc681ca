import { WorkLoop } from "./work-loop.ts";

/**
 * Claims what is due in the store, and works on at most `atOnce` tasks side by side: a slow one delays no other. The store is the
 * queue: what dies with this process, or fails, is due again there.
 */
export abstract class TaskQueue<Task> extends WorkLoop {
  readonly #atOnce: number;
  readonly #atWork = new Map<Task, Promise<void>>();

  constructor(
    parts: ConstructorParameters<typeof WorkLoop>[0],
    { trouble, atOnce, pollMs }: { trouble: string; atOnce: number; pollMs?: number },
  ) {
    super(parts, trouble, pollMs);
    this.#atOnce = atOnce;
  }

  /** The task that is due first, held by this engine; null if none is due. */
  protected abstract claim(): Promise<Task | null>;

  /** Works on a task and writes what becomes of it: done, due again later, or given up. Never throws. */
  protected abstract take(task: Task): Promise<void>;

  /** Tasks in progress, and when each of them has ended. */
  protected get atWork(): ReadonlyMap<Task, Promise<void>> {
    return this.#atWork;
  }

  /** How many tasks count for the limit. */
  protected get taken(): number {
    return this.#atWork.size;
  }

  /** Resolves when nothing is in progress. What was interrupted is due again. */
  override async stop(): Promise<void> {
    await super.stop();
    await Promise.all(this.#atWork.values());
  }

  /** Does everything that is due, and what becomes due by it. */
  async processDue(): Promise<void> {
    for (;;) {
      await this.round();
      if (this.#atWork.size === 0) return;
      await Promise.all(this.#atWork.values());
    }
  }

  protected async round(): Promise<void> {
    while (!this.signal.aborted && this.taken < this.#atOnce) {
      const task = await this.claim();
      if (task === null) return;
      const work = this.take(task).finally(() => {
        this.#atWork.delete(task);
        this.wake();
      });
      this.#atWork.set(task, work);
    }
  }
}
