import { isWord } from "./ordinary-word.ts";
import { charactersMin, objectIn, secretTexts } from "./secret-texts.ts";
import { lineBreaks } from "./unbroken-text.ts";

/** This many characters of a random part are masked even if the rest is missing. */
export const pieceMin = 12;
/** So many of them must not belong to words. */
const randomMin = 4;
/** Fewer different ones are not random. */
const differentMin = 5;
const runMin = 16;
/** With this share of random characters a run is random as a whole. */
const chance = 0.75;

/**
 * A text to look for, without line breaks. `starts`: where a piece of {@link pieceMin} characters begins that is enough, 1 each;
 * null: only the whole form counts.
 */
export type SecretForm = { text: string; starts: Uint8Array | null };

/** A text, with 1 for each character that is part of a secret and of no word. */
type Marked = { text: string; marks: Uint8Array };

/** The forms of secrets by which they are found, most of them encodings. Too short values have none. */
export function secretForms(values: Iterable<string>): SecretForm[] {
  const forms = new Map<string, SecretForm>();
  for (const value of new Set(values)) {
    if (value.length < charactersMin) continue;
    for (const { text, isWhole } of secretTexts(value)) {
      const lines = text.split(lineBreaks);
      // Encodings contain the breaks between lines, in the text itself they are not looked at.
      const runs = lines.flatMap(randomRuns).flatMap((run) => [...encodings(run)]);
      if (lines.length > 1) runs.push(...randomRuns(lines.join("")));
      for (const { text: form, marks } of runs) {
        const starts = startsOf(form, marks);
        if (starts !== null) forms.set(form, { text: form, starts });
      }
      const whole = isWhole
        ? [lines.join(""), ...Array.from(encodings(unmarked(text)), (one) => one.text), ...escapes(text)]
        : [];
      for (const form of whole) {
        const isOneLine = form.search(lineBreaks) === -1;
        if (isOneLine && form.length >= charactersMin && !forms.has(form))
          forms.set(form, { text: form, starts: null });
      }
    }
  }
  return [...forms.values()];
}

const unmarked = (text: string): Marked => ({ text, marks: new Uint8Array(text.length) });

const host = /(?<=^|:\/\/|@|[\s"'])(?:[a-z0-9-]+\.)+[a-z]{2,24}(?![\w.+=-])|(?<=:\/\/(?:[^\s/@]*@)?)[^\s/@:?#]+/g;
const pemLine = /-----(?:BEGIN|END) [A-Z0-9 ]+-----/g;
const run = new RegExp(`[A-Za-z0-9_+/=-]{${runMin},}`, "g");

/** The runs of a text that are random enough to be found by their pieces. Names of JSON fields are not among them. */
function randomRuns(text: string): Marked[] {
  if (objectIn(text) !== null) return [];
  const apart = text.replace(pemLine, " ").replace(host, " ");
  return [...apart.matchAll(run)].flatMap(([found]) => {
    const marks = marksOf(found);
    return isRandom(found) && marks.includes(1) ? [{ text: found, marks }] : [];
  });
}

/** At least three kinds of characters, or letters and digits that alternate as in hexadecimal. */
function isRandom(text: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[_+/=-]/].filter((kind) => kind.test(text)).length;
  return kinds >= 3 || (text.match(/\d[a-z]|[a-z]\d/gi)?.length ?? 0) * 8 >= text.length;
}

function marksOf(text: string): Uint8Array {
  const marks = new Uint8Array(text.length);
  const tokens = [...text.matchAll(/[A-Za-z0-9]+/g)].map(({ index, 0: token }) => ({ from: index, token }));
  const random = tokens.filter(({ token }) => !isWord(token));
  for (const { from, token } of random) marks.fill(1, from, from + token.length);
  // Between random characters, what looks like a word is one by chance, unless there are many.
  const [first, last] = [random[0], random.at(-1)];
  const count = (some: typeof tokens) => some.reduce((sum, { token }) => sum + token.length, 0);
  if (first !== undefined && last !== undefined && count(random) >= count(tokens) * chance) {
    marks.fill(1, first.from, last.from + last.token.length);
  }
  // The parts of a JSON web token, whose names of fields are in every other one.
  const json = text.startsWith("eyJ") ? Buffer.from(text, "base64url").toString("latin1") : "";
  const isHeader = /"alg"\s*:/.test(json);
  for (const {
    index,
    0: { length },
  } of json.matchAll(isHeader ? /.+/gs : /"[^"\\]*"\s*:\s*"?|[{},]+/g)) {
    marks.fill(0, Math.floor((index * 4) / 3), Math.ceil(((index + length) * 4) / 3));
  }
  return marks;
}

/** Where enough characters are no words and they are different enough; null if nowhere. The text is ASCII. */
function startsOf(text: string, marks: Uint8Array): Uint8Array | null {
  const starts = new Uint8Array(text.length);
  const counts = new Uint8Array(128);
  let random = 0;
  let different = 0;
  let any = false;
  for (let end = 0; end < text.length; end += 1) {
    const at = end + 1 - pieceMin;
    const come = text.charCodeAt(end);
    if (counts[come] === 0) different += 1;
    counts[come] = (counts[come] ?? 0) + 1;
    random += (marks[end] ?? 0) - (marks[at - 1] ?? 0);
    if (at > 0) {
      const gone = text.charCodeAt(at - 1);
      counts[gone] = (counts[gone] ?? 0) - 1;
      if (counts[gone] === 0) different -= 1;
    }
    if (at < 0 || random < randomMin || different < differentMin) continue;
    starts[at] = 1;
    any = true;
  }
  return any ? starts : null;
}

/** A text as it is, in lower case (as host names are), percent-encoded, as base64 at each offset and in hexadecimal. */
function* encodings({ text, marks }: Marked): Generator<Marked> {
  yield { text, marks };
  yield { text: text.toLowerCase(), marks };
  const percent = [...text].map((character) => encodeURIComponent(character.isWellFormed() ? character : "?"));
  yield spread(percent, marks);
  const bytes = Buffer.from(text);
  const isAscii = bytes.length === text.length;
  for (const offset of [0, 1, 2]) {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
    // The characters at both ends depend on the neighboring bytes.
    const from = offset === 0 ? 0 : offset + 1;
    const form = whole.slice(from, -4);
    if (form.length < pieceMin) continue;
    const shown = Uint8Array.from(form, (_, at) =>
      isAscii ? (marks[Math.floor(((at + from) * 3) / 4) - offset] ?? 0) : 0,
    );
    yield { text: form, marks: shown };
    yield { text: form.replaceAll("+", "-").replaceAll("/", "_"), marks: shown };
  }
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0"));
  yield spread(hex, marks);
  yield spread(
    hex.map((digits) => digits.toUpperCase()),
    marks,
  );
}

/** Characters that became several each. */
function spread(pieces: string[], marks: Uint8Array): Marked {
  return {
    text: pieces.join(""),
    marks: Uint8Array.from(pieces.flatMap((piece, at) => [...piece].map(() => marks[at] ?? 0))),
  };
}

/** A text as strings of JSON have it, with and without other alphabets, and percent-encoded with small digits. */
function escapes(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const ascii = json.replace(/[^\0-\u007f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const percent = encodeURIComponent(text.toWellFormed()).replace(/%../g, (byte) => byte.toLowerCase());
  return [json, ascii, percent];
}
