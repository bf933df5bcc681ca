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
  return [{ text: value, isWhole: true }, ...innerTexts(value, depthMax)];
}

function innerTexts(text: string, depth: number): SecretText[] {
  return depth === 0
    ? []
    : textsIn(text).flatMap((inner) => [
        { ...inner, isWhole: inner.isWhole && inner.text.length >= charactersMin && !isOrdinary(inner.text) },
        ...innerTexts(inner.text, depth - 1),
      ]);
}

function textsIn(text: string): SecretText[] {
  const parsed = objectIn(text);
  if (parsed !== null) return jsonValues(parsed);
  // Others than URLs have several hosts, or characters that should be encoded.
  const password =
    URL.parse(text)?.password || (/^[a-z][a-z0-9+.-]*:\/\/[^\s:@/]*:(\S+)@[^\s@]*$/i.exec(text)?.[1] ?? "");
  const found = [
    // What is hexadecimal is no base64, though it could be.
    decoded(text, "base64", /^(?![0-9a-f]+$)[A-Za-z0-9+/_-]{11,}={0,2}$/),
    decoded(text, "hex", /^(?:[0-9a-f]{2}){8,}$/i),
    percentDecoded(text),
    // Whatever else an address says may occur in any text.
    password,
    percentDecoded(password),
  ];
  return [...new Set(found)].filter((one) => one !== text).map((one) => ({ text: one, isWhole: true }));
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

/** What a text encodes, if it is text; else its bytes in hexadecimal, in which programs show them. Empty if it encodes nothing. */
function decoded(text: string, encoding: "base64" | "hex", pattern: RegExp): string {
  const joined = text.replace(/\s+/g, "");
  if (!pattern.test(joined)) return "";
  const bytes = Buffer.from(joined, encoding);
  const said = bytes.toString("utf8");
  const isText = Buffer.from(said).equals(bytes) && !/[^\P{Cc}\t\r\n]/u.test(said);
  if (isText) return said;
  return bytes.length < charactersMin ? "" : bytes.toString("hex");
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
