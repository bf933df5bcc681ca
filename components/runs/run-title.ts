const TITLE_CHARACTERS_MAX = 200;

/**
 * A run's one-line title: the first line of its prompt with content, without the marks of headings, lists and code. If the prompt
 * has only code blocks, the first line of code.
 */
export function runTitle(prompt: string): string {
  // A prompt may have a quarter of a million characters; its title is near the beginning.
  const lines = prompt
    .slice(0, 4000)
    .split("\n")
    .map((line) => line.trim());
  const said = lines.filter((line) => line !== "" && !line.startsWith("```") && !line.startsWith("~~~"));
  const title = said[0]?.replace(/^(#{1,6}|[-*+>])\s+/, "").replaceAll("`", "") ?? "";
  if (title === "") return "Untitled run";
  return title.length > TITLE_CHARACTERS_MAX ? `${title.slice(0, TITLE_CHARACTERS_MAX).toWellFormed()}…` : title;
}
