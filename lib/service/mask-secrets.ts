import { distinctNames, maskSpans, type ValueMask } from "#lib/entry/mask-values.ts";
import { secretMask } from "#lib/entry/secret-mask.ts";
import { findUncolored } from "#lib/entry/unbroken-text.ts";
import { findAssigned, isSecretName, isSecretValue, nameWords } from "./secret-assignments.ts";
import { findCredentialAt, findKeyAt, findOtherKeys, keyBeginnings, type Span, schemes } from "./secret-shapes.ts";

/** Counts masked secrets. */
export type MaskCount = { masked: number };

/** What finds the secrets whose values are known. */
export type KnownValues = Pick<ValueMask, "find">;

/** No secret is shorter. */
const charactersMin = 8;

/** Characters after the cut that are examined too: they identify a secret that spans the cut. */
const beyondCut = 16_384;

/**
 * Masks every secret in a text: keys of well-known forms, private keys, passwords in addresses, and values of names
 * like `password` or `API_KEY`, and known values. Linear in the text's length.
 */
export function maskText(text: string, count: MaskCount = { masked: 0 }, values?: KnownValues): string {
  if (text.length < charactersMin) return text;
  const spans = findUncolored(text, findSecrets);
  const shown = maskSpans(text, values === undefined ? spans : [...spans, ...values.find(text)]);
  count.masked += shown.masked;
  return shown.text;
}

const isNameWord = new Set(nameWords);
const isScheme = new Set(schemes);
/** One pass over the text finds every place worth a closer look. */
const hint = new RegExp(
  [...nameWords, ...keyBeginnings, ...schemes].map((word) => word.replaceAll(".", "\\.")).join("|"),
  "g",
);

function findSecrets(text: string): Span[] {
  const spans: Span[] = [...findOtherKeys(text)];
  hint.lastIndex = 0;
  for (let found = hint.exec(text); found !== null; found = hint.exec(text)) {
    const { index, 0: word } = found;
    if (isScheme.has(word)) {
      const span = findCredentialAt(text, index, word);
      if (span !== null) spans.push(span);
      continue;
    }
    const { span, end } = isNameWord.has(word) ? findAssigned(text, index) : findKeyAt(text, index, word);
    if (span !== null) spans.push(span);
    // A run that was examined once is not examined again, however long it is.
    hint.lastIndex = Math.max(end, span?.[1] ?? 0);
  }
  return spans;
}

/**
 * {@link maskText} for a text that is then cut at `characters`: exact up to there, longer if the text is, without
 * reading much of a huge text. A secret that spans the cut is masked like any other.
 */
export function maskTextForCut(text: string, characters: number, count?: MaskCount, values?: KnownValues): string {
  for (let size = 2 * characters + 2 * beyondCut; size < text.length; size *= 2) {
    const here: MaskCount = { masked: 0 };
    const masked = maskText(text.slice(0, size), here, values);
    // Masks are shorter than most secrets: the cut must stay far from the end of what was read.
    if (masked.length < characters + beyondCut) continue;
    if (count !== undefined) count.masked += here.masked;
    return masked;
  }
  return maskText(text, count, values);
}

/**
 * Masks every string in a JSON value, in place: by its text, or completely if its key is the name of a secret. Keys are
 * masked too. A string is returned masked.
 */
export function maskJson(value: unknown, mask: (text: string) => string, count: MaskCount): unknown {
  const root = { value };
  const waiting: object[] = [root];
  for (let holder = waiting.pop(); holder !== undefined; holder = waiting.pop()) {
    const fields = holder as Record<string, unknown>;
    const nameOf = distinctNames();
    const renamed: [name: string, value: unknown][] = [];
    for (const key of Object.keys(fields)) {
      const inner = fields[key];
      if (typeof inner === "string") {
        if (holder !== root && isSecretName(key) && isSecretValue(key, inner)) {
          fields[key] = secretMask;
          count.masked += 1;
        } else fields[key] = mask(inner);
      } else if (typeof inner === "object" && inner !== null) waiting.push(inner);
      if (Array.isArray(holder)) continue;
      const shown = nameOf(mask(key));
      if (shown === key) continue;
      renamed.push([shown, fields[key]]);
      delete fields[key];
    }
    for (const [name, moved] of renamed) fields[name] = moved;
  }
  return root.value;
}
