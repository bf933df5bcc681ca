import { ExactNumber, parseExactJson } from "#lib/contract/exact-json.ts";
import { dates, isOrdinary, isWord } from "./ordinary-word.ts";

/** Shorter values cannot be distinguished from ordinary text and are not masked. */
export const charactersMin = 8;

/**
 * A text that is a secret or contains some. `isWhole`: also the text itself is one, not just what in it is random. With `bytes`: what
 * the text encodes, if that is no text.
 */
export type SecretText = { text: string; isWhole: boolean; bytes?: Buffer };

const depthMax = 4;

/**
 * The texts in which the secrets of a value occur: the value, decoded (base64, hexadecimal, percent-encoding), and each value of
 * JSON on its own. Ordinary words are secrets only as the value itself, numbers also as a value in JSON.
 */
export function secretTexts(value: string): SecretText[] {
  return [{ text: value, isWhole: true }, ...innerTexts(value, depthMax)];
}

function innerTexts(text: string, depth: number): SecretText[] {
  return depth === 0
    ? []
    : textsIn(text).flatMap((inner) => [
        { ...inner, isWhole: inner.isWhole && inner.text.length >= charactersMin && !isPlain(inner.text) },
        ...(inner.bytes === undefined ? innerTexts(inner.text, depth - 1) : []),
      ]);
}

const isPlain = (text: string) => isOrdinary(text) && !/^\d+$/.test(text);

function textsIn(text: string): SecretText[] {
  const parsed = objectIn(text);
  if (parsed !== null) return jsonValues(parsed);
  // Others than URLs have several hosts, or characters that should be encoded.
  const password =
    URL.parse(text)?.password || (/^[a-z][a-z0-9+.-]*:\/\/[^\s:@/]*:(\S+)@[^\s@]*$/i.exec(text)?.[1] ?? "");
  // Whatever else an address says may occur in any text.
  const found = [percentDecoded(text), password, percentDecoded(password)];
  return [
    // What is hexadecimal is no base64, though it could be.
    ...decoded(text, "base64", /^(?![0-9a-f]+$)[A-Za-z0-9+/_-]{11,}={0,2}$/),
    ...decoded(text, "hex", /^(?:[0-9a-f]{2}){8,}$/i),
    ...[...new Set(found)].filter((one) => one !== text).map((one) => ({ text: one, isWhole: true })),
  ];
}

/** The object or array that a text is, as JSON; null if it is none. */
export function objectIn(text: string): object | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    const value: unknown = parseExactJson(text);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

const secretField =
  /(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|key|credential|auth)s?(?:[_-]?(?:value|text|\d+))?$/i;
const hostOrMail = /^(?:[^\s@]+@)?(?:[a-z0-9-]+\.)+[a-z]{2,24}$/;

/** Every text in a JSON value, and the numbers that are secrets. A text is one itself if its name, or else its characters, say so. */
function jsonValues(value: object, name = ""): SecretText[] {
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    const called = Array.isArray(value) ? name : key;
    const isNumber = typeof inner === "number" || inner instanceof ExactNumber;
    if (typeof inner === "object" && inner !== null && !isNumber) return jsonValues(inner, called);
    const isNamed = secretField.test(called);
    if (isNumber && isNamed) return [{ text: String(inner), isWhole: true }];
    if (typeof inner !== "string") return [];
    return [{ text: inner, isWhole: !inner.includes("://") && (isNamed || isUnlikeWords(inner)) }];
  });
}

/** Whether a text has enough characters that belong to no word; fewer if it also has signs as passwords have them. */
function isUnlikeWords(text: string): boolean {
  const parts = text.replace(dates, " ").split(/[^A-Za-z0-9]+/);
  const count = parts.reduce((sum, part) => sum + (isWord(part) ? 0 : part.length), 0);
  return !hostOrMail.test(text) && (count >= charactersMin || (count >= 4 && /^\S*[^\w\s./:-]\S*$/.test(text)));
}

/** What a text encodes, text or bytes; empty if nothing. */
function decoded(text: string, encoding: "base64" | "hex", pattern: RegExp): SecretText[] {
  const joined = text.replace(/\s+/g, "");
  if (!pattern.test(joined)) return [];
  const bytes = Buffer.from(joined, encoding);
  const said = bytes.toString("utf8");
  const isText = Buffer.from(said).equals(bytes) && !/[^\P{Cc}\t\r\n]/u.test(said);
  if (isText) return [{ text: said, isWhole: true }];
  return bytes.length < charactersMin ? [] : [{ text: joined, isWhole: false, bytes }];
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
