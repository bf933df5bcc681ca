import { SecretFinder } from "./secret-finder.ts";
import { secretForms } from "./secret-forms.ts";
import { secretMask } from "./secret-mask.ts";
import type { Span } from "./unbroken-text.ts";

/** Masks the secrets of a run in what is kept of it. */
export type ValueMask = {
  text(text: string): string;
  /** Ranges of {@link text} that it masks, in no order; they may overlap. */
  find(text: string): Span[];
  /** Masks every string in a JSON value, keys included; returns the value itself if it contains no secret. */
  json<T>(value: T): T;
  /** {@link json} of a value that is about to grow: of a secret that has only begun at a text's end, that is left out. */
  growing<T>(value: T): T;
  /** Masks bytes that need not be text, such as a diff or a file; returns the same bytes if they contain no secret. */
  bytes(given: Uint8Array): Uint8Array;
};

/**
 * Masks values by their content: complete, encoded or decoded, and any 12 characters of what in them is random, also if line breaks
 * or terminal sequences interrupt them. docs/security.md says precisely what ("What is masked").
 */
export function maskOf(values: readonly string[]): ValueMask {
  let made: SecretFinder | undefined;
  const finder = () => {
    made ??= new SecretFinder(secretForms(values));
    return made;
  };
  const text = (given: string) => maskSpans(given, finder().find(given)).text;
  return {
    text,
    find: (given) => finder().find(given),
    json: (value) => mapTexts(value, text),
    growing: (value) => mapTexts(value, (given) => text(given.slice(0, finder().endOf(given)))),
    bytes(given) {
      // One character for each byte, so that bytes which are not text stay as they are.
      const whole = Buffer.from(given.buffer, given.byteOffset, given.byteLength).toString("latin1");
      const shown = text(whole);
      return shown === whole ? given : Buffer.from(shown, "latin1");
    },
  };
}

/** Headers that contain no credential. */
const plainHeaders = /^(?:accept|content-type|user-agent|x-github-api-version)$/i;

/** The secrets in headers: a value, a word of it that has `least` characters, and the pair of Basic credentials and its password. */
export function secretsInHeaders(headers: Readonly<Record<string, string>>, least = 16): string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (plainHeaders.test(name)) return [];
    const basic = /^basic\s+(.*)/is.exec(value)?.[1];
    const pair = Buffer.from(basic ?? "", "base64").toString();
    const words = [value, ...value.split(/\s+/)].filter((word) => word.length >= least);
    return [...words, pair, pair.slice(pair.indexOf(":") + 1)];
  });
}

/** A JSON value with every string changed, keys included; the value itself if none changes. */
function mapTexts<T>(given: T, change: (text: string) => string): T {
  const map = (value: unknown): unknown => {
    if (typeof value === "string") return change(value);
    if (Array.isArray(value)) {
      const changed = value.map(map);
      return changed.every((inner, at) => inner === value[at]) ? value : changed;
    }
    if (typeof value !== "object" || value === null) return value;
    const fields = Object.entries(value);
    const nameOf = distinctNames();
    const shown = fields.map(([name, inner]) => [nameOf(change(name)), map(inner)] as const);
    return shown.every(([name, inner], at) => name === fields[at]?.[0] && inner === fields[at]?.[1])
      ? value
      : Object.fromEntries(shown);
  };
  // The result differs only in the text of strings.
  return map(given) as T;
}

/** Gives names of one object, which may have become the same by masking, a number from the second on. */
export function distinctNames(): (name: string) => string {
  const counts = new Map<string, number>();
  return (name) => {
    let count = counts.get(name) ?? 0;
    let given = name;
    do {
      count += 1;
      given = count === 1 ? name : `${name} ${count}`;
    } while (count > 1 && counts.has(given));
    counts.set(name, count);
    if (given !== name) counts.set(given, 1);
    return given;
  };
}

/** A text with {@link secretMask} for each range; ranges that overlap are one. */
export function maskSpans(text: string, found: readonly Span[]): { text: string; masked: number } {
  if (found.length === 0) return { text, masked: 0 };
  const spans = [...found].sort(([a], [b]) => a - b);
  const pieces: string[] = [];
  let end = 0;
  let masked = 0;
  for (const [from, to] of spans) {
    if (to <= end) continue;
    if (from >= end) {
      pieces.push(text.slice(end, from), secretMask);
      masked += 1;
    }
    end = to;
  }
  pieces.push(text.slice(end));
  return { text: pieces.join(""), masked };
}
