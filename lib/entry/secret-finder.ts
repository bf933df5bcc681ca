import { ByteRuns, findDumped } from "./hex-dumps.ts";
import { type Find, findUnbroken, findUncolored, type Span } from "./unbroken-text.ts";

/** A text to look for: any part of it that has at least `least` characters. */
export type SecretForm = { text: string; least: number };

/** Length of the pieces by which a form is recognized. */
const gramLength = 6;
/** A gram that occurs more often is not random; other places of its form are found by others. */
const sameGramsMax = 32;
const leastMax = 12;
/** Fewer characters do not show that a secret has begun; more are masked, like any part of it. */
const beginningMin = 4;
const beginningMax = 256;

/**
 * Finds forms of secrets in a text, at a cost that hardly depends on their number: only every few characters a gram is looked up
 * among all that occur in the forms, close enough that none of the parts to be found is passed over.
 */
export class SecretFinder {
  readonly forms: readonly SecretForm[];
  readonly #step: number;
  readonly #mayBegin = new Uint8Array(hashes);
  readonly #runs: ByteRuns;
  readonly #grams = new Map<string, { form: SecretForm; place: number }[]>();

  constructor(forms: readonly SecretForm[]) {
    this.forms = forms;
    this.#runs = new ByteRuns(forms.map(({ text }) => text));
    this.#step = Math.min(leastMax, ...forms.map(({ least }) => least)) - gramLength + 1;
    for (const form of forms) {
      // Of a form that counts only as a whole, the middle is the most random.
      const first = Math.max(0, Math.floor((form.least - leastMax) / 2));
      const count = form.text.length - form.least + this.#step;
      for (let place = first; place < first + count; place += 1) this.#add(form, place);
    }
  }

  #add(form: SecretForm, place: number): void {
    const gram = form.text.slice(place, place + gramLength);
    const places = this.#grams.get(gram) ?? [];
    if (places.length >= sameGramsMax && !isWhole(form)) return;
    this.#grams.set(gram, places);
    this.#mayBegin[hashAt(form.text, place)] = 1;
    places.push({ form, place });
  }

  /**
   * Ranges of forms, or of parts of them that are long enough, also if line breaks or colors interrupt them, and in hex dumps. They
   * may overlap.
   */
  find(text: string): Span[] {
    return this.forms.length === 0 ? [] : this.#findJoined(text, (joined) => this.#find(joined));
  }

  #find(text: string): Span[] {
    const spans: Span[] = [];
    /** By form, the position up to which it was found. */
    const ends = new Map<SecretForm, number>();
    for (let at = 0; at + gramLength <= text.length; at += this.#step) {
      if (this.#mayBegin[hashAt(text, at)] === 0) continue;
      for (const { form, place } of this.#grams.get(text.slice(at, at + gramLength)) ?? []) {
        // Comparing again where a form repeats itself would take time in proportion to its length, for each gram.
        if (at + gramLength <= (ends.get(form) ?? 0)) continue;
        if (isWhole(form)) {
          // So far that the next gram which is looked at may belong to another occurrence.
          const { length } = form.text;
          for (const span of occurrences(text, form.text, Math.max(0, at - length), at + 2 * length)) spans.push(span);
          ends.set(form, at + length);
          continue;
        }
        const span = commonAround(text, at, form.text, place);
        if (span[1] - span[0] < form.least) continue;
        spans.push(span);
        ends.set(form, span[1]);
      }
    }
    return spans;
  }

  /** The end of a text that is about to grow, without the beginning of a form that it cuts off. */
  endOf(text: string): number {
    const from = Math.max(0, text.length - beginningMax);
    const begun = this.#findJoined(text.slice(from), (joined) =>
      this.forms.flatMap(({ text: form }): Span[] => {
        const head = form.slice(0, beginningMin);
        let at = joined.indexOf(head);
        while (at !== -1 && !form.startsWith(joined.slice(at))) at = joined.indexOf(head, at + 1);
        return at === -1 || form.length === joined.length - at ? [] : [[at, joined.length]];
      }),
    );
    return Math.min(text.length, ...begun.map(([start]) => from + start));
  }

  #findJoined(text: string, find: Find): Span[] {
    return [...findUnbroken(text, find), ...findUncolored(text, (plain) => findDumped(plain, this.#runs, find))];
  }
}

const hashes = 2 ** 16;

/** Of the gram at a position; any number from 0 to {@link hashes}. */
function hashAt(text: string, at: number): number {
  let hash = 0;
  for (let place = at; place < at + gramLength; place += 1) hash = Math.imul(hash, 31) + text.charCodeAt(place);
  return (hash ^ (hash >>> 15)) & (hashes - 1);
}

function isWhole({ text, least }: SecretForm): boolean {
  return text.length === least;
}

/** What is the same in both texts around a position of each. */
function commonAround(text: string, at: number, form: string, place: number): Span {
  let from = 0;
  while (from < place && from < at && text.charCodeAt(at - from - 1) === form.charCodeAt(place - from - 1)) from += 1;
  let to = 0;
  while (place + to < form.length && text.charCodeAt(at + to) === form.charCodeAt(place + to)) to += 1;
  return [at - from, at + to];
}

/** Where a form is in part of a text, in linear time even if it repeats itself (Knuth, Morris and Pratt). What overlaps is one range. */
function occurrences(text: string, form: string, from: number, end: number): Span[] {
  /** By length of a beginning of the form, less one: its longest end that is a beginning too. */
  const borders = new Int32Array(form.length);
  const grown = (length: number, unit: number) => {
    while (length > 0 && form.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0;
    return form.charCodeAt(length) === unit ? length + 1 : 0;
  };
  for (let at = 1; at < form.length; at += 1) borders[at] = grown(borders[at - 1] ?? 0, form.charCodeAt(at));
  const spans: [number, number][] = [];
  for (let at = from, length = 0; at < Math.min(text.length, end); at += 1) {
    length = grown(length, text.charCodeAt(at));
    if (length < form.length) continue;
    const last = spans.at(-1);
    if (last !== undefined && at + 1 - length < last[1]) last[1] = at + 1;
    else spans.push([at + 1 - length, at + 1]);
    length = borders[length - 1] ?? 0;
  }
  return spans;
}
