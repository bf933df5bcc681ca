import { cutText } from "#lib/cut-text.ts";

const titleCharactersMax = 200;

/**
 * A run's one-line title: the first line of its prompt with content, without the marks of headings, lists and code. Lines of a
 * comment do not count. If the prompt has only code blocks, the first line of code.
 */
export function runTitle(prompt: string, charactersMax = titleCharactersMax): string {
  // A prompt may have a quarter of a million characters; its title is near the beginning.
  const begin = prompt.slice(0, 4000);
  const title = firstLine(begin.replace(/<!--[\s\S]*?(?:-->|$)/g, " ")) || firstLine(begin);
  return title === "" ? "Untitled run" : cutText(title, charactersMax, "…");
}

function firstLine(text: string): string {
  const said = text
    .split(/\r\n?|\n/)
    .map((line) => line.replace(/\s+/g, " ").trim())
    .find((line) => line !== "" && !line.startsWith("```") && !line.startsWith("~~~"));
  return (said ?? "").replace(/^(#{1,6}|[-*+>])\s+/, "").replaceAll("`", "");
}
