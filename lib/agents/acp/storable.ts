import { cutMiddle } from "./bounded-text.ts";

/** The longest string kept in an entry, in UTF-16 units (10 Mi). Longer ones lose their middle. */
export const keptCharactersMax = 10 * 1024 * 1024;

const depthMax = 48;
const nodesMax = 50_000;

/** `text` as every store can hold it: well-formed Unicode, NUL shown as ␀ (U+2400). */
export function storableText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes("\u0000") ? whole.replaceAll("\u0000", "\u2400") : whole;
}

/** Numbers of characters of a value that were kept and dropped. */
export type Truncated = { kept: number; dropped: number };

/**
 * A copy of untrusted JSON that can be stored: strings as by {@link storableText} and at most `charactersMax` long in all, at most
 * 48 levels deep and 50,000 values wide. The longest strings are cut, so that a short one is whole wherever it stands. A marker
 * replaces omitted parts, except keys of an object beyond the limit.
 */
export function storableJson(
  value: unknown,
  charactersMax: number = keptCharactersMax,
): { value: unknown; truncated: Truncated | null } {
  const textMax = longestKept(lengthsOf(value), charactersMax);
  const budget = { textMax, nodes: nodesMax, kept: 0, dropped: 0 };
  const copy = copyValue(value, 0, budget);
  return { value: copy, truncated: budget.dropped > 0 ? { kept: budget.kept, dropped: budget.dropped } : null };
}

type Budget = { textMax: number; nodes: number; kept: number; dropped: number };

/** Lengths of the strings in a value, as far as {@link copyValue} reads it. */
function lengthsOf(value: unknown): number[] {
  const lengths: number[] = [];
  let nodes = nodesMax;
  const visit = (one: unknown, depth: number) => {
    nodes -= 1;
    if (typeof one === "string") lengths.push(one.length);
    if (typeof one !== "object" || one === null || depth >= depthMax) return;
    for (const item of Object.values(one)) {
      if (nodes <= 0) return;
      visit(item, depth + 1);
    }
  };
  visit(value, 0);
  return lengths;
}

/** The length to which strings of these lengths are cut so that they have at most `charactersMax` in all. */
function longestKept(lengths: number[], charactersMax: number): number {
  let left = charactersMax;
  for (const [index, length] of lengths.sort((one, other) => one - other).entries()) {
    const share = Math.floor(left / (lengths.length - index));
    if (length > share) return share;
    left -= length;
  }
  return charactersMax;
}

function copyValue(value: unknown, depth: number, budget: Budget): unknown {
  budget.nodes -= 1;
  if (typeof value === "string") return copyText(value, budget);
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "boolean" || value === null) return value;
  if (typeof value !== "object") return null;
  if (depth >= depthMax) return "[left out: nested too deeply]";
  if (budget.nodes <= 0) return "[left out: too many values]";
  if (Array.isArray(value)) {
    const copy: unknown[] = [];
    for (const item of value) {
      if (budget.nodes <= 0) {
        copy.push(`[${value.length - copy.length} more values were left out]`);
        break;
      }
      copy.push(copyValue(item, depth + 1, budget));
    }
    return copy;
  }
  const copy: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    if (budget.nodes <= 0) break;
    // A plain assignment of __proto__ would change the prototype instead of adding the key.
    Object.defineProperty(copy, storableText(key.slice(0, 1000)), {
      value: copyValue(item, depth + 1, budget),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return copy;
}

function copyText(text: string, budget: Budget): string {
  const cut = cutMiddle(text, budget.textMax);
  budget.kept += text.length - cut.dropped;
  budget.dropped += cut.dropped;
  return storableText(cut.text);
}
