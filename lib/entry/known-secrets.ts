import { isOrdinary } from "./ordinary-word.ts";
import { SecretFinder } from "./secret-finder.ts";
import { type SecretForm, secretForms } from "./secret-forms.ts";
import { findUnbroken } from "./unbroken-text.ts";

/**
 * Finds, in texts that must contain none of these values, the lines in which one begins. Unlike in a log, where masking too much
 * does no harm, only whole values and whole random parts count, and no ordinary words.
 */
export function secretLines(values: readonly string[]): (lines: readonly string[]) => Set<number> {
  const finder = new SecretFinder(wholeForms(values));
  return (lines) => {
    const found = new Set<number>();
    const spans = finder.isEmpty ? [] : findUnbroken(lines.join("\n"), (units) => finder.find(units));
    const starts = spans.map(([from]) => from).sort((a, b) => a - b);
    let next = 0;
    let end = 0;
    for (const [index, { length }] of lines.entries()) {
      end += length + 1;
      for (; next < starts.length && (starts[next] ?? 0) < end; next += 1) found.add(index);
    }
    return found;
  };
}

/** The texts of {@link secretLines}, to search files for. */
export function wholeSecrets(values: readonly string[]): string[] {
  return wholeForms(values).map(({ text }) => text);
}

function wholeForms(values: readonly string[]): SecretForm[] {
  return secretForms(values.filter((value) => !isOrdinary(value))).map(({ text }) => ({ text, starts: null }));
}
