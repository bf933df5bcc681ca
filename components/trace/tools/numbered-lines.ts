/** A file as its tool printed it, without the numbers in front of its lines. */
export type NumberedText = { text: string; firstLine: number };

const numbered = /^ *(\d{1,9})(?:\t|: ?|\| ?|→)(.*)$/;

/**
 * Takes the line numbers off that agents print before the lines of a file they read (`1\tfoo`, `1: foo`, `00001| foo`,
 * `1→foo`), and what opencode wraps around them. Null unless every line has its number, each one more than the last.
 */
export function withoutNumbers(printed: string): NumberedText | null {
  if (printed.length > lengthMax) return null;
  const lines = unwrapped(printed).replace(/\n+$/, "").split("\n");
  const found: string[] = [];
  let firstLine = 0;
  for (const [index, line] of lines.entries()) {
    const match = numbered.exec(line);
    const number = Number(match?.[1] ?? Number.NaN);
    if (index === 0) firstLine = number;
    if (match === null || number !== firstLine + index) return null;
    found.push(match[2] ?? "");
  }
  return { text: found.join("\n"), firstLine };
}

const lengthMax = 2_000_000;

function unwrapped(printed: string): string {
  for (const tag of ["content", "file"]) {
    const start = printed.indexOf(`<${tag}>\n`);
    const end = printed.lastIndexOf(`</${tag}>`);
    if (start === -1 || end <= start) continue;
    const inner = printed.slice(start + tag.length + 3, end);
    return inner.replace(/\n\(End of file[^\n]*\)\n*$/, "");
  }
  return printed;
}
