const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const dollars = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const smallDollars = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 4 });
const COST_SHOWN_MIN = 0.0001;

/** A whole number with thousands separators: `12,345`. */
export function formatCount(count: number): string {
  return whole.format(count);
}

/** A count and its noun: `1 step`, `1,204 steps`. `many` is the plural if it is irregular. */
export function formatCountOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** A large count with three significant digits, truncated: `999`, `12.3k`, `1.04M`. */
export function formatTokens(tokens: number): string {
  return scale(tokens, 1000, ["", "k", "M", "B"], "");
}

/** Bytes in steps of 1,024: `512 B`, `1.5 KB`, `20 MB`. */
export function formatBytes(bytes: number): string {
  return scale(bytes, 1024, ["B", "KB", "MB", "GB", "TB"], " ");
}

/** US dollars: cents from ten cents up, at most four places below, `<$0.0001` for less. */
export function formatCost(usd: number): string {
  if (usd > 0 && usd < COST_SHOWN_MIN) return "<$0.0001";
  return `$${(usd < 0.1 ? smallDollars : dollars).format(usd)}`;
}

function scale(amount: number, step: number, units: readonly string[], gap: string): string {
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
