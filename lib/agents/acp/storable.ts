import { ExactNumber } from "#lib/contract/exact-json.ts";
import { cutMiddle } from "./bounded-text.ts";

/** The longest string kept in an entry, in UTF-16 units (10 Mi). Longer ones lose their middle. */
export const keptCharactersMax = 10 * 1024 * 1024;

const depthMax = 48;
const nodesMax = 50_000;

/** `text` as every store can hold it: well-formed Unicode, NUL shown as ␀ (U+2400). */
export function storableText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  return whole.includes("\u0000") ? whole.replaceAll("\u0000", "\u2400") : whole;
}

/** Numbers of characters of a value that were kept and dropped. */
export type Truncated = { kept: number; dropped: number };

/**
 * A copy of untrusted JSON that can be stored: at most 48 levels deep, 50,000 values wide and about `charactersMax` characters long.
 * Its keys and values may have half of them, first those of an object or list that are not objects or lists themselves. Strings, as
 * by {@link storableText}, have what is left: the longest are cut, so that a short one is whole wherever it stands. A marker replaces
 * omitted parts and counts them.
 */
export function storableJson(
  value: unknown,
  charactersMax: number = keptCharactersMax,
): { value: unknown; truncated: Truncated | null } {
  const half = Math.ceil(charactersMax / 2);
  const room = () => ({ nodes: nodesMax, characters: half });
  const lengths: number[] = [];
  const measured = room();
  copyValue(value, 0, measured, (text) => {
    lengths.push(text.length);
    return "";
  });
  // A few keys take nothing from a text that has just the bound.
  const taken = Math.max(0, half - Math.max(0, measured.characters) - half / 32);
  const textMax = longestKept(lengths, charactersMax - Math.ceil(taken));
  const truncated = { kept: 0, dropped: 0 };
  const copy = copyValue(value, 0, room(), (text) => {
    const cut = cutMiddle(text, textMax);
    truncated.kept += text.length - cut.dropped;
    truncated.dropped += cut.dropped;
    return storableText(cut.text);
  });
  return { value: copy, truncated: truncated.dropped > 0 ? truncated : null };
}

/** How many more values, and characters of keys and values without the texts, a copy may have. */
type Room = { nodes: number; characters: number };

const isFull = ({ nodes, characters }: Room) => nodes <= 0 || characters <= 0;
/** About what a number or the punctuation around a text takes. */
const valueCharacters = 8;
const keyMax = 1000;

/** The length to which strings of these lengths are cut so that they have at most `charactersMax` in all. */
function longestKept(lengths: number[], charactersMax: number): number {
  let left = charactersMax;
  for (const [index, length] of lengths.sort((one, other) => one - other).entries()) {
    const share = Math.floor(left / (lengths.length - index));
    if (length > share) return share;
    left -= length;
  }
  return charactersMax;
}

function copyValue(value: unknown, depth: number, room: Room, copyText: (text: string) => string): unknown {
  room.nodes -= 1;
  room.characters -= valueCharacters;
  if (typeof value === "string") return copyText(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "boolean" || value === null) return value;
  if (typeof value !== "object") return null;
  if (value instanceof ExactNumber) return storableNumber(value, room);
  if (depth >= depthMax) return "[left out: nested too deeply]";
  const entries = Object.entries(value);
  if (isFull(room) && entries.length > 0) return `[${entries.length} values were left out]`;
  const copied: [string, unknown][] = [];
  let more: string | null = null;
  for (const [key, item] of entries) {
    if (isFull(room)) {
      more = `[${entries.length - copied.length} more ${Array.isArray(value) ? "values" : "fields"} were left out]`;
      break;
    }
    const shown = storableText(key.slice(0, keyMax));
    if (!Array.isArray(value)) room.characters -= shown.length;
    copied.push([shown, isNested(item) ? item : copyValue(item, depth + 1, room, copyText)]);
  }
  for (const pair of copied) if (isNested(pair[1])) pair[1] = copyValue(pair[1], depth + 1, room, copyText);
  if (more !== null) copied.push(["…", more]);
  return Array.isArray(value) ? copied.map(([, item]) => item) : Object.fromEntries(copied);
}

const isNested = (value: unknown) => typeof value === "object" && value !== null && !(value instanceof ExactNumber);

const digitsMax = 1000;

function storableNumber(number: ExactNumber, room: Room): ExactNumber | string {
  const { length } = String(number);
  room.characters -= Math.min(length, digitsMax);
  return length > digitsMax ? `[a number of ${length} characters was left out]` : number;
}
