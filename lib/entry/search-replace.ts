/** One SEARCH/REPLACE block: `path` is null if no line before the block names a file. */
export type SearchReplace = { path: string | null; oldText: string; newText: string };

/**
 * SEARCH/REPLACE blocks of a text (`<<<<<<< SEARCH`, `=======`, `>>>>>>> REPLACE`), in order. A line above a block, before its
 * fence if it has one, is its file.
 */
export function searchReplaceBlocks(text: string): SearchReplace[] {
  const blocks: SearchReplace[] = [];
  let part: "outside" | "old" | "new" = "outside";
  let path: string | null = null;
  let oldLines: string[] = [];
  let newLines: string[] = [];
  for (const line of text.split("\n", linesMax)) {
    if (part === "outside" && /^<{5,9} ?SEARCH\b/.test(line)) {
      [part, oldLines, newLines] = ["old", [], []];
    } else if (part === "old" && /^={5,9}\s*$/.test(line)) part = "new";
    else if (part === "new" && /^>{5,9} ?REPLACE\b/.test(line)) {
      blocks.push({ path, oldText: linesText(withoutMarks(oldLines)), newText: linesText(newLines) });
      part = "outside";
    } else if (part === "old") oldLines.push(line);
    else if (part === "new") newLines.push(line);
    else if (line.trim() !== "" && !line.startsWith("```")) path = pathIn(line) ?? path;
  }
  return blocks;
}

const linesMax = 200_000;

function linesText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** Some agents begin a block with its first line number and a rule. */
function withoutMarks(lines: readonly string[]): readonly string[] {
  if (!/^:start_line:/.test(lines[0] ?? "")) return lines;
  return lines.slice(/^-{5,9}$/.test(lines[1] ?? "") ? 2 : 1);
}

function pathIn(line: string): string | null {
  const word = line.trim();
  return /^[^\s<>*`:]{1,300}\.\w{1,12}$/.test(word) ? word : null;
}
