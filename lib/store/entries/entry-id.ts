/** Highest seq a run can have. */
export const seqMax = 2 ** 27 - 1;

/** Keys of entries are exact for runs below this one. */
export const runIdEnd = 2 ** 26;

/** Key of an entry: those of one run are adjacent, in order of seq. */
export function entryId(runId: number, seq: number): number {
  return runId * 2 ** 27 + seq;
}

/** The seq in a key of the run. */
export function seqOf(runId: number, id: number): number {
  return id - runId * 2 ** 27;
}
