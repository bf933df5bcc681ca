import type { TurnMessages } from "#lib/agents/agent.ts";
import type { Store } from "#lib/store/store.ts";
import type { RunLease } from "./run-lease.ts";

/** The messages that people send while a turn is at work. After `end` the agent gets no more: later ones wait as turns. */
export function turnMessages({ queue }: Pick<Store, "queue">, held: RunLease): TurnMessages & { end(): void } {
  const { lease } = held;
  return {
    listen(onMessage) {
      held.onMessage(onMessage);
      // Only a hint for pages and clients: without it messages wait as turns.
      void queue.setFigures(lease, { isSteerable: true }).catch(() => undefined);
    },
    take: () => queue.takeMessage(lease),
    settle: ({ number }, entries) => queue.settleMessage(lease, number, entries),
    refuse: ({ number }, entries, isHeld) => queue.refuseMessage(lease, number, entries, isHeld),
    end: () => held.onMessage(() => undefined),
  };
}
