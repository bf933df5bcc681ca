import type { RateLimit, RateLogName } from "#lib/contract/rate-limits.ts";
import { RequestTimes } from "./request-times.ts";

/** Charge of a request: the limits it must meet, and the logs it is written to if it meets them all. */
export type Charge = {
  limits: readonly RateLimit[];
  /** `capacity` is the largest quota of any limit over the log. */
  logs: readonly { name: RateLogName; capacity: number }[];
};

/** A caller's position in one window: `remaining` requests now, and `resetMs` until one more is allowed. */
export type RateLimitStatus = { limit: RateLimit; remaining: number; resetMs: number };

/** Result of a request. `waitMs` is 0 if it is admitted, otherwise the time until it would be. */
export type Outcome = { waitMs: number; statuses: RateLimitStatus[] };

/**
 * Log of admitted requests, by caller. One process owns it ({@link MemoryRateLog}); several would share one in a database, so
 * the methods are asynchronous.
 */
export type RateLog = {
  /** Admits and records a request, or refuses it and records nothing. Atomic. */
  take(caller: string, charge: Charge): Outcome | Promise<Outcome>;
};

/**
 * Ages of admitted requests in whole milliseconds, oldest first, by caller and log: 32-bit numbers in base64, which takes a
 * twentieth of the time of a JSON list for wide limits.
 */
export type KeptLog = Record<string, Partial<Record<RateLogName, string>>>;

const windowMsMax = 60_000;
const addressesMax = 50_000;

type Logs = Map<RateLogName, RequestTimes>;

/**
 * The log in the memory of one process. There are only as many tokens and sessions as were created; anyone can have many
 * addresses, so beyond `addressesMax` the oldest one is forgotten.
 */
export class MemoryRateLog implements RateLog {
  readonly #now: () => number;
  readonly #signedIn = new Map<string, Logs>();
  readonly #addresses = new Map<string, Logs>();

  /** `now` returns milliseconds and never goes back. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Number of remembered callers. */
  get size(): number {
    return this.#signedIn.size + this.#addresses.size;
  }

  take(caller: string, { limits, logs }: Charge): Outcome {
    const now = this.#now();
    const known = this.#callersLike(caller).get(caller);
    let waitMs = 0;
    // Subtract first, here and wherever a window is checked: the sum of an instant and a window is rounded.
    for (const { quota, seconds, log } of limits) {
      const earliest = known?.get(log)?.latest(quota) ?? null;
      if (earliest !== null) waitMs = Math.max(waitMs, earliest - now + seconds * 1000);
    }
    const times = known ?? this.#remember(caller);
    if (waitMs <= 0) {
      for (const { name, capacity } of logs) {
        let log = times.get(name);
        if (log === undefined) {
          log = new RequestTimes(capacity);
          times.set(name, log);
        }
        log.add(now);
      }
    }
    return { waitMs, statuses: limits.map((limit) => statusOf(limit, times, now)) };
  }

  /** Forgets callers with no request left in any window. */
  sweep(): void {
    const before = this.#now() - windowMsMax;
    for (const callers of [this.#signedIn, this.#addresses]) {
      for (const [caller, logs] of callers) {
        if ([...logs.values()].every((log) => (log.latest(1) ?? before) <= before)) callers.delete(caller);
      }
    }
  }

  /** State to keep across a restart. */
  keep(): KeptLog {
    const now = this.#now();
    const kept: KeptLog = {};
    for (const [caller, logs] of [...this.#signedIn, ...this.#addresses]) {
      const ages: KeptLog[string] = {};
      for (const [name, log] of logs) {
        // Rounded down, so that a request counts a moment too long rather than too short.
        ages[name] = Buffer.from(log.agesWithin(windowMsMax, now).buffer).toString("base64");
      }
      kept[caller] = ages;
    }
    return kept;
  }

  /** Restores what was saved `elapsedMs` ago. `capacityOf` returns the capacity of a caller's log. */
  restore(kept: KeptLog, elapsedMs: number, capacityOf: (caller: string, log: RateLogName) => number): void {
    const now = this.#now();
    for (const [caller, logs] of Object.entries(kept)) {
      for (const [name, ages] of Object.entries(logs) as [RateLogName, string][]) {
        const capacity = capacityOf(caller, name);
        const young = readAges(ages)
          .map((age) => age + elapsedMs)
          .filter((age) => age < windowMsMax);
        if (capacity === 0 || young.length === 0) continue;
        const times = new RequestTimes(capacity);
        for (const age of young) times.add(now - age);
        (this.#callersLike(caller).get(caller) ?? this.#remember(caller)).set(name, times);
      }
    }
  }

  #remember(caller: string): Logs {
    const [oldest] = this.#addresses.keys();
    if (this.#addresses.size >= addressesMax && oldest !== undefined) this.#addresses.delete(oldest);
    const logs: Logs = new Map();
    this.#callersLike(caller).set(caller, logs);
    return logs;
  }

  #callersLike(caller: string): Map<string, Logs> {
    return caller.startsWith("token:") || caller.startsWith("session:") ? this.#signedIn : this.#addresses;
  }
}

function readAges(text: string): number[] {
  const bytes = new Uint8Array(Buffer.from(text, "base64"));
  const ages = new Uint32Array(bytes.buffer, 0, Math.floor(bytes.length / 4));
  return Array.from(ages).sort((one, other) => other - one);
}

function statusOf(limit: RateLimit, logs: Logs, now: number): RateLimitStatus {
  const log = logs.get(limit.log);
  const windowMs = limit.seconds * 1000;
  const used = Math.min(log?.countWithin(windowMs, now) ?? 0, limit.quota);
  const oldest = used === 0 ? null : (log?.latest(used) ?? null);
  return { limit, remaining: limit.quota - used, resetMs: oldest === null ? 0 : oldest - now + windowMs };
}
