import { lookAlikesIn } from "./look-alikes.ts";

/** Text that can be shown, or a run of one invisible character that must be made visible; `at` is its position in the text. */
export type TextPiece =
  | { kind: "text"; at: number; text: string }
  | { kind: "control"; at: number; label: string; name: string };

/** Maximum number of pieces: beyond it, the rest is shown with its control characters removed and counted. */
const piecesMax = 100;

const names = new Map<number, string>([
  [0x00, "null"],
  [0x07, "bell"],
  [0x08, "backspace"],
  [0x0d, "carriage return"],
  [0x1b, "escape"],
  [0xad, "soft hyphen"],
  [0xfeff, "byte order mark"],
  [0xfffd, "replacement character"],
]);

/** Scripts and signs whose spelling needs the joiners; elsewhere they hide something. */
const joined =
  "\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F\\p{Script=Arabic}\\p{Script=Syriac}\\u0900-\\u0DFF";

const invisible = [
  "[\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F]",
  "\\r(?!\\n)",
  "[\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180E\\u200B\\u200E\\u200F\\u2028-\\u202E\\u2060-\\u206F\\u3164\\uFEFF\\uFFA0\\uFFF9-\\uFFFB]",
  `(?<![${joined}])[\\u200C\\u200D]`,
  `[\\u200C\\u200D](?![${joined}])`,
  // Tag characters spell the flags of England and others after a black flag; anywhere else they smuggle text.
  "(?<!\\u{1F3F4}[\\u{E0020}-\\u{E007F}]{0,6})[\\u{E0000}-\\u{E007F}]",
  "[\\u{E0100}-\\u{E01EF}]",
  // No script puts more marks on one letter; engines take minutes for a hundred thousand, and give up.
  "\\p{M}(?<=\\p{M}{17})",
  // Written into HTML as U+FFFD, which the browser would not find again in the text.
  "\\p{Surrogate}",
  // Undecodable characters come in thousands, each looked up in fonts.
  "\\uFFFD(?<=\\uFFFD{17})",
].join("|");

/** Most texts contain nothing else, which this checks three times as fast. */
const plainAscii = /^[\t\n\u0020-\u007E]*$/;
const anyInvisible = new RegExp(invisible, "u");
const eachInvisible = new RegExp(invisible, "gu");

/** Spaces that programs do not treat as one. In prose they are common, in code a trap. */
const oddSpaces = "[\\u00A0\\u1680\\u2000-\\u200A\\u202F\\u205F\\u3000]";
const eachInCode = new RegExp(`${invisible}|${oddSpaces}`, "gu");
const anyOddSpace = new RegExp(oddSpaces, "u");

/**
 * Whether the text contains a character that is invisible, changes the order of others, or only looks like a Latin letter; in code
 * also a space that is none. Line feeds, tabs and CR LF do not count.
 */
export function hasInvisible(text: string, isCode = false): boolean {
  if (plainAscii.test(text)) return false;
  return anyInvisible.test(text) || (isCode && anyOddSpace.test(text)) || lookAlikesIn(text).length > 0;
}

/** Labels of the characters in a line of code that hide or reorder others; a byte order mark at its beginning does not count. */
export function hiddenIn(line: string): string[] {
  if (plainAscii.test(line)) return [];
  const hidden = Array.from(line.matchAll(eachInvisible), ({ 0: found, index }) =>
    /[\p{Cf}\u115F\u1160\u3164\uFFA0]/u.test(found) && !(found === "\uFEFF" && index === 0)
      ? found.codePointAt(0)
      : undefined,
  );
  return [...new Set(hidden)].flatMap((code) => (code === undefined || code === 0xad ? [] : labelOf(code, 1)));
}

/** The text with each run of one invisible character replaced by `mark` of its label (`U+200B ×12`). */
export function replaceInvisible(text: string, mark: (label: string) => string): string {
  if (!hasInvisible(text)) return text;
  let shown = "";
  let last = 0;
  for (const { at, end, code, count } of invisibleRuns(text)) {
    shown += text.slice(last, at) + mark(labelOf(code, count));
    last = end;
  }
  return shown + text.slice(last);
}

/** The text with the code of each invisible or reordering character, as pages show it: `a⟦U+202E⟧b`. */
export function markInvisible(text: string): string {
  return replaceInvisible(text, (label) => `⟦${label}⟧`);
}

/**
 * The text without characters that are invisible or change the order of others, for texts that are sent to other systems, which
 * may not mark them. Joiners that a script or an emoji needs stay; a separator of lines becomes a line feed.
 */
export function withoutDirectionMarks(text: string): string {
  if (!hasInvisible(text)) return text;
  return text.replace(/\r(?!\n)|[\u0085\u2028\u2029]/g, "\n").replace(eachInvisible, "");
}

/**
 * Splits a text into parts that can be shown and the invisible characters between them, in order. The texts together with the
 * characters named by the labels are the whole input. A run of one repeated character is one piece (`U+200B ×12`).
 */
export function piecesOf(text: string, isCode = false): TextPiece[] {
  const pieces: TextPiece[] = [];
  let shown = 0;
  for (const { at, end, code, count } of invisibleRuns(text, isCode)) {
    if (pieces.length >= piecesMax) break;
    if (at > shown) pieces.push({ kind: "text", at: shown, text: text.slice(shown, at) });
    pieces.push({ kind: "control", at, label: labelOf(code, count), name: nameOf(code) });
    shown = end;
  }
  if (shown === text.length) return pieces;
  const rest = text.slice(shown);
  const left = rest.replace(eachInvisible, "");
  if (left !== "") pieces.push({ kind: "text", at: shown, text: left });
  const label = `${rest.length - left.length} more`;
  if (left !== rest)
    pieces.push({ kind: "control", at: text.length, label, name: "invisible characters left out here" });
  return pieces;
}

type InvisibleRun = { at: number; end: number; code: number; count: number };

/** Runs of one such character each, in order. */
function* invisibleRuns(text: string, isCode = false): Generator<InvisibleRun> {
  let run: InvisibleRun | null = null;
  const found = Array.from(text.matchAll(isCode ? eachInCode : eachInvisible), ({ index }) => index);
  const alike = lookAlikesIn(text);
  for (const at of alike.length === 0 ? found : [...found, ...alike].sort((one, other) => one - other)) {
    const code = text.codePointAt(at) ?? 0;
    const end = at + (code > 0xffff ? 2 : 1);
    if (run !== null && run.code === code && run.end === at) {
      run.count += 1;
      run.end = end;
    } else {
      if (run !== null) yield run;
      run = { at, end, code, count: 1 };
    }
  }
  if (run !== null) yield run;
}

/** Label of an invisible character: `U+202E`, `U+200B ×12`. */
function labelOf(code: number, count: number): string {
  const label = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  return count > 1 ? `${label} ×${count}` : label;
}

function nameOf(code: number): string {
  const character = String.fromCodePoint(code);
  if (/\p{L}/u.test(character)) return "letter of another script that looks like a Latin one";
  if (/\p{Zs}/u.test(character)) return "space that programs do not treat as one";
  if (/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/.test(character)) return "direction mark";
  if (/[\u200B-\u200D\u2060]/.test(character)) return "zero-width character";
  return names.get(code) ?? (code >= 0xd800 && code <= 0xdfff ? "half of a surrogate pair" : "control character");
}
