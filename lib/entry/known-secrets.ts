import { lowerBound } from "#lib/lower-bound.ts";
import { isOrdinary } from "./ordinary-word.ts";
import { SecretFinder } from "./secret-finder.ts";
import { secretForms } from "./secret-forms.ts";

/**
 * Finds, in texts that must contain none of these values, the lines in which one begins. Unlike in a log, where masking too much
 * does no harm, only whole values and whole random parts count, and no ordinary words.
 */
export function secretLines(values: readonly string[]): (lines: readonly string[]) => Set<number> {
  const finder = new SecretFinder(wholeSecrets(values).map((text) => ({ text, least: text.length })));
  return (lines) => {
    let end = 0;
    const ends = lines.map(({ length }) => {
      end += length + 1;
      return end;
    });
    const spans = finder.find(lines.join("\n"));
    return new Set(spans.map(([from]) => lowerBound(ends, from + 1)));
  };
}

/** The texts of {@link secretLines}, to search files for. */
export function wholeSecrets(values: readonly string[]): string[] {
  return secretForms(values.filter((value) => !isOrdinary(value))).map(({ text }) => text);
}
