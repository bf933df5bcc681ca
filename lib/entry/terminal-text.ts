import { Screen } from "./terminal-screen.ts";
import { sequenceReader, sequenceStarts, withoutSequences } from "./terminal-sequences.ts";
import { type AnsiRun, plainStyle, sgrOf, styled } from "./terminal-style.ts";

/** Whether parseAnsiLines would change the text. */
export function hasAnsi(text: string): boolean {
  return anyAnsi.test(text);
}

/**
 * Parses the output of a terminal program into lines of styled runs, in linear time: what a terminal would show at the end.
 *
 * Keeps colors and styles (SGR). Carriage returns, backspaces, erasing and movements of the cursor are followed, up to a hundred
 * lines back. Clearing the screen, and moves to a place that depends on its height, begin a new line instead, so that no text is
 * lost. All other sequences are dropped: window titles, hyperlinks (their label stays). An unterminated sequence loses only
 * its introducer, so that it cannot hide the text after it.
 */
export function parseAnsiLines(text: string): AnsiRun[][] {
  const screen = new Screen(text.length);
  const sequenceAt = sequenceReader(text);
  let style = plainStyle;
  let place = 0;
  while (place < text.length) {
    special.lastIndex = place;
    const next = special.exec(text)?.index ?? text.length;
    if (next > place) screen.write(text.slice(place, next), style);
    place = next + 1;
    switch (text[next]) {
      case undefined:
        break;
      case "\n":
        screen.lineFeed();
        break;
      case "\r":
        if (text[next + 1] !== "\n") screen.moveTo(0);
        break;
      case "\b":
        screen.moveBy(-1);
        break;
      case "\u0007":
        break;
      default: {
        const sequence = sequenceAt(next);
        if (sequence.final === "m") style = styled(style, sequence.parameters);
        else if (sequence.final !== null) screen.control(sequence.final, sequence.parameters);
        else if (sequence.escape !== null) screen.escape(sequence.escape);
        place = sequence.to;
      }
    }
  }
  return screen.end();
}

/**
 * The text that a terminal would show at the end, with its colors as sequences: {@link parseAnsiLines} of it is the same, and no
 * line changes an earlier one. A text without backspaces, lone carriage returns, movements and erasing is returned unchanged.
 */
export function terminalText(text: string): string {
  if (!overwrites.test(text)) return text;
  let style = plainStyle;
  const lines = parseAnsiLines(text).map((runs) =>
    runs
      .map((run) => {
        const change = run.style === style ? "" : `\u001B[${sgrOf(run.style)}m`;
        style = run.style;
        return change + run.text;
      })
      .join(""),
  );
  return lines.join("\n");
}

/** {@link terminalText} without colors and other sequences: the words that its reader sees. */
export function plainTerminalText(text: string): string {
  if (!anyAnsi.test(text)) return text;
  return withoutSequences(terminalText(text)).replaceAll("\u0007", "");
}

const anyAnsi = new RegExp(`[\\u0007\\u0008${sequenceStarts}]|\\r(?!\\n|$)`);
const esc = "\\u001B";
/** What can overwrite or move, and not the sequences that set colors. */
const overwrites = new RegExp(`\\u0008|\\r(?!\\n|$)|(?:${esc}\\[|\\u009B)[0-9;:]*[@-Zdfsu]|${esc}[78M]`);
const special = new RegExp(`[\\n\\r\\u0007\\u0008${sequenceStarts}]`, "g");
