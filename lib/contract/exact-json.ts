/**
 * A number in JSON whose digits a JavaScript number would change, such as an id of 18 digits. It keeps its text: `String` returns it,
 * and `JSON.stringify` writes it as the number it was.
 */
export class ExactNumber {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }

  /** Browsers that cannot write a number by its text write the nearest JavaScript number. */
  toJSON(): unknown {
    return JSON.rawJSON?.(this.#text) ?? Number(this.#text);
  }
}

declare global {
  interface JSON {
    /** ECMAScript 2026, "JSON.parse source text access": absent in older browsers. */
    rawJSON?(text: string): object;
    isRawJSON?(value: unknown): boolean;
    parse(text: string, reviver: (key: string, value: unknown, context?: { source?: string }) => unknown): unknown;
  }
}

/** Where JSON may contain a number of 16 digits, with an exponent, or -0. Texts of the same look only cost time. */
const mayChange = /(?:^|[[:,\s])-?(?:\d[\d.]{15}|\d[\d.]*[eE])|-0(?:[.\s,\]}]|$)/;

/**
 * `JSON.parse` that keeps all digits: a number of 16 digits or more, with an exponent, or -0, that JavaScript would write in
 * another way is an {@link ExactNumber}. Throws as `JSON.parse` does.
 */
export function parseExactJson(text: string): unknown {
  if (!mayChange.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_, value, context) => {
    const source = context?.source;
    return typeof value === "number" && source !== undefined && isChanged(source, value)
      ? new ExactNumber(source)
      : value;
  });
}

function isChanged(source: string, value: number): boolean {
  return String(value) !== source && mayChange.test(source);
}

/** A value as a server component can pass it to the browser: as JSON, if it contains exact numbers. */
export type Passed<T> = T | { exactJson: string };

export function toPassed<T>(value: T): Passed<T> {
  return hasExactNumber(value) ? { exactJson: JSON.stringify(value) } : value;
}

export function fromPassed<T>(passed: Passed<T>): T {
  const isJson = typeof passed === "object" && passed !== null && "exactJson" in passed;
  // The cast rests on toPassed: the JSON is that of a T.
  return isJson ? (parseExactJson(passed.exactJson) as T) : passed;
}

function hasExactNumber(value: unknown): boolean {
  const waiting = [value];
  for (let next = waiting.pop(); next !== undefined || waiting.length > 0; next = waiting.pop()) {
    if (next instanceof ExactNumber) return true;
    if (typeof next === "object" && next !== null) for (const inner of Object.values(next)) waiting.push(inner);
  }
  return false;
}
