import { pieceMin, type SecretForm } from "./secret-forms.ts";
import type { Span } from "./unbroken-text.ts";

const none = new Uint16Array();
/** Length of the pieces by which a form is recognized. */
const gramLength = 6;
/** A gram that occurs more often is not random; other places of its form are found by others. */
const sameGramsMax = 32;
/** Fewer characters do not show that a secret has begun. */
const beginningMin = 4;

/**
 * Finds forms of secrets in a text, at a cost that hardly depends on their number: only every few characters a gram is looked up in
 * a table of all that occur in the forms, close enough that none of the pieces to be found is passed over.
 */
export class SecretFinder {
  readonly forms: readonly SecretForm[];
  /** No text with fewer characters contains one. */
  readonly least: number;
  readonly #units: readonly Uint16Array[];
  readonly #step: number;
  readonly #heads: Int32Array;
  /** By number of the gram, from 1: the next one with the same hash (0: none), its form and its place there. */
  readonly #next: number[] = [0];
  readonly #formOf: number[] = [0];
  readonly #placeOf: number[] = [0];
  /** By form, for each place the next at which a piece begins that is enough. */
  readonly #nextStart: (Int32Array | null)[];
  /** By form that counts only as a whole and repeats itself: its {@link borders}. */
  readonly #borders: (Int32Array | null)[];
  readonly #beginnings = new Map<string, string[]>();

  constructor(forms: readonly SecretForm[]) {
    this.forms = forms;
    this.#units = forms.map(({ text }) => Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)));
    this.least = Math.min(...forms.map(({ text, starts }) => (starts === null ? text.length : pieceMin)), pieceMin);
    this.#step = this.least - gramLength + 1;
    const characters = forms.reduce((sum, { text, starts }) => sum + (starts === null ? this.#step : text.length), 0);
    this.#heads = new Int32Array(2 ** Math.ceil(Math.log2(Math.max(1024, characters * 8))));
    this.#nextStart = forms.map(({ starts }) => (starts === null ? null : nextStarts(starts)));
    this.#borders = this.#units.map((whole, form) => {
      const found = this.#nextStart[form] === null ? borders(whole) : null;
      return found?.some((length) => length >= gramLength) === true ? found : null;
    });
    for (const [form, { text }] of forms.entries()) this.#add(form, text);
  }

  get isEmpty(): boolean {
    return this.forms.length === 0;
  }

  /** Ranges of forms, or of pieces of them that are long enough. They may overlap. */
  find(units: Uint16Array): Span[] {
    const spans: Span[] = [];
    if (this.isEmpty) return spans;
    const found = new Map<number, number>();
    const heads = this.#heads;
    const mask = heads.length - 1;
    const step = this.#step;
    const end = units.length - gramLength;
    for (let at = 0; at <= end; at += step) {
      const gram = heads[hashAt(units, at) & mask] ?? 0;
      if (gram !== 0) this.#look({ units, at, found, spans }, gram);
    }
    return spans;
  }

  /** The beginning of a form that the end of a text cuts off; at most one range. */
  findBeginning(units: Uint16Array): Span[] {
    const text = String.fromCharCode(...units);
    for (let at = 0; at <= text.length - beginningMin; at += 1) {
      const forms = this.#beginnings.get(text.slice(at, at + beginningMin)) ?? [];
      if (forms.some((form) => form.length > text.length - at && form.startsWith(text.slice(at)))) {
        return [[at, text.length]];
      }
    }
    return [];
  }

