import { readFile, writeFile } from "node:fs/promises";
import { checkInThread } from "#lib/store/storage/check-in-thread.ts";
import { clearDamage, firstFinding, noteDamage } from "#lib/store/storage/damage-note.ts";
import type { EngineLogger } from "./engine-parts.ts";
import { PeriodicTask } from "./periodic-task.ts";

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
export class DailyCheck extends PeriodicTask {
  readonly #parts: Parts;

  constructor({ lookMs = lookMsDefault, ...parts }: Parts & { lookMs?: number }) {
    super({ everyMs: lookMs, logger: parts.logger, trouble: "the store could not be checked; trying again" });
    this.#parts = parts;
  }

  protected async work(): Promise<void> {
    const { storeFile, isIdle, now, logger } = this.#parts;
    if (!isIdle()) return;
    const since = now() - (await this.#checkedAt());
    // If the clock was set back, `since` is negative: better to check too early than too late.
    if (since >= 0 && since < everyMs) return;
    const found = firstFinding(await checkInThread(storeFile, this.signal));
    if (found === null) clearDamage(storeFile);
    else {
      noteDamage(storeFile, found);
      logger.error({ found }, "the store is damaged: restore a backup");
    }
    await writeFile(this.#noteFile, `${new Date(now()).toISOString()}\n`, { mode: 0o600 });
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
