import type { Store } from "#lib/store/store.ts";

const pollMs = 20;
const certainMs = 2000;

/**
 * Tells followers that the store may have changed: one poller per store, idle while nobody follows. A change that the store's
 * version does not show is found by the unconditional check every 2 s, so a lost hint costs latency, never data.
 */
export class ChangeSignal {
  readonly #store: Pick<Store, "version">;
  readonly #waiting = new Set<() => void>();
  #followers = 0;
  #count = 0;
  #timer: NodeJS.Timeout | null = null;
  #version = Number.NaN;
  #certainAt = 0;

  constructor(store: Pick<Store, "version">) {
    this.#store = store;
  }

  /** Number of changes seen so far; it grows only while somebody follows. */
  get count(): number {
    return this.#count;
  }

  /** Starts following; the returned function stops it. */
  enter(): () => void {
    this.#followers += 1;
    if (this.#timer === null) this.#schedule();
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#followers -= 1;
    };
  }

  /** Waits until more than `count` changes were seen, or the signal is aborted. Never throws. */
  after(count: number, signal: AbortSignal): Promise<void> {
    if (this.#count > count || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        this.#waiting.delete(done);
        signal.removeEventListener("abort", done);
        resolve();
      };
      this.#waiting.add(done);
      signal.addEventListener("abort", done, { once: true });
    });
  }

  #schedule(): void {
    this.#timer = setTimeout(() => void this.#poll(), pollMs);
  }

  async #poll(): Promise<void> {
    // If the store cannot respond now, the followers find out themselves and pass its error on.
    const version = await this.#store.version().catch(() => Number.NaN);
    const now = performance.now();
    if (!Object.is(version, this.#version) || now >= this.#certainAt) {
      this.#version = version;
      this.#certainAt = now + certainMs;
      this.#count += 1;
      for (const wake of [...this.#waiting]) wake();
    }
    if (this.#followers > 0) this.#schedule();
    else this.#timer = null;
  }
}