  #add(form: number, text: string): void {
    const units = this.#units[form] ?? none;
    const key = text.slice(0, beginningMin);
    this.#beginnings.set(key, [...(this.#beginnings.get(key) ?? []), text]);
    const nextStart = this.#nextStart[form] ?? null;
    const last = nextStart === null ? Math.min(this.#step, text.length - gramLength + 1) : text.length - gramLength + 1;
    for (let place = 0; place < last; place += 1) {
      const earliest = Math.max(0, place + gramLength - pieceMin);
      if (nextStart !== null && (nextStart[earliest] ?? 0) > place) continue;
      const head = hashAt(units, place) & (this.#heads.length - 1);
      const before = this.#heads[head] ?? 0;
      let count = 0;
      for (let gram = before; gram !== 0; gram = this.#next[gram] ?? 0) count += 1;
      if (count >= sameGramsMax) continue;
      this.#heads[head] = this.#next.length;
      this.#next.push(before);
      this.#formOf.push(form);
      this.#placeOf.push(place);
    }
  }

  #look({ units, at, found, spans }: Place, first: number): void {
    for (let gram = first; gram !== 0; gram = this.#next[gram] ?? 0) {
      const form = this.#formOf[gram] ?? 0;
      const place = this.#placeOf[gram] ?? 0;
      // A gram of what was found: comparing again where a form repeats itself would take time in proportion to its length, for each.
      if (at + gramLength <= (found.get(form) ?? 0)) continue;
      const repeating = this.#borders[form] ?? null;
      if (repeating !== null) {
        const from = Math.max(0, at - this.#step + 1);
        for (const range of occurrences(units, from, this.#units[form] ?? none, repeating)) spans.push(range);
        found.set(form, Number.POSITIVE_INFINITY);
        continue;
      }
      const range = this.#rangeAround(units, at, form, place);
      if (range === null) continue;
      spans.push(range);
      found.set(form, Math.max(range[1], found.get(form) ?? 0));
    }
  }

  /** What of a form stands around a gram of it; null if it is too little. */
  #rangeAround(units: Uint16Array, at: number, form: number, place: number): Span | null {
    const whole = this.#units[form] ?? none;
    const nextStart = this.#nextStart[form] ?? null;
    let before = 0;
    while (before < place && at > before && units[at - before - 1] === whole[place - before - 1]) before += 1;
    if (nextStart === null && before < place) return null;
    let after = 0;
    while (place + after < whole.length && units[at + after] === whole[place + after]) after += 1;
    const isEnough =
      nextStart === null
        ? place + after === whole.length
        : (nextStart[place - before] ?? 0) <= place + after - pieceMin;
    return isEnough ? [at - before, at + after] : null;
  }
}

/** `found`: by form, the end of what was found of it. */
type Place = { units: Uint16Array; at: number; found: Map<number, number>; spans: Span[] };

/** For each beginning of a text, the length of its longest part that is both its beginning and its end. */
function borders(whole: Uint16Array): Int32Array {
  const lengths = new Int32Array(whole.length);
  for (let at = 1, length = 0; at < whole.length; at += 1) {
    while (length > 0 && whole[at] !== whole[length]) length = lengths[length - 1] ?? 0;
    if (whole[at] === whole[length]) length += 1;
    lengths[at] = length;
  }
  return lengths;
}

/** Where a text occurs, found by its {@link borders} (Knuth, Morris and Pratt); what overlaps is one range. */
function occurrences(units: Uint16Array, from: number, whole: Uint16Array, lengths: Int32Array): Span[] {
  const spans: [number, number][] = [];
  for (let at = from, length = 0; at < units.length; at += 1) {
    while (length > 0 && units[at] !== whole[length]) length = lengths[length - 1] ?? 0;
    if (units[at] === whole[length]) length += 1;
    if (length < whole.length) continue;
    const last = spans.at(-1);
    if (last !== undefined && at + 1 - length < last[1]) last[1] = at + 1;
    else spans.push([at + 1 - length, at + 1]);
    length = lengths[length - 1] ?? 0;
  }
  return spans;
}

/** 32-bit hash of the gram at a position. */
function hashAt(units: Uint16Array, at: number): number {
  const one = (units[at] ?? 0) | ((units[at + 1] ?? 0) << 8) | ((units[at + 2] ?? 0) << 16);
  const two = (units[at + 3] ?? 0) | ((units[at + 4] ?? 0) << 8) | ((units[at + 5] ?? 0) << 16);
  const hash = Math.imul(one, 0x9e3779b1) ^ Math.imul(two, 0x85ebca6b);
  return hash ^ (hash >>> 15);
}

function nextStarts(starts: Uint8Array): Int32Array {
  const next = new Int32Array(starts.length + 1).fill(starts.length);
  for (let at = starts.length - 1; at >= 0; at -= 1) next[at] = starts[at] === 1 ? at : (next[at + 1] ?? 0);
  return next;
}
