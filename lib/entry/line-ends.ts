/**
 * How a line of a compared text ends: a line feed, carriage return and line feed, or nothing (the text ends there); null if that
 * is not known.
 */
export type LineEnd = "lf" | "crlf" | "none" | null;

/** A text's line without its end. */
export type EndedLine = { text: string; end: LineEnd };

/** Splits a line of a file or a patch, written without its line feed, from its carriage return. */
export function withEnd(line: string, isUnended = false): EndedLine {
  if (line.endsWith("\r") && !isUnended) return { text: line.slice(0, -1), end: "crlf" };
  return { text: line, end: isUnended ? "none" : "lf" };
}

/** Sign of a line's end where it makes a difference. */
const signs = { crlf: "␍", none: "no newline at end" } as const;

/**
 * What must be shown of the end of a changed line, otherwise the difference would be invisible: that the text ends without a
 * newline, or its carriage return, if another line ends in a line feed alone. Null if nothing.
 */
export function endSigns(ends: Iterable<LineEnd>): (kind: "same" | "added" | "removed", end: LineEnd) => string | null {
  let hasPlain = false;
  for (const end of ends) hasPlain ||= end === "lf";
  return (kind, end) => {
    if (kind === "same" || end === null || end === "lf" || (end === "crlf" && !hasPlain)) return null;
    return signs[end];
  };
}

/**
 * The lines of two versions of a text, to be compared as they are: each with its line feed, so that two last lines differ if only
 * one has it. Of parts of a file it is not known how the file ends: if both have no line feed at the end, both get one.
 * `before` null: there was no text; `isWhole`: `after` is a whole new file.
 */
export function comparableLines(
  before: string | null,
  after: string,
  isWhole: boolean,
): [before: string[], after: string[]] {
  const isPart = (before === null ? !isWhole : isUnended(before)) && isUnended(after);
  return [linesOf(before ?? "", isPart), linesOf(after, isPart)];
}

/** A line of {@link comparableLines} without its end. */
export function withoutLineFeed(line: string): EndedLine {
  return line.endsWith("\n") ? withEnd(line.slice(0, -1)) : withEnd(line, true);
}

function isUnended(text: string): boolean {
  return text !== "" && !text.endsWith("\n");
}

function linesOf(text: string, addsLineFeed: boolean): string[] {
  if (text === "") return [];
  return (addsLineFeed ? `${text}\n` : text).match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
