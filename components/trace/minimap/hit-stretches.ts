/** Consecutive equal parts of a run, the last one exclusive. `strength` is 1 to 3. */
export type HitStretch = { from: number; to: number; strength: number };

/** Share of a part's entries from which a mark is stronger. */
const strongFrom = 0.5;
const mediumFrom = 0.1;

/** Parts with hits, merging neighbors with similar numbers; `size` is the number of entries per part. */
export function hitStretches(counts: readonly number[], size: number): HitStretch[] {
  const stretches: HitStretch[] = [];
  for (const [index, count] of counts.entries()) {
    if (count === 0) continue;
    const share = count / Math.max(1, size);
    const strength = share >= strongFrom ? 3 : share >= mediumFrom ? 2 : 1;
    const last = stretches.at(-1);
    if (last?.to === index && last.strength === strength) last.to = index + 1;
    else stretches.push({ from: index, to: index + 1, strength });
  }
  return stretches;
}
