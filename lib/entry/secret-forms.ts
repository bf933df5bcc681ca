import { dates, isOrdinary, isWord } from "./ordinary-word.ts";
import type { SecretForm } from "./secret-finder.ts";
import { charactersMin, objectIn, secretTexts } from "./secret-texts.ts";
import { lineBreaks } from "./unbroken-text.ts";

/** This many characters of a random part are masked even if the rest is missing. */
const pieceMin = 12;
/** So many of them must not belong to words. */
const randomMin = 4;
/** With this share of random characters a run is random as a whole. */
const chance = 0.6;

/**
 * The forms of secrets by which they are found, without line breaks, most of them encodings. Too short values have none.
 */
export function secretForms(values: Iterable<string>): SecretForm[] {
  const forms = new Map<string, number>();
  for (const value of new Set(values)) {
    if (value.length < charactersMin) continue;
    for (const { text, isWhole, bytes } of secretTexts(value)) {
      if (bytes !== undefined) {
        const isRandom = randomParts(bytes.toString("hex")).length > 0;
        for (const form of otherEncodings(text, bytes)) {
          for (const part of form.includes(" ") && isRandom ? [form] : randomParts(form)) forms.set(part, pieceMin);
          if (!forms.has(form)) forms.set(form, form.length);
        }
        continue;
      }
      // Encodings contain the breaks between lines, in the text itself they are not looked at.
      for (const part of [...text.split(lineBreaks), text.replace(lineBreaks, "")].flatMap(randomParts)) {
        for (const form of encodings(part)) if (form.length >= pieceMin) forms.set(form, pieceMin);
      }
      const whole = isWhole
        ? [...encodings(text), ...escapes(text), ...wrapped(text)].map((form) => form.replace(lineBreaks, ""))
        : [];
      // Also its bytes, one character each.
      for (const form of whole.flatMap((one) => [one, Buffer.from(one).toString("latin1")])) {
        if (form.length >= charactersMin && !forms.has(form)) forms.set(form, form.length);
      }
    }
  }
  return Array.from(forms, ([text, least]) => ({ text, least }));
}

const host = /(?<=^|:\/\/|@|[\s"'])(?:[a-z0-9-]+\.)+[a-z]{2,24}(?![\w.+=-])|(?<=:\/\/(?:[^\s/@]*@)?)[^\s/@:?#]+/g;
const pemLine = /-----(?:BEGIN|END) [A-Z0-9 ]+-----/g;
const repetition = /(.)\1{7,}/g;
const run = /[A-Za-z0-9_+/=-]{16,}/g;

/** The parts of a text of which any {@link pieceMin} characters are random enough. Names of JSON fields are not among them. */
function randomParts(text: string): string[] {
  if (objectIn(text) !== null) return [];
  const apart = text.replace(pemLine, " ").replace(host, " ").replace(repetition, " ");
  return [...apart.matchAll(run)].flatMap(([found]) => (isRandom(found) ? partsOf(found) : []));
}

/** At least three kinds of characters, or letters and digits that alternate as in hexadecimal. */
function isRandom(text: string): boolean {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[_+/=-]/].filter((kind) => kind.test(text)).length;
  return kinds >= 3 || (text.match(/\d[a-z]|[a-z]\d/gi)?.length ?? 0) * 8 >= text.length;
}

/** The parts of a run in which any {@link pieceMin} characters have enough that belong to no word. */
function partsOf(text: string): string[] {
  const marks = marksOf(text);
  const parts: string[] = [];
  let random = 0;
  let from = -1;
  for (let end = 1; end <= text.length + 1; end += 1) {
    random += (marks[end - 1] ?? 0) - (marks[end - 1 - pieceMin] ?? 0);
    const isEnough = end >= pieceMin && end <= text.length && random >= randomMin;
    if (isEnough && from === -1) from = end - pieceMin;
    if (isEnough || from === -1) continue;
    parts.push(text.slice(from, end - 1));
    from = -1;
  }
  return parts;
}

/** As in `sk-proj-…` and `/services/…`. */
const leadingName = /^\/?(?:[a-z]+\d*[-_/])*/;

/** 1 for each character of a run that belongs to no word. */
function marksOf(text: string): Uint8Array {
  const marks = new Uint8Array(text.length);
  const apart = text.replace(dates, (date) => "-".repeat(date.length));
  const tokens = Array.from(apart.matchAll(/[A-Za-z0-9]+/g), ({ index, 0: token }) => ({ from: index, token }));
  const random = tokens.filter(({ token }) => !isWord(token));
  for (const { from, token } of random) marks.fill(1, from, from + token.length);
  // Between random characters, what looks like a word is one by chance, unless there are many; but not a name before them.
  const count = (some: typeof tokens) => some.reduce((sum, { token }) => sum + token.length, 0);
  if (random.length > 0 && count(random) >= count(tokens) * chance) {
    marks.fill(1, Math.min(random[0]?.from ?? 0, leadingName.exec(text)?.[0].length ?? 0));
  }
  for (const { index, 0: date } of text.matchAll(dates)) marks.fill(0, index, index + date.length);
  // The parts of a JSON web token, whose names of fields are in every other one.
  const json = text.startsWith("eyJ") ? Buffer.from(text, "base64url").toString("latin1") : "";
  const known = /"alg"\s*:/.test(json) ? /.+/gs : /"[^"\\]*"\s*:\s*"?|[{},]+/g;
  for (const { index, 0: part } of json.matchAll(known)) {
    marks.fill(0, Math.floor((index * 4) / 3), Math.ceil(((index + part.length) * 4) / 3));
  }
  return marks;
}

