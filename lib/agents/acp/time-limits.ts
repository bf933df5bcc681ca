import type { AgentLimits } from "#lib/agents/agent.ts";
import { type AwakeClock, AwakeTimer } from "#lib/awake-timer.ts";

/**
 * The time limits of one turn. `expired` resolves with the first one reached. Time spent waiting for a person does not count, nor
 * does time in which this process was paused. Call {@link TimeLimits.clear} at the end.
 */
export class TimeLimits {
  readonly expired: Promise<"inactivity" | "turn">;
  readonly #silence: AwakeTimer;
  readonly #turn: AwakeTimer;
  #pauses = 0;

  constructor({ inactivityMs, turnMs }: Pick<AgentLimits, "inactivityMs" | "turnMs">, clock?: AwakeClock) {
    const { promise, resolve } = Promise.withResolvers<"inactivity" | "turn">();
    this.expired = promise;
    this.#turn = new AwakeTimer(turnMs, () => resolve("turn"), clock);
    this.#silence = new AwakeTimer(inactivityMs, () => resolve("inactivity"), clock);
  }

  /** The agent has sent a message. */
  noteMessage(): void {
    this.#silence.restart();
  }

  /** Stops the clock until there are as many resumes as pauses. */
  pause(): void {
    this.#pauses += 1;
    this.#turn.pause();
    this.#silence.pause();
  }

  resume(): void {
    this.#pauses -= 1;
    if (this.#pauses > 0) return;
    this.#turn.resume();
    this.#silence.restart();
    this.#silence.resume();
  }

  clear(): void {
    this.#pauses = Number.POSITIVE_INFINITY;
    this.#turn.stop();
    this.#silence.stop();
  }
}
