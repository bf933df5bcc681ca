import { ExactNumber } from "#lib/contract/exact-json.ts";
import { once } from "#lib/once.ts";
import { exitCodeOf } from "./exit-code.ts";
import { isDrawn, isLabel } from "./field-names.ts";
import { foldCase } from "./fold-case.ts";
import { withLinkLists } from "./link-list.ts";
import { isMedia, isMediaType, mediaWords, withoutDataUrls } from "./media-text.ts";
import { showsTerminal } from "./shows-terminal.ts";
import { hasAnsi, plainTerminalText } from "./terminal-text.ts";

/** Fields of an entry with readable text, in the order they are searched and shown. */
export const textFields = ["thought", "tool_name", "tool_input", "tool_output", "observation"] as const;

/** An entry's text fields; each may hold any JSON. */
export type TextHolder = { readonly [field in (typeof textFields)[number]]?: unknown };

/** Called with each text; one that returns false ends the visit. `pathOf` returns its path, as in `clipped`: `tool_output.output`. */
export type TextVisitor = (text: string, pathOf: () => string) => boolean;

/**
 * Visits every value of an entry in order: all strings at any depth as they are stored, and all numbers as the entry's JSON has them,
 * each separately; keys, booleans and nulls are skipped.
 */
export function visitValues(entry: TextHolder, visit: TextVisitor): void {
  const ofValue: FieldVisitor["value"] = (value, _, pathOf) =>
    typeof value === "boolean" || value === null ? true : visit(String(value), pathOf);
  for (const field of textFields) if (!visitField(entry, field, { value: ofValue, name: null })) return;
}

/**
 * Visits the texts of an entry as its reader sees them, in order: what the page highlights, find and search find, and exports
 * contain.
 *
 * - every string, at any depth: of what a terminal printed, what it shows at the end, without colors; of media, type and size
 * - every number, as the entry's JSON has it
 * - names of fields, unless they are labels of the cards ({@link isLabel}); true, false and null, unless their name is one;
 *   not the few values that the cards show as an icon ({@link isDrawn})
 * - `exit N` of a call that ended with a code above 0
 */
export function visitTexts(entry: TextHolder, visit: TextVisitor): void {
  const isShownByTerminal = once(() => showsTerminal(entry));
  const shownText = (text: string, field: string, parent: object) => {
    if (isMedia(text, parent)) return mediaWords(text, parent);
    if (isMediaType(text) && Object.values(parent).some((other) => typeof other === "string" && isMedia(other, parent)))
      return "";
    const shown = withLinkLists(withoutDataUrls(text));
    const isTerminal = field === "observation" ? isErrorEntry(entry) : field === "tool_output";
    return isTerminal && hasAnsi(shown) && isShownByTerminal() ? plainTerminalText(shown) : shown;
  };
  for (const field of textFields) {
    const isOn = visitField(entry, field, {
      value: (value, parent, pathOf) =>
        visit(typeof value === "string" ? shownText(value, field, parent) : String(value), pathOf),
      name: visit,
    });
    if (!isOn) return;
    if (field !== "tool_output") continue;
    const exitCode = exitCodeOf(entry.tool_output);
    if (exitCode !== null && exitCode > 0 && !visit(`exit ${exitCode}`, () => "tool_output")) return;
  }
}

/** Whether the entry is an ERROR, whose observation is read as a terminal's output. */
export function isErrorEntry(entry: TextHolder & { message_type?: unknown }): boolean {
  return entry.message_type === "ERROR";
}

type Frame = { container: object; names: string[] | null; values: unknown[]; at: number };

/** A value, with the object or array that it is in; and the name of a field, null if names are not visited. */
type FieldVisitor = {
  value: (value: string | number | ExactNumber | boolean | null, parent: object, pathOf: () => string) => boolean;
  name: TextVisitor | null;
};

