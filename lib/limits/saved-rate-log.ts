import { readFile, rename, writeFile } from "node:fs/promises";
import { z } from "zod";
import type { CallerKind } from "#lib/contract/operation.ts";
import { type RateLogName, type RateSettings, rateSeconds } from "#lib/contract/rate-limits.ts";
import { logCapacity } from "./rate-limits.ts";
import { type Charge, type KeptLog, MemoryRateLog, type Outcome, type RateLog } from "./rate-log.ts";

/** Longest time between an admission and its write: less than the second that is promised. */
const writeMs = 500;

const logNames: [RateLogName, ...RateLogName[]] = ["shared", ...(Object.keys(rateSeconds) as RateLogName[])];
const Kept = z.object({
  /** Wall-clock milliseconds of the write. */
  written_at: z.number(),
  ages: z.record(z.string(), z.partialRecord(z.enum(logNames), z.base64())),
});

type Warn = (fields: object, message: string) => void;

/** Clocks of a log, in milliseconds: `now` never goes back and has any origin; `wall` continues while the process is down. */
export type RateClocks = { now(): number; wall(): number };

/**
 * The log of the one process that owns it, saved in a file: written at most half a second late, so that a killed process loses
 * no more than that; `close` writes the rest. The file is replaced atomically. An unreadable file counts as none; if it cannot
 * be written, the log stays in memory.
 */
export class SavedRateLog implements RateLog {
  readonly #file: string;
  readonly #clocks: RateClocks;
  readonly #warn: Warn;
  readonly #log: MemoryRateLog;
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();

  private constructor(file: string, clocks: RateClocks, warn: Warn) {
    this.#file = file;
    this.#clocks = clocks;
    this.#warn = warn;
    this.#log = new MemoryRateLog(() => clocks.now());
  }

  /** Loads the file. Never throws. */
  static async open(file: string, settings: RateSettings, clocks: RateClocks, warn: Warn): Promise<SavedRateLog> {
    const log = new SavedRateLog(file, clocks, warn);
    const kept = await readKept(file, warn);
    if (kept !== null) {
      // A wall clock that was set back must not make requests older than they are.
      const elapsedMs = Math.max(0, clocks.wall() - kept.written_at);
      log.#log.restore(kept.ages, elapsedMs, (caller, name) => logCapacity(name, kindOf(caller), settings));
    }
    return log;
  }

  take(caller: string, charge: Charge): Outcome {
    const outcome = this.#log.take(caller, charge);
    if (outcome.waitMs <= 0 && this.#timer === null) {
      this.#timer = setTimeout(() => this.#write(), writeMs).unref();
    }
    return outcome;
  }

  /** Writes pending changes. */
  async close(): Promise<void> {
    if (this.#timer !== null) {
      clearTimeout(this.#timer);
      this.#write();
    }
    await this.#writing;
  }

  #write(): void {
    this.#timer = null;
    this.#log.sweep();
    const kept: z.infer<typeof Kept> = { written_at: this.#clocks.wall(), ages: this.#log.keep() };
    this.#writing = this.#writing
      .then(() => replaceFile(this.#file, JSON.stringify(kept)))
      .catch((err: unknown) => {
        this.#warn({ err }, "the log of the rate limits could not be kept");
      });
  }
}

/** Sessions have wider limits; see the keys of {@link RateLimits} and Caller. */
function kindOf(caller: string): CallerKind {
  return caller.startsWith("session:") ? "session" : "token";
}

async function readKept(file: string, warn: Warn): Promise<{ written_at: number; ages: KeptLog } | null> {
  try {
    return Kept.parse(JSON.parse(await readFile(file, "utf8")));
  } catch (err) {
    const isMissing = err instanceof Error && "code" in err && err.code === "ENOENT";
    if (!isMissing) warn({ err, file }, "the log of the rate limits could not be read: counting starts over");
    return null;
  }
}

async function replaceFile(file: string, text: string): Promise<void> {
  const next = `${file}.new`;
  await writeFile(next, text, { mode: 0o600 });
  await rename(next, file);
}
