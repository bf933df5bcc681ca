import { readFile, writeFile } from "node:fs/promises";
import { checkInThread } from "#lib/store/check-in-thread.ts";
import { clearDamage, firstFinding, noteDamage } from "#lib/store/damage-note.ts";
import type { EngineLogger } from "./engine-parts.ts";

const lookMsDefault = 60_000;
const everyMs = 24 * 3_600_000;

type Parts = {
  storeFile: string;
  /** No run is at work. */
  isIdle: () => boolean;
  now: () => number;
  logger: EngineLogger;
};

/** Checks the whole store once a day while no run is at work. `/readyz` and the next start report what it finds. */
export class DailyCheck {
  readonly #parts: Parts & { lookMs: number };
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | null = null;
  #looking: Promise<void> = Promise.resolve();

  constructor({ lookMs = lookMsDefault, ...parts }: Parts & { lookMs?: number }) {
    this.#parts = { ...parts, lookMs };
  }

  start(): void {
    if (this.#stop.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.#look().finally(() => this.start());
    }, this.#parts.lookMs);
  }

  /** Ends a check that is in progress; it runs again after the next start. */
  async stop(): Promise<void> {
    this.#stop.abort();
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#looking;
  }

  async #look(): Promise<void> {
    const { storeFile, isIdle, now, logger } = this.#parts;
    if (!isIdle()) return;
    try {
      const since = now() - (await this.#checkedAt());
      // If the clock was set back, `since` is negative: better to check too early than too late.
      if (since >= 0 && since < everyMs) return;
      const found = firstFinding(await checkInThread(storeFile, this.#stop.signal));
      if (found === null) clearDamage(storeFile);
      else {
        noteDamage(storeFile, found);
        logger.error({ found }, "the store is damaged: restore a backup");
      }
      await writeFile(this.#noteFile, `${new Date(now()).toISOString()}\n`, { mode: 0o600 });
    } catch (error) {
      if (!this.#stop.signal.aborted) logger.error({ err: error }, "the store could not be checked; trying again");
    }
  }

  get #noteFile(): string {
    return `${this.#parts.storeFile}.checked`;
  }

  /** ms since 1970; long ago if it was never checked. */
  async #checkedAt(): Promise<number> {
    const text = await readFile(this.#noteFile, "utf8").catch(() => "");
    return Date.parse(text.trim()) || 0;
  }
}
