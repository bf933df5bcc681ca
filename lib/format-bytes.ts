/** Bytes in steps of 1,024: `512 B`, `1.5 KB`, `20 MB`. */
export function formatBytes(bytes: number): string {
  return formatScaled(bytes, 1024, ["B", "KB", "MB", "GB", "TB"], " ");
}

/**
 * An amount in the largest unit of which it has at least one, in three significant digits, truncated; integers in the first unit.
 */
export function formatScaled(amount: number, step: number, units: readonly string[], gap: string): string {
  let index = 0;
  let scaled = amount;
  while (scaled >= step && index < units.length - 1) {
    scaled /= step;
    index += 1;
  }
  const places = index === 0 || scaled >= 100 ? 0 : scaled >= 10 ? 1 : 2;
  // Truncates to places: rounded, 999,960 would become `1,000k`. The nudge corrects the division's error (1.15 * 100 =
  // 114.999…).
  const shown = Math.floor(scaled * 10 ** places * (1 + Number.EPSILON)) / 10 ** places;
  return `${shown}${gap}${units[index] ?? ""}`;
}