/** False if a visitor has returned false. */
function visitField(entry: TextHolder, field: (typeof textFields)[number], visit: FieldVisitor): boolean {
  // An explicit stack: a tool's result may be nested deeper than the call stack allows.
  const frames: Frame[] = [{ container: entry, names: null, values: [entry[field]], at: 0 }];
  const pathOf = () => [field, ...frames.slice(1).map(({ container, at }) => Object.keys(container)[at - 1])].join(".");
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    if (frame.at === frame.values.length) {
      frames.pop();
      continue;
    }
    const value = frame.values[frame.at];
    const name = frame.names?.[frame.at] ?? null;
    frame.at += 1;
    if (name !== null && visit.name !== null && !isLabel(name) && visit.name(name, pathOf) === false) return false;
    if (name !== null && isDrawn(name, value)) continue;
    if (typeof value === "string" || typeof value === "number" || value instanceof ExactNumber) {
      if (visit.value(value, frame.container, pathOf) === false) return false;
    } else if (typeof value === "object" && value !== null) {
      const names = visit.name === null || Array.isArray(value) ? null : Object.keys(value);
      frames.push({ container: value, names, values: Array.isArray(value) ? value : Object.values(value), at: 0 });
    } else if ((value === null || typeof value === "boolean") && frames.length > 1) {
      if (visit.value(value, frame.container, pathOf) === false) return false;
    }
  }
  return true;
}

/** A text with the part that matched: `length` UTF-16 units from `start`. */
export type Matched = { path: string; text: string; start: number; length: number };

/** First place in an entry whose text contains `needle` ({@link foldCase}), or null. */
export function firstMatch(entry: TextHolder, needle: string): Matched | null {
  let found: Matched | null = null;
  visitTexts(entry, (text, pathOf) => {
    const start = foldCase(text).indexOf(needle);
    if (start === -1) return true;
    found = { path: pathOf(), text, start, length: needle.length };
    return false;
  });
  return found;
}

/** Number of occurrences of `needle` ({@link foldCase}) in the texts of an entry, counted from left to right without overlap. */
export function countMatches(entry: TextHolder, needle: string): number {
  let count = 0;
  visitTexts(entry, (text) => {
    const lower = foldCase(text);
    for (let at = lower.indexOf(needle); at !== -1; at = lower.indexOf(needle, at + needle.length)) count += 1;
    return true;
  });
  return count;
}

const snippetCharacters = 200;
const charactersBefore = 60;

/** A longer word is cut if a snippet begins or ends in it. */
const wordCharactersMax = 24;

/** First word that begins at or after `from`, before `limit`; `from` itself in the middle of a long word. */
function wordBeginAfter(text: string, from: number, limit: number): number {
  for (let at = from; at <= Math.min(from + wordCharactersMax, limit); at += 1) {
    if (isSpace(text, at - 1) && !isSpace(text, at)) return at;
  }
  return from;
}

/** Last word that ends at or before `to`, after `limit`; `to` itself in the middle of a long word. */
function wordEndBefore(text: string, to: number, limit: number): number {
  for (let at = to; at >= Math.max(to - wordCharactersMax, limit); at -= 1) {
    if (isSpace(text, at) && !isSpace(text, at - 1)) return at;
  }
  return to;
}

function isSpace(text: string, at: number): boolean {
  return text[at]?.trim() === "";
}

/**
 * At most 200 UTF-16 units around a match, in whole words unless they are long, never half a character; `start` and `length`
 * locate the match in it.
 */
export function snippetOf({ text, start, length }: Matched): { snippet: string; start: number; length: number } {
  const before = Math.min(charactersBefore, Math.max(snippetCharacters - length, 0));
  let from = Math.max(Math.min(start - before, text.length - snippetCharacters), 0);
  if (from > start) from = start;
  let to = Math.min(from + snippetCharacters, text.length);
  if (from > 0) from = wordBeginAfter(text, from, start);
  if (to < text.length) to = wordEndBefore(text, to, start + length);
  if (isSecondHalf(text, from)) from += 1;
  if (isSecondHalf(text, to)) to -= 1;
  return { snippet: text.slice(from, to), start: start - from, length: Math.min(length, to - start) };
}

function isSecondHalf(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  const earlier = text.charCodeAt(at - 1);
  return unit >= 0xdc00 && unit <= 0xdfff && earlier >= 0xd800 && earlier <= 0xdbff;
}
