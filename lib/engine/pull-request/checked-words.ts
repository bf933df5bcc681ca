import { cutText } from "#lib/cut-text.ts";
import type { WatchNotes } from "./watch-notes.ts";

type Tested = NonNullable<WatchNotes["tested"]>;

const namesMax = 8;
const nameMax = 100;
const words = { success: "passed", failure: "failed (ignored)", timed_out: "timed out (ignored)" } as const;

/**
 * What the repository's own commands said about a commit, as one line of Markdown; null if they did not check it. A check that
 * failed is one that the settings ignore: with others, nothing is pushed.
 */
export function checkedWords(tested: Tested | undefined, commit: string | null): string | null {
  if (tested === undefined || tested.commit !== commit || tested.problem !== null) return null;
  const { checks } = tested;
  if (checks.length === 0) return null;
  const shown = checks.slice(0, namesMax).map(({ name, conclusion }) => `${codeOf(name)} ${words[conclusion]}`);
  const more = checks.length > namesMax ? `, and ${checks.length - namesMax} more` : "";
  return `Checked here: ${shown.join(", ")}${more}.`;
}

/** A code span, in which nothing is Markdown and nobody is mentioned (https://spec.commonmark.org/0.31.2/#code-spans). */
function codeOf(name: string): string {
  const plain = name.replace(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim() || "?";
  const text = cutText(plain, nameMax, "…");
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`;
}
