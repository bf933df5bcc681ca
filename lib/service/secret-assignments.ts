import { escapeEnd, isLetterOrDigit, isVariable, looksRandom, runEnd, type Span } from "./secret-shapes.ts";

/** Words one of which every secret's name contains, in the three common spellings. */
export const nameWords = ["pass", "pwd", "secret", "token", "key", "credential", "connection"].flatMap((word) => [
  word,
  word.charAt(0).toUpperCase() + word.slice(1),
  word.toUpperCase(),
]);

const beforeMax = 64;
const restOfName = /[A-Za-z0-9_-]{0,64}/y;
/**
 * Endings of secrets' names, in lower case with `_` between words. Names that merely contain such a word
 * (`token_count`, `secrets`) do not count.
 */
const secretName =
  /(?:^|[^a-z0-9])(?:pass_?(?:word|wd|phrase)|pwd|secret|(?:[a-z]{2,12}_?)?token|(?:api|access|private|account|auth|encryption|signing|master|service|shared|secret)_?key|secret_key_base|credentials?|connection_?string)$|[a-z0-9]_pass$/;
const passwordName = /(?:pass_?(?:word|wd|phrase)|pwd|_pass)$/;
const operator = /(?:\\{0,3}["'`\]]){0,2}\s{0,3}(?:=>|:=|==?|:)\s{0,3}/y;
const openingQuote = /\\{0,3}["'`]/y;
const flagValue = /(?:=|\s{1,3})["']?([^\s"'`-][^\s"'`]{2,511})/y;
const schemeValue = /\s{1,3}([A-Za-z0-9._~+/=-]{16,2048})/y;

const quotedMax = 1024;
const bare = /[^\s"'`,;&|<>(){}[\]\\]{1,128}/y;

/** True for the name of a secret field: `password`, `DB_PASSWORD`, `apiKey`, `client-secret`. */
export function isSecretName(key: string): boolean {
  return key.length <= 200 && secretName.test(plainName(key));
}

/** True if a value of such a field is a secret. Short values and plain words are not, except for passwords. */
export function isSecretValue(key: string, value: string): boolean {
  if (value === "" || isVariable(value)) return false;
  return passwordName.test(plainName(key)) || (value.length >= 6 && !/^[a-z]+$/i.test(value));
}

/**
 * Position of the secret assigned to the name around a word at `at`: in code, JSON, YAML, environments, queries,
 * commands. `end` is the end of the name: further words in it belong to the same name.
 */
export function findAssigned(text: string, at: number): { span: Span | null; end: number } {
  let start = at;
  while (at - start < beforeMax && isNameCharacter(text.charCodeAt(start - 1))) start -= 1;
  // `\npassword=` in a string: the name begins after the line end.
  const unescaped = escapeEnd(text, start - 1);
  if (unescaped > start && unescaped <= at) start = unescaped;
  const before = text.slice(start, at);
  restOfName.lastIndex = at;
  const name = before + (restOfName.exec(text)?.[0] ?? "");
  const end = start + name.length;
  if (!isSecretName(name)) return { span: null, end };
  return { span: valueAfter(text, name, start, end), end };
}

/** Letters, digits and `-` `.` `_`. */
function isNameCharacter(code: number): boolean {
  return isLetterOrDigit(code) || code === 0x2d || code === 0x2e || code === 0x5f;
}

function valueAfter(text: string, name: string, start: number, end: number): Span | null {
  if (name.startsWith("-") && (start === 0 || /[\s"'`]/.test(text.charAt(start - 1)))) {
    const value = groupAt(flagValue, text, end);
    return value === null || isVariable(text.slice(...value)) ? null : value;
  }
  operator.lastIndex = end;
  const sign = operator.exec(text)?.[0];
  if (sign === undefined) {
    const value = /token$/i.test(name) ? groupAt(schemeValue, text, end) : null;
    return value !== null && looksRandom(text.slice(...value)) ? value : null;
  }
  const from = end + sign.length;
  openingQuote.lastIndex = from;
  const quote = openingQuote.exec(text)?.[0];
  if (quote !== undefined) return quotedValue(text, from + quote.length, name, quote);
  return bareValue(text, from, { name, sign, before: text.charAt(start - 1) });
}

/** Up to the closing quote. Sentences are not secrets, except as values of environment variables. */
function quotedValue(text: string, start: number, name: string, quote: string): Span | null {
  const slice = text.slice(start, start + quotedMax);
  const closing = slice.indexOf(quote);
  const [value = ""] = slice.slice(0, closing === -1 ? slice.length : closing).split(/[\r\n]/, 1);
  if (!isSecretValue(name, value)) return null;
  if (/\s/.test(value) && !isEnvironmentName(name)) return null;
  return [start, start + value.length];
}

type Assigned = { name: string; sign: string; before: string };

function bareValue(text: string, start: number, { name, sign, before }: Assigned): Span | null {
  bare.lastIndex = start;
  const value = bare.exec(text)?.[0].replace(/[.:]+$/, "");
  if (value === undefined || value === "" || isVariable(value)) return null;
  const end = start + value.length;
  const span: Span = [start, runEnd(text, end)];
  // A call, an index, a type parameter: code, not a value.
  if (/[([<{]/.test(text.charAt(end))) return null;
  const isTight = sign === "=";
  if (isTight && isEnvironmentName(name)) {
    return /^(?:true|false|null|undefined|none|\d{1,4})$/i.test(value) ? null : span;
  }
  if (isTight && /[?&;]/.test(before)) return value.length >= 4 ? span : null;
  // `request.body.password`, `process.env.TOKEN`.
  if (/^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$#][\w$]*)+$/.test(value)) return null;
  if (!looksRandom(value)) return null;
  if (value.length >= 20) return span;
  if (isTight) return value.length >= 6 ? span : null;
  const isLast = /^\s*(?:$|[\r\n#]|\\[rn])/.test(text.slice(end, end + 4));
  return passwordName.test(plainName(name)) && isLast ? span : null;
}

/** Position of the first group of a pattern that matches here and ends with that group. */
function groupAt(pattern: RegExp, text: string, at: number): Span | null {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  const value = found?.[1];
  return found === null || value === undefined ? null : [pattern.lastIndex - value.length, pattern.lastIndex];
}

/** `clientSecret` and `Client-Secret` as `client_secret`. */
function plainName(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll("-", "_")
    .toLowerCase();
}

/** `DB_PASSWORD`: a name in the style of environment variables. */
function isEnvironmentName(name: string): boolean {
  return /^[A-Z][A-Z0-9_]*$/.test(name);
}
