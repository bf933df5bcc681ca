import type { TurnEnd } from "#lib/agents/agent.ts";
import type { SignInNote } from "#lib/store/agents/agent-refusals.ts";
import type { QueueStore, TurnRow } from "#lib/store/store.ts";
import type { RunLease } from "./run-lease.ts";

/** `holdsQueue`: waiting turns are held, see QueueStore.finishTurn. */
export type FinishedTurn = TurnEnd & { summary: string | null; holdsQueue?: boolean; signIn?: SignInNote };

/** Ends the turn; returns the next one, or null. On a full disk it waits for space, so that the run says how the turn ended. */
export async function finishTurn(
  queue: Pick<QueueStore, "finishTurn">,
  held: RunLease,
  end: FinishedTurn,
): Promise<TurnRow | null> {
  return held.writeOnceThereIsSpace(() => queue.finishTurn(held.lease, end));
}
