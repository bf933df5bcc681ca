import { messageLifeMs } from "#lib/host/host-event.ts";
import { announce, announceHeld } from "./announce.ts";
import { answer } from "./answer.ts";
import { hear } from "./hear.ts";
import { type ConversationParts, holdMs } from "./parts.ts";

/** Longest and shortest interval between checks, in milliseconds. */
const lookMs = { least: 1000, most: 200 };
/** How long it is known what came: longer than an event of a message is taken. */
const keptMs = 3 * messageLifeMs;
const forgetMs = 3_600_000;

/**
 * Processes events from connected services and replies there. Everything pending is in the store, so any engine can continue
 * it. One thing at a time; runs are not delayed by it.
 */
export class Conversations {
  readonly #parts: ConversationParts;
  readonly #ending = new AbortController();
  #loop: Promise<void> | null = null;

  constructor(parts: ConversationParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** Resolves when nothing is in progress. Interrupted work is due again later. */
  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#loop;
  }

  /** Processes everything that is due now. */
  async workOff(): Promise<void> {
    const { store } = this.#parts;
    const { signal } = this.#ending;
    await announce(this.#parts);
    await announceHeld(this.#parts);
    for (;;) {
      const heard = signal.aborted ? null : await store.conversations.claimHeard(holdMs);
      if (heard !== null) await hear(this.#parts, heard, signal);
      const reply = signal.aborted ? null : await store.conversations.claimReply(holdMs);
      if (reply !== null) await answer(this.#parts, reply, signal);
      if (heard === null && reply === null) return;
    }
  }

  async #run(): Promise<void> {
    const { store, logger } = this.#parts;
    const { signal } = this.#ending;
    let version = -1;
    let lookedAt = 0;
    let forgotAt = 0;
    while (!signal.aborted) {
      try {
        const seen = await store.version();
        const now = Date.now();
        if (seen !== version || now - lookedAt >= lookMs.least) {
          version = seen;
          lookedAt = now;
          await this.workOff();
        }
        if (now - forgotAt > forgetMs) {
          forgotAt = now;
          await store.conversations.forget(keptMs);
        }
      } catch (error) {
        if (!signal.aborted) logger.error({ err: error }, "what connected services said could not be worked on");
      }
      await pause(lookMs.most, signal);
    }
  }
}

function pause(waitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, waitMs);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
}
