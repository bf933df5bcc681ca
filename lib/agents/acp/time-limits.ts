import type { AgentLimits } from "#lib/agents/agent.ts";

/**
 * The time limits of one turn. `expired` resolves with the first one reached. Time spent waiting for a person does not count. Call
 * {@link TimeLimits.clear} at the end.
 */
export class TimeLimits {
  readonly expired: Promise<"inactivity" | "turn">;
  readonly #limits: Pick<AgentLimits, "inactivityMs" | "turnMs">;
  readonly #expire: (which: "inactivity" | "turn") => void;
  #timer: NodeJS.Timeout | null = null;
  #lastMessageAt: number;
  #turnEndsAt: number;
  #pausedAt: number | null = null;
  #pauses = 0;

  constructor(limits: Pick<AgentLimits, "inactivityMs" | "turnMs">) {
    const { promise, resolve } = Promise.withResolvers<"inactivity" | "turn">();
    this.expired = promise;
    this.#expire = resolve;
    this.#limits = limits;
    this.#lastMessageAt = performance.now();
    this.#turnEndsAt = this.#lastMessageAt + limits.turnMs;
    this.#arm();
  }

  /** The agent has sent a message. */
  noteMessage(): void {
    this.#lastMessageAt = performance.now();
  }

  /** Stops the clock until there are as many resumes as pauses. */
  pause(): void {
    this.#pauses += 1;
    this.#pausedAt ??= performance.now();
    this.#disarm();
  }

  resume(): void {
    this.#pauses -= 1;
    if (this.#pauses > 0 || this.#pausedAt === null) return;
    const now = performance.now();
    this.#turnEndsAt += now - this.#pausedAt;
    this.#pausedAt = null;
    this.#lastMessageAt = now;
    this.#arm();
  }

  clear(): void {
    this.#pauses = Number.POSITIVE_INFINITY;
    this.#disarm();
  }

  /** One timer for both limits, rescheduled only when it fires, because there are thousands of messages. */
  #arm(): void {
    const now = performance.now();
    const silentAt = this.#lastMessageAt + this.#limits.inactivityMs;
    const waitMs = Math.min(silentAt, this.#turnEndsAt) - now;
    if (waitMs > 0) this.#timer = setTimeout(() => this.#arm(), Math.min(Math.ceil(waitMs), 2 ** 31 - 1));
    else this.#expire(now >= this.#turnEndsAt ? "turn" : "inactivity");
  }

  #disarm(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
