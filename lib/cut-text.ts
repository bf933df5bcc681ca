const graphemes = new Intl.Segmenter();

/** A letter with more marks than this, in UTF-16 units, is cut like any text: no script has it. */
const graphemeMax = 200;

/**
 * The text, at most `max` UTF-16 units long, with `mark` at its end if it is cut. It is cut between two characters as people count
 * them, and never within an emoji. The result is well-formed Unicode.
 */
export function cutText(text: string, max: number, mark = ""): string {
  if (text.length <= max) return text.toWellFormed();
  return `${text.slice(0, boundaryOf(text, Math.max(0, max - mark.length))).toWellFormed()}${mark}`;
}

/** The end of a text that is longer than `max` UTF-16 units, as {@link cutText} cuts it, with `mark` before it. */
export function cutStart(text: string, max: number, mark = ""): string {
  if (text.length <= max) return text.toWellFormed();
  const from = text.length - Math.max(0, max - mark.length);
  const at = boundaryOf(text, from);
  const end =
    at === from
      ? from
      : at + (graphemes.segment(text.slice(at, from + graphemeMax)).containing(0)?.segment.length ?? 0);
  return `${mark}${text.slice(end).toWellFormed()}`;
}

/** Where the character at `at` begins: at most {@link graphemeMax} before. */
function boundaryOf(text: string, at: number): number {
  const from = Math.max(0, at - graphemeMax);
  const before = text.slice(from, at + graphemeMax);
  const begin = from + (graphemes.segment(before).containing(at - from)?.index ?? at - from);
  if (begin > from || from === 0) return begin === 0 && at > graphemeMax ? at : begin;
  return /[\uDC00-\uDFFF]/.test(text[at] ?? "") ? at - 1 : at;
}
