/** A file as its tool printed it, without line numbers. */
export type NumberedText = {
  text: string;
  firstLine: number;
  /** Text the tool added around the lines ("Here's the result of running…", "(End of file)"), in order. */
  notes: string[];
};

const numbered = /^ *(\d{1,9})(\t|:|\||→)(.*)$/;
const lengthMax = 2_000_000;
const notesMax = 6;

/**
 * Removes the line numbers that agents print before the lines of a file (`1\tfoo`, `1: foo`, `00001| foo`, `1→foo`), and the text
 * around the lines: a sentence, tags, the file's name. Null unless every line in between has a number, each one higher than the
 * last.
 */
export function withoutNumbers(printed: string): NumberedText | null {
  if (printed.length > lengthMax) return null;
  const lines = printed.replaceAll("\r\n", "\n").split("\n");
  const before: string[] = [];
  let start = 0;
  // A tag may be on the line of the first number.
  while (start < lines.length && !numbered.test(withoutTag(lines[start] ?? ""))) {
    if (before.length === notesMax || !isNote(lines[start] ?? "", start)) return null;
    before.push(lines[start] ?? "");
    start += 1;
  }
  const found: string[] = [];
  let firstLine = 0;
  let sign = "";
  let end = start;
  for (; end < lines.length; end += 1) {
    const match = numbered.exec(end === start ? withoutTag(lines[end] ?? "") : (lines[end] ?? ""));
    const number = Number(match?.[1] ?? Number.NaN);
    if (end === start) firstLine = number;
    if (match === null || number !== firstLine + end - start) break;
    sign = match[2] ?? "";
    found.push(match[3] ?? "");
  }
  const after = lines.slice(end);
  if (found.length === 0 || after.length > notesMax || !after.every((line) => isNote(line, 1))) return null;
  const notes = [...before, ...after].map(noteOf).filter((note) => note !== "");
  return { text: (sign === ":" || sign === "|" ? withoutMargin(found) : found).join("\n"), firstLine, notes };
}

/** A space after a colon or a bar belongs to it if every line has one. */
function withoutMargin(lines: readonly string[]): readonly string[] {
  const isMargin = lines.every((line) => line === "" || line.startsWith(" ")) && lines.some((line) => line !== "");
  return isMargin ? lines.map((line) => line.slice(1)) : lines;
}

function withoutTag(line: string): string {
  return line.replace(/^<(?:content|file)>/, "");
}

function noteOf(line: string): string {
  const words = line.trim();
  return isTag(words) ? "" : words.replace(/^<(path|type)>(.*)<\/\1>$/, "$1: $2");
}

function isTag(line: string): boolean {
  return /^<\/?(?:content|file|path|type)>$/.test(line);
}

/** A line that tools add around a file: an empty line, a tag, text in brackets, or, before the file, a sentence with a colon. */
function isNote(line: string, place: number): boolean {
  const words = line.trim();
  if (words === "" || isTag(words) || /^<(path|type)>.*<\/\1>$/.test(words)) return true;
  if (/^\(.*\)$|^\[.*\]$|^bash-\$$/.test(words)) return true;
  return place === 0 && /^Here's the (?:result|content)s? of .*:$/.test(words);
}
