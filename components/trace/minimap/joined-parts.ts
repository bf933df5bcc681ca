/** Neighbouring parts that count something, as one: from the first to behind the last, by their places. */
export function joinedParts(counts: readonly number[]): { from: number; to: number }[] {
  const parts: { from: number; to: number }[] = [];
  for (const [index, count] of counts.entries()) {
    if (count === 0) continue;
    const last = parts.at(-1);
    if (last?.to === index) last.to = index + 1;
    else parts.push({ from: index, to: index + 1 });
  }
  return parts;
}
