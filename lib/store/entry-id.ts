/** The highest seq that a run can have. */
export const seqMax = 2 ** 27 - 1;

/** The key of an entry: those of one run lie side by side in the order of seq. Exact for runs below 2^26. */
export function entryId(runId: number, seq: number): number {
  return runId * 2 ** 27 + seq;
}

/** The seq in a key of the run. */
export function seqOf(runId: number, id: number): number {
  return id - runId * 2 ** 27;
}
