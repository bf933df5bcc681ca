import { isOrdinary } from "./ordinary-word.ts";

/** Shorter values cannot be distinguished from ordinary text and are not masked. */
export const charactersMin = 8;

/** A text that is a secret or contains some. `isWhole`: also the text itself is one, not just what in it is random. */
export type SecretText = { text: string; isWhole: boolean };

const depthMax = 4;

/**
 * The texts in which the secrets of a value occur: the value, decoded (base64, hexadecimal, percent-encoding), and each value of
 * JSON on its own. Ordinary words are secrets only as the value itself.
 */
export function secretTexts(value: string): SecretText[] {
  const found = new Map<string, SecretText>();
  const waiting: (SecretText & { depth: number })[] = [{ text: value, isWhole: true, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { text, isWhole, depth } = next;
    const isSecret = isWhole && text.length >= charactersMin && (depth === 0 || !isOrdinary(text));
    found.set(text, { text, isWhole: isSecret || found.get(text)?.isWhole === true });
    if (depth < depthMax) waiting.push(...innerTexts(text).map((inner) => ({ ...inner, depth: depth + 1 })));
  }
  return [...found.values()];
}

function innerTexts(text: string): SecretText[] {
  const parsed = objectIn(text);
  if (parsed !== null) return jsonValues(parsed);
  const found = [
    decoded(text, "base64", /^[A-Za-z0-9+/_-]{11,}={0,2}$/),
    decoded(text, "hex", /^(?:[0-9a-f]{2}){8,}$/i),
  ];
  if (/%[0-9a-f]{2}/i.test(text)) found.push(whole(percentDecoded(text)));
  const password = URL.parse(text)?.password ?? "";
  // Whatever else an address says may occur in any text.
  if (password.length >= charactersMin) found.push(whole(password), whole(percentDecoded(password)));
  return found.filter((inner) => inner !== null);
}

/** The object or array that a text is, as JSON; null if it is none. */
export function objectIn(text: string): object | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

const secretField = /(?:pass(?:word|wd|phrase)?|pwd|secret|token|key)$/i;

/** Every text in a JSON value. It is a secret itself if its name says so and it is not an address. */
function jsonValues(value: object): SecretText[] {
  return Object.entries(value).flatMap(([name, inner]) => {
    if (typeof inner === "string") return [{ text: inner, isWhole: secretField.test(name) && !inner.includes("://") }];
    return typeof inner === "object" && inner !== null ? jsonValues(inner) : [];
  });
}

/** What a text encodes, if it is text; else its bytes in hexadecimal, in which programs show them. */
function decoded(text: string, encoding: "base64" | "hex", pattern: RegExp): SecretText | null {
  const joined = text.replace(/\s+/g, "");
  if (!pattern.test(joined)) return null;
  const bytes = Buffer.from(joined, encoding);
  const said = bytes.toString("utf8");
  const isText = Buffer.from(said).equals(bytes) && !/[^\P{Cc}\t\r\n]/u.test(said);
  if (isText) return whole(said);
  return encoding === "hex" || bytes.length < charactersMin ? null : whole(bytes.toString("hex"));
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const whole = (text: string): SecretText => ({ text, isWhole: true });
