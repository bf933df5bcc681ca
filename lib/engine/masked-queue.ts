import type { ValueMask } from "#lib/entry/mask-values.ts";
import { maskDiff } from "#lib/host/binary-contents.ts";
import type { QueueStore } from "#lib/store/store.ts";

/**
 * The queue as a run writes to it, which masks the run's secrets by value in entries, progress, questions, answers and the diff.
 * `maskNow` returns the mask of all secrets known so far.
 */
export function maskedQueue(queue: QueueStore, maskNow: () => ValueMask): QueueStore {
  return {
    ...queue,
    append: (lease, entries) => queue.append(lease, maskNow().json(entries)),
    settleMessage: (lease, number, entries) => queue.settleMessage(lease, number, maskNow().json(entries)),
    refuseMessage: (lease, number, entries, isHeld) =>
      queue.refuseMessage(lease, number, maskNow().json(entries), isHeld),
    setQuestion: (lease, question) => queue.setQuestion(lease, maskNow().json(question)),
    setProgress: (lease, progress) => queue.setProgress(lease, maskNow().growing(progress)),
    setDiff: (lease, diff, changes, commit) =>
      queue.setDiff(lease, diff === null ? null : maskDiff(maskNow(), diff), changes, commit),
    finishTurn: (lease, end) => queue.finishTurn(lease, maskNow().json(end)),
  };
}
