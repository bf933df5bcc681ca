/** Highest seq a run can have. */
export const seqMax = 2 ** 27 - 1;

/** Key of an entry: those of one run are adjacent, in order of seq. Exact for runs below 2^26. */
export function entryId(runId: number, seq: number): number {
  return runId * 2 ** 27 + seq;
}

/** The seq in a key of the run. */
export function seqOf(runId: number, id: number): number {
  return id - runId * 2 ** 27;
}
