import { secretMask } from "./secret-mask.ts";

/** Shorter values cannot be distinguished from ordinary text and are not masked. */
const charactersMin = 8;
/** If a cut has left a secret incomplete, a part of this many characters and at least a third of it is masked too. */
const pieceMin = 12;

/** Masks the secrets of a run in what is kept of it. */
export type ValueMask = {
  text(text: string): string;
  /** Masks every string in a JSON value, keys included; returns the value itself if it contains no secret. */
  json<T>(value: T): T;
  /** Masks bytes that need not be text, such as a diff or a file; returns the same bytes if they contain no secret. */
  bytes(given: Uint8Array): Uint8Array;
};

/** One form of a secret to look for. */
type SecretForm = { form: string; least: number; blocks: string[] };

/**
 * Masks values by their content, not by their shape: complete, as base64 or percent-encoded, and if a cut (a chunk, the end of a
 * window of output) has left at least 12 characters and a third of one.
 */
export function maskOf(values: readonly string[]): ValueMask {
  const forms = [...new Set(values)].filter((value) => value.length >= charactersMin).flatMap(formsOf);
  const text = (given: string) => (forms.length === 0 ? given : maskText(given, forms));
  const json = (value: unknown): unknown => {
    if (typeof value === "string") return text(value);
    if (Array.isArray(value)) return mapped(value, json);
    if (typeof value !== "object" || value === null) return value;
    const fields = Object.entries(value);
    const shown = fields.map(([name, inner]) => [text(name), json(inner)] as const);
    return shown.every(([name, inner], at) => name === fields[at]?.[0] && inner === fields[at]?.[1])
      ? value
      : Object.fromEntries(shown);
  };
  // One character for each byte, so that bytes which are not text stay as they are.
  const byteForms = forms.map(({ form }) => secretForm(Buffer.from(form).toString("latin1")));
  const bytes = (given: Uint8Array) => {
    if (byteForms.length === 0) return given;
    const whole = Buffer.from(given.buffer, given.byteOffset, given.byteLength).toString("latin1");
    const shown = maskText(whole, byteForms);
    return shown === whole ? given : Buffer.from(shown, "latin1");
  };
  // The casts rest on `json`: its result differs only in the text of strings.
  return { text, bytes, json: <T>(value: T) => (forms.length === 0 ? value : (json(value) as T)) };
}

/** Headers that contain no credential, in lower case. */
export const plainHeaders: ReadonlySet<string> = new Set([
  "accept",
  "content-type",
  "user-agent",
  "x-github-api-version",
]);

/** The secrets in headers: a credential is a value, or one word of it. */
export function secretsInHeaders(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    plainHeaders.has(name.toLowerCase()) ? [] : [value, ...value.split(" ")].filter((word) => word.length >= 16),
  );
}

function mapped(values: unknown[], change: (value: unknown) => unknown): unknown[] {
  const changed = values.map(change);
  return changed.every((value, at) => value === values[at]) ? values : changed;
}

/** Encoded forms of the secrets, to check text that must contain none. Values too short to tell from ordinary text have none. */
export function secretForms(values: readonly string[]): string[] {
  return values
    .filter((value) => value.length >= charactersMin)
    .flatMap(formsOf)
    .map(({ form }) => form);
}

function formsOf(value: string): SecretForm[] {
  const encoded = [0, 1, 2].map((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(value)]).toString("base64");
    // The characters at both ends depend on the neighboring bytes.
    return bytes.slice(offset === 0 ? 0 : offset + 1, -4);
  });
  // Host names are lower case.
  const forms = [
    value,
    value.toLowerCase(),
    encodeURIComponent(value),
    ...encoded.filter(({ length }) => length >= pieceMin),
  ];
  return [...new Set(forms)].map(secretForm);
}

function secretForm(form: string): SecretForm {
  const least = form.length < pieceMin ? form.length : Math.max(pieceMin, Math.ceil(form.length / 3));
  // A piece of the minimum length contains one of these blocks, wherever it was cut.
  const size = Math.ceil(least / 2);
  const blocks: string[] = [];
  for (let at = 0; at + size <= form.length; at += size) blocks.push(form.slice(at, at + size));
  return { form, least, blocks: least === form.length ? [form] : blocks };
}

function maskText(text: string, forms: readonly SecretForm[]): string {
  const spans = forms.flatMap((one) => spansOf(text, one)).sort(([a], [b]) => a - b);
  if (spans.length === 0) return text;
  const pieces: string[] = [];
  let end = 0;
  for (const [from, to] of spans) {
    if (to <= end) continue;
    if (from >= end) pieces.push(text.slice(end, from), secretMask);
    end = to;
  }
  pieces.push(text.slice(end));
  return pieces.join("");
}

/** Ranges in which at least `least` characters of the form occur in the text. */
function spansOf(text: string, { form, least, blocks }: SecretForm): [number, number][] {
  const spans: [number, number][] = [];
  for (const [index, block] of blocks.entries()) {
    const start = index * block.length;
    for (let at = text.indexOf(block); at !== -1; at = text.indexOf(block, at + 1)) {
      let before = 0;
      while (before < start && at - before > 0 && text[at - before - 1] === form[start - before - 1]) before += 1;
      let after = block.length;
      while (start + after < form.length && text[at + after] === form[start + after]) after += 1;
      if (before + after >= least) spans.push([at - before, at + after]);
    }
  }
  return spans;
}
