/** A fenced block of a Markdown text: its first word of info in lower case, empty if it has none, and its lines. */
export type FencedBlock = { language: string; text: string };

/** The closed blocks of a text, read from its start: what looks like a fence inside a block is its text. */
export function fencedBlocks(markdown: string): FencedBlock[] {
  const blocks: FencedBlock[] = [];
  let open: { fence: string; language: string; lines: string[] } | null = null;
  for (const line of markdown.split(/\r?\n/)) {
    const [, fence = "", info = ""] = /^ {0,3}(`{3,}|~{3,})\s*([\w-]*)/.exec(line) ?? [];
    if (open === null) {
      if (fence !== "") open = { fence, language: info.toLowerCase(), lines: [] };
    } else if (fence.startsWith(open.fence) && line.trim() === fence) {
      blocks.push({ language: open.language, text: open.lines.join("\n") });
      open = null;
    } else open.lines.push(line);
  }
  return blocks;
}
