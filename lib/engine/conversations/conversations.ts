import { WorkLoop } from "#lib/engine/work-loop.ts";
import { messageLifeMs } from "#lib/host/host-event.ts";
import { announce, announceHeld } from "./announce.ts";
import { answer } from "./answer.ts";
import { handleEvent } from "./handle-event.ts";
import { type ConversationParts, holdMs } from "./parts.ts";

/** How long received messages are remembered: longer than an event of one is accepted. */
const keptMs = 3 * messageLifeMs;
const forgetMs = 3_600_000;

/**
 * Processes events from connected services and replies there. Everything pending is in the store, so any engine can continue
 * it. One thing at a time; runs are not delayed by it.
 */
export class Conversations extends WorkLoop {
  readonly #parts: ConversationParts;
  #forgotAt = 0;

  constructor(parts: ConversationParts) {
    super(parts, "messages from connected services could not be handled");
    this.#parts = parts;
  }

  /** Processes everything that is due now. */
  async processDue(): Promise<void> {
    const { store } = this.#parts;
    const { signal } = this;
    await announce(this.#parts);
    await announceHeld(this.#parts);
    for (;;) {
      const stored = signal.aborted ? null : await store.conversations.claimEvent(holdMs);
      if (stored !== null) await handleEvent(this.#parts, stored, signal);
      const reply = signal.aborted ? null : await store.conversations.claimReply(holdMs);
      if (reply !== null) await answer(this.#parts, reply, signal);
      if (stored === null && reply === null) return;
    }
  }

  protected async round(): Promise<void> {
    await this.processDue();
    if (Date.now() - this.#forgotAt <= forgetMs) return;
    this.#forgotAt = Date.now();
    await this.#parts.store.conversations.forget(keptMs);
  }
}
