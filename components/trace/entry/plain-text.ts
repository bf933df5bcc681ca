import type { LogEntry } from "#lib/contract/logs/entry.ts";
import { visitTexts } from "#lib/entry/entry-text.ts";

/** An entry as a copied selection has it where its card is not on the page: its number and its texts, a line or more each. */
export function plainTextOf(entry: LogEntry): string {
  const texts = [`#${entry.seq}`];
  visitTexts(entry, (text) => texts.push(text) > 0);
  if ((entry.clipped ?? []).length > 0) texts.push("[Long texts are shortened. Export the run for the full text.]");
  return texts.join("\n");
}
