import type { AnsiRun } from "#lib/entry/terminal-style.ts";
import { plainStyle } from "#lib/entry/terminal-style.ts";
import { hasAnsi, parseAnsiLines } from "#lib/entry/terminal-text.ts";
import { hasInvisible } from "#lib/entry/visible-text.ts";
import { rowLengthMax, rowsOfLine } from "./text-lines.ts";

/** One row of an output; a long line has several. `cut` is the number of characters of the line that are not shown at all. */
export type OutputRow = { id: string; runs: readonly AnsiRun[]; cut: number };

/**
 * Rows of an output, with terminal sequences interpreted if wanted. With a `lineMax` each line is one row of at most that many
 * characters.
 */
export function rowsOfOutput(text: string, ansi: boolean, lineMax: number | null): OutputRow[] {
  const lines = ansi && hasAnsi(text) ? parseAnsiLines(text) : text.split("\n").map(plainLine);
  return lines.flatMap((line, index) => {
    const parts = cutLine(line, lineMax ?? rowLengthMax);
    const shown = lineMax === null ? parts : parts.slice(0, 1);
    const cut = lengthOf(line) - shown.reduce((sum, part) => sum + lengthOf(part), 0);
    return shown.map((runs, place) => ({ id: `${index}.${place}`, runs: boundedRuns(runs), cut }));
  });
}

/**
 * The rows as one text, which saves an element per row; null if they need more than text: colors, cuts, or characters that must
 * be made visible.
 */
export function plainTextOf(rows: readonly OutputRow[]): string | null {
  const texts: string[] = [];
  for (const { runs, cut } of rows) {
    const [only, second] = runs;
    if (only === undefined || second !== undefined || only.style !== plainStyle || cut > 0) return null;
    if (hasInvisible(only.text)) return null;
    texts.push(only.text);
  }
  // A line feed at the very end would add no row.
  return texts.join("\n") + (texts.at(-1) === "" ? "\n" : "");
}

/** Rows with more runs than this lose their colors: no readable text has so many, and each is an element. */
const rowRunsMax = 100;

function plainLine(line: string): AnsiRun[] {
  return [{ at: 0, text: line.endsWith("\r") ? line.slice(0, -1) : line, style: plainStyle }];
}

function cutLine(line: readonly AnsiRun[], rowMax: number): AnsiRun[][] {
  const rows: AnsiRun[][] = [[]];
  let length = 0;
  for (const run of line) {
    let at = run.at;
    for (const text of rowsOfLine(run.text, rowMax)) {
      if (length > 0 && length + text.length > rowMax) {
        rows.push([]);
        length = 0;
      }
      rows.at(-1)?.push({ at, text, style: run.style });
      length += text.length;
      at += text.length;
    }
  }
  return rows;
}

function boundedRuns(runs: readonly AnsiRun[]): readonly AnsiRun[] {
  const rest = runs.slice(rowRunsMax);
  const first = rest[0];
  if (first === undefined) return runs;
  return [
    ...runs.slice(0, rowRunsMax),
    { at: first.at, text: rest.map((run) => run.text).join(""), style: plainStyle },
  ];
}

function lengthOf(line: readonly AnsiRun[]): number {
  return line.reduce((sum, run) => sum + run.text.length, 0);
}
