import { formatScaled } from "#lib/format-bytes.ts";

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
  return formatScaled(tokens, 1000, ["", "k", "M", "B"], "");
}

/** US dollars: cents from one cent up, at most four places below, `<$0.0001` for less. */
export function formatCost(usd: number): string {
  if (usd > 0 && usd < COST_SHOWN_MIN) return "<$0.0001";
  return `$${(usd < 0.01 ? smallDollars : dollars).format(usd)}`;
}
