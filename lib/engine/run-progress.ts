import type { Progress } from "#lib/contract/runs/progress.ts";
import type { Figures, Lease, Store } from "#lib/store/store.ts";

const everyMs = 100;

/**
 * Writes the latest progress and the run's figures at most ten times a second. A failed write is not repeated: the next report
 * is written as usual, and what must last is in entries.
 */
export class RunProgress {
  readonly #store: Store;
  readonly #lease: Lease;
  #read: (() => Progress) | null | undefined;
  #figures: Figures = {};
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();
  #wroteAt = 0;

  constructor(store: Store, lease: Lease) {
    this.#store = store;
    this.#lease = lease;
  }

  /**
   * Sets the current progress, which is read only when it is written: an agent may report a thousand times in between. Null:
   * none.
   */
  show(read: (() => Progress) | null): void {
    this.#read = read;
    this.#schedule();
  }

  count(figures: Figures): void {
    this.#figures = { ...this.#figures, ...figures };
    this.#schedule();
  }

  /** Writes what is pending; resolves when nothing is in progress. */
  async flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#write();
    await this.#writing;
  }

  #schedule(): void {
    if (this.#timer !== null) return;
    const waitMs = Math.max(0, this.#wroteAt + everyMs - Date.now());
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#write();
    }, waitMs);
  }

  #write(): void {
    const progress = typeof this.#read === "function" ? this.#read() : this.#read;
    const figures = this.#figures;
    this.#read = undefined;
    this.#figures = {};
    this.#wroteAt = Date.now();
    this.#writing = this.#writing
      .then(async () => {
        if (progress !== undefined) await this.#store.queue.setProgress(this.#lease, progress);
        if (Object.keys(figures).length > 0) await this.#store.queue.setFigures(this.#lease, figures);
      })
      .catch(() => undefined);
  }
}
