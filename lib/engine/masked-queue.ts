import type { ValueMask } from "#lib/entry/mask-values.ts";
import type { QueueStore } from "#lib/store/store.ts";

/**
 * The queue as a run writes to it: what its secrets are is known by value, and none of them is kept in entries, progress, questions,
 * answers or the diff. `maskNow` gives the mask of what is known by now.
 */
export function maskedQueue(queue: QueueStore, maskNow: () => ValueMask): QueueStore {
  return {
    ...queue,
    append: (lease, entries) => queue.append(lease, maskNow().json(entries)),
    settleMessage: (lease, number, entries) => queue.settleMessage(lease, number, maskNow().json(entries)),
    setQuestion: (lease, question) => queue.setQuestion(lease, maskNow().json(question)),
    setProgress: (lease, progress) => queue.setProgress(lease, maskNow().json(progress)),
    // Its bytes need not be text; those of a secret are.
    setDiff: (lease, diff, changes, commit) => {
      const text = Buffer.from(diff).toString("latin1");
      const shown = maskNow().text(text);
      return queue.setDiff(lease, shown === text ? diff : Buffer.from(shown, "latin1"), changes, commit);
    },
    finishTurn: (lease, end) => queue.finishTurn(lease, maskNow().json(end)),
  };
}
