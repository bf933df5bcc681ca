/** A stretch of equal parts of a run: from the first to behind the last, by their places. `strength` is 1 to 3. */
export type HitStretch = { from: number; to: number; strength: number };

/** From which share of a part's entries on a mark is stronger. */
const strongFrom = 0.5;
const mediumFrom = 0.1;

/** The parts that hold hits, neighbours that hold about as many as one; `size` is how many entries a part has. */
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
