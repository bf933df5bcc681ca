/**
 * A control sequence of a terminal: `to` is the position after it. `final` is the last letter of a control sequence (CSI) with
 * plain parameters, which says what it does ("m" sets colors), otherwise null; `parameters` is what precedes it ("1;31"), otherwise empty.
 * `escape` is what follows ESC in other escapes, such as `7` or `(B`, otherwise null.
 */
export type TerminalSequence = {
  from: number;
  to: number;
  final: string | null;
  parameters: string;
  escape: string | null;
};

/** One that does nothing here. */
function dropped(from: number, to: number): TerminalSequence {
  return { from, to, final: null, parameters: "", escape: null };
}

/** Characters that begin a sequence: escape, and the eight-bit controls. */
export const sequenceStarts = "\\u001B\\u0090\\u0098\\u009B\\u009D-\\u009F";

/** An escape spelled out as in source code and JSON, but only before a bracket, where it can mean nothing else. */
export const writtenEscape = "\\\\{1,8}(?:u001[bB]|x1[bB]|033|e)(?=\\[)";

const anyStart = new RegExp(`[${sequenceStarts}]`, "g");
const anyStartOrWritten = new RegExp(`[${sequenceStarts}]|${writtenEscape}`, "g");

/**
 * Control sequences of a text, in order (ECMA-48: CSI, OSC and the other strings, and single-letter escapes). `written` also
 * finds colors with a spelled-out escape: `\u001b[31m`, `\x1b[31m`, `\033[31m`, `\e[31m`.
 */
export function* terminalSequences(text: string, { written = false } = {}): Generator<TerminalSequence> {
  const start = new RegExp(written ? anyStartOrWritten : anyStart);
  const sequenceAt = sequenceReader(text);
  for (let found = start.exec(text); found !== null; found = start.exec(text)) {
    const sequence =
      found[0].length > 1
        ? controlSequenceAt(text, found.index, found.index + found[0].length + 1)
        : sequenceAt(found.index);
    yield sequence;
    start.lastIndex = Math.max(sequence.to, found.index + 1);
  }
}

/** The text without its control sequences. Other control characters stay: bells, backspaces, carriage returns. */
export function withoutSequences(text: string, options = { written: false }): string {
  let shown = "";
  let last = 0;
  for (const { from, to } of terminalSequences(text, options)) {
    shown += text.slice(last, from);
    last = to;
  }
  return last === 0 ? text : shown + text.slice(last);
}

const controlSequence = /[0-?]{0,256}[ -/]{0,8}[@-~]/y;
const escapeSequence = /[ -/]{0,8}[0-~]/y;
const stringEnd = new RegExp(`[\\n${["\\u0007", "\\u0018", "\\u001A", "\\u001B", "\\u009C"].join("")}]`, "g");

/**
 * Reads the sequences that begin at given positions of a text, asked for in order. An unterminated one is only its introducer, so
 * that it cannot hide the text after it.
 */
export function sequenceReader(text: string): (from: number) => TerminalSequence {
  /** No command string that begins before this position has an end: none is searched again for each on the same line. */
  let endlessBefore = 0;

  return function sequenceAt(from) {
    const isEscape = text[from] === "\u001B";
    const kind = isEscape ? (text[from + 1] ?? "") : String.fromCharCode(text.charCodeAt(from) - 0x40);
    const body = from + (isEscape ? 2 : 1);
    if (kind === "[") return controlSequenceAt(text, from, body);
    if (kind !== "" && "]PX^_".includes(kind)) return dropped(from, endOfString(body));
    // Other escapes have intermediate bytes and one final byte, ESC ( B for example.
    escapeSequence.lastIndex = from + 1;
    const found = isEscape ? escapeSequence.exec(text)?.[0] : undefined;
    return { ...dropped(from, from + 1 + (found?.length ?? 0)), escape: found ?? null };
  };

  /** End of a command string (title, hyperlink); if it has none on its line, only its introducer is dropped. */
  function endOfString(body: number): number {
    if (body < endlessBefore) return body;
    stringEnd.lastIndex = body;
    const end = stringEnd.exec(text)?.index ?? text.length;
    if (end === text.length || text[end] === "\n") {
      endlessBefore = end;
      return body;
    }
    if (text[end] !== "\u001B") return end + 1;
    return text[end + 1] === "\\" ? end + 2 : end;
  }
}

function controlSequenceAt(text: string, from: number, body: number): TerminalSequence {
  controlSequence.lastIndex = body;
  const found = controlSequence.exec(text)?.[0];
  if (found === undefined) return dropped(from, body);
  const parameters = found.slice(0, -1);
  const final = /^[0-9;:]*$/.test(parameters) ? found.slice(-1) : null;
  return { from, to: body + found.length, final, parameters, escape: null };
}