/** A text as it is, in lower case (as host names are), hexadecimal digits also in capitals, percent-encoded, and its bytes. */
function encodings(text: string): string[] {
  const capitals = /^[0-9a-f-]+$/.test(text) ? [text.toUpperCase()] : [];
  return [
    ...[text, text.toLowerCase(), ...capitals, encodeURIComponent(text.toWellFormed())],
    ...ofBytes(Buffer.from(text)),
  ];
}

/** Bytes as base64 at each offset and in hexadecimal, also in groups of one byte (hexdump) or two (xxd). */
function ofBytes(bytes: Buffer): string[] {
  const hex = bytes.toString("hex");
  // The characters at both ends depend on the neighboring bytes.
  const base64 = [0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), bytes])
      .toString("base64")
      .slice(offset === 0 ? 0 : offset + 1, -4),
  );
  const whole = bytes.toString("base64").replace(/=+$/, "");
  return [
    ...[whole, ...base64.filter((form) => form.length >= pieceMin)].flatMap((form) => [
      form,
      form.replaceAll("+", "-").replaceAll("/", "_"),
    ]),
    ...[hex, hex.toUpperCase(), grouped(hex, 2), grouped(hex, 4), grouped(hex.slice(2), 4)],
  ];
}

/** Forms of the bytes that a text encodes. The text itself is none of them: what looks like base64 may be words. */
function otherEncodings(text: string, bytes: Buffer): string[] {
  const signs: Record<string, string> = { "-": "+", _: "/", "+": "-", "/": "_" };
  const alike = (one: string) => one.replaceAll("-", "+").replaceAll("_", "/");
  // Of the last character, some bits may say nothing.
  const others = ofBytes(bytes).filter((form) => !alike(text).startsWith(alike(form).slice(0, -1)));
  const other = text.replace(/[-_+/]/g, (sign) => signs[sign] ?? sign);
  return other === text ? others : [other, ...others];
}

const grouped = (hex: string, digits: number) => hex.replace(new RegExp(`.{${digits}}(?=.)`, "g"), "$& ");

/** A text without some of the spaces at which its lines may have been wrapped: any of a few, one or all of many. */
function wrapped(text: string): string[] {
  if (!text.includes(" ") || isOrdinary(text) || text.search(lineBreaks) !== -1 || objectIn(text) !== null) return [];
  const [first = "", ...rest] = text.split(" ");
  if (rest.length > 4)
    return [
      ...Array.from(text.matchAll(/ /g), ({ index }) => text.slice(0, index) + text.slice(index + 1)),
      text.replaceAll(" ", ""),
    ];
  return rest.reduce((all, word) => all.flatMap((one) => [`${one} ${word}`, one + word]), [first]);
}

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

/**
 * A text as strings of JSON have it, also of JSON in JSON, with and without other alphabets, as a shell quotes it (`printf %q` and in
 * single quotes), and percent-encoded with small digits.
 */
function escapes(text: string): string[] {
  const json = inJson(text);
  const ascii = json.replace(/[^\0-\u007f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const percent = encodeURIComponent(text.toWellFormed()).replace(/%../g, (byte) => byte.toLowerCase());
  const shell = [text.replace(/^[#~]|[^\w%+./:=@~#\u0080-\uffff-]/g, "\\$&"), text.replaceAll("'", "'\\''")];
  const deeper = [json, ascii].flatMap((one) => [inJson(one), inJson(inJson(one))]);
  return [json, ascii, ...deeper, percent, ...shell];
}
